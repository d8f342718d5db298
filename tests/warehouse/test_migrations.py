"""A file of the version before becomes one of this version: the same rows, the same schema as a new file."""

from pathlib import Path

import duckdb
import pytest

from builders import warehouse_rows as make
from builders.paths import FIXTURES
from builders.warehouse_files import Tables, load_corpus, tables
from corpus.tables import CORPUS_TABLES, TABLES
from warehouse.schema.catalog import relations
from warehouse.schema.migrate import MIGRATIONS, VERSION
from warehouse.storage.errors import AuditFailed, WarehouseBroken
from warehouse.storage.sql_files import read_sql

BEFORE = (FIXTURES / "schema_version_1.sql").read_text(encoding="utf-8")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The hand-made corpus as version 1 kept it."""
    path = tmp_path / "corpus.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(BEFORE)
    return path


def without_load(held: Tables) -> Tables:
    return {table: [row[:-1] for row in held[table]] for table in (*CORPUS_TABLES, "crawls", "fetches")}


def test_the_rows_of_the_version_before_stand_as_they_were(path: Path, tmp_path: Path) -> None:
    load_corpus(tmp_path / "new.duckdb")
    report = load_corpus(path, load_id="load-2")
    assert not report.is_changed
    assert without_load(tables(path)) == without_load(tables(tmp_path / "new.duckdb"))
    assert {row[-1] for table in CORPUS_TABLES for row in tables(path)[table]} == {"load-1"}
    assert [(row[0], row[-1]) for row in tables(path)["loads"]] == [("load-1", None)]


def test_a_migrated_file_has_the_schema_of_a_new_one(path: Path, tmp_path: Path) -> None:
    load_corpus(path, load_id="load-2")
    load_corpus(tmp_path / "new.duckdb")
    found, expected = schema_of(path), schema_of(tmp_path / "new.duckdb")
    assert found == expected


def schema_of(path: Path) -> object:
    with duckdb.connect(path, read_only=True) as connection:
        defaults = connection.execute("SELECT column_default FROM duckdb_columns() WHERE NOT internal").fetchall()
        return relations(connection), {value for (value,) in defaults}


def test_a_column_that_a_migration_adds_stands_where_it_is_declared(tmp_path: Path) -> None:
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    before = tables(path), schema_of(path)
    with duckdb.connect(path) as connection:
        connection.execute("ALTER TABLE tool_cards DROP COLUMN chip")
        connection.execute("ALTER TABLE tool_cards ADD COLUMN chip VARCHAR")
        connection.execute("DELETE FROM internal.declarations")
    load_corpus(path, load_id="load-2")
    assert schema_of(path) == before[1]
    assert [row[:-1] for row in tables(path)["tool_cards"]] == [row[:-1] for row in before[0]["tool_cards"]]


def test_a_view_that_another_program_declared_is_declared_as_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    before = schema_of(path)
    with duckdb.connect(path) as connection:
        connection.execute("CREATE OR REPLACE VIEW scorecards AS SELECT 1 AS former")
        connection.execute("UPDATE internal.declarations SET digest = 'of the program before'")
    load_corpus(path, load_id="load-2")
    assert schema_of(path) == before


def test_the_versions_a_file_went_through_are_kept(path: Path, tmp_path: Path) -> None:
    for file in (path, tmp_path / "new.duckdb"):
        load_corpus(file, load_id="load-2")
        load_corpus(file, load_id="load-3")
    assert versions(path) == [(number, name[5:]) for number, name in MIGRATIONS.items()]
    assert versions(tmp_path / "new.duckdb") == [(VERSION, "created")]


def versions(path: Path) -> list[tuple[int, str]]:
    with duckdb.connect(path, read_only=True) as connection:
        return connection.execute("SELECT version, name FROM internal.migrations ORDER BY version").fetchall()


def test_migrations_are_numbered_without_a_gap_and_none_twice() -> None:
    assert [int(name[:4]) for name in sorted(read_sql("schema/migrations"))] == [*range(2, VERSION + 1)]


def test_a_corpus_of_crawls_alone_is_migrated_too(path: Path) -> None:
    with duckdb.connect(path) as connection:
        held = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        for table in held & set(TABLES) - {"crawls", "fetches"}:
            connection.execute(f"DELETE FROM {table}")
    load_corpus(path, {}, load_id="load-2")
    assert {row[-1] for row in tables(path)["fetches"]} == {row[0] for row in tables(path)["loads"]} == {"before-loads"}


def test_a_load_that_fails_leaves_the_version_before(path: Path) -> None:
    rows = make.corpus()
    rows["pages"] = []
    with pytest.raises(AuditFailed):
        load_corpus(path, rows, load_id="load-2")
    with duckdb.connect(path, read_only=True) as connection:
        names = [name for name, *_ in connection.execute("DESCRIBE reviews").fetchall()]
        assert connection.execute("SELECT count(*) FROM reviews").fetchall() == [(4,)]
    assert "load_id" not in names


def test_a_file_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    with duckdb.connect(path) as connection:
        connection.execute("INSERT INTO internal.migrations VALUES (99, 'from the future', now())")
    before = path.read_bytes()
    with pytest.raises(WarehouseBroken, match="version 99"):
        load_corpus(path, {}, load_id="load-2")
    assert path.read_bytes() == before
