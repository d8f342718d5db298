"""Traces the panel's tools over time, groups them by product, and finds the same tools on other sites."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from verdicts.normalize.external import ExternalTool, make_candidate_rows
from verdicts.normalize.identity.ids import KnownTool, ToolAlias
from verdicts.normalize.identity.products import make_product_rows
from verdicts.normalize.rows.tool_rows import (
    Statement,
    correct_groups,
    make_known_tool,
    make_price_history_rows,
    make_pricing_tier_rows,
    make_tool_history_rows,
    make_tool_row,
    trace_states,
)
from verdicts.normalize.steps.read_pages import Pages
from verdicts.normalize.work import Output, RunInputs


@dataclass(frozen=True, slots=True)
class Tools:
    """All tools by id, and the ids of tools by their other ids."""

    by_id: Mapping[str, KnownTool]
    aliases: Mapping[str, str]


def trace_tools(pages: Pages, aliases: Iterable[ToolAlias], inputs: RunInputs, output: Output) -> Tools:
    """Keeps the rows of tools, products and candidates. Returns every tool with its present name."""
    tools = describe_tools(pages.statements, inputs, output)
    present = {alias.alias_id: alias.tool_id for alias in aliases}
    keep_products(tools, inputs, output)
    keep_candidates(pages.external_tools, tools, present, inputs, output)
    return Tools({tool.tool_id: tool for tool in tools}, present)


def describe_tools(statements: Iterable[Statement], inputs: RunInputs, output: Output) -> list[KnownTool]:
    """Keeps the rows of tools, their history and prices. `statements` are all about each tool."""
    by_tool: dict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        by_tool[statement.tool_id].append(statement)
    states = [*map(trace_states, by_tool.values())]
    rows, outcomes = correct_groups(output.correct("tools", map(make_tool_row, states)), inputs.corrections)
    output.outcomes += outcomes
    output.keep("tools", rows)
    output.keep_corrected("tool_history", chain.from_iterable(map(make_tool_history_rows, states)))
    output.keep_corrected("price_history", chain.from_iterable(map(make_price_history_rows, states)))
    output.keep_corrected("pricing_tiers", chain.from_iterable(map(make_pricing_tier_rows, states)))
    return [make_known_tool(row, state.first_page) for row, state in zip(rows, states, strict=True)]


def keep_products(tools: Sequence[KnownTool], inputs: RunInputs, output: Output) -> None:
    """Keeps the rows of tools that seem to be entries of one product."""
    rows, outcomes = make_product_rows(tools, inputs.corrections)
    output.keep("products", rows)
    output.outcomes += outcomes


def keep_candidates(
    named: Iterable[ExternalTool],
    tools: Sequence[KnownTool],
    aliases: Mapping[str, str],
    inputs: RunInputs,
    output: Output,
) -> None:
    """Keeps the rows of tools on other sites, and of the panel's tools that they may be."""
    rows, mentions, outcomes = make_candidate_rows(named, tools, aliases, inputs.corrections)
    output.keep("product_candidates", rows)
    output.keep_corrected("mentions", mentions)
    output.outcomes += outcomes
