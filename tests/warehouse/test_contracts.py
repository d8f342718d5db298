"""What does not keep its contract does not pass the door."""

from datetime import timedelta

import duckdb
import pytest

from builders import warehouse_rows as make
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.warehouse.loading.rows import ArrowStream, check_contracts, frame
from verdicts.warehouse.schema.declared import short_type
from verdicts.warehouse.storage.warehouse_errors import ContractBroken


def check_broken(table, *rows):
    with pytest.raises(ContractBroken) as caught:
        check_contracts({table: rows})
    assert caught.value.table == table
    return caught.value


@pytest.mark.parametrize("table", CORPUS_TABLES)
def test_a_table_without_rows_still_has_its_columns_and_types(table):
    with duckdb.connect() as connection:
        connection.register("empty", ArrowStream(frame(table, [], load_id="load-1")))
        described = connection.execute("DESCRIBE empty").fetchall()
    assert [(name, short_type(type_)) for name, type_, *_ in described] == [
        (column.name, column.type) for column in TABLES[table].loaded_columns
    ]


@pytest.mark.parametrize(
    ("table", "row", "rule"),
    [
        ("reviews", make.review("one", "alpha", score=101), "score|max"),
        ("reviews", make.review("one", "alpha", score=80.5), "score|dtype Int64"),
        ("reviews", make.review("one", "alpha", text="half a pair: \ud83d"), "text|dtype String"),
        ("appearances", make.appearance("alpha-vs-beta", "one", similarity=-0.1), "similarity|min"),
        ("appearances", make.appearance("alpha-vs-beta", "one", similarity=float("nan")), "similarity|max"),
        ("pages", make.page("alpha-vs-beta", renderings=("html", "smoke")), "renderings|inner_known"),
        ("pages", make.page("alpha-vs-beta", renderings=("html", None)), "renderings|inner_nullability"),
        ("pages", make.page("alpha-vs-beta", first_seen_at="2026-11-20"), "first_seen_at|dtype Datetime"),
        (
            "pages",
            make.page("alpha-vs-beta", last_seen_at=make.NIGHT - timedelta(1)),
            "first_seen_at_before_last_seen_at",
        ),
        ("tool_cards", make.card("alpha-vs-beta", "left", "alpha"), "side|known"),
        ("tools", make.tool("alpha", name=None), "name|nullability"),
        ("tools", make.tool("alpha", name=""), "name|min_length"),
        ("tools", make.tool("alpha", tool_id="alpha"), "tool_id|regex"),
        (
            "tool_history",
            make.tool_state("alpha", valid_to=make.NIGHT - timedelta(hours=1)),
            "valid_from_before_valid_to",
        ),
    ],
)
def test_a_row_is_refused_by_the_rule_that_it_breaks(table, row, rule):
    assert check_broken(table, row).rule.startswith(rule)


def test_two_rows_with_one_key_are_refused_and_counted():
    error = check_broken("tools", make.tool("alpha"), make.tool("alpha", name="Other"), make.tool("beta"))
    assert str(error) == "2 row(s) for tools break the rule primary_key"


def test_a_record_of_the_fetch_log_that_lacks_a_column_is_refused():
    assert (
        "fetched" in check_broken("crawls", make.Fetch("1")).rule
        or "kind" in check_broken("crawls", make.Fetch("1")).rule
    )
