"""What a partial load decides, as SQL, and what it has to know of the rest of the corpus."""

from collections.abc import Collection, Iterable
from pathlib import Path

import duckdb
import polars as pl

from corpus.declare import Table
from corpus.enumerations import Attribution
from corpus.ownership import Everything, OwnedBy, ScopePart
from normalize.identity.products import ToolListing
from normalize.incremental.scope import Scope
from warehouse.loading.staging import Staged
from warehouse.schema.migrate import version_of
from warehouse.storage.connection import opened

_MEMBERS: dict[ScopePart, str] = {"tools": "tool_id", "pages": "page_id", "reviews": "review_id", "urls": "url"}
"""Each part of a scope is a temporary table `scope_<part>` of one column."""


def declare_scope(connection: duckdb.DuckDBPyConnection, scope: Scope, reviews: Staged) -> None:
    """Makes the temporary tables of a scope. `reviews` are the rows to come; those of the last load are still there."""
    _declare(connection, "tools", scope.tools)
    _declare(connection, "urls", scope.urls)
    # A page or a review that is gone under its id (a dump found its address, two clusters became one) is still there.
    pages = connection.sql("SELECT page_id FROM tool_cards WHERE tool_id IN (SELECT tool_id FROM scope_tools)")
    _declare(connection, "pages", scope.pages.union(*pages.fetchall()))
    present = connection.sql("SELECT review_id FROM reviews WHERE tool_id IN (SELECT tool_id FROM scope_tools)")
    _declare(connection, "reviews", set(reviews.keys["review_id"]).union(*present.fetchall()))


def in_scope(table: Table) -> str:
    """The SQL condition of the rows of a table that the declared scope decides, by its owner. Raises for a log."""
    match table.owner:
        case Everything():
            return "true"
        case OwnedBy():
            return _is_owned(table.owner)
    raise AssertionError(f"{table.name} is a log: no load decides its rows")


def known_tools(path: Path) -> list[ToolListing]:
    """Every tool of the file at `path`: products are found among all of them."""
    with opened(path, is_read_only=True) as connection:
        if version_of(connection) is None:
            return []  # killed before its first commit
        rows = connection.sql("SELECT tool_id, host, slug, name, tagline, category FROM tools").fetchall()
    return [ToolListing(*row) for row in rows]


def known_attributions(path: Path, pages: Collection[str]) -> list[tuple[str, Attribution, int]]:
    """(page, attribution, appearances) of some pages, as the file at `path` has them."""
    with opened(path, is_read_only=True) as connection:
        if version_of(connection) is None:
            return []  # killed before its first commit
        return connection.execute(
            "SELECT page_id, attribution, count(*) FROM appearances WHERE page_id IN (SELECT unnest(?)) GROUP BY ALL",
            [list(pages)],
        ).fetchall()


def _is_owned(owner: OwnedBy) -> str:
    member = _MEMBERS[owner.part]
    chosen = f"IN (SELECT {member} FROM scope_{owner.part})"  # noqa: S608  names of ours
    condition = "(" + " OR ".join(f"{column} {chosen}" for column in owner.columns) + ")"
    if owner.unless is None:
        return condition
    values = ", ".join(f"'{value}'" for value in owner.unless.values)
    nulls = " OR ".join(f"{column} IS NULL" for column in owner.unless.owner.columns)
    return f"{condition} AND ({owner.unless.column} NOT IN ({values}) OR {nulls} OR {_is_owned(owner.unless.owner)})"


def _declare(connection: duckdb.DuckDBPyConnection, part: ScopePart, values: Iterable[str]) -> None:
    frame = pl.DataFrame({_MEMBERS[part]: sorted(values)}, schema={_MEMBERS[part]: pl.String()})
    connection.register("values_of_scope", frame)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE scope_{part} AS SELECT * FROM values_of_scope")  # noqa: S608  ours
    connection.unregister("values_of_scope")
