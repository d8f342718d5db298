"""A copy made of the last one and of what changed says what a copy made whole says."""

import logging
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.made_nights import nights
from builders.warehouse_files import load_corpus, load_rows
from corpus.tables import TABLES
from normalize.scope import Scope
from warehouse.copying.by_changes import MOST_NIGHTS
from warehouse.schema.catalog import relations
from warehouse.serving.publish import publish
from warehouse.serving.published import published
from warehouse.storage.sql_files import read_sql

pytestmark = pytest.mark.once

SEARCH = ("indexed", "names", "postings", "words")

WHOLE = "the copy is made whole"


@pytest.fixture(autouse=True)
def told(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "warehouse")
    return caplog


def contents(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, view and part of the search index."""
    with duckdb.connect(file, read_only=True) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        names = (*TABLES, *read_sql("schema/views"), *(f"search.{name}" for name in SEARCH))
        return {name: connection.execute(f"FROM {name} ORDER BY ALL").fetchall() for name in names}


def catalog(copy: Path) -> list[object]:
    with duckdb.connect(copy, read_only=True) as connection:
        indexes = connection.execute("SELECT table_name, expressions FROM duckdb_indexes() ORDER BY ALL").fetchall()
        return [*relations(connection), *indexes]


def night(path: Path, number: int, rows: make.Corpus, scope: Scope | None = None) -> None:
    load_rows(
        path,
        make.decided(rows, scope) if scope else rows,
        f"load-{number}",
        scope=scope,
        crawls=[make.Crawl(f"2026112{number}T013000Z-0001")],
        loaded_at=make.NIGHT,
    )


@pytest.mark.parametrize("seed", range(1))
def test_a_copy_of_changes_says_what_the_warehouse_says(
    tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    path, serve = tmp_path / "corpus.duckdb", tmp_path / "serve"
    for number, (rows, scope) in enumerate(nights(seed, 4)):
        night(path, number, rows, scope if number else None)
        caplog.clear()
        copy = publish(path, serve, at=make.NIGHT)
        assert (WHOLE in caplog.text) == (number == 0), caplog.text
        of_copy, of_warehouse = contents(copy), contents(path)
        for name in of_warehouse:
            assert of_copy[name] == of_warehouse[name], (number, name)
    assert catalog(copy) == catalog(publish(path, tmp_path / "whole", at=make.NIGHT))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A warehouse with a published copy."""
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    publish(path, tmp_path / "serve", at=make.NIGHT)
    return path


def test_a_night_without_news_is_published_by_changes(path: Path, told: pytest.LogCaptureFixture) -> None:
    copy = publish(path, path.parent / "serve", at=make.NIGHT)
    assert copy.name == "corpus-load-1.2.duckdb"
    assert contents(copy) == contents(path)
    assert WHOLE not in told.text


def test_all_rows_gone_are_gone_from_the_copy(path: Path, told: pytest.LogCaptureFixture) -> None:
    load_corpus(path, {}, load_id="load-2")
    assert contents(publish(path, path.parent / "serve", at=make.NIGHT)) == contents(path)
    assert WHOLE not in told.text


THIS = duckdb.__version__

SPOILED = {
    "of another version": ("CREATE OR REPLACE MACRO schema_digest() AS 'another'", "schema of another version"),
    "another DuckDB's": (
        "CREATE OR REPLACE MACRO copy_made() AS {'nights': 0, 'whole_bytes': 1, 'duckdb': '0'}",
        "was made by DuckDB 0",
    ),
    "made by many nights": (
        f"CREATE OR REPLACE MACRO copy_made() AS {{'nights': {MOST_NIGHTS}, 'whole_bytes': 9, 'duckdb': '{THIS}'}}",
        f"{MOST_NIGHTS} copies were made",
    ),
    "from before": ("DROP MACRO copy_made", "does not say"),
    "without an index": ("DROP INDEX tools_by_tool_id", "other indexes"),
    "of another warehouse": ("UPDATE loads SET elapsed_ms = 99", "not the warehouse's"),
    "with another row": ("UPDATE reviews SET score = 1", "reviews would not have the rows"),
    "without a table": ("DROP TABLE verdicts", "not as this version makes it"),
}


@pytest.mark.parametrize("spoiled", SPOILED)
@pytest.mark.share(3)
def test_a_copy_that_cannot_be_built_upon_is_made_whole(
    path: Path, told: pytest.LogCaptureFixture, spoiled: str
) -> None:
    statement, reason = SPOILED[spoiled]
    spoil(path, statement)
    rows = make.corpus()
    first, *others = rows["reviews"]
    load_corpus(path, rows | {"reviews": [replace(first, text="another text"), *others]}, "load-2")
    assert contents(publish(path, path.parent / "serve", at=make.NIGHT)) == contents(path)
    assert f"{WHOLE}: " in told.text
    assert reason in told.text


def spoil(path: Path, statement: str) -> None:
    copy = published(path.parent / "serve")
    copy.chmod(0o644)
    with duckdb.connect(copy) as connection:
        connection.execute(statement)


def test_a_damaged_copy_is_not_built_upon(path: Path, told: pytest.LogCaptureFixture) -> None:
    copy = published(path.parent / "serve")
    copy.chmod(0o644)
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    load_corpus(path, load_id="load-2", crawls=[make.Crawl("20261121T013000Z-0002")])
    assert contents(publish(path, path.parent / "serve", at=make.NIGHT)) == contents(path)
    assert WHOLE in told.text


@pytest.mark.parametrize("step", ["bring_tables", "bring_views", "bring_search", "note_made"])
@pytest.mark.share(4)
def test_a_copy_killed_on_the_way_leaves_the_last_one_and_is_made_by_the_next(
    path: Path, told: pytest.LogCaptureFixture, step: str
) -> None:
    serve = path.parent / "serve"
    before, said = published(serve), contents(published(serve))
    rows = make.corpus()
    first, *others = rows["reviews"]
    load_corpus(path, rows | {"reviews": [replace(first, text="another text"), *others]}, "load-2")
    kill = f"""
import os, signal
from datetime import datetime, UTC
from pathlib import Path
from warehouse.copying import by_changes
from warehouse.serving.publish import publish
whole = by_changes.{step}
def killed(*given):
    whole(*given)
    os.kill(os.getpid(), signal.SIGKILL)
by_changes.{step} = killed
publish(Path({str(path)!r}), Path({str(serve)!r}), at=datetime(2026, 11, 21, tzinfo=UTC))
"""
    assert subprocess.run([sys.executable, "-c", kill], check=False).returncode == -signal.SIGKILL
    assert (published(serve), contents(before)) == (before, said)
    copy = publish(path, serve, at=make.NIGHT)
    assert contents(copy) == contents(path) != said
    assert WHOLE not in told.text
    assert {file.name for file in serve.iterdir()} <= {before.name, copy.name, "current", ".lock"}
