"""Writes a dataset as a SQLite file, whose keys and references Datasette shows as links."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import duckdb

from verdicts.corpus.tables import TABLES
from verdicts.warehouse.exporting.card import Edition
from verdicts.warehouse.exporting.contents import find_key, read_rows
from verdicts.warehouse.schema.declared import Relation
from verdicts.warehouse.serving.answer_text import cell_text
from verdicts.warehouse.storage.sql_files import quote_name

_TYPES = {"BIGINT": "INTEGER", "BOOLEAN": "INTEGER", "DOUBLE": "REAL"}
"""Types of SQLite. All others are text: times by RFC 3339, lists as JSON."""


def write_sqlite(path: Path, connection: duckdb.DuckDBPyConnection, edition: Edition) -> list[str]:
    """Writes each table with its key and references, and the tables `about` and `columns`, which say what they are.

    Returns what SQLite could not hold: nothing.
    """
    names = {table.name for table in edition.tables}
    with closing(sqlite3.connect(path)) as file:
        for name, heading, rows in (
            ("about", ("name", "value"), edition.about.items()),
            ("columns", ("relation", "name", "type", "meaning"), edition.columns),
        ):
            file.execute(f"CREATE TABLE {name} ({', '.join(f'{column} TEXT' for column in heading)})")
            file.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(heading))})", rows)  # noqa: S608
        for table in edition.tables:
            file.execute(f"CREATE TABLE {quote_name(table.name)} ({', '.join(_columns(table, names))})")
            stored = ((*map(_value, values),) for values in read_rows(connection, table.name))
            places = ", ".join("?" * len(table.columns))
            file.executemany(f"INSERT INTO {quote_name(table.name)} VALUES ({places})", stored)  # noqa: S608
        file.commit()
    return []


def _columns(table: Relation, exported: set[str]) -> Iterator[str]:
    declared = TABLES[table.name].columns if table.name in TABLES else ()
    parents = {column.name: column.references for column in declared if column.references in exported}
    for column in table.columns:
        reference = parents.get(column.name)
        link = f" REFERENCES {quote_name(reference)} ({quote_name(find_key(reference)[0])})" if reference else ""
        yield f"{quote_name(column.name)} {_TYPES.get(column.type, 'TEXT')}{link}"
    yield f"PRIMARY KEY ({', '.join(map(quote_name, find_key(table.name)))})"


def _value(value: object) -> object:
    return cell_text(value) if isinstance(value, datetime | list) else value
