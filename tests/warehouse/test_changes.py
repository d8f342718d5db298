"""What a load changed is data: a hash of each row's content, its load, and each changed row before and after."""

import hashlib
import json
import shutil
from datetime import datetime, timedelta
from itertools import combinations
from random import Random

import duckdb
import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import answer_frame, load_corpus, question_frame
from verdicts.corpus.tables import CORPUS_TABLES, TABLES, relation_of
from verdicts.warehouse.loading import changes as keeping
from verdicts.warehouse.loading.merge import Changes
from verdicts.warehouse.schema.content_hash import hash_content
from verdicts.warehouse.serving.diff import compare_files, compare_loads, list_kept_loads
from verdicts.warehouse.storage.errors import QuestionFailed

CHANGES = "FROM history.changes ORDER BY load_id, relation, row_key"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "corpus.duckdb"


def hashes(path):
    """Table to hash and load of each row, by key."""
    with duckdb.connect(path, read_only=True) as connection:
        return {
            name: connection.execute(
                f"SELECT content_hash, load_id FROM {relation_of(name)} ORDER BY {', '.join(TABLES[name].key)}"
            ).fetchall()
            for name in CORPUS_TABLES
        }


def seen_again(rows):
    """The same corpus after a visit: later times, and other places in another segment."""
    for table, given in rows.items():
        visits = [column.name for column in TABLES[table].columns if column.is_visit]
        moved = {
            "last_seen_at": make.NEXT_NIGHT,
            "segment": "another.warc.gz",
            "segment_offset": 77,
            "review_number": 6,
            "first_block": 8,
            "last_block": 9,
        }
        rows[table] = [replace(row, **{name: moved[name] for name in visits}) for row in given]
    return rows


def test_a_visit_that_finds_the_same_content_moves_its_times_and_places_and_nothing_else(path):
    load_corpus(path)
    before = hashes(path)
    report = load_corpus(path, seen_again(make.corpus()), load_id="load-2")
    assert hashes(path) == before
    assert not report.is_changed
    assert report.tables["appearances"] == Changes(0, 0, 0, 5)
    assert answer_frame(path, CHANGES).is_empty()
    found = "SELECT DISTINCT last_seen_at, segment, segment_offset, first_block, last_block FROM appearances"
    assert answer_frame(path, found).rows() == [(make.NEXT_NIGHT, "another.warc.gz", 77, 8, 9)]
    noted = "SELECT rows_changed, rows_seen FROM ops.load_counts WHERE load_id = 'load-2' AND relation = 'pages'"
    assert answer_frame(path, noted).rows() == [(0, 3)]


def test_hash_and_load_move_together_with_content_derived_columns_among_it(path):
    load_corpus(path)
    before = hashes(path)
    rows = seen_again(make.corpus())
    rows["reviews"][0] = replace(rows["reviews"][0], score=81)
    load_corpus(path, rows, load_id="load-2")
    for table, present in hashes(path).items():
        moved = [old != new for (old, _), (new, _) in zip(before[table], present, strict=True)]
        assert [load_id == "load-2" for _, load_id in present] == moved
        # Another score is another mean of its tool.
        assert sum(moved) == {"reviews": 1, "tools": 1}.get(table, 0)


def text_in_hash(column, value):
    """As docs/warehouse.md says."""
    if column.type == "VARCHAR":
        return ":" if value is None else f"{len(value.encode())}:{value}"
    if value is None:
        return ""
    match value:
        case bool():
            return str(value).lower()
        case datetime():
            return str((value - datetime.fromtimestamp(0, value.tzinfo)) // timedelta(microseconds=1))
        case list():
            return f"{len(value)}:" + "\x1f".join(value)
    return str(value)


def test_anybody_can_compute_the_hash_from_its_description(path):
    rows = make.corpus()
    rows["reviews"][0] = replace(rows["reviews"][0], text='Say "é", 5:x,-\n', hosts=(), confidence=1 / 3)
    load_corpus(path, rows)
    for table in ("reviews", "appearances", "tools", "pages"):
        for row in answer_frame(path, f"FROM {relation_of(table)}").to_dicts():
            told = "".join(f"{text_in_hash(column, row[column.name])}," for column in TABLES[table].content)
            assert row["content_hash"] == hashlib.md5(told.encode(), usedforsecurity=False).hexdigest()


def test_values_that_could_be_read_alike_have_other_hashes():
    columns = [column for column in TABLES["reviews"].content if column.name in {"reviewer", "hosts"}]
    hashed = f"SELECT {hash_content(columns)} FROM (SELECT $reviewer::VARCHAR AS reviewer, $hosts::VARCHAR[] AS hosts)"
    alike = [(None, []), ("", []), ("-", []), (None, [""]), (None, ["a", "b"]), (None, ["a\x1fb"]), ("0:", [])]
    with duckdb.connect() as connection:
        found = {
            connection.execute(hashed, {"reviewer": reviewer, "hosts": hosts}).fetchall()[0]
            for reviewer, hosts in alike
        }
    assert len(found) == len(alike)


def test_the_changes_of_a_load_are_rows_with_values_before_and_after(path):
    load_corpus(path)
    rows = seen_again(make.corpus())
    rows["reviews"][1] = replace(rows["reviews"][1], score=None, text="It says less.")
    (gone,) = rows["discrepancies"]
    rows["discrepancies"] = []
    rows["pages"].append(replace(rows["pages"][-1], page_id=make.an_id("new"), url="http://new.example/", title=""))
    load_corpus(path, rows, load_id="load-2")
    changes = {row["relation"]: row for row in answer_frame(path, CHANGES).to_dicts()}
    assert changes.keys() == {"reviews", "pages", "discrepancies", "tools"}
    assert changes["reviews"] == {
        "load_id": "load-2",
        "relation": "reviews",
        "row_key": f'{{"review_id":"{rows["reviews"][1].review_id}"}}',
        "change": "changed",
        "column_names": ["score", "text"],
        "before": '{"score":60,"text":"A review on alpha, known as alpha skeptic."}',
        "after": '{"score":null,"text":"It says less."}',
    }
    assert changes["tools"]["column_names"] == ["mean_score"]
    assert (changes["pages"]["change"], changes["pages"]["before"]) == ("added", None)
    assert json.loads(changes["pages"]["after"])["title"] == ""
    assert "last_seen_at" not in json.loads(changes["pages"]["after"])
    assert (changes["discrepancies"]["change"], changes["discrepancies"]["after"]) == ("removed", None)
    assert json.loads(changes["discrepancies"]["before"]) == {"tool_id": gone.tool_id}
    counted = "SELECT relation, rows_added + rows_changed + rows_removed FROM ops.load_counts WHERE load_id = 'load-2'"
    assert {name: rows for name, rows in answer_frame(path, counted).rows() if rows} == dict.fromkeys(changes, 1)


EDITED = ("pages", "tools", "reviews", "lookalikes", "discrepancies", "rejects")


def play(path, loads, seed=7):
    """Loads with random edits, withdrawals and returns. Load to a copy of the file after it."""
    random, copies = Random(seed), {}
    for number in range(1, loads + 1):
        rows = make.corpus()
        if number > 1:
            for table in ("lookalikes", "discrepancies", "rejects"):
                rows[table] = [row for row in rows[table] if random.random() < 0.6]
            rows["reviews"] = [
                replace(row, score=random.choice([None, 80, 81]), text=random.choice([row.text, "Other words."]))
                for row in rows["reviews"]
            ]
            rows["pages"] = [replace(row, is_gone=random.random() < 0.3) for row in rows["pages"]]
        load_corpus(path, rows, load_id=f"load-{number}")
        copies[f"load-{number}"] = shutil.copyfile(path, path.with_name(f"load-{number}.duckdb"))
    return copies


def told(differences):
    """The rows that differ without their load, of which two files know less, and with JSON as values."""
    return [
        {name: json.loads(value) if name in {"before", "after"} and value else value for name, value in row.items()}
        for row in question_frame(differences.rows).drop("load_id").to_dicts()
    ]


def test_what_loads_changed_together_is_what_differs_between_their_copies(path):
    copies = play(path, 5)
    assert list_kept_loads(path) == [*copies]
    differing = 0
    for before, after in combinations(copies, 2):
        with (
            compare_loads(path, before, after, EDITED) as by_loads,
            compare_files(copies[before], copies[after], EDITED) as by_files,
        ):
            assert told(by_loads) == told(by_files)
            assert question_frame(by_loads.counts).rows() == question_frame(by_files.counts).rows()
            differing += len(told(by_loads))
    assert differing > 50


def test_a_consumer_reads_on_from_the_last_load_it_knows_and_is_told_when_that_is_too_old(path, monkeypatch):
    load_corpus(path)
    assert answer_frame(path, "FROM changes_since('load-1')").is_empty()
    for number in (2, 3, 4):
        load_corpus(
            path,
            make.corpus() | {"discrepancies": [] if number % 2 == 0 else make.corpus()["discrepancies"]},
            load_id=f"load-{number}",
        )
    since = [row[0] for row in answer_frame(path, "SELECT load_id FROM changes_since('load-2')").rows()]
    assert since == ["load-3", "load-4"]
    for strange in ("load-25", "load-0"):
        with pytest.raises(QuestionFailed, match=f"since the load {strange} are not kept; take the whole corpus"):
            answer_frame(path, f"FROM changes_since('{strange}')")
    monkeypatch.setattr(keeping, "KEPT_LOADS", 2)
    load_corpus(path, load_id="load-5")
    assert answer_frame(path, "SELECT changes_kept_since()").rows() == [("load-3",)]
    assert list_kept_loads(path) == ["load-3", "load-4", "load-5"]
    with pytest.raises(QuestionFailed, match="from load-3"):
        answer_frame(path, "FROM changes_since('load-2')")


def test_more_changes_than_are_kept_leave_none_and_a_consumer_is_told(path, monkeypatch):
    load_corpus(path)
    load_corpus(path, make.corpus() | {"discrepancies": []}, load_id="load-2")
    monkeypatch.setattr(keeping, "KEPT_LEAST", 1)
    load_corpus(path, {}, load_id="load-3")
    assert answer_frame(path, CHANGES).is_empty()
    with pytest.raises(QuestionFailed, match=r"or a load of ops[.]loads from load-3"):
        answer_frame(path, "FROM changes_since('load-2')")
    assert answer_frame(path, "FROM changes_since('load-3')").is_empty()
