"""The part of a corpus that a night's observations decide: rows of what they do not reach are left out."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from corpus.ownership import OwnedBy, ScopePart
from corpus.tables import TABLES
from normalize.corpus import Corpus
from normalize.incremental.dependencies import tool_key


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
    parts: dict[ScopePart, frozenset[str]] = {
        "tools": frozenset(tools),
        "pages": frozenset(row.page_id for row in rows["pages"]),
        "reviews": frozenset(row.review_id for row in rows["reviews"] if row.tool_id in tools),
        "urls": frozenset(urls),
    }
    decided = {
        table: tuple(row for row in of_table if _is_decided(table, row, parts)) for table, of_table in rows.items()
    }
    return decided, Scope(parts["tools"], parts["pages"], parts["urls"])


def _is_decided(table: str, row: object, parts: Mapping[ScopePart, frozenset[str]]) -> bool:
    owner = TABLES[table].owner
    return is_owned(owner, row, parts) if isinstance(owner, OwnedBy) else True


def is_owned(owner: OwnedBy, row: object, parts: Mapping[ScopePart, frozenset[str]]) -> bool:
    """Whether a row is decided by a scope. The loader asks the same in SQL (`warehouse.loading.scope`)."""
    if not any(getattr(row, column) in parts[owner.part] for column in owner.columns):
        return False
    unless = owner.unless
    if unless is None or getattr(row, unless.column) not in unless.values:
        return True
    return any(getattr(row, column) is None for column in unless.owner.columns) or is_owned(unless.owner, row, parts)
