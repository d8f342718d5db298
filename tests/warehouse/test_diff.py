"""Two states of the corpus, compared by the keys of their rows."""

import json

import duckdb
import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import load_corpus, publish, question_frame
from verdicts.warehouse.serving.diff import row_differences, table_differences
from verdicts.warehouse.serving.published import copy_of
from verdicts.warehouse.storage.errors import NothingPublished, WarehouseBroken


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    path = tmp_path_factory.mktemp("before") / "corpus.duckdb"
    load_corpus(path)
    return path


@pytest.fixture(scope="module")
def after(tmp_path_factory):
    """One review says something else, a tool lost its entry, a document came and a discrepancy went."""
    rows = make.corpus()
    rows["reviews"][0] = replace(rows["reviews"][0], score=81, text="It says more now.")
    rows["reviews"][1] = replace(rows["reviews"][1], score=None)
    rows["tools"][0] = replace(rows["tools"][0], entry=None)
    rows["documents"].append(replace(rows["documents"][0], url="http://demo.verdicts.example/new"))
    rows["discrepancies"] = []
    path = tmp_path_factory.mktemp("after") / "corpus.duckdb"
    load_corpus(path, rows, load_id="load-2")
    return path


def diff_tables(before, after):
    with table_differences(before, after) as question:
        return question_frame(question)


def diff_rows(before, after, table, limit):
    with row_differences(before, after, table, limit) as question:
        return question_frame(question)


def test_tables_that_differ_are_counted_by_row_and_column(before, after):
    assert diff_tables(before, after).rows() == [
        ("documents", 1, 0, 0, ""),
        ("tools", 0, 1, 0, "entry 1, mean_score 1"),
        ("reviews", 0, 2, 0, "score 2, text 1"),
        ("discrepancies", 0, 0, 1, ""),
    ]


def test_the_load_that_brought_a_row_makes_no_difference(before, tmp_path):
    load_corpus(tmp_path / "again.duckdb", load_id="load-9")
    assert diff_tables(before, tmp_path / "again.duckdb").is_empty()


def test_a_changed_row_is_shown_value_by_value(before, after):
    changed = diff_rows(before, after, "reviews", 100).drop("review_id")
    assert sorted(changed.rows(), key=str) == [
        ("changed", "score", "60", None),
        ("changed", "score", "80", "81"),
        ("changed", "text", "A take on alpha, known as alpha builder.", "It says more now."),
    ]


def test_a_row_that_came_or_went_is_shown_whole(before, after):
    (came,) = diff_rows(before, after, "documents", 100).to_dicts()
    assert (came["difference"], came["url"], came["before"]) == ("added", "http://demo.verdicts.example/new", None)
    assert json.loads(came["after"])["text"] == "Our own words."
    (went,) = diff_rows(before, after, "discrepancies", 100).to_dicts()
    assert (went["difference"], went["rule"], went["after"]) == ("removed", "chip_follows_panel", None)


def test_no_more_differences_are_shown_than_asked_for(before, after):
    assert diff_rows(before, after, "reviews", 2).height == 2


def test_a_state_of_an_earlier_schema_is_compared_by_what_both_have(before, tmp_path):
    old = tmp_path / "old.duckdb"
    load_corpus(old)
    with duckdb.connect(old) as connection:
        connection.execute("ALTER TABLE evidence.tool_cards DROP COLUMN chip")
        connection.execute("DROP TABLE history.price_history")
    assert diff_tables(old, before).rows() == [("price_history", 2, 0, 0, "")]


def test_a_state_that_is_not_there_is_said_in_one_line(before, tmp_path):
    with pytest.raises(WarehouseBroken, match=r"none\.duckdb"):
        diff_tables(tmp_path / "none.duckdb", before)


@pytest.mark.whole
def test_a_published_load_is_found_by_the_start_of_its_id(tmp_path):
    path, serve = tmp_path / "corpus.duckdb", tmp_path / "serve"
    copies = []
    for load_id in ("20261120-aaaa", "20261120-bbbb"):
        load_corpus(
            path, load_id=load_id, loaded_at=make.NIGHT, crawls=[*make.crawls(), make.Crawl(f"crawl of {load_id}")]
        )
        copies.append(publish(path, serve, at=make.NIGHT))
    again = publish(path, serve, at=make.NIGHT)
    assert copy_of(serve, "20261120-a") == copies[0]
    assert copy_of(serve, "20261120-bbbb") == again
    with pytest.raises(NothingPublished, match="several published loads begin '2026'"):
        copy_of(serve, "2026")
    with pytest.raises(NothingPublished, match="copies of 20261120-aaaa, 20261120-bbbb"):
        copy_of(serve, "2025")
