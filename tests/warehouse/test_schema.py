"""A database file holds the tables that are declared, the contract is theirs, and the documents are current."""

import duckdb
import pytest

from builders.paths import ROOT
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.loading.checks import audits
from verdicts.warehouse.schema.declared import create_schemas, create_tables, relations
from verdicts.warehouse.storage.sql_files import declarations, read_sql
from write_reference import config, diagram, dictionary, keys, outcomes, sources


@pytest.fixture(scope="module")
def created():
    """What DuckDB says of the tables and views it was made to create."""
    with duckdb.connect() as connection:
        for statement in (*create_schemas(), *create_tables().values(), *declarations("schema/views").values()):
            connection.execute(statement)
        return {relation.name: relation for relation in relations(connection)}


def test_a_file_has_every_declared_table_and_every_view(created):
    assert {name for name, relation in created.items() if relation.kind == "table"} == set(TABLES)
    assert {name for name, relation in created.items() if relation.kind == "view"} == set(read_sql("schema/views"))


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_created_as_it_is_declared(table, created):
    declared = [(column.name, column.type, column.is_optional, column.meaning) for column in TABLES[table].columns]
    present = [
        # DuckDB knows no NOT NULL of a computed column.
        (column.name, column.type, column.is_nullable and column.name != "content_hash", column.comment)
        for column in created[table].columns
    ]
    assert present == declared
    assert created[table].comment == TABLES[table].meaning


def test_every_view_and_column_says_what_it_means(created):
    silent = [relation.name for relation in created.values() if not relation.comment]
    silent += [f"{rel.name}.{column.name}" for rel in created.values() for column in rel.columns if not column.comment]
    assert silent == []


@pytest.mark.parametrize("table", TABLES)
def test_a_column_that_can_be_null_says_what_null_means(table):
    columns = [column for column in TABLES[table].columns if column.is_optional]
    assert [column.name for column in columns if "NULL" not in column.meaning] == []


def test_every_reference_that_is_drawn_is_audited():
    drawn = [line.split() for line in diagram().splitlines() if "||--" in line]
    assert len(drawn) > 40
    for owner, _, table, _, column in drawn:
        assert f"{table}_{column}_is_in_{owner}" in audits()


@pytest.mark.parametrize(
    ("file", "made"),
    [
        ("docs/entities.md", diagram),
        ("docs/dictionary.md", dictionary),
        ("docs/outcomes.md", outcomes),
        ("docs/config.md", config),
        ("examples/dbt/sources.yml", sources),
        ("src/verdicts/warehouse/schema/views/keys.sql", keys),
    ],
)
def test_the_written_documents_are_current(file, made):
    written = (ROOT / file).read_text(encoding="utf-8")
    assert written == made(), f"run: python docs/write_reference.py {made.__name__} > {file}"
