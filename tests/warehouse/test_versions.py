"""A file has the schema that is declared now; a file of another version is refused and stays as it is."""

import duckdb
import pytest

from builders.warehouse_files import load_corpus
from verdicts.warehouse.schema.declared import relations
from verdicts.warehouse.storage.warehouse_errors import WarehouseBroken


def read_schema(path):
    with duckdb.connect(path, read_only=True) as connection:
        defaults = connection.execute("SELECT column_default FROM duckdb_columns() WHERE NOT internal").fetchall()
        return relations(connection), {value for (value,) in defaults}


def test_a_view_that_another_program_declared_is_declared_as_it_is_now(tmp_path):
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    before = read_schema(path)
    with duckdb.connect(path) as connection:
        connection.execute("CREATE OR REPLACE VIEW matches AS SELECT 1 AS former")
        connection.execute("UPDATE internal.declarations SET digest = 'of the program before'")
    load_corpus(path, load_id="load-2")
    assert read_schema(path) == before


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ("UPDATE internal.migrations SET version = 99", "its schema has version 99, .*update it"),
        ("UPDATE internal.migrations SET version = 11", "'verdicts repair' makes it again from raw/"),
        (
            "ALTER TABLE evidence.tool_cards DROP COLUMN content_hash; DELETE FROM internal.declarations",
            "its table tool_cards has other columns",
        ),
        (None, "is not a warehouse of verdicts"),
    ],
)
def test_a_file_of_another_version_or_program_is_left_alone(tmp_path, change, advice):
    path = tmp_path / "corpus.duckdb"
    if change is not None:
        load_corpus(path)
    with duckdb.connect(path) as connection:
        connection.execute(change or "CREATE TABLE reviews (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(WarehouseBroken, match=advice):
        load_corpus(path, {}, load_id="load-2")
    assert path.read_bytes() == before
