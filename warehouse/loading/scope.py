"""What a partial load decides, as SQL, and what a build has to know of what was loaded."""

from collections import Counter, defaultdict
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import polars as pl

from corpus.declare import Table
from corpus.enumerations import Attribution
from corpus.ownership import Log
from corpus.tables import TABLES
from normalize.scope import Scope
from warehouse.schema.migrate import version_of
from warehouse.storage.connection import opened


def declare_scope(connection: duckdb.DuckDBPyConnection, scope: Scope) -> None:
    """Makes a temporary table `scope_<part>` of one column, `member`, of each part of a scope."""
    for part, members in scope._asdict().items():
        frame = pl.DataFrame({"member": sorted(members)}, schema={"member": pl.String()})
        connection.register("members", frame)
        connection.execute(f"CREATE OR REPLACE TEMP TABLE scope_{part} AS SELECT * FROM members")  # noqa: S608  ours
        connection.unregister("members")


def in_scope(table: Table) -> str:
    """The SQL condition of the rows of a table that the declared scope decides, by its owners. Of a log, none."""
    if isinstance(table.owner, Log):
        return "false"
    conditions = [
        f"{column} IN (SELECT member FROM scope_{owner.part})"  # noqa: S608  names of ours
        for owner in table.owner
        for column in owner.columns
    ]
    return f"({' OR '.join(conditions)})"


def has_tools(path: Path) -> bool:
    """Whether the file at `path` holds any tool."""
    with opened(path, is_read_only=True) as connection:
        # Killed before its first commit, it has no table.
        return version_of(connection) is not None and bool(connection.execute("FROM tools LIMIT 1").fetchall())


class KnownPage(NamedTuple):
    """A page as it was loaded: its tools, and how many of its appearances are attributed how.

    `attributions` has (attribution, appearances, whether a given scope decides them).
    """

    url: str
    host: str | None
    tools: frozenset[str]
    attributions: tuple[tuple[Attribution, int, bool], ...]


def known_pages(path: Path, scope: Scope, pages: Collection[str]) -> dict[str, KnownPage]:
    """Those of some pages that the file at `path` has, by id."""
    with opened(path, is_read_only=True) as connection:
        if version_of(connection) is None:
            return {}  # killed before its first commit
        declare_scope(connection, scope)
        found = _of_pages(connection, "pages", "url, host", pages)
        cards = _of_pages(connection, "tool_cards", "tool_id", pages)
        question = f"attribution, {in_scope(TABLES['appearances'])} AS is_decided"
        appearances = Counter(_of_pages(connection, "appearances", question, pages))
    tools: dict[str, set[str]] = defaultdict(set)
    for page_id, tool_id in cards:
        tools[page_id].add(tool_id)
    attributions: dict[str, list[tuple[Attribution, int, bool]]] = defaultdict(list)
    for (page_id, attribution, is_decided), count in appearances.items():
        attributions[page_id].append((attribution, count, is_decided))
    return {
        page_id: KnownPage(url, host, frozenset(tools[page_id]), tuple(attributions[page_id]))
        for page_id, url, host in found
    }


def _of_pages(
    connection: duckdb.DuckDBPyConnection, table: str, columns: str, pages: Collection[str]
) -> list[tuple[Any, ...]]:
    connection.register("wanted", pl.DataFrame({"wanted": sorted(pages)}, schema={"wanted": pl.String()}))
    question = f"SELECT page_id, {columns} FROM {table} SEMI JOIN wanted ON page_id = wanted"  # noqa: S608  ours
    rows = connection.execute(question).fetchall()
    connection.unregister("wanted")
    return rows
