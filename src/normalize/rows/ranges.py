"""Numbers that their column cannot hold: NULL, and what the page says stands in `discrepancies` or `rejects`.

The ranges are those that the columns declare (`verdicts.corpus.columns`), and those of their types.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from msgspec.structs import replace

from verdicts.corpus.columns import Between, Column
from verdicts.corpus.rows.doubts import DiscrepancyRow, RejectRow
from verdicts.corpus.tables import TABLES
from verdicts.extract.model.records import Observation
from verdicts.normalize.rows.rejects import newest_by_url

RULE = "out_of_range"
BIGINT_LEAST, BIGINT_MOST = -(2**63), 2**63 - 1


class Range(NamedTuple):
    """The numbers that a column may hold, `least` and `most` included."""

    column: str
    least: float
    most: float

    def holds(self, value: float) -> bool:
        """Whether the column can hold the value; no column holds NaN or infinity."""
        return self.least <= value <= self.most and (isinstance(value, int) or math.isfinite(value))


@cache
def ranges_of(table: str) -> tuple[Range, ...]:
    """The ranges of the numbers that may be left out of a row."""
    return tuple(_range(column) for column in TABLES[table].columns if _is_optional_number(column))


def _is_optional_number(column: Column) -> bool:
    return column.is_optional and column.type in {"BIGINT", "DOUBLE"}


def _range(column: Column) -> Range:
    kind = column.kind if isinstance(column.kind, Between) else None
    least, most = (BIGINT_LEAST, BIGINT_MOST) if column.type == "BIGINT" else (-math.inf, math.inf)
    if kind is not None:
        least, most = kind.least, most if kind.most is None else kind.most
    return Range(column.name, least, most)


class Beyond(NamedTuple):
    """A number that its column cannot hold, and the row it stood in."""

    row: Any
    range: Range
    value: float


class Fitting(NamedTuple):
    """Rows by table, without the numbers that do not fit, and these."""

    rows: dict[str, list[Any]]
    beyond: Sequence[Beyond]


def fitting(rows: Mapping[str, Iterable[Any]]) -> Fitting:
    """The rows without the numbers that do not fit."""
    kept: dict[str, list[Any]] = {}
    beyond: list[Beyond] = []
    for table, of_table in rows.items():
        kept[table] = list(of_table)
        ranges = [range_ for range_ in ranges_of(table) if not _all_fit(kept[table], range_)]
        if ranges:
            kept[table] = [_fitting(row, ranges, beyond) for row in kept[table]]
    return Fitting(kept, beyond)


def _all_fit(rows: Iterable[Any], range_: Range) -> bool:
    """Whether all whole numbers of a column fit, seen at once. Of other numbers NaN has no order: each is looked at."""
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
    """A row for each number of a page or a tool. `first_page` of a tool is where those without a page are told."""
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
