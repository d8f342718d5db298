"""Readings of our own records: which values they have, and which doubts report a value. Knows no generator."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from comparison_bench.scoring import Finding, Mark, Value, judge_values
from verdicts.extract.model.records import Document, DoubtRule, Reject, SideBySide
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.normalize.parse.tool_values import choose_tools

State: TypeAlias = Literal["right", "refused", "flagged, right", "flagged, wrong", "silent"]
STATES: tuple[State, ...] = ("right", "refused", "flagged, right", "flagged, wrong", "silent")
"""A page is `silent` when one of its values is wrong or missing without a word."""


@dataclass(frozen=True)
class Reading:
    """What a reader made of one page. `reports`: what it said that it could not read or does not trust."""

    page: Snapshot
    name: str
    kind: str
    layout: str
    findings: tuple[Finding, ...]
    reports: tuple[str, ...] = ()
    is_refused: bool = False

    @property
    def state(self) -> State:
        marks = {finding.mark for finding in self.findings}
        if marks & {"silent", "wrong"}:
            return "silent"
        if self.is_refused:
            return "refused"
        if "reported" in marks:
            return "flagged, wrong"
        return "flagged, right" if self.reports else "right"


def tally(readings: Iterable[Reading], group: Literal["field", "kind", "layout"]) -> dict[str, Counter[Mark]]:
    """How many values have which mark, by group in the order of first appearance."""
    counts: dict[str, Counter[Mark]] = {}
    for reading in readings:
        for finding in reading.findings:
            name = finding.field if group == "field" else getattr(reading, group)
            counts.setdefault(name, Counter())[finding.mark] += 1
    return counts


def tally_pages(readings: Iterable[Reading], group: Literal["kind", "layout"]) -> dict[str, Counter[State]]:
    """How many pages are in which state, by group."""
    counts: dict[str, Counter[State]] = {}
    for reading in readings:
        counts.setdefault(getattr(reading, group), Counter())[reading.state] += 1
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


def tool_values(claim: str | None, tools: Iterable[Any]) -> Iterator[Value]:
    """What a page claims, and what it says of each tool: of a record, or of a key with the same fields."""
    yield Value("claim", "", claim) if claim else NOTHING
    for tool in tools:
        yield Value("tool", tool.name, tool.name)
        for name in ("rank", "price", "rating", "best_for"):
            if (value := getattr(tool, name)) is not None:
                yield Value(name.replace("_", " "), tool.name, value)


def cell_value(tool: str, label: str, value: str) -> Value:
    """Labels are compared by their words: `Pricing: Monthly` is `Pricing Monthly`."""
    return Value("cell", f"{tool} / {words(label)}", value)


def compare_values(
    key: Sequence[Value],
    page: Document | Reject,
    beside: Iterable[Value] = (),
    clean: Callable[[Value], Value | None] = lambda value: value,
) -> tuple[Finding, ...]:
    """The key of such a page against what was read of it.

    `beside` are values that are given in another way. `clean` gets every other value; what it makes None is not judged.
    """
    if isinstance(page, Reject):
        return judge_values(key, (), lambda *_: True)
    found = page.side_by_side
    given = [value for value in map(clean, _side_by_side(found)) if value]
    if found is None and NOTHING not in key:
        given = []
    names, others = ([value.at for value in side if value.field == "tool"] for side in (key, given))
    order = Value("order", "", tuple(name for name in names if name in others))
    order_read = Value("order", "", tuple(name for name in others if name in names))
    rules = {doubt.rule for doubt in page.doubts}
    return judge_values([*key, order], [*given, order_read, *beside], make_report_check(rules))


NOTHING = Value("claim", "", "nothing")


def _side_by_side(page: SideBySide | None) -> Iterator[Value]:
    if page is None:
        yield NOTHING
        return
    yield from tool_values(page.claim, choose_tools(page)[0])
    labelled = [fact for fact in page.facts if fact.label is not None]
    cells = {cell_value(page.tools[fact.tool], fact.label or "", fact.value) for fact in labelled}
    yield from cells
    yield from (review_value(review.author, review.rating, review.text) for review in page.reviews)


def review_value(author: str | None, rating: str | None, text: str) -> Value:
    return Value("review", author or "", (rating or "", text))


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
