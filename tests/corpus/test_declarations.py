"""What is declared of a table makes sense, and both readers of row ownership read it alike."""

from types import SimpleNamespace

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.enumerations import ATTRIBUTIONS, SEATS
from corpus.ownership import Everything, OwnedBy
from corpus.rows.doubts import ABOUT_TOOLS
from corpus.tables import CORPUS_TABLES, TABLES
from normalize.incremental.scope import is_owned
from warehouse.loading.scope import in_scope
from warehouse.storage.sql_files import read_sql

pytestmark = pytest.mark.once

OWNED = [name for name in CORPUS_TABLES if isinstance(TABLES[name].owner, OwnedBy)]
PARTS = {"tools": "tool_id", "pages": "page_id", "reviews": "review_id", "urls": "url"}


@pytest.mark.parametrize("name", TABLES)
def test_a_declaration_names_columns_that_the_table_has(name):
    table = TABLES[name]
    named = [*table.key, *table.cluster_by]
    named += [column for order in table.in_order for column in (order.earlier, order.later)]
    named += [column for reference in table.joined_references for column in reference.columns]
    named += [] if table.period is None else [table.period.start, table.period.end]
    named += [] if table.partition_by is None else [table.partition_by]
    named += table.owner.columns if isinstance(table.owner, OwnedBy) else ()
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
    assert isinstance(TABLES[name].owner, OwnedBy | Everything)


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as connection:
        yield connection


@pytest.mark.parametrize("name", OWNED)
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_python_and_sql_agree_on_which_rows_a_night_decides(connection, name, data):
    """A night's rows replace those that the loader calls decided: a row that only one of them owned would be lost."""
    table = TABLES[name]
    names = sorted({"tool_id", "page_id", "review_id", "other_id", "url", "rule"} & set(table.column_names))
    optional = {column.name for column in table.columns if column.is_optional}
    ids = ["one", "two", "three"]
    values = {column: st.sampled_from([*ids, None] if column in optional else ids) for column in names}
    if "rule" in values:
        values["rule"] = st.sampled_from([ABOUT_TOOLS[0], "panel_vs_votes"])
    rows = data.draw(st.lists(st.fixed_dictionaries(values), max_size=8))
    scope = {part: frozenset(data.draw(st.sets(st.sampled_from(ids), max_size=2))) for part in PARTS}
    bring(
        connection,
        name,
        {"place": "BIGINT"} | dict.fromkeys(names, "VARCHAR"),
        [(place, *(row[column] for column in names)) for place, row in enumerate(rows)],
    )
    for part, column in PARTS.items():
        bring(connection, f"scope_{part}", {column: "VARCHAR"}, [(member,) for member in scope[part]])
    places = connection.execute(f"SELECT place FROM {table.name} WHERE {in_scope(table)} ORDER BY place").fetchall()
    decided = [place for place, row in enumerate(rows) if is_owned(table.owner, SimpleNamespace(**row), scope)]
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
