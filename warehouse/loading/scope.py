"""Tells a connection what a load decides, for the queries in `scopes/` to select by."""

from collections.abc import Iterable
from pathlib import Path

import duckdb
import polars as pl

from normalize.identity.products import ToolListing
from normalize.incremental.scope import Scope
from warehouse.storage.connection import opened


def declare_scope(connection: duckdb.DuckDBPyConnection, scope: Scope, reviews: pl.DataFrame) -> None:
    """Makes the temporary tables of a scope. `reviews` are the rows to come; those that stand are there still."""
    _declare(connection, "scope_tools", "tool_id", scope.tools)
    _declare(connection, "scope_urls", "url", scope.urls)
    # A page or a review that is gone under its id (a dump found its address, two wordings became one) still stands.
    pages = connection.sql("SELECT page_id FROM tool_cards WHERE tool_id IN (SELECT tool_id FROM scope_tools)")
    _declare(connection, "scope_pages", "page_id", scope.pages.union(*pages.fetchall()))
    standing = connection.sql("SELECT review_id FROM reviews WHERE tool_id IN (SELECT tool_id FROM scope_tools)")
    _declare(connection, "scope_reviews", "review_id", set(reviews["review_id"]).union(*standing.fetchall()))


def _declare(connection: duckdb.DuckDBPyConnection, name: str, column: str, values: Iterable[str]) -> None:
    frame = pl.DataFrame({column: sorted(values)}, schema={column: pl.String()})
    connection.register("values_of_scope", frame)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT * FROM values_of_scope")  # noqa: S608 - ours
    connection.unregister("values_of_scope")


def known_tools(path: Path) -> list[ToolListing]:
    """Every tool of the file at `path`: products are found among all of them."""
    with opened(path, is_read_only=True) as connection:
        rows = connection.sql("SELECT tool_id, host, slug, name, tagline, category FROM tools").fetchall()
    return [ToolListing(*row) for row in rows]
