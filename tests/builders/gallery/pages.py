"""The gallery: 120 pages in 40 layouts, each with its key, and the shapes of the open web. The same wherever made."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass

from builders.gallery.facts import Answer, Break, Layouts, whole
from builders.gallery.listicles import LISTS
from builders.gallery.shapes import SHAPES
from builders.gallery.stated import STATED
from builders.gallery.tables import TABLES
from builders.scoring import (
    Reading,
    Value,
    cell_value,
    compared,
    review_value,
    tool_values,
)
from builders.snapshots import html
from verdicts.extract.model.records import Document, DoubtRule, Reject
from verdicts.extract.page import extract

LAYOUTS = LISTS | TABLES | STATED

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


def gallery_pages(edition: int = 0, layouts: Layouts = LAYOUTS) -> Iterator[GalleryPage]:
    """All pages, layout by layout. Another edition has other facts in the same layouts."""
    for layout, made in layouts.items():
        for form in range(FORMS):
            at, page = made(form, edition)
            html, answer = whole(page, at)
            yield GalleryPage(layout, form, f"https://lectern.example/{edition}/{layout}/{form}", html, answer)


def shapes(edition: int = 0) -> Iterator[GalleryPage]:
    return gallery_pages(edition, SHAPES)


def digest(pages: list[GalleryPage]) -> str:
    """SHA-256 of pages and keys."""
    hashed = hashlib.sha256()
    for page in pages:
        hashed.update(f"{page.url}\n{page.html}\n{page.answer.as_json()}\n".encode())
    return hashed.hexdigest()


_BREAKS: Mapping[Break, frozenset[DoubtRule]] = {
    "another_count": frozenset({"incomplete_list"}),
    "ranks_with_gap": frozenset({"list_not_read", "incomplete_list"}),
    "copies_differ": frozenset({"copies_differ"}),
    "unnamed_icon": frozenset({"unreadable_cell"}),
    "statements_differ": frozenset({"statements_differ", "price_differs", "rating_differs"}),
    "promise_unkept": frozenset({"list_not_read", "axis_unclear"}),
}
"""The doubts that report a break, any of them."""


def read(page: GalleryPage) -> Reading:
    """What the reader makes of one page."""
    snapshot, answer = html(page.html, page.url), page.answer
    extracted = extract(snapshot)
    key = [
        *tool_values(answer.claim, answer.tools),
        *(cell_value(*cell) for cell in answer.cells),
        *(review_value(*astuple(review)) for review in answer.reviews),
        *(Value("break", one, "reported") for one in answer.breaks),
    ]
    assert isinstance(extracted, Document | Reject), "a page of another site was read as a panel's"
    is_refused = isinstance(extracted, Reject)
    rules = {extracted.reason} if is_refused else {doubt.rule for doubt in extracted.doubts}
    reported = [Value("break", one, "reported") for one in answer.breaks if _BREAKS[one] & rules]
    findings = compared(key, extracted, reported)
    kind = page.layout.replace("_", " ")
    return Reading(snapshot, f"{kind} {page.form}", kind, kind, findings, tuple(sorted(rules)), is_refused)
