"""A file has the schema that is declared now; a file of another version is refused and stays as it is."""

import duckdb
import pytest

from builders.warehouse_files import load_corpus
from verdicts.warehouse.schema.declared import relations
from verdicts.warehouse.storage.errors import WarehouseBroken


def schema_of(path):
    with duckdb.connect(path, read_only=True) as connection:
        defaults = connection.execute("SELECT column_default FROM duckdb_columns() WHERE NOT internal").fetchall()
        return relations(connection), {value for (value,) in defaults}


def test_a_view_that_another_program_declared_is_declared_as_it_is_now(tmp_path):
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    before = schema_of(path)
    with duckdb.connect(path) as connection:
        connection.execute("CREATE OR REPLACE VIEW scorecards AS SELECT 1 AS former")
        connection.execute("UPDATE internal.declarations SET digest = 'of the program before'")
    load_corpus(path, load_id="load-2")
    assert schema_of(path) == before


@pytest.mark.parametrize(
    ("version", "advice"),
    [(99, "its schema has version 99, .*update it"), (11, "'verdicts repair' makes it again from raw/")],
)
def test_a_file_of_another_version_is_left_alone(tmp_path, version, advice):
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    with duckdb.connect(path) as connection:
        connection.execute("UPDATE internal.migrations SET version = ?", [version])
    before = path.read_bytes()
    with pytest.raises(WarehouseBroken, match=advice):
        load_corpus(path, {}, load_id="load-2")
    assert path.read_bytes() == before


def test_a_file_whose_table_has_other_columns_is_refused(tmp_path):
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    with duckdb.connect(path) as connection:
        connection.execute("ALTER TABLE tool_cards DROP COLUMN chip")
        connection.execute("DELETE FROM internal.declarations")
    with pytest.raises(WarehouseBroken, match="its table tool_cards has other columns"):
        load_corpus(path, load_id="load-2")
