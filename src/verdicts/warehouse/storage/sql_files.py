"""The SQL files of the package by folder (file name = relation name), and helpers for statements."""

from __future__ import annotations

import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import duckdb

Folder: TypeAlias = Literal[
    "exporting/mended",
    "exporting/removed",
    "loading/audits",
    "loading/derived",
    "schema/catalog",
    "schema/internal",
    "schema/macros",
    "schema/search",
    "schema/views",
    "serving/differences",
    "serving/queries",
    "serving/search",
]


PACKAGE = Path(__file__).parents[1]


@cache
def read_sql(folder: Folder) -> dict[str, str]:
    """Name of each relation in `folder` to its SQL, sorted by name."""
    files = sorted((PACKAGE / folder).glob("*.sql"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}


_NAMED = re.compile(r"\b(?:(?:FROM|JOIN) (?:\w+\.)?(\w+)|(?:\w+\.)?(\w+)\()")
"""Relations and macros in a statement: `FROM search.words`, `JOIN search_tools(phrase)`, `search.words_of(phrase)`."""


def declarations(folder: Folder) -> dict[str, str]:
    """As `read_sql`, but each relation comes after the relations it uses, because DuckDB checks them."""
    files = read_sql(folder)
    named = {name: set().union(*_NAMED.findall(sql)) - {name} for name, sql in files.items()}
    order = TopologicalSorter({name: sorted(named[name] & files.keys()) for name in files}).static_order()
    return {name: files[name] for name in order}


def count(connection: duckdb.DuckDBPyConnection, relation: str) -> int:
    """Number of rows of a table, or of other SQL after FROM."""
    ((rows,),) = connection.execute(f"SELECT count(*) FROM {relation}").fetchall()  # noqa: S608 - names and queries of ours
    return int(rows)


def quote_name(name: str) -> str:
    """A name as an SQL identifier."""
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def literal(text: object) -> str:
    """A text or a path as an SQL string."""
    escaped = str(text).replace("'", "''")
    return f"'{escaped}'"
