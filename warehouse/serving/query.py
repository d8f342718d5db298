"""One question to a database file, and its answer."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from warehouse.storage.connection import first_line, opened
from warehouse.storage.errors import QuestionFailed

_NOT_SHOWN = ("INTERVAL", "UNION")
"""Types that no output form has: a month is no number of days."""

_IN_PARQUET = {"HUGEINT": "DECIMAL(38, 0)", "UHUGEINT": "DECIMAL(38, 0)", "UUID": "VARCHAR", "JSON": "VARCHAR"}
"""What some types are written as. Parquet has no integers of 128 bits: DuckDB makes DOUBLE of HUGEINT, the type of
sums, which is not exact. UUID and JSON are annotated bytes, which other readers show as such."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows under named columns. `types` are DuckDB's names, such as `BIGINT`, `VARCHAR[]`, `DECIMAL(10,2)`."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def ask(path: Path, sql: str, values: Mapping[str, str | int | None] | None = None) -> Answer:
    """The answer of one question to the file at `path`; parameters and errors are those of `asked`."""
    with asked(path, sql, values) as relation:
        return answer_of(relation)


@contextmanager
def asked(
    path: Path, sql: str, values: Mapping[str, str | int | None] | None = None
) -> Iterator[duckdb.DuckDBPyRelation]:
    """The answer of one question as a relation, on a connection that is open while the context is.

    Parameters and errors are those of `relation_of`, and of `opened_for_questions`.
    """
    with opened_for_questions(path) as connection:
        yield relation_of(connection, sql, values)


@contextmanager
def opened_for_questions(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A read-only connection. What DuckDB raises while it is open is raised as QuestionFailed, in one line.

    Raises WarehouseLocked and WarehouseBroken when the file cannot be opened.
    """
    with opened(path, is_read_only=True) as connection:
        try:
            yield connection
        except duckdb.Error as error:
            raise QuestionFailed(first_line(error)) from error


def relation_of(
    connection: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, str | int | None] | None = None
) -> duckdb.DuckDBPyRelation:
    """The answer of one SELECT; WITH, FROM, DESCRIBE, SHOW and SUMMARIZE are SELECTs too.

    `values` are those of the `$name` parameters. Raises QuestionFailed for any other statement, and for several.
    """
    statements = connection.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise QuestionFailed("a question is exactly one SELECT")
    return connection.sql(sql, params=dict(values or {}))


def answer_of(relation: duckdb.DuckDBPyRelation) -> Answer:
    """All rows of a relation. A name that several columns have is numbered: `a`, `a_1`. Raises QuestionFailed."""
    return Answer(_distinct(relation.columns), _types(relation), relation.fetchall())


def write_parquet(relation: duckdb.DuckDBPyRelation, target: Path) -> None:
    """The rows of a relation as a Parquet file in zstd. Raises QuestionFailed."""
    columns = (
        f"#{position}{'::' + _IN_PARQUET[type_] if type_ in _IN_PARQUET else ''} AS {_quoted(name)}"
        for position, (name, type_) in enumerate(
            zip(_distinct(relation.columns), _types(relation), strict=True), start=1
        )
    )
    relation.project(", ".join(columns)).write_parquet(str(target), compression="zstd")


def _types(relation: duckdb.DuckDBPyRelation) -> tuple[str, ...]:
    types = tuple(map(str, relation.types))
    if any(name in type_ for type_ in types for name in _NOT_SHOWN):
        raise QuestionFailed("the answer has a column that cannot be shown; cast it to VARCHAR")
    return types


def _distinct(names: list[str]) -> tuple[str, ...]:
    """`a, b, A` becomes `a, b, A_1`, as DuckDB itself names the columns of a table made of them."""
    counts: dict[str, int] = {}
    distinct = []
    for name in names:
        count = counts.get(name.lower(), 0)
        counts[name.lower()] = count + 1
        distinct.append(f"{name}_{count}" if count else name)
    return tuple(distinct)


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
