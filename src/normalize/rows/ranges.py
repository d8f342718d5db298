"""Numbers that their column cannot hold: NULL, and what the page says stands in `discrepancies` or `rejects`.

The ranges are those that the columns declare (`corpus.columns`), and those of their types.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from corpus.columns import Between, Column
from corpus.rows.doubts import DiscrepancyRow, RejectRow
from corpus.tables import TABLES
from extract.model.records import Observation
from normalize.rows.rejects import newest_by_url

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


def in_range(rows: Mapping[str, Iterable[Any]], observations: Sequence[Observation]) -> dict[str, list[Any]]:
    """The rows without the numbers that do not fit, and a row for each of these.

    It is told of the page that shows it; a price or a review of the first page, by id, that shows the tool.
    """
    kept: dict[str, list[Any]] = {}
    beyond: list[tuple[Any, Range, float]] = []
    for table, of_table in rows.items():
        ranges = ranges_of(table)
        kept[table] = [_fitting(row, ranges, beyond) for row in of_table] if ranges else list(of_table)
    if beyond:
        kept["discrepancies"] += _discrepancies(beyond, kept["tool_cards"])
        kept["rejects"] += _rejects(beyond, observations)
    return kept


def _fitting(row: Any, ranges: Sequence[Range], beyond: list[tuple[Any, Range, float]]) -> Any:  # noqa: ANN401  any row
    unfit = [
        (range_, value)
        for range_ in ranges
        if (value := getattr(row, range_.column)) is not None and not range_.holds(value)
    ]
    if not unfit:
        return row
    beyond += [(row, *found) for found in unfit]
    return replace(row, **{range_.column: None for range_, _ in unfit})


def _discrepancies(beyond: Sequence[tuple[Any, Range, float]], cards: Iterable[Any]) -> Iterator[DiscrepancyRow]:
    first_page: dict[str, str] = {}
    for card in cards:
        first_page[card.tool_id] = min(card.page_id, first_page.get(card.tool_id, card.page_id))
    for row, range_, value in beyond:
        if hasattr(row, "tool_id"):
            page_id = row.page_id if hasattr(row, "page_id") else first_page[row.tool_id]
            side = f" (side {row.side})" if hasattr(row, "side") else ""
            yield DiscrepancyRow(page_id, row.tool_id, RULE, _expected(range_), f"{value}{side}")


def _rejects(beyond: Sequence[tuple[Any, Range, float]], observations: Sequence[Observation]) -> Iterator[RejectRow]:
    newest = newest_by_url(observations)
    details: dict[str, list[str]] = {}
    for row, range_, value in beyond:
        if hasattr(row, "url"):
            details.setdefault(row.url, []).append(f"{_expected(range_)}, not {value}")
    for url, of_url in details.items():
        location = newest[url].location
        yield RejectRow(url, "normalize", RULE, "; ".join(of_url), location.segment, location.offset)


def _expected(range_: Range) -> str:
    return f"{range_.column} from {range_.least:,} to {range_.most:,}"
