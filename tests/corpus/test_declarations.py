"""What is declared of a table makes sense, and row ownership is read as declared."""

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.enumerations import ATTRIBUTIONS, SEATS
from corpus.ownership import Log
from corpus.tables import CORPUS_TABLES, TABLES
from normalize.scope import Scope
from warehouse.loading.scope import declare_scope, in_scope
from warehouse.storage.sql_files import read_sql

pytestmark = pytest.mark.once

IDS = ["one", "two", "three"]


@pytest.mark.parametrize("name", TABLES)
def test_a_declaration_names_columns_that_the_table_has(name):
    table = TABLES[name]
    named = [*table.key, *table.cluster_by]
    named += [column for order in table.in_order for column in (order.earlier, order.later)]
    named += [column for reference in table.joined_references for column in reference.columns]
    named += [] if table.period is None else [table.period.start, table.period.end]
    named += [] if table.partition_by is None else [table.partition_by]
    named += [] if table.is_log else [column for owner in table.owner for column in owner.columns]
    assert set(named) <= set(table.column_names)
    assert not any(column.is_optional for column in table.columns if column.name in table.key)


@pytest.mark.parametrize("name", TABLES)
def test_a_reference_leads_to_a_table_that_stands_before_and_has_one_key(name):
    before = [*TABLES][: [*TABLES].index(name)]
    for column in TABLES[name].columns:
        if column.references is not None:
            assert column.references == "loads" or column.references in before
            assert len(TABLES[column.references].key) == 1


@pytest.mark.parametrize("name", CORPUS_TABLES)
def test_a_row_has_every_column_but_the_load_that_brings_it(name):
    assert (*TABLES[name].row.__struct_fields__, "load_id") == TABLES[name].column_names


@pytest.mark.parametrize("name", CORPUS_TABLES)
def test_every_row_of_the_corpus_has_an_owner(name):
    assert TABLES[name].owner
    assert {owner.part for owner in TABLES[name].owner} <= {*Scope._fields}


@pytest.mark.parametrize("name", sorted(TABLES.keys() - set(CORPUS_TABLES)))
def test_no_scope_decides_a_row_of_a_log(name):
    assert isinstance(TABLES[name].owner, Log)
    assert in_scope(TABLES[name]) == "false"


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as connection:
        yield connection


@pytest.mark.parametrize("name", CORPUS_TABLES)
@given(data=st.data())
@settings(max_examples=15, deadline=None)
@pytest.mark.share(3)
def test_a_night_decides_the_rows_that_any_owner_names(connection, name, data):
    """What is decided and not given is removed: a condition too wide loses rows, one too narrow keeps old ones."""
    table = TABLES[name]
    names = sorted({column for owner in table.owner for column in owner.columns})
    optional = {column.name for column in table.columns if column.is_optional}
    values = {column: st.sampled_from([*IDS, None] if column in optional else IDS) for column in names}
    rows = data.draw(st.lists(st.fixed_dictionaries(values), max_size=8))
    scope = Scope(*(frozenset(data.draw(st.sets(st.sampled_from(IDS), max_size=2))) for _ in Scope._fields))
    bring(
        connection,
        name,
        {"place": "BIGINT"} | dict.fromkeys(names, "VARCHAR"),
        [(place, *(row[column] for column in names)) for place, row in enumerate(rows)],
    )
    declare_scope(connection, scope)
    places = connection.execute(f"SELECT place FROM {table.name} WHERE {in_scope(table)} ORDER BY place").fetchall()
    decided = [
        place
        for place, row in enumerate(rows)
        if any(row[column] in getattr(scope, owner.part) for owner in table.owner for column in owner.columns)
    ]
    assert [place for (place,) in places] == decided


def bring(connection, name, columns, rows):
    """The table has these rows and no others."""
    connection.execute(f"CREATE OR REPLACE TABLE {name} ({', '.join(' '.join(column) for column in columns.items())})")
    if rows:
        marks = ", ".join([f"({', '.join('?' * len(columns))})"] * len(rows))
        connection.execute(f"INSERT INTO {name} VALUES {marks}", [value for row in rows for value in row])


def test_sql_that_lists_an_enumeration_lists_all_of_it():
    kinds = ", ".join(f"'{kind}'" for kind in ATTRIBUTIONS)
    assert kinds in read_sql("loading/audits")["reviews_weaker_or_stronger_than_evidence"]
    seats = ", ".join(f"'{seat}'" for seat in SEATS)
    scorecards = read_sql("schema/views")["scorecards"]
    assert f"NOT IN ({seats})" in scorecards
    assert all(f"seat = '{seat}') AS {seat.lower()}_score" in scorecards for seat in SEATS)
