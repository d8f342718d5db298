"""Two states of the corpus, compared by the keys of their rows."""

import json
import shutil
from datetime import timedelta, timezone

import duckdb
import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import load_corpus, publish, question_frame
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.warehouse.exporting.dataset import view_dataset
from verdicts.warehouse.exporting.export import export
from verdicts.warehouse.schema.declared import VERSION
from verdicts.warehouse.serving.diff import compare_files
from verdicts.warehouse.serving.published import find_copy
from verdicts.warehouse.storage.warehouse_errors import DatasetBroken, NothingPublished, QuestionFailed, WarehouseBroken

NEW_PAGE = make.an_id("alpha-vs-gamma")


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    path = tmp_path_factory.mktemp("before") / "corpus.duckdb"
    load_corpus(path)
    return path


@pytest.fixture(scope="module")
def after(tmp_path_factory):
    """One review says something else, a tool lost its entry, the text of a page came and a discrepancy went."""
    rows = make.corpus()
    rows["reviews"][0] = replace(rows["reviews"][0], score=81, text="It says more now.")
    rows["reviews"][1] = replace(rows["reviews"][1], score=None)
    rows["tools"][0] = replace(rows["tools"][0], entry=None)
    rows["documents"].append(replace(rows["documents"][0], page_id=NEW_PAGE))
    rows["discrepancies"] = []
    path = tmp_path_factory.mktemp("after") / "corpus.duckdb"
    load_corpus(path, rows, load_id="load-2")
    return path


def count_rows(before, after, **options):
    with compare_files(before, after, **options) as differences:
        return question_frame(differences.counts).rows()


def list_rows(before, after, *tables, **options):
    with compare_files(before, after, tables or CORPUS_TABLES, **options) as differences:
        return question_frame(differences.rows).to_dicts()


SCORES_OF_ONE = (
    "builder_score 1, entry 1, highest_score 1, lowest_reviewer 1, lowest_score 1, mean_score 1, scored_reviews 1,"
    " skeptic_score 1"
)
"""Builder's 80 became 81, Skeptic's 60 went: Builder's is the lowest score then, too."""


def test_tables_that_differ_are_counted_by_row_and_column(before, after):
    assert count_rows(before, after) == [
        ("tools", 0, 1, 0, SCORES_OF_ONE),
        ("documents", 1, 0, 0, ""),
        ("reviews", 0, 2, 0, "score 2, text 1"),
        ("discrepancies", 0, 0, 1, ""),
    ]


def test_the_load_that_brought_a_row_makes_no_difference(before, tmp_path):
    load_corpus(tmp_path / "again.duckdb", load_id="load-9")
    assert count_rows(before, tmp_path / "again.duckdb") == []


def test_a_changed_row_has_the_values_that_differ_before_and_after(before, after):
    rows = {row["row_key"]: row for row in list_rows(before, after, "reviews")}
    assert rows.keys() == {f'{{"review_id":"{review.review_id}"}}' for review in make.corpus()["reviews"][:2]}
    first, second = sorted(rows.values(), key=lambda row: len(row["column_names"]))
    assert (first["before"], first["after"]) == ('{"score":60}', '{"score":null}')
    assert (second["change"], second["column_names"], second["load_id"]) == ("changed", ["score", "text"], "load-2")
    assert json.loads(second["after"]) == {"score": 81, "text": "It says more now."}


def test_a_row_that_came_or_went_is_whole(before, after):
    (came,) = list_rows(before, after, "documents")
    assert (came["change"], came["row_key"], came["before"]) == ("added", f'{{"page_id":"{NEW_PAGE}"}}', None)
    assert json.loads(came["after"])["text"] == "Our own words."
    assert json.loads(came["after"]).keys() == {c.name for c in TABLES["documents"].content} - {"page_id"}
    (went,) = list_rows(before, after, "discrepancies")
    assert (went["change"], went["load_id"], went["after"]) == ("removed", "load-2", None)
    assert json.loads(went["row_key"])["rule"] == "chip_follows_panel"


def test_no_value_and_an_empty_one_differ_and_the_time_zone_of_a_reader_makes_no_difference(before, tmp_path):
    rows = make.corpus()
    rows["tools"][0] = replace(rows["tools"][0], tagline="", last_seen_at=make.NEXT_NIGHT)
    first_seen_at = rows["pages"][0].first_seen_at.astimezone(timezone(timedelta(hours=9)))
    rows["pages"][0] = replace(rows["pages"][0], first_seen_at=first_seen_at)
    rows["tools"][1] = replace(rows["tools"][1], tagline=None)
    load_corpus(tmp_path / "other.duckdb", rows)
    assert count_rows(before, tmp_path / "other.duckdb") == [("tools", 0, 2, 0, "tagline 2")]


def test_what_only_one_state_has_is_named_and_not_taken_for_added_rows(before, tmp_path):
    old = tmp_path / "old.duckdb"
    load_corpus(old)
    with duckdb.connect(old) as connection:
        for table in ("products", "lookalikes"):
            connection.execute(f"ALTER TABLE evidence.{table} DROP COLUMN content_hash")
        connection.execute("ALTER TABLE evidence.products RENAME COLUMN reason TO why")
        connection.execute("ALTER TABLE evidence.lookalikes ALTER similarity TYPE VARCHAR")
        connection.execute("DROP TABLE history.price_history")
        connection.execute("UPDATE evidence.products SET confidence = 0.95")
    for states, changed in ((old, before), 2), ((before, old), 2):
        with compare_files(*states) as differences:
            assert question_frame(differences.counts).rows() == [("products", 0, changed, 0, f"confidence {changed}")]
            assert {*differences.apart} == {
                "history.price_history", "evidence.products.why", "evidence.products.reason",
                "evidence.lookalikes.similarity",
            }  # fmt: skip


def test_rows_that_share_a_key_are_refused_not_compared_each_with_each(before, tmp_path):
    copy = shutil.copyfile(before, tmp_path / "copy.duckdb")
    with duckdb.connect(copy) as connection:
        names = ", ".join(column.name for column in TABLES["reviews"].loaded_columns)
        connection.execute(f"INSERT INTO reviews ({names}) SELECT {names} FROM reviews LIMIT 1")
    with pytest.raises(QuestionFailed, match="2 rows with the key review_id="):
        count_rows(before, copy)


def test_a_dataset_is_compared_with_a_copy_and_with_another_dataset_of_an_earlier_version(before, after, tmp_path):
    export(publish(before, tmp_path / "serve", at=make.NIGHT), tmp_path / "first")
    export(publish(after, tmp_path / "serve", at=make.NIGHT), tmp_path / "second")
    expected = count_rows(before, after)
    with view_dataset(tmp_path / "first") as first, view_dataset(tmp_path / "second") as second:
        assert count_rows(first, after, readable=[tmp_path / "first"]) == expected
        assert count_rows(first, second, readable=[tmp_path / "first", tmp_path / "second"]) == expected
    manifest = tmp_path / "first" / "_manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"schema_version": {VERSION}', '"schema_version": 3'))
    with view_dataset(tmp_path / "first") as first:
        assert count_rows(first, after, readable=[tmp_path / "first"]) == expected
    (tmp_path / "first" / "verdicts.parquet").write_bytes(b"PAR1")
    with (
        pytest.raises(DatasetBroken, match=r"verdicts\.parquet is not as it was exported"),
        view_dataset(tmp_path / "first"),
    ):
        pass


def test_a_state_that_is_not_there_is_said_in_one_line(before, tmp_path):
    with pytest.raises(WarehouseBroken, match=r"none\.duckdb"):
        count_rows(tmp_path / "none.duckdb", before)


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
    assert find_copy(serve, "20261120-a") == copies[0]
    assert find_copy(serve, "20261120-bbbb") == again
    with pytest.raises(NothingPublished, match="several published loads begin '2026'"):
        find_copy(serve, "2026")
    with pytest.raises(NothingPublished, match="copies of 20261120-aaaa, 20261120-bbbb"):
        find_copy(serve, "2025")
