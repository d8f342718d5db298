"""The SQL files of the package, by folder (file name = relation name), and what statements are made of."""

from __future__ import annotations

import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import duckdb

Folder: TypeAlias = Literal[
    "loading/audits",
    "loading/derived",
    "schema/catalog",
    "schema/internal",
    "schema/macros",
    "schema/objects",
    "schema/search",
    "schema/views",
    "serving/queries",
    "serving/search",
]


PACKAGE = Path(__file__).parents[1]


@cache
def read_sql(folder: Folder) -> dict[str, str]:
    """Name of each relation in `folder` to the text of its file, sorted by name."""
    files = sorted((PACKAGE / folder).glob("*.sql"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}


_NAMED = re.compile(r"\b(?:(?:FROM|JOIN) (?:\w+\.)?(\w+)|(?:\w+\.)?(\w+)\()")
"""What a statement reads from or calls: `FROM search.words`, `JOIN search_tools(phrase)`, `search.words_of(phrase)`."""


def declarations(folder: Folder) -> dict[str, str]:
    """As `read_sql`, each relation after those that it names: DuckDB looks for them when it declares."""
    files = read_sql(folder)
    named = {name: set().union(*_NAMED.findall(sql)) - {name} for name, sql in files.items()}
    order = TopologicalSorter({name: sorted(named[name] & files.keys()) for name in files}).static_order()
    return {name: files[name] for name in order}


def count(connection: duckdb.DuckDBPyConnection, relation: str) -> int:
    """Rows of a table, or of what stands behind FROM."""
    ((rows,),) = connection.execute(f"SELECT count(*) FROM {relation}").fetchall()  # noqa: S608 - names and queries of ours
    return int(rows)


def quoted(name: str) -> str:
    """A name as SQL has it, whatever it holds."""
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def literal(text: object) -> str:
    """A text or a path as SQL has it."""
    escaped = str(text).replace("'", "''")
    return f"'{escaped}'"
