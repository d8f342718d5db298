"""What the reader makes of pages of the gallery: which values it has, and which doubts report a value."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from typing import Any, Literal

from builders.snapshots import html
from comparison_bench.gallery.pages import GalleryPage
from comparison_bench.scoring import Finding, Mark, Value, judge_values
from verdicts.extract.model.records import Document, DoubtRule, Reject, SideBySide
from verdicts.extract.page import extract
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.normalize.parse.tool_values import choose_tools


@dataclass(frozen=True)
class Reading:
    """What the reader made of one page. `reports`: what it said that it could not read or does not trust."""

    page: Snapshot
    name: str
    layout: str
    findings: tuple[Finding, ...]
    reports: tuple[str, ...]


def tally(readings: Iterable[Reading], group: Literal["field", "layout"] = "field") -> dict[str, Counter[Mark]]:
    """How many values have which mark, by group in the order of first appearance."""
    counts: dict[str, Counter[Mark]] = {}
    for reading in readings:
        for finding in reading.findings:
            name = finding.field if group == "field" else reading.layout
            counts.setdefault(name, Counter())[finding.mark] += 1
    return counts


NOT_READ: frozenset[DoubtRule] = frozenset({"list_not_read", "axis_unclear"})
"""The page has a list or a table that was not read: any value of it may be missing."""

_MONEY: frozenset[DoubtRule] = frozenset(
    {"left_over", "copies_differ", "statements_differ", "flawed_table", "broken_statement"}
)
MISSING: Mapping[str, frozenset[DoubtRule]] = {
    "tool": frozenset({"incomplete_list", "broken_statement"}),
    "price": _MONEY | {"price_differs"},
    "rating": _MONEY | {"rating_differs"},
    "best for": frozenset({"left_over", "copies_differ", "flawed_table"}),
    "cell": frozenset({"left_over", "unreadable_cell", "flawed_table", "copies_differ"}),
    "review": frozenset({"broken_statement"}),
}
"""Doubts that speak of a missing value of a field on a page that was read."""

MAY_BE_WRONG: Mapping[str, frozenset[DoubtRule]] = {"cell": frozenset({"copies_differ", "flawed_table"})}
"""Doubts that say that a value may not hold."""


def make_report_check(rules: Iterable[str]) -> Callable[[str, bool], bool]:
    """Whether a page's doubts speak of a field."""
    doubts = frozenset(rules)

    def is_reported(field: str, is_missing: bool) -> bool:
        speaking = NOT_READ | MISSING.get(field, frozenset()) if is_missing else MAY_BE_WRONG.get(field, frozenset())
        return bool(doubts & speaking)

    return is_reported


def read_gallery(page: GalleryPage) -> Reading:
    """What the reader makes of one page."""
    snapshot, answer = html(page.html, page.url), page.answer
    extracted = extract(snapshot)
    key = [
        *_tool_values(answer.claim, answer.tools),
        *(_cell_value(*cell) for cell in answer.cells),
        *(_review_value(*astuple(review)) for review in answer.reviews),
    ]
    assert isinstance(extracted, Document | Reject), "a page of another site was read as a panel's"
    rules = {extracted.reason} if isinstance(extracted, Reject) else {doubt.rule for doubt in extracted.doubts}
    layout = page.layout.replace("_", " ")
    return Reading(snapshot, f"{layout} {page.form}", layout, _judge(key, extracted), tuple(sorted(rules)))


def _judge(key: list[Value], page: Document | Reject) -> tuple[Finding, ...]:
    if isinstance(page, Reject):
        return judge_values(key, (), lambda *_: True)
    given = [] if page.side_by_side is None and NOTHING not in key else [*_side_by_side(page.side_by_side)]
    names, others = ([value.at for value in side if value.field == "tool"] for side in (key, given))
    order = Value("order", "", tuple(name for name in names if name in others))
    order_read = Value("order", "", tuple(name for name in others if name in names))
    return judge_values([*key, order], [*given, order_read], make_report_check({doubt.rule for doubt in page.doubts}))


NOTHING = Value("claim", "", "nothing")


def _side_by_side(page: SideBySide | None) -> Iterator[Value]:
    if page is None:
        yield NOTHING
        return
    yield from _tool_values(page.claim, choose_tools(page)[0])
    labelled = [fact for fact in page.facts if fact.label is not None]
    yield from {_cell_value(page.tools[fact.tool], fact.label or "", fact.value) for fact in labelled}
    yield from (_review_value(review.author, review.rating, review.text) for review in page.reviews)


def _tool_values(claim: str | None, tools: Iterable[Any]) -> Iterator[Value]:
    """What a page claims, and what it says of each tool: of a record, or of a key with the same fields."""
    yield Value("claim", "", claim) if claim else NOTHING
    for tool in tools:
        yield Value("tool", tool.name, tool.name)
        for name in ("rank", "price", "rating", "best_for"):
            if (value := getattr(tool, name)) is not None:
                yield Value(name.replace("_", " "), tool.name, value)


def _cell_value(tool: str, label: str, value: str) -> Value:
    """Labels are compared by their words: `Pricing: Monthly` is `Pricing Monthly`."""
    return Value("cell", f"{tool} / {_words(label)}", value)


def _review_value(author: str | None, rating: str | None, text: str) -> Value:
    return Value("review", author or "", (rating or "", text))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
