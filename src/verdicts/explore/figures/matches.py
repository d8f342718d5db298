"""Who beats whom, as a table of the tools that were compared with each other most."""

from collections.abc import Mapping, Sequence
from typing import Any

TOOLS_MAX = 10
"""The most tools of a matrix, each with a letter."""

Match = Mapping[str, Any]


def matrix_of(matches: Sequence[Match]) -> list[tuple[Match, list[Match | None]]]:
    """From the answer of `matches_between`: each tool by a row of its own, and its match with each of them, if any.

    The tool with the fewest opponents among the rest goes until so few are left that most of them met.
    """
    by_pair = {(row["tool_id"], row["other_tool_id"]): row for row in matches if row["tool_id"] != row["other_tool_id"]}
    tools = {row["tool_id"]: row for row in by_pair.values()}

    def opponents(tool: str) -> int:
        return sum((tool, other) in by_pair for other in tools)

    while tools and (len(tools) > TOOLS_MAX or not min(map(opponents, tools))):
        del tools[min(tools, key=opponents)]
    return [(row, [by_pair.get((tool, other)) for other in tools]) for tool, row in tools.items()]
