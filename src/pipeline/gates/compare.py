"""Two readings of each page, the one before and tonight's: what of each measure it had, and what it lost.

Readings come as frames of READINGS, one row a page.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from corpus.enumerations import GateMeasure
from pipeline.gates.measures import PAGE_MEASURES
from pipeline.gates.thresholds import LOST_FACTOR, ONE_TOOL, TOOL_SHARE

READINGS = pl.Schema(
    {
        "page": pl.String(),
        "reading": pl.Int64(),
        "is_reject": pl.Boolean(),
        "tools": pl.List(pl.UInt64()),
        "amounts": pl.List(pl.Float32()),
    }
)
"""A page, the number of its reading, the keys of the tools it compares (NULL where it compares none), and `amounts`."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A page that lost something: the numbers of both readings, and the tools of which one may explain it."""

    page: str
    before: int
    after: int
    tools: frozenset[int]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many pages had a measure and could be compared, which of them lost it, and how many compare which tool."""

    had: int
    lost: tuple[Loss, ...]
    had_by_tool: Counter[int] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """The share of pages that lost it."""
        return len(self.lost) / self.had if self.had else 0.0


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pages that were read both times, those whose reading is another one now apart."""

    same: pl.DataFrame
    changed: pl.DataFrame


def pairs_of(before: pl.DataFrame, after: pl.DataFrame) -> Pairs:
    """The pages of both frames, by page. `tools` are those of before."""
    tonight = after.select("page", reading_after="reading", amounts_after="amounts", is_reject_after="is_reject")
    joined = before.join(tonight, on="page", how="inner").sort("page")
    is_same = pl.col("reading") == pl.col("reading_after")
    return Pairs(joined.filter(is_same), joined.filter(~is_same))


def tally(
    pairs: Pairs, measures: Collection[GateMeasure], *, answered: Collection[str] | None, only_changed: bool
) -> Mapping[GateMeasure, Tally]:
    """What became of some measures. Of pages whose reading is the same those alone count that are `answered`.

    A measure that does not apply to tonight's reading of a page leaves the page out.
    """
    unchanged = pairs.same if answered is None else pairs.same.filter(pl.col("page").is_in(list(answered)))
    same = unchanged.clear() if only_changed else unchanged
    shows = {measure: pl.col("amounts").list.get(PAGE_MEASURES.index(measure)) > 0 for measure in measures}
    had_same = same.select(**{measure: shown.sum() for measure, shown in shows.items()}).row(0, named=True)
    changed = pairs.changed.to_dicts()
    tallies = {measure: _of_changed(changed, PAGE_MEASURES.index(measure)) for measure in measures}
    return {
        measure: Tally(
            counted.had + had_same[measure],
            counted.lost,
            counted.had_by_tool + _tools_of(same.filter(shows[measure])) if counted.lost else counted.had_by_tool,
        )
        for measure, counted in tallies.items()
    }


def _of_changed(changed: Sequence[Mapping[str, Any]], place: int) -> Tally:
    had = [row for row in changed if row["amounts"][place] and row["amounts_after"][place] is not None]
    lost = [row for row in had if row["amounts_after"][place] * LOST_FACTOR <= row["amounts"][place]]
    losses = tuple(_loss(row, row["tools"] if _is_of_one_tool(row, place) else ()) for row in lost)
    return Tally(len(had), losses, Counter(tool for row in had for tool in set(row["tools"] or ())))


def _tools_of(pages: pl.DataFrame) -> Counter[int]:
    return Counter(tool for tools in pages["tools"] if tools is not None for tool in set(tools))


def losses_of(pairs: Pairs, pages: Collection[str]) -> tuple[Loss, ...]:
    """Those of some pages whose reading changed, as losses."""
    chosen = pairs.changed.filter(pl.col("page").is_in(list(pages)))
    return tuple(_loss(row, row["tools"]) for row in chosen.iter_rows(named=True))


def _loss(row: Mapping[str, Any], tools: Collection[int] | None) -> Loss:
    return Loss(row["page"], row["reading"], row["reading_after"], frozenset(tools or ()))


def _is_of_one_tool(row: Mapping[str, Any], place: int) -> bool:
    return bool(row["amounts_after"][place]) or row["amounts"][place] <= ONE_TOOL


def holders(readings: pl.DataFrame, measure: GateMeasure) -> frozenset[str]:
    """The pages that show something of a measure."""
    shown = readings.filter(pl.col("amounts").list.get(PAGE_MEASURES.index(measure)) > 0)
    return frozenset(shown["page"])


def changes_behind(tally: Tally) -> int:
    """How many changes of the site explain the losses, at least.

    What a site changes of a tool stands on all its pages: where half of them or more lost it, that is one change. The
    tool with most such pages is taken first; every page that none explains is a change of its own.
    """
    left = [frozenset(tool for tool in loss.tools if _lost_everywhere(tally, tool)) for loss in tally.lost]
    changes = 0
    while True:
        counts = Counter(tool for tools in left for tool in tools)
        tool, pages = max(counts.items(), key=lambda counted: (counted[1], counted[0]), default=(0, 0))
        if pages < 2:
            return changes + len(left)
        left = [tools for tools in left if tool not in tools]
        changes += 1


def _lost_everywhere(tally: Tally, tool: int) -> bool:
    lost = sum(tool in loss.tools for loss in tally.lost)
    return lost >= TOOL_SHARE * tally.had_by_tool.get(tool, 0)
