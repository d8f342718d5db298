"""The gallery: 120 pages in 40 layouts, each with its key. The same pages wherever they are made."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from builders.gallery.answers import Answer
from builders.gallery.broken import BROKEN
from builders.gallery.cards import CARDS
from builders.gallery.drawn_tables import DRAWN_TABLES
from builders.gallery.facts import Shelf, Turn
from builders.gallery.listicles import LISTICLES
from builders.gallery.markup import Page, whole
from builders.gallery.nothing import NOTHING
from builders.gallery.stated import STATED
from builders.gallery.tables import TABLES

LAYOUTS: tuple[Callable[[Turn], tuple[Shelf, Page]], ...] = (
    *LISTICLES,
    *TABLES,
    *DRAWN_TABLES,
    *CARDS,
    *STATED,
    *BROKEN,
    *NOTHING,
)

FORMS = 3
"""Pages of a layout, each of another form."""


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """A page: its layout, which form of it, from 0, and its key."""

    layout: str
    form: int
    url: str
    html: str
    answer: Answer


def gallery_pages(edition: int = 0) -> Iterator[GalleryPage]:
    """All pages, layout by layout. Another edition has other facts in the same layouts."""
    for layout in LAYOUTS:
        for form in range(FORMS):
            at, page = layout(Turn(form, edition))
            html, answer = whole(page, at)
            url = f"https://lectern.example/{edition}/{layout.__name__}/{form}"
            yield GalleryPage(layout.__name__, form, url, html, answer)


def digest(pages: list[GalleryPage]) -> str:
    """SHA-256 of pages and keys."""
    hashed = hashlib.sha256()
    for page in pages:
        hashed.update(f"{page.url}\n{page.html}\n{page.answer.as_json()}\n".encode())
    return hashed.hexdigest()
