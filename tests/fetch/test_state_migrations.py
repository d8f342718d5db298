"""A state of the version before becomes one of this version: the same rows, the same schema as a new file."""

import sqlite3
from contextlib import closing

import pytest

from builders.paths import FIXTURES
from fetch.model.errors import StorageFailed
from fetch.store import migrate
from fetch.store.migrate import MIGRATIONS, SCHEMA, VERSION
from fetch.store.state import scratch, writing
from fetch.store.store import open_store

BEFORE = (FIXTURES / "state_version_3.sql").read_text(encoding="utf-8")


def columns_of_before():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(BEFORE)
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in tables}


COLUMNS = columns_of_before()

"""The columns of each table of version 3; all have rows."""


@pytest.fixture
def data(tmp_path):
    """A data folder with a state as version 3 kept it."""
    with closing(sqlite3.connect(tmp_path / "state.sqlite")) as connection:
        connection.executescript(BEFORE)
    return tmp_path


def rows(connection):
    """All of version 3; columns that later versions add are left out."""
    return {
        table: connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        for table, columns in COLUMNS.items()
    }


def rows_of_before():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(BEFORE)
        return rows(connection)


def crawls_of_before(ended):
    return [
        tuple((dict(zip(COLUMNS["crawls"], row, strict=True)) | ended).values()) if "running" in row else row
        for row in rows_of_before()["crawls"]
    ]


def schema_of(connection):
    """Columns, keys and indexes; the text of a statement may differ, as ADD COLUMN writes it otherwise."""
    names = connection.execute("SELECT type, name, tbl_name FROM sqlite_master ORDER BY 1, 2").fetchall()
    tables = [name for kind, name, _ in names if kind == "table"]
    columns = {table: connection.execute(f"PRAGMA table_xinfo({table})").fetchall() for table in tables}
    options = connection.execute("SELECT name, wr, strict FROM pragma_table_list ORDER BY name").fetchall()
    return names, columns, options


def version_of(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def test_the_rows_of_the_version_before_stand_as_they_were(data):
    with writing(data / "state.sqlite") as state:
        assert rows(state) == rows_of_before()
        assert all(rows(state).values())
    assert version_of(data / "state.sqlite") == VERSION


def test_a_migrated_state_has_the_schema_of_a_new_one(data, tmp_path):
    with open_store(data, command="test") as migrated, open_store(tmp_path / "new", command="test") as new:
        assert schema_of(migrated.state) == schema_of(new.state)


def test_migrations_are_numbered_without_a_gap_and_none_twice():
    files = sorted(SCHEMA.parent.glob("migrations/*.sql"))
    assert [int(path.name[:4]) for path in files] == list(range(4, VERSION + 1))


def test_a_migration_that_fails_leaves_the_version_before_whole(data, tmp_path, monkeypatch):
    broken = tmp_path / "broken.sql"
    broken.write_text("DELETE FROM fetches; ALTER TABLE urls DROP COLUMN due_at; ALTER TABLE nowhere ADD COLUMN a;")
    monkeypatch.setattr(migrate, "MIGRATIONS", {**MIGRATIONS, VERSION: broken})
    with pytest.raises(StorageFailed, match=f"from version 3 to {VERSION}"), open_store(data, command="test"):
        pass
    assert version_of(data / "state.sqlite") == 3
    with closing(sqlite3.connect(data / "state.sqlite")) as connection:
        assert rows(connection) == rows_of_before()


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(("version", "remedy"), [(VERSION + 1, "update it"), (2, "verdicts repair")])
def test_a_state_of_an_unknown_version_is_refused_with_what_to_do(data, version, remedy, read_only):
    with closing(sqlite3.connect(data / "state.sqlite")) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    with (
        pytest.raises(StorageFailed, match=rf"state\.sqlite.*({version}).*{remedy}"),
        open_store(data, command="test", read_only=read_only),
    ):
        pass
    assert version_of(data / "state.sqlite") == version


def test_a_reader_of_an_earlier_version_sees_its_rows_and_leaves_the_file_alone(data):
    before = (data / "state.sqlite").read_bytes()
    with open_store(data, command="status", read_only=True) as store:
        assert [crawl.status for crawl in store.crawls()] == ["partial", "running"]
        assert store.state.execute("SELECT count(*) FROM records").fetchone() == (0,)
    with closing(scratch(data / "state.sqlite")) as copy:
        assert rows(copy) == rows_of_before()
    assert (data / "state.sqlite").read_bytes() == before


def test_a_new_state_is_declared_not_migrated(tmp_path):
    with open_store(tmp_path, command="test") as store, closing(sqlite3.connect(":memory:")) as declared:
        declared.executescript(SCHEMA.read_text(encoding="utf-8"))
        assert schema_of(store.state) == schema_of(declared)
    assert version_of(tmp_path / "state.sqlite") == VERSION
