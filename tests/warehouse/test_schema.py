"""The declarations of a table agree with each other, and the dictionary with them."""

from types import NoneType
from typing import get_args, get_type_hints

import duckdb
import pytest

from builders.paths import ROOT
from corpus.tables import KEYS, TABLES, columns
from warehouse.documents.diagram import diagram
from warehouse.documents.dictionary import dictionary
from warehouse.schema.catalog import Relation, relations
from warehouse.schema.contracts import CONTRACTS, key
from warehouse.storage.sql_files import read_sql

TYPES = {"String": "VARCHAR", "Int64": "BIGINT", "Float64": "DOUBLE", "Boolean": "BOOLEAN", "List": "VARCHAR[]"}


@pytest.fixture(scope="module")
def declared() -> dict[str, Relation]:
    with duckdb.connect() as connection:
        for statement in (*read_sql("schema").values(), *read_sql("schema/views").values()):
            connection.execute(statement)
        return {relation.name: relation for relation in relations(connection)}


def test_every_file_of_the_schema_declares_the_table_it_is_named_for(declared: dict[str, Relation]) -> None:
    assert set(read_sql("schema")) == set(CONTRACTS) == {name for name, rel in declared.items() if rel.kind == "table"}
    assert set(read_sql("schema/views")) == {name for name, rel in declared.items() if rel.kind == "view"}


@pytest.mark.parametrize("table", CONTRACTS)
def test_contract_and_schema_agree_on_names_order_types_and_null(table: str, declared: dict[str, Relation]) -> None:
    contract = [
        (name, TYPES.get(type(column.dtype).__name__, "TIMESTAMPTZ"), column.nullable)
        for name, column in CONTRACTS[table].columns().items()
    ]
    assert contract == [(column.name, column.type, column.is_nullable) for column in declared[table].columns]


@pytest.mark.parametrize("table", TABLES)
def test_contract_and_rows_agree_on_names_order_null_and_key(table: str) -> None:
    contract = CONTRACTS[table].columns()
    hints = get_type_hints(TABLES[table])
    assert tuple(contract) == (*columns(table), "load_id")
    assert {name: contract[name].nullable for name in hints} == {
        name: NoneType in get_args(hint) for name, hint in hints.items()
    }
    assert set(key(table)) == set(KEYS[table])


def test_every_table_view_and_column_says_what_it_means(declared: dict[str, Relation]) -> None:
    silent = [relation.name for relation in declared.values() if not relation.comment]
    silent += [f"{rel.name}.{column.name}" for rel in declared.values() for column in rel.columns if not column.comment]
    assert silent == []


def test_a_column_that_can_be_null_says_what_null_means(declared: dict[str, Relation]) -> None:
    tables = [relation for relation in declared.values() if relation.kind == "table"]
    assert [
        f"{table.name}.{column.name}"
        for table in tables
        for column in table.columns
        if column.is_nullable and "NULL" not in (column.comment or "")
    ] == []


def test_the_written_entity_diagram_is_current() -> None:
    written = (ROOT / "docs" / "entities.md").read_text(encoding="utf-8")
    assert written == diagram(), "run: python -m warehouse.documents.diagram > docs/entities.md"


def test_the_diagram_draws_every_reference_that_is_audited() -> None:
    """An audit `<table>_without_<owner>` guards each reference; a line of the diagram shows it."""
    lines = [line.strip().partition(" : ")[0] for line in diagram().splitlines() if "||--" in line]
    drawn = {tuple(line.split(" ||--o{ ")) for line in lines}
    owners = {"page": "pages", "tool": "tools", "review": "reviews", "crawl": "crawls"}
    guarded = (name.rpartition("_without_") for name in read_sql("loading/audits") if "_without_" in name)
    expected = {(owners[owner], table) for table, _, owner in guarded if table in CONTRACTS and owner in owners}
    by_url = {"comparison_rows", "outside_reviews"}
    assert {pair for pair in expected if pair[1] not in by_url} <= drawn


def test_the_written_data_dictionary_is_current() -> None:
    written = (ROOT / "docs" / "dictionary.md").read_text(encoding="utf-8")
    assert written == dictionary(), "run: python -m warehouse.documents.dictionary > docs/dictionary.md"
