"""Compares two readings of each page: which pages and tools lost something.

Readings are frames with the columns READINGS, one row per page.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, TypeAlias

import polars as pl

from verdicts.corpus.enumerations import GateMeasure, GateUnit
from verdicts.pipeline.gates.measures import PAGE_MEASURES
from verdicts.pipeline.gates.thresholds import FACTS, LOST_FACTOR, TOOL_SHARE

READINGS = pl.Schema(
    {
        "page": pl.String(),
        "reading": pl.Int64(),
        "tools": pl.List(pl.UInt64()),
        "amounts": pl.List(pl.Float32()),
        "tool_amounts": pl.List(pl.Float32()),
    }
)
"""Per page: the number of its reading, the keys of its tools, and the amounts of each measure for page and tools.

Readings are numbered in the order in which they were made.
"""

Row: TypeAlias = Mapping[str, Any]
"""A page whose reading changed, with both readings."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A page that lost something, with the numbers of both readings."""

    page: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How many comparable pages or tools had a measure, and how many lost it.

    The test of chance uses `changes` out of `chances`: a tool that lost something on all its pages is one change, and
    so is a page that lost something of all its tools. `share` is the lost share.
    """

    had: int
    lost: int
    changes: int
    chances: int
    share: float
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pages that were read both times, split by whether the reading changed."""

    same: pl.DataFrame
    changed: pl.DataFrame


def pairs_of(before: pl.DataFrame, after: pl.DataFrame) -> Pairs:
    tonight = after.rename({name: f"{name}_after" for name in after.columns if name != "page"})
    joined = before.join(tonight, on="page", how="inner").sort("page")
    is_same = pl.col("reading") == pl.col("reading_after")
    return Pairs(joined.filter(is_same), joined.filter(~is_same))


def tallies(
    pairs: Pairs,
    measures: Collection[GateMeasure],
    *,
    answered: Collection[str] | None,
    fresh: Collection[str],
    facts: Collection[GateMeasure] = FACTS,
) -> Mapping[tuple[GateMeasure, GateUnit], Tally]:
    """Counts each measure. Unchanged pages count only if they are in `answered`.

    A page counts only where the measure applies to tonight's reading. `fresh` are the pages that answered tonight:
    other pages may still show what their tool had before. For `facts`, tools are counted too, and then only pages whose
    loss is not explained by their tools.
    """
    unchanged = pairs.same if answered is None else pairs.same.filter(pl.col("page").is_in(list(answered)))
    counts = {measure: _Counts(PAGE_MEASURES.index(measure), measure in facts) for measure in measures}
    _add_unchanged(unchanged, counts.values(), frozenset(fresh))
    for row in pairs.changed.iter_rows(named=True):
        tools = _both_times(row)
        # A page that answered tonight is current, whenever its reading was made.
        read_at = inf if row["page"] in fresh else row["reading_after"]
        for each in counts.values():
            each.add(row, tools, read_at)
    counted: dict[tuple[GateMeasure, GateUnit], Tally] = {}
    for measure, each in counts.items():
        counted[measure, "page"] = each.count_pages()
        if each.is_fact:
            counted[measure, "tool"] = each.count_tools()
    return counted


def _add_unchanged(same: pl.DataFrame, counts: Collection["_Counts"], fresh: Collection[str]) -> None:
    shows = (pl.col("amounts").list.get(each.index).gt(0).sum().alias(f"{each.index}") for each in counts)
    for each, count in zip(counts, same.select(shows).row(0), strict=True):
        each.unchanged = count
    names = [f"{each.index}" for each in counts]
    own = (pl.col("tool_amounts").list.gather_every(len(PAGE_MEASURES), int(name)).alias(name) for name in names)
    by_tool = (
        same.select("tools", pl.col("page").is_in(list(fresh)).alias("is_fresh"), *own)
        .explode("tools", *names)
        .group_by("tools")
        .agg(*(pl.col(name).gt(0).any().alias(f"had {name}") for name in names),
             *((pl.col(name).gt(0) & pl.col("is_fresh")).sum() for name in names))
    )  # fmt: skip
    for row in by_tool.iter_rows(named=True):
        for each in counts:
            if row[f"had {each.index}"]:
                each.had_by_tool.add(row["tools"])
                each.unchanged_by_tool[row["tools"]] = row[f"{each.index}"]


def _both_times(row: Row) -> Sequence[tuple[int, int, int]]:
    """Each tool that is on the page both times, and where its amounts begin before and after."""
    before, after, size = row["tools"], row["tools_after"], len(PAGE_MEASURES)
    is_as_many = len(before) == len(after)
    both = []
    for number, tool in enumerate(before):
        # A tool whose address changed keeps its column.
        now = after.index(tool) if tool in after else number if is_as_many and after[number] not in before else None
        if now is not None:
            both.append((tool, number * size, now * size))
    return both


@dataclass(slots=True)
class _Counts:
    """Counts of one measure: pages that had it, and tools that lost or kept it."""

    index: int
    """Of the measure in `amounts`."""
    is_fact: bool
    unchanged: int = 0
    had: int = 0
    lost: list[Loss] = field(default_factory=list)
    had_by_tool: set[int] = field(default_factory=set)
    lost_by_tool: dict[int, list[Loss]] = field(default_factory=lambda: defaultdict(list))
    unchanged_by_tool: dict[int, int] = field(default_factory=dict)
    kept_by_tool: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """When the pages were read on which a tool still has it."""

    def add(self, row: Row, tools: Sequence[tuple[int, int, int]], read_at: float) -> None:
        loss = Loss(row["page"], row["reading"], row["reading_after"])
        has_lost = False
        for tool, start, start_after in tools:
            before, after = row["tool_amounts"][start + self.index], row["tool_amounts_after"][start_after + self.index]
            if before and after is not None:
                self.had_by_tool.add(tool)
                if _is_lost(before, after):
                    has_lost = True
                    self.lost_by_tool[tool].append(loss)
                else:
                    self.kept_by_tool[tool].append(read_at)
        before, after = row["amounts"][self.index], row["amounts_after"][self.index]
        if before and after is not None:
            self.had += 1
            # A tool that now has a price without an amount takes none from the tool beside it.
            if _is_lost(before, after) and (has_lost or not tools or not self.is_fact):
                self.lost.append(loss)

    def gone(self) -> frozenset[int]:
        """Tools that lost it on more pages than still show it. Pages that were read before the loss do not count."""
        gone = set()
        for tool, losses in self.lost_by_tool.items():
            first = min(loss.after for loss in losses)
            still = sum(at >= first for at in self.kept_by_tool[tool]) + self.unchanged_by_tool.get(tool, 0)
            if len(losses) > TOOL_SHARE * (len(losses) + still):
                gone.add(tool)
        return frozenset(gone)

    def count_pages(self) -> Tally:
        """Counts pages. A loss of a tool on all its pages is one change. A lost fact is counted by tool."""
        behind: dict[str, set[int]] = {loss.page: set() for loss in self.lost}
        for tool, pages in self.lost_by_tool.items():
            for loss in pages:
                behind.setdefault(loss.page, set()).add(tool)
        gone = self.gone()
        explained = {page for page, tools in behind.items() if tools and tools <= gone}
        others = tuple(loss for loss in self.lost if loss.page not in explained)
        had = self.had + self.unchanged
        if self.is_fact:
            # An edit of one tool that reaches its pages over several days is one change.
            unknown = sum(not behind[loss.page] for loss in others)
            edited = {tool for loss in others for tool in behind[loss.page]}
            changes = min(len(others), unknown + len(edited))
            return Tally(had, len(others), changes, had, _share(len(others), had), others)
        explaining = {tool for loss in self.lost if loss.page in explained for tool in behind[loss.page]}
        changes = min(len(self.lost), len(others) + len(explaining))
        return Tally(had, len(self.lost), changes, had, _share(len(self.lost), had), tuple(self.lost))

    def count_tools(self) -> Tally:
        """Counts tools. Two tools that lost it on few pages may be one page, so the smaller count is used."""
        gone = sorted(self.gone())
        lost_on = {loss.page for tool in gone for loss in self.lost_by_tool[tool]}
        changes, chances = min(len(gone), len(lost_on)), min(len(self.had_by_tool), self.had + self.unchanged)
        shown = {loss.page: loss for loss in (self.lost_by_tool[tool][0] for tool in gone)}
        return Tally(
            had=len(self.had_by_tool),
            lost=len(gone),
            changes=changes,
            chances=chances,
            share=_share(changes, chances),
            losses=tuple(shown[page] for page in sorted(shown)),
        )


def _is_lost(before: float, after: float) -> bool:
    return after * LOST_FACTOR <= before


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def losses_of(pairs: Pairs, pages: Collection[str]) -> tuple[Loss, ...]:
    chosen = pairs.changed.filter(pl.col("page").is_in(list(pages)))
    return tuple(Loss(row["page"], row["reading"], row["reading_after"]) for row in chosen.iter_rows(named=True))


def holders(readings: pl.DataFrame, measure: GateMeasure) -> frozenset[str]:
    """The pages that show a measure."""
    shown = readings.filter(pl.col("amounts").list.get(PAGE_MEASURES.index(measure)) > 0)
    return frozenset(shown["page"])
