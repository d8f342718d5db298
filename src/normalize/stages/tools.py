"""From what pages say to tools: `tools`, `products`, `candidates`."""

from collections import defaultdict
from itertools import chain

from verdicts.normalize.external import candidate_rows
from verdicts.normalize.identity.products import product_rows
from verdicts.normalize.rows.doubts import discrepancies_beyond, fitting
from verdicts.normalize.rows.tools import (
    ToolReport,
    known_tool,
    merged,
    price_history_rows,
    pricing_tier_rows,
    tool_history_rows,
    tool_row,
    tool_states,
)
from verdicts.normalize.stages import relations as rel
from verdicts.normalize.work import Rows, Work


def tools(work: Work) -> Rows:
    """Rows of tools, their history and prices; sends every tool with its current name."""
    by_day: dict[str, list[ToolReport]] = defaultdict(list)
    for report in work.read(rel.REPORTS):
        by_day[report.tool_day].append(report)
    by_tool: dict[str, list[ToolReport]] = defaultdict(list)
    for day in map(merged, by_day.values()):
        by_tool[day.tool_id].append(day)
    found = [tool_states(days) for days in by_tool.values()]
    work.send(rel.TOOLS, map(known_tool, found))
    rows, beyond = fitting(
        {
            "tools": map(tool_row, found),
            "tool_history": chain.from_iterable(map(tool_history_rows, found)),
            "price_history": chain.from_iterable(map(price_history_rows, found)),
            "pricing_tiers": chain.from_iterable(map(pricing_tier_rows, found)),
        }
    )
    doubts = dict.fromkeys(discrepancies_beyond(beyond, {tool.tool_id: tool.first_page for tool in found}))
    work.send(rel.DOUBTS, [rel.doubt_of(row.tool_id or "", row) for row in doubts])
    return rows


def products(work: Work) -> Rows:
    """Which tools seem to be entries of one product."""
    return {"products": [*product_rows(work.read(rel.TOOLS))]}


def candidates(work: Work) -> Rows:
    """Which tools of the panel the pages of other sites name."""
    return {"product_candidates": [*candidate_rows(work.read(rel.EXTERNAL_TOOLS), work.read(rel.TOOLS))]}
