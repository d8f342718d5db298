"""Questions to a database file in SQL, and their answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
from duckdb.sqltypes import DuckDBPyType

from verdicts.corpus.text import is_text
from verdicts.warehouse.storage.connection import (
    REMEDY,
    attach,
    first_line,
    is_damage,
    lock_down,
    open_database,
    whole_message,
)
from verdicts.warehouse.storage.sql_files import quote_name
from verdicts.warehouse.storage.warehouse_errors import CopyOutdated, QuestionFailed, WarehouseBroken

if TYPE_CHECKING:
    import polars as pl

BATCH = 10_000
"""Rows in memory at once while an answer is written."""

_ONE_SELECT = "only one SELECT is allowed; the corpus is read-only"

_FILE = re.compile(r'(Table with name |Cannot access (file|directory) ")(?P<path>(?(2)[^"]*|\S*/\S*))')
"""A file that may not be read: `Table with name /etc/passwd does not exist!`; for a name with a known ending, and in a
call, `Permission Error: Cannot access file "../x.csv" - file system operations are disabled by configuration`.
"""

_AS_TEXT = re.compile(r"\bINTERVAL\b|\bUNION\(|\bMAP\(BOOLEAN")
"""Types that no output form has. DuckDB writes them as text: `1 month 3 days 04:05:06`."""

_IN_PYTHON = {"FLOAT": "VARCHAR::DOUBLE"}
"""DuckDB returns FLOAT as the nearest double, 0.10000000149011612; its text of it is 0.1."""

_IN_PARQUET = {"HUGEINT": "DECIMAL(38, 0)", "UHUGEINT": "DECIMAL(38, 0)", "UUID": "VARCHAR", "JSON": "VARCHAR"}
"""Types to write instead. Parquet has no integers of 128 bits: DuckDB would write HUGEINT, the type of sums, as DOUBLE,
which is not exact. Other readers show UUID and JSON as bytes."""

Values = Mapping[str, str | int | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows with named columns. `types` are DuckDB's: `BIGINT`, `VARCHAR[]`, `DECIMAL(10,2)`."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Question:
    """One SELECT and the values of its `$name` parameters, on an open connection."""

    connection: duckdb.DuckDBPyConnection
    sql: str
    values: Values


def ask(path: Path, sql: str, values: Values | None = None) -> Answer:
    """The answer to one question about the file at `path`. Parameters and errors: see `open_question`."""
    with open_question(path, sql, values) as question:
        return read_answer(question)


@contextmanager
def open_question(
    path: Path, sql: str, values: Values | None = None, *, readable: Sequence[Path] = ()
) -> Iterator[Question]:
    """One question; answer it while the context is open. Parameters and errors are those of the functions it calls."""
    with open_for_questions(path, readable=readable) as connection:
        yield make_question(connection, sql, values)


@contextmanager
def open_for_questions(
    path: Path, *, before: Path | None = None, readable: Sequence[Path] = ()
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that can only read the file, the file at `before` as the database `before`, and folders `readable`.

    Errors of DuckDB become QuestionFailed, with hint and place in the SQL. Raises WarehouseLocked and WarehouseBroken
    if a file cannot be opened.
    """
    with ExitStack() as stack:
        connection = stack.enter_context(open_database(path, is_read_only=True))
        if before is not None:
            stack.enter_context(attach(connection, before, "before"))
        lock_down(connection, readable)
        with question_errors(path, before=before, readable=readable):
            yield connection


@contextmanager
def question_errors(path: Path, *, before: Path | None = None, readable: Sequence[Path] = ()) -> Iterator[None]:
    """Errors of DuckDB become QuestionFailed with the hint, or WarehouseBroken for a damaged file."""
    try:
        yield
    except duckdb.Error as error:
        if is_damage(error) and before is not None:
            raise WarehouseBroken(path, f"it or {before.name} is damaged ({first_line(error)}){REMEDY}") from error
        if is_damage(error):
            raise
        if (file := _FILE.search(first_line(error))) is not None:
            which = f"files only in {' and '.join(map(realpath, readable))}" if readable else "no files here"
            raise QuestionFailed(f"{file['path']} cannot be read; a SELECT may read {which}") from error
        raise QuestionFailed(whole_message(error)) from error


@contextmanager
def translate_own_errors(connection: duckdb.DuckDBPyConnection, path: Path) -> Iterator[None]:
    """For this program's own questions. Raises CopyOutdated if another version published the copy and it does not fit.

    A value that does not fit is QuestionFailed in one line: its place is in SQL that the reader did not write. DuckDB
    names this place only if it converts the value before it reads rows.
    """
    try:
        yield
    except duckdb.DataError as error:
        raise QuestionFailed(first_line(error)) from error
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        from verdicts.warehouse.schema.declared import (  # noqa: PLC0415  a start waits for no declarations
            VERSION,
            is_as_declared,
            read_version,
        )

        if is_as_declared(connection):
            raise
        raise CopyOutdated(path, is_newer=(read_version(connection) or 0) > VERSION) from error


def make_question(connection: duckdb.DuckDBPyConnection, sql: str, values: Values | None = None) -> Question:
    """One SELECT as a question; WITH, FROM, PIVOT, DESCRIBE, SHOW and SUMMARIZE count as SELECT.

    Raises QuestionFailed for another statement, for several statements, and for invalid text.
    """
    texts = [sql, *(value for value in (values or {}).values() if isinstance(value, str))]
    if not all(map(is_text, texts)):
        raise QuestionFailed("the question holds bytes that are not UTF-8, or half of a character")
    statements = connection.extract_statements(sql)
    if len(statements) == 1 and statements[0].type == duckdb.StatementType.MULTI:
        return Question(connection, _pivot(connection, sql), dict(values or {}))
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise QuestionFailed(_ONE_SELECT)
    return Question(connection, sql, dict(values or {}))


def _pivot(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    """A PIVOT that looks up its columns, as a SELECT from it. Raises QuestionFailed for anything else.

    DuckDB calls every statement with such a PIVOT a MULTI, also `COPY (PIVOT ...) TO` and `CREATE TABLE ... AS PIVOT`.
    These are not valid in parentheses.
    """
    selected = f"FROM ({_remove_semicolon(sql)}\n)"
    try:
        statements = connection.extract_statements(selected)
    except duckdb.ParserException as error:
        raise QuestionFailed(_ONE_SELECT) from error
    if len(statements) != 1:
        raise QuestionFailed(_ONE_SELECT)
    return selected


def _remove_semicolon(sql: str) -> str:
    """The SQL without its last semicolon, so that it can be in parentheses."""
    return sql.rstrip().rstrip(";")


def read_answer(question: Question, *, rows_max: int | None = None) -> Answer:
    """All rows of an answer. Raises QuestionFailed, also for more than `rows_max` rows."""
    rows: list[tuple[Any, ...]] = []
    for batch in read_batches(question):
        rows += batch.rows
        if rows_max is not None and len(rows) > rows_max:
            raise QuestionFailed(f"the answer has more than {rows_max:,} rows; use --format csv or a LIMIT")
    return Answer(batch.columns, batch.types, rows)


def read_batches(question: Question, size: int = BATCH) -> Iterator[Answer]:
    """The answer in batches of `size` rows, at least one batch. Raises QuestionFailed.

    Repeated column names are numbered: `a`, `a_1`. A column with an INTERVAL or a UNION becomes text.
    """
    cursor = question.connection.execute(question.sql, question.values or None)
    columns = distinct([name for name, *_ in cursor.description])
    casts = ", ".join(_cast(number, type_, _IN_PYTHON) for number, (_, type_, *_) in enumerate(cursor.description, 1))
    if "::" in casts:
        as_texts = f"SELECT {casts} FROM ({_remove_semicolon(question.sql)}\n)"  # noqa: S608  a question is SQL of its asker
        cursor = question.connection.execute(as_texts, question.values or None)
    types = tuple(str(type_) for _, type_, *_ in cursor.description)
    yield Answer(columns, types, cursor.fetchmany(size))
    while rows := cursor.fetchmany(size):
        yield Answer(columns, types, rows)


def write_parquet(question: Question) -> Path:
    """The answer as a Parquet file with zstd. It is removed when the connection closes. Raises QuestionFailed."""
    ((folder,),) = question.connection.execute("SELECT current_setting('temp_directory')").fetchall()
    if not folder:
        raise QuestionFailed("there is no folder for temporary files that can be written; name one in TMPDIR")
    target = Path(folder) / "answer.parquet"
    _exact(question).write_parquet(str(target), compression="zstd")
    return target


def read_frame(question: Question) -> pl.DataFrame:
    """The answer as a frame of polars, with the types of the Parquet file. Raises QuestionFailed."""
    import polars as pl  # noqa: PLC0415  answers are printed without polars

    return pl.DataFrame(_exact(question))  # `.pl()` needs pyarrow; this takes the Arrow C stream


def _exact(question: Question) -> duckdb.DuckDBPyRelation:
    """The answer with types of Parquet, without losing a digit of a number."""
    relation = question.connection.sql(question.sql, params=dict(question.values))
    columns = (
        f"{_cast(position, type_, _IN_PARQUET)} AS {quote_name(name)}"
        for position, (name, type_) in enumerate(zip(distinct(relation.columns), relation.types, strict=True), start=1)
    )
    return relation.project(", ".join(columns))


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """`a, b, A` becomes `a, b, A_1`, as in DuckDB's CREATE TABLE AS."""
    counts: dict[str, int] = {}
    distinct = []
    for name in names:
        count = counts.get(name.lower(), 0)
        counts[name.lower()] = count + 1
        distinct.append(f"{name}_{count}" if count else name)
    return tuple(distinct)


def _cast(number: int, type_: DuckDBPyType, replacements: Mapping[str, str]) -> str:
    """The column at `place`, cast to the type in `others` or to text if needed."""
    target = "VARCHAR" if _AS_TEXT.search(str(type_)) else replacements.get(str(type_))
    return f"#{number}" if target is None else f"#{number}::{target}"
