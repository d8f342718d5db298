"""Compares two readings of each page: which pages and tools lost something.

Readings are frames with the columns READINGS, one row per page.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

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


class Loss(NamedTuple):
    """A page that lost something, with the numbers of both readings."""

    page: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How many comparable pages or tools had a measure, and how many lost it.

    The test of chance uses `changes` out of `chances`: a tool that lost something on all its pages is one change, and
    so is a page that lost something of all its tools.
    """

    had: int
    lost: int
    changes: int
    chances: int
    share: float
    losses: tuple[Loss, ...] = ()


def pair_readings(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Pages that were read both times: the columns of `before`, and those of `after` with the ending `_after`.

    The tools of `after` are in the order of `before`, and their amounts None if they are no longer on the page.
    """
    tonight = after.rename({name: f"{name}_after" for name in after.columns if name != "page"})
    pairs = before.join(tonight, on="page", how="inner")
    is_same = pl.col("tools") == pl.col("tools_after")
    changed = pairs.filter(~is_same)
    aligned = [_align_tools(row) for row in changed.iter_rows(named=True)]
    changed = changed.with_columns(tool_amounts_after=pl.Series(aligned, dtype=READINGS["tool_amounts"]))
    return pl.concat([pairs.filter(is_same), changed]).sort("page")


def _align_tools(row: Mapping[str, Any]) -> list[float | None]:
    before, after, size = row["tools"], row["tools_after"], len(PAGE_MEASURES)
    aligned: list[float | None] = []
    for number, tool in enumerate(before):
        # A tool whose address changed keeps its column.
        is_renamed = len(before) == len(after) and after[number] not in before
        now = after.index(tool) if tool in after else number if is_renamed else None
        aligned += [None] * size if now is None else row["tool_amounts_after"][now * size : (now + 1) * size]
    return aligned


def find_pages(readings: pl.DataFrame, measure: GateMeasure) -> frozenset[str]:
    """The pages that show a measure."""
    chosen = readings.filter(pl.col("amounts").list.get(PAGE_MEASURES.index(measure)) > 0)
    return frozenset(chosen["page"])


IS_CHANGED = pl.col("reading") != pl.col("reading_after")
"""Whether a page was read anew."""

_HAD = (pl.col("before") > 0) & pl.col("after").is_not_null()
_IS_LOST = pl.col("after") * LOST_FACTOR <= pl.col("before")


def count_losses(
    pairs: pl.DataFrame, *, fresh: Collection[str], facts: Collection[GateMeasure] = FACTS
) -> Mapping[tuple[GateMeasure, GateUnit], Tally]:
    """Counts the pages that lost each measure, and for `facts` the tools.

    A page counts only where the measure applies both times, and as a loss of a fact only if its tools do not explain
    it. `fresh` are the pages that answered tonight: others may still show what their tool had before.
    """
    pages, tools = (_unfold(pairs, amounts) for amounts in ("amounts", "tool_amounts"))
    still_shown: dict[tuple[int, int], list[float]] = defaultdict(list)
    still = tools.filter(~_IS_LOST).join(tools.filter(_IS_LOST), on=["measure", "tool"], how="semi")
    for number, tool, loss in _iterate(still):
        # A page that answered tonight is current, whenever its reading was made.
        still_shown[number, tool].append(inf if loss.page in fresh else loss.after)
    losses: dict[int, list[tuple[int | None, Loss]]] = defaultdict(list)
    by_tool: dict[int, dict[int, list[Loss]]] = defaultdict(lambda: defaultdict(list))
    for number, tool, loss in _iterate(pages.filter(_IS_LOST)):
        losses[number].append((tool, loss))
    for number, tool, loss in _iterate(tools.filter(_IS_LOST)):
        by_tool[number][tool].append(loss)
    had_pages = dict(pages.group_by("measure").len().iter_rows())
    had_tools = dict(tools.group_by("measure").agg(pl.col("tool").n_unique()).iter_rows())
    counted: dict[tuple[GateMeasure, GateUnit], Tally] = {}
    for number, measure in enumerate(PAGE_MEASURES):
        had, lost = had_pages.get(number, 0), by_tool[number]
        gone = {tool for tool in lost if _is_gone(lost[tool], still_shown[number, tool])}
        counted[measure, "page"] = _count_pages(losses[number], lost, gone, had, is_fact=measure in facts)
        if measure in facts:
            counted[measure, "tool"] = _count_tools(lost, gone, had_tools.get(number, 0), had)
    return counted


def _unfold(pairs: pl.DataFrame, amounts: str) -> pl.DataFrame:
    """A row for each measure that a page, or each of its tools, had. `tool` is the first one for a page."""
    number = pl.int_ranges(pl.col(amounts).list.len()).alias("place")
    columns = pl.col("page", "reading", "reading_after", "tools")
    return (
        pairs.select(columns, number, before=amounts, after=f"{amounts}_after")
        .explode("place", "before", "after")
        .filter(_HAD)
        .with_columns(
            measure=pl.col("place") % len(PAGE_MEASURES),
            tool=pl.col("tools").list.get(pl.col("place") // len(PAGE_MEASURES), null_on_oob=True),
        )
    )


def _iterate(frame: pl.DataFrame) -> Iterator[tuple[int, Any, Loss]]:
    """The number of the measure, the tool and the page of each row."""
    for number, tool, *loss in frame.select("measure", "tool", "page", "reading", "reading_after").iter_rows():
        yield number, tool, Loss(*loss)


def _is_gone(losses: Sequence[Loss], still_shown: Sequence[float]) -> bool:
    """Whether a tool lost it on more pages than still show it. Pages that were read before the loss do not count."""
    first = min(loss.after for loss in losses)
    still = sum(read_at >= first for read_at in still_shown)
    return len(losses) > TOOL_SHARE * (len(losses) + still)


def _count_pages(
    losses: Sequence[tuple[int | None, Loss]],
    by_tool: Mapping[int, Sequence[Loss]],
    gone: Collection[int],
    had: int,
    *,
    is_fact: bool,
) -> Tally:
    """A loss of a tool on all its pages is one change. A fact that a tool lost is counted by tool."""
    behind: dict[str, set[int]] = defaultdict(set)
    for tool, pages in by_tool.items():
        for loss in pages:
            behind[loss.page].add(tool)
    # A tool that now has a price without an amount takes none from the tool beside it.
    lost = [loss for tool, loss in losses if behind[loss.page] or tool is None or not is_fact]
    unexplained = [loss for loss in lost if not behind[loss.page] or not behind[loss.page] <= {*gone}]
    if is_fact:
        # An edit of one tool that reaches its pages over several days is one change.
        unknown = sum(not behind[loss.page] for loss in unexplained)
        edited = {tool for loss in unexplained for tool in behind[loss.page]}
        lost, changes = unexplained, min(len(unexplained), unknown + len(edited))
    else:
        explaining = set().union(*(behind[loss.page] for loss in lost if loss not in unexplained))
        changes = min(len(lost), len(unexplained) + len(explaining))
    return Tally(had, len(lost), changes, had, len(lost) / max(had, 1), tuple(lost))


def _count_tools(by_tool: Mapping[int, Sequence[Loss]], gone: Collection[int], had: int, had_pages: int) -> Tally:
    """Two tools that lost it on few pages may be one page, so the smaller count is used."""
    pages = {loss.page for tool in gone for loss in by_tool[tool]}
    changes, chances = min(len(gone), len(pages)), min(had, had_pages)
    first_losses = {loss.page: loss for loss in (by_tool[tool][0] for tool in sorted(gone))}
    return Tally(had, len(gone), changes, chances, changes / max(chances, 1), tuple(sorted(first_losses.values())))
