"""Rows of `rejects` and `discrepancies`: unreadable content, and numbers that their column cannot hold."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from verdicts.corpus.columns import BIGINT_LEAST, BIGINT_MOST, Between, Column
from verdicts.corpus.rows.runs import DiscrepancyRow, RejectRow
from verdicts.corpus.tables import TABLES
from verdicts.extract.model.records import Comparison, Document, Observation, Reject, SideBySide
from verdicts.extract.panel.profile import SHIPPED, Profiles, SiteProfile
from verdicts.normalize.identity.page_versions import observation_order
from verdicts.normalize.parse.facts import facts
from verdicts.normalize.parse.numbers import count, rating, scale_end
from verdicts.normalize.parse.values import (
    BrokenValue,
    community,
    in_corpus_words,
    percent,
    readable,
    score,
    take_verdict,
    verdict_line,
    verdict_word,
)

DISCREPANCY_KEY = attrgetter(*TABLES["discrepancies"].key)

ParsedValue: TypeAlias = tuple[Callable[..., object], str | None, tuple[object, ...], str]
"""The parser of a value, the value as published, what else the parser needs, and where the value stands."""


def newest_by_url(observations: Iterable[Observation]) -> Mapping[str, Observation]:
    """The last observation of every address."""
    newest: dict[str, Observation] = {}
    for observation in observations:
        known = newest.get(observation.url)
        if known is None or observation_order(known) < observation_order(observation):
            newest[observation.url] = observation
    return newest


def reject_rows(observations: Sequence[Observation], profiles: Profiles = SHIPPED) -> Iterator[RejectRow]:
    """One row for each address and reason, only from its newest observation. Rows of earlier ones stay."""
    for url, observation in newest_by_url(observations).items():
        place = (observation.location.segment, observation.location.offset)
        extracted, failure = observation.extracted, observation.failure
        if failure is not None:
            yield RejectRow(url, "extract", failure.reason, failure.detail, *place)
        if isinstance(extracted, Reject):
            yield RejectRow(url, "extract", extracted.reason, extracted.detail, *place)
        elif isinstance(extracted, Comparison):
            profile = profiles[extracted.profile]
            values = _parsed_values(in_corpus_words(extracted, profile), profile)
            yield from _broken_rows(url, values, place)
        elif isinstance(extracted, Document):
            for rule, details in _doubted(extracted).items():
                yield RejectRow(url, "extract", rule, "; ".join(details), *place)
            if extracted.side_by_side is not None:
                yield from _broken_rows(url, _stated_values(extracted.side_by_side), place)


def _doubted(document: Document) -> Mapping[str, Sequence[str]]:
    """Doubts from reading the page, by rule: a page may have several broken scripts."""
    doubts: dict[str, list[str]] = defaultdict(list)
    for doubt in dict.fromkeys(document.doubts):
        doubts[doubt.rule].append(f"{doubt.found}; expected {doubt.expected}")
    return doubts


def _broken_rows(url: str, values: Iterable[ParsedValue], place: tuple[str, int]) -> Iterator[RejectRow]:
    """One row for each field with broken values, with their places."""
    broken: dict[str, list[str]] = defaultdict(list)
    for parse, raw, words, where in values:
        if raw is None:
            continue
        try:
            parse(raw, *words)
        except BrokenValue as error:
            broken[error.field].append(f"'{error.raw}' {where}")
    for field, details in broken.items():
        yield RejectRow(url, "normalize", f"broken_{field}", "; ".join(details), *place)


def _parsed_values(comparison: Comparison, profile: SiteProfile) -> Iterator[ParsedValue]:
    for card in comparison.cards:
        where = f"on the card of {card.name}"
        yield percent, card.panel_ship, (), where
        yield percent, card.community, (), where
        yield verdict_word, card.chip, (), where
    for decision in comparison.decisions:
        where = f"in the table for {decision.name}"
        yield verdict_line, decision.verdict, (profile,), where
        yield community, decision.community, (profile,), where
    for take in comparison.takes:
        where = f"on take {take.position}"
        yield score, take.score, (), where
        yield take_verdict, take.verdict, (), where


def _stated_values(tables: SideBySide) -> Iterator[ParsedValue]:
    """Ratings and counts that a page of another site states."""
    for tool in tables.tools:
        where = f"of {tool.name}"
        yield rating, tool.rating, (readable(scale_end, tool.rating_best),), where
        yield scale_end, tool.rating_best, (), where
        yield count, tool.ratings, (), where
    for row in tables.rows if len(tables.tools) else ():
        for tool, value in zip(tables.tools, row.values, strict=False):
            yield facts, value, (row.attribute,), f"in '{row.attribute}' of {tool.name}"
    for position, review in enumerate(tables.reviews):
        where = f"of review {position}"
        yield rating, review.rating, (readable(scale_end, review.rating_best),), where
        yield scale_end, review.rating_best, (), where


RULE = "out_of_range"


class Range(NamedTuple):
    """The numbers that a column may hold, `least` and `most` included."""

    column: str
    least: float
    most: float

    def holds(self, value: float) -> bool:
        """Whether the column can hold the value. No column can hold NaN or infinity."""
        return self.least <= value <= self.most and (isinstance(value, int) or math.isfinite(value))


@cache
def ranges_of(table: str) -> tuple[Range, ...]:
    """The ranges of the numbers that may be left out of a row."""
    return tuple(
        _range(column) for column in TABLES[table].columns if column.is_optional and column.type in {"BIGINT", "DOUBLE"}
    )


def _range(column: Column) -> Range:
    least, most = (BIGINT_LEAST, BIGINT_MOST) if column.type == "BIGINT" else (-math.inf, math.inf)
    if isinstance(column.kind, Between):
        least, most = column.kind.least, most if column.kind.most is None else column.kind.most
    return Range(column.name, least, most)


class Beyond(NamedTuple):
    """A number that its column cannot hold, and its row."""

    row: Any
    range: Range
    value: float


def fitting(rows: Mapping[str, Iterable[Any]]) -> tuple[dict[str, list[Any]], Sequence[Beyond]]:
    """Rows by table without the numbers that do not fit, and these numbers."""
    kept: dict[str, list[Any]] = {}
    beyond: list[Beyond] = []
    for table, of_table in rows.items():
        kept[table] = list(of_table)
        ranges = [range_ for range_ in ranges_of(table) if not _all_fit(kept[table], range_)]
        if ranges:
            kept[table] = [_fitting(row, ranges, beyond) for row in kept[table]]
    return kept, beyond


def _all_fit(rows: Iterable[Any], range_: Range) -> bool:
    """Whether all whole numbers of a column fit. Other numbers are checked one by one, because NaN has no order."""
    number = attrgetter(range_.column)
    values = [value for value in map(number, rows) if value is not None]
    return not values or (range_.most < math.inf and range_.least <= min(values) and max(values) <= range_.most)


def _fitting(row: Any, ranges: Sequence[Range], beyond: list[Beyond]) -> Any:  # noqa: ANN401  any row
    unfit = [
        Beyond(row, range_, value)
        for range_ in ranges
        if (value := getattr(row, range_.column)) is not None and not range_.holds(value)
    ]
    if not unfit:
        return row
    beyond += unfit
    return replace(row, **{found.range.column: None for found in unfit})


def discrepancies_beyond(beyond: Iterable[Beyond], first_page: Mapping[str, str]) -> Iterator[DiscrepancyRow]:
    """A row for each number of a page or a tool; one without a page is reported on the tool's `first_page`."""
    for row, range_, value in beyond:
        if hasattr(row, "tool_id"):
            page_id = row.page_id if hasattr(row, "page_id") else first_page[row.tool_id]
            side = f" (side {row.side})" if hasattr(row, "side") else ""
            yield DiscrepancyRow(page_id, row.tool_id, RULE, _expected(range_), f"{value}{side}")


def rejects_beyond(beyond: Iterable[Beyond], observations: Iterable[Observation]) -> Iterator[RejectRow]:
    """A row for each address with such numbers, at the place of its newest observation."""
    details: dict[str, list[str]] = {}
    for row, range_, value in beyond:
        if hasattr(row, "url"):
            details.setdefault(row.url, []).append(f"{_expected(range_)}, not {value}")
    newest = newest_by_url(observations) if details else {}
    for url, of_url in details.items():
        location = newest[url].location
        yield RejectRow(url, "normalize", RULE, "; ".join(of_url), location.segment, location.offset)


def _expected(range_: Range) -> str:
    return f"{range_.column} from {range_.least:,} to {range_.most:,}"
