"""The gallery: 93 pages in 31 layouts, each with its key; the same everywhere."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from comparison_bench.gallery.facts import Answer, whole
from comparison_bench.gallery.listicles import LISTS
from comparison_bench.gallery.stated import STATED
from comparison_bench.gallery.tables import TABLES

LAYOUTS = LISTS | TABLES | STATED

FORMS = 3
"""Pages of a layout, each of another form."""


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """A page: its layout, the number of its form (from 0), and its key."""

    layout: str
    form: int
    url: str
    html: str
    answer: Answer


def gallery_pages(edition: int = 0) -> Iterator[GalleryPage]:
    """All pages, layout by layout. Another edition has other facts in the same layouts."""
    for layout, made in LAYOUTS.items():
        for form in range(FORMS):
            at, page = made(form, edition)
            html, answer = whole(page, at)
            yield GalleryPage(layout, form, f"https://lectern.example/{edition}/{layout}/{form}", html, answer)


def digest(pages: list[GalleryPage]) -> str:
    """SHA-256 of pages and keys."""
    hashed = hashlib.sha256()
    for page in pages:
        hashed.update(f"{page.url}\n{page.html}\n{page.answer.as_json()}\n".encode())
    return hashed.hexdigest()
