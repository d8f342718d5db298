"""Loads the hand-made corpus, and reads whole databases back to compare them."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import polars as pl

from builders import warehouse_rows as make
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.loading.load import LoadReport, load
from verdicts.warehouse.loading.rows import LOGS, Logs
from verdicts.warehouse.schema.declared import declare
from verdicts.warehouse.serving import published as publishing
from verdicts.warehouse.serving.copy import make_copy
from verdicts.warehouse.serving.named_queries import query_named
from verdicts.warehouse.serving.published import Keep
from verdicts.warehouse.serving.query import Question, open_question
from verdicts.warehouse.storage.connection import open_for_writing
from verdicts.warehouse.storage.sql_files import read_sql

VIEWS = {name: sql.split(maxsplit=5)[4] for name, sql in read_sql("schema/views").items()}
"""File name of each view to its name in SQL, after CREATE OR REPLACE VIEW."""

Tables = dict[str, list[tuple[Any, ...]]]


def load_corpus(path: Path, rows: make.Corpus | None = None, load_id: str = "load-1", **changes: Any) -> LoadReport:
    """Loads `rows`, the hand-made corpus where None, with the hand-made crawl."""
    if rows is None and load_id == "load-1" and not changes and not path.exists():
        content, report = _hand_made()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return report
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(make_empty_file())
    return load_rows(path, rows, load_id, **changes)


@cache
def _hand_made() -> tuple[bytes, LoadReport]:
    """The file of a first load of the hand-made corpus: most tests begin with it, and copy it in no time."""
    with TemporaryDirectory() as folder:
        report = load_rows(Path(folder, "corpus.duckdb"), None)
        return Path(folder, "corpus.duckdb").read_bytes(), report


@cache
def make_empty_file() -> bytes:
    """A file with every table, view and macro and no row: to declare them is half of a small load."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "corpus.duckdb")
        with open_for_writing(path) as connection:
            declare(connection, path, at=make.NIGHT)
        return path.read_bytes()


def load_rows(path: Path, rows: make.Corpus | None, load_id: str = "load-1", **changes: Any) -> LoadReport:
    """The same by the load alone, which makes the file itself where there is none."""
    logs: dict[str, Any] = {"crawls": make.crawls(), "fetches": make.fetches()}
    logs |= {table: changes.pop(table) for table in LOGS if table in changes}
    arguments: dict[str, Any] = {
        "load_id": load_id,
        "loaded_at": make.NIGHT,
        "extractor_version": "1",
        "clock": lambda: 0.0,
    }
    return load(path, make.corpus() if rows is None else rows, Logs(**logs), **(arguments | changes))


def publish(path: Path, serve: Path, *, at: datetime, keep: Keep | None = None) -> Path:
    """Publishes a copy of the warehouse at `path`, made in this process: tests of what it holds need no other."""
    return publishing.publish(serve, partial(make_copy, path, at=at), keep)


def tables(path: Path) -> Tables:
    """Every row of every table, by key."""
    with duckdb.connect(path, read_only=True) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return {
            name: connection.execute(f"SELECT * FROM {table.relation} ORDER BY {', '.join(table.key)}").fetchall()
            for name, table in TABLES.items()
        }


def answer_frame(path: Path, sql: str, values: Mapping[str, str | int | None] | None = None) -> pl.DataFrame:
    """The answer of one question as a frame."""
    with open_question(path, sql, values) as question:
        return question_frame(question)


def ask_named(path: Path, name: str, **values: str) -> pl.DataFrame:
    """The answer of a named question as a frame."""
    query = query_named(name)
    return answer_frame(path, query.sql, query.bind(values))


def question_frame(question: Question) -> pl.DataFrame:
    """The answer of a question that is open, as a frame."""
    return pl.DataFrame(question.connection.sql(question.sql, params=dict(question.values)))
