"""The part of a corpus that a night's observations decide: rows of what they do not reach are left out."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from corpus.tables import Row
from normalize.corpus import Corpus
from normalize.incremental.dependencies import tool_key

BY_TOOL = frozenset({"tools", "tool_aliases", "tool_history", "price_history", "pricing_tiers", "reviews"})
BY_REVIEW = frozenset({"review_aliases", "appearances", "attribution_evidence"})
ABOUT_TAKES = frozenset({"take_tool_conflict", "attribution_conflict", "seat_conflict"})
"""Discrepancies that are found by comparing pages, and so are whole only for tools in reach."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is decided: all rows of these tools, pages and addresses."""

    tools: frozenset[str]
    pages: frozenset[str]
    urls: frozenset[str]


def within(corpus: Corpus, tool_keys: Collection[int], urls: Collection[str]) -> tuple[Corpus, Scope]:
    """The decided rows, and the scope they fill. `tool_keys` are the keys of tools all of whose pages were seen."""
    rows: Mapping[str, Any] = corpus
    tools = {row.tool_id for row in rows["tools"] if tool_key(row.tool_id) in tool_keys}
    # A tool by name that a slug claimed has no row any more, but may have had one.
    tools |= {row.alias_id for row in rows["tool_aliases"] if row.tool_id in tools}
    reviews = {row.review_id for row in rows["reviews"] if row.tool_id in tools}

    def is_decided(table: str, row: Any) -> bool:  # noqa: ANN401 - the row of any table
        if table in BY_TOOL:
            return row.tool_id in tools
        if table in BY_REVIEW:
            return row.review_id in reviews
        if table == "lookalikes":
            return row.review_id in reviews and row.other_id in reviews
        if table == "discrepancies":
            return row.rule not in ABOUT_TAKES or row.tool_id is None or row.tool_id in tools
        return True

    decided: dict[str, tuple[Row, ...]] = {
        table: tuple(row for row in held if is_decided(table, row)) for table, held in rows.items()
    }
    return decided, Scope(frozenset(tools), frozenset(row.page_id for row in rows["pages"]), frozenset(urls))
