"""The gallery: 120 pages in 40 layouts, each with its key. The same pages wherever they are made."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from builders.gallery.facts import Answer, AnsweredReview, AnsweredTool, Break, Page, Shelf, Turn, whole
from builders.gallery.listicles import CARDS, LISTICLES
from builders.gallery.stated import BROKEN, NOTHING, STATED
from builders.gallery.tables import DRAWN_TABLES, TABLES
from builders.snapshots import html
from verdicts.extract.model.records import Document, DoubtRule, Extracted, Reject, SideBySide
from verdicts.extract.page import extract

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


Field: TypeAlias = Literal["claim", "tool", "rank", "price", "rating", "best for", "cell", "review", "break"]
FIELDS: tuple[Field, ...] = ("claim", "tool", "rank", "price", "rating", "best for", "cell", "review", "break")
Mark: TypeAlias = Literal["right", "told", "silent"]

_UNREAD: frozenset[DoubtRule] = frozenset({"list_not_read", "axis_unclear"})
"""The page is told to hold a list or a table that was not read: anything of it may be missing."""

_PARTLY: Mapping[Field, frozenset[DoubtRule]] = {
    "claim": frozenset(),
    "tool": frozenset({"incomplete_list", "broken_statement"}),
    "rank": frozenset(),
    "price": frozenset(
        {"left_over", "copies_differ", "statements_differ", "price_differs", "flawed_table", "broken_statement"}
    ),
    "rating": frozenset(
        {"left_over", "copies_differ", "statements_differ", "rating_differs", "flawed_table", "broken_statement"}
    ),
    "best for": frozenset({"copies_differ", "flawed_table"}),
    "cell": frozenset({"left_over", "unreadable_cell", "flawed_table", "copies_differ"}),
    "review": frozenset({"broken_statement"}),
    "break": frozenset(),
}
"""Doubts that speak of a missing value of a field on a page that was read."""

_MAY_BE_WRONG: Mapping[Field, frozenset[DoubtRule]] = {"cell": frozenset({"copies_differ", "flawed_table"})}
"""Doubts that say that a value may not hold."""

_BREAKS: Mapping[Break, frozenset[DoubtRule]] = {
    "another_count": frozenset({"incomplete_list"}),
    "ranks_with_gap": frozenset({"list_not_read", "incomplete_list"}),
    "copies_differ": frozenset({"copies_differ"}),
    "unnamed_icon": frozenset({"unreadable_cell"}),
    "statements_differ": frozenset({"statements_differ", "price_differs", "rating_differs"}),
}


class Finding(NamedTuple):
    """One value: of what, what was to be read, what was, and what that is."""

    field: Field
    of: str
    expected: object
    read: object
    mark: Mark = "silent"


@dataclass
class Score:
    """Counts by field."""

    marks: dict[Field, Counter[Mark]] = field(default_factory=lambda: {name: Counter() for name in FIELDS})

    def add(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self.marks[finding.field][finding.mark] += 1

    def of(self, mark: Mark) -> dict[str, int]:
        """Counts of a mark by field."""
        return {name: self.marks[name][mark] for name in FIELDS}

    @property
    def silent(self) -> int:
        return sum(self.of("silent").values())


def read(page: GalleryPage) -> Extracted:
    return extract(html(page.html, page.url))


def judged(answer: Answer, extracted: Extracted) -> list[Finding]:
    """Every value of the key, and every one that was read beside it."""
    if isinstance(extracted, Document):
        return [*_findings(answer, extracted.side_by_side, frozenset(doubt.rule for doubt in extracted.doubts))]
    assert isinstance(extracted, Reject), "a page of another site was read as a panel's"
    return [one._replace(mark="told") for one in _findings(answer, None, frozenset())]


def _findings(answer: Answer, compared: SideBySide | None, rules: frozenset[DoubtRule]) -> Iterator[Finding]:
    for one in (*_tools(answer, compared), *_cells(answer, compared), *_reviews(answer, compared)):
        yield one._replace(mark=_mark(one, rules))
    for broken in answer.breaks:
        yield Finding("break", broken, broken, sorted(rules), "right" if rules & _BREAKS[broken] else "silent")


def _mark(one: Finding, rules: frozenset[DoubtRule]) -> Mark:
    if one.expected == one.read:
        return "right"
    speaking = _UNREAD | _PARTLY[one.field] if one.read is None else _MAY_BE_WRONG.get(one.field, frozenset())
    return "told" if rules & speaking else "silent"


def _tools(answer: Answer, compared: SideBySide | None) -> Iterator[Finding]:
    """The claim; each tool at its place among those that were read; what is said of it beside its cells."""
    yield Finding("claim", "", answer.claim, None if compared is None else compared.claim)
    found = {} if compared is None else {tool.name: tool for tool in compared.tools}
    expected = {tool.name: tool for tool in answer.tools}
    in_order = [name for name in found if name in expected]
    for name in (*expected, *(name for name in found if name not in expected)):
        yield Finding("tool", name, name if name in expected else None, name if name in found else None)
        true, said = expected.get(name, AnsweredTool(name)), found.get(name)
        values: tuple[tuple[Field, object, object], ...] = (
            ("rank", true.rank, None if said is None else said.rank),
            ("price", true.price, None if said is None else said.price),
            ("rating", true.rating, None if said is None else said.rating),
            ("best for", true.best_for, None if said is None else said.best_for),
        )
        yield from (Finding(of, name, value, other) for of, value, other in values if value or other)
    if in_order != [name for name in expected if name in found]:
        yield Finding("tool", "order", [*expected], [*found])


def _cells(answer: Answer, compared: SideBySide | None) -> Iterator[Finding]:
    """Labels are compared by their words: `Pricing: Monthly` is `Pricing Monthly`."""
    rows = () if compared is None else (row for row in compared.rows if row.kind == "attribute")
    names = () if compared is None else tuple(tool.name for tool in compared.tools)
    read = {
        (name, _words(row.attribute), value)
        for row in rows
        for name, value in zip(names, row.values, strict=True)
        if value is not None
    }
    true = {(cell.tool, _words(cell.label), cell.value) for cell in answer.cells}
    for cell in sorted(true | read):
        values = (cell[2] if cell in true else None, cell[2] if cell in read else None)
        yield Finding("cell", f"{cell[0]} / {cell[1]}", *values)


def _reviews(answer: Answer, compared: SideBySide | None) -> Iterator[Finding]:
    read = (
        set()
        if compared is None
        else {AnsweredReview(one.author or "", one.rating or "", one.text) for one in compared.reviews}
    )
    for review in sorted(read.union(answer.reviews), key=lambda one: one.text):
        yield Finding(
            "review", review.author, review if review in answer.reviews else None, review if review in read else None
        )


def _words(label: str) -> str:
    return " ".join(re.findall(r"\w+", label.casefold()))
