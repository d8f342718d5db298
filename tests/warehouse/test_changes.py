"""What a load changed is data: a hash of each row's content, its load, and each changed row before and after."""

import hashlib
import json
import shutil
from collections import Counter
from datetime import datetime, timedelta
from itertools import combinations
from random import Random

import duckdb
import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.paths import ROOT
from builders.warehouse_files import answer_frame, load_corpus, publish, question_frame
from verdicts.corpus.tables import CORPUS_TABLES, TABLES, name_relation
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.loading import changes as keeping
from verdicts.warehouse.loading.merge import Changes
from verdicts.warehouse.schema.content_hash import hash_content
from verdicts.warehouse.serving.diff import compare_files, compare_loads, list_kept_loads
from verdicts.warehouse.serving.query import read_answer
from verdicts.warehouse.serving.question_answers import ask_changes
from verdicts.warehouse.storage.warehouse_errors import ChangesNotKept, QuestionFailed

CHANGES = "FROM history.changes ORDER BY load_id, relation, row_key"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "corpus.duckdb"


def hashes(path):
    """Table to hash and load of each row, by key."""
    with duckdb.connect(path, read_only=True) as connection:
        return {
            name: connection.execute(
                f"SELECT content_hash, load_id FROM {name_relation(name)} ORDER BY {', '.join(TABLES[name].key)}"
            ).fetchall()
            for name in CORPUS_TABLES
        }


def visit_again(rows):
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
    report = load_corpus(path, visit_again(make.corpus()), load_id="load-2")
    assert hashes(path) == before
    assert not report.is_changed
    assert report.tables["appearances"] == Changes(0, 0, 0, 5)
    assert answer_frame(path, CHANGES).is_empty()
    found = "SELECT DISTINCT last_seen_at, segment, segment_offset, first_block, last_block FROM appearances"
    assert answer_frame(path, found).rows() == [(make.NEXT_NIGHT, "another.warc.gz", 77, 8, 9)]
    noted = "SELECT rows_changed, rows_seen FROM ops.load_counts WHERE load_id = 'load-2' AND relation = 'pages'"
    assert answer_frame(path, noted).rows() == [(0, 3)]


def test_a_visit_to_the_page_with_the_older_statement_changes_no_tool(path):
    """What a tool has of the community is what was stated last, not what the page seen last still states."""
    rows = make.corpus()
    states = [
        make.verdict_state(page, "a", "alpha", community_pct=pct, community_votes=100, valid_from=since)
        for page, pct, since in (("alpha-vs-beta", 60, make.NIGHT), ("alpha-vs-gamma", 70, make.NEXT_NIGHT))
    ]
    rows["verdict_history"] = [row for row in rows["verdict_history"] if row.tool_id != make.an_id("alpha")] + states
    rows["tool_cards"] = [replace(card, community_pct=50) for card in rows["tool_cards"]]
    load_corpus(path, rows)
    found = "SELECT slug, community_pct, community_votes FROM tools ORDER BY slug"
    assert answer_frame(path, found).rows() == [("alpha", 70, 100), ("beta", 50, None), ("gamma", 50, None)]
    rows["pages"][0] = replace(rows["pages"][0], last_seen_at=make.NEXT_NIGHT + timedelta(days=9))
    assert not load_corpus(path, rows, load_id="load-2").is_changed


def test_hash_and_load_move_together_with_content_derived_columns_among_it(path):
    load_corpus(path)
    before = hashes(path)
    rows = visit_again(make.corpus())
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
        for row in answer_frame(path, f"FROM {name_relation(table)}").to_dicts():
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
    rows = visit_again(make.corpus())
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
    # Builder's 80 is left.
    moved = ["scored_reviews", "mean_score", "lowest_score", "lowest_reviewer", "skeptic_score"]
    assert changes["tools"]["column_names"] == moved
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


def list_differences(differences):
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
            assert list_differences(by_loads) == list_differences(by_files)
            assert question_frame(by_loads.counts).rows() == question_frame(by_files.counts).rows()
            differing += len(list_differences(by_loads))
    assert differing > 50


def read_rows(path):
    """Relation and key to the row, as a consumer without DuckDB would keep a copy."""
    with duckdb.connect(path, read_only=True) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return {
            (table.name, *(row[name] for name in table.key)): row
            for table in map(TABLES.__getitem__, CORPUS_TABLES)
            for row in connection.sql(f"FROM {table.relation}").pl().iter_rows(named=True)
        }


def apply_changes(rows, feed):
    """A copy after a feed. Visits without news are in no feed, so a copy is compared without their columns."""
    rows = dict(rows)
    for change in feed:
        table = TABLES[change["relation"]]
        key = json.loads(change["row_key"])
        for column in table.columns:
            if column.name in key and column.type == "TIMESTAMPTZ":
                key[column.name] = datetime.fromisoformat(key[column.name])
        place = (table.name, *(key[name] for name in table.key))
        rows.pop(place, None)
        if change["change"] == "removed":
            assert change["after"] is None
            continue
        rows[place] = json.loads(change["after"])
        assert rows[place].keys() == {column.name for column in table.columns}
    return without_visits(rows)


def without_visits(rows):
    visits = {table: {column.name for column in TABLES[table].columns if column.is_visit} for table in CORPUS_TABLES}
    return {
        place: {
            name: datetime.fromisoformat(value)
            if type(value) is str and name.endswith(("_at", "_from", "_to"))
            else value
            for name, value in row.items()
            if name not in visits[place[0]]
        }
        for place, row in rows.items()
    }


def test_a_copy_of_any_load_with_its_feed_is_a_copy_of_any_later_load(path):
    copies = play(path, 4)
    rows = {load_id: read_rows(copy) for load_id, copy in copies.items()}
    kinds = Counter()
    for before, after in combinations(copies, 2):
        feed = answer_frame(copies[after], f"FROM changes_since('{before}')").to_dicts()
        assert len({(change["relation"], change["row_key"]) for change in feed}) == len(feed)
        assert {change["load_id"] for change in feed} <= {load_id for load_id in copies if before < load_id <= after}
        # Also of each load between them: a consumer that was interrupted asks once more.
        for between in (load_id for load_id in copies if before <= load_id <= after):
            assert apply_changes(rows[between], feed) == without_visits(rows[after])
        kinds.update(change["change"] for change in feed)
    assert min(kinds[kind] for kind in ("added", "changed", "removed")) > 0


def test_a_feed_is_the_same_in_every_time_zone(path):
    """Keys of histories have a moment in them."""
    load_corpus(path)
    rows = make.corpus()
    (state, *others) = rows["tool_history"]
    rows["tool_history"] = [replace(state, valid_from=state.valid_from + timedelta(microseconds=1)), *others]
    load_corpus(path, rows, load_id="load-2")
    with duckdb.connect(path, read_only=True) as connection:
        told = []
        for zone in ("UTC", "Asia/Kathmandu"):
            connection.execute(f"SET TimeZone = '{zone}'")
            told.append(connection.execute("SELECT row_key, change FROM changes_since('load-1')").fetchall())
    assert told[0] == told[1]
    assert sorted(change for _, change in told[0]) == ["added", "removed"]


def test_the_consumer_in_the_documents_follows_the_corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = DataFolder(tmp_path / "data")
    example = (ROOT / "examples" / "follow_the_corpus.py").read_text("utf-8")
    shorter = make.corpus()
    shorter["reviews"][0] = replace(shorter["reviews"][0], score=None, text='An "other" wörd.', hosts=())
    shorter |= {"lookalikes": [], "tool_history": shorter["tool_history"][:-1]}
    # The last one is of a file that was made again.
    for number, rows in enumerate((make.corpus(), shorter, {}, make.corpus()), start=1):
        if number == 4:
            folder.warehouse.unlink()
        load_corpus(folder.warehouse, rows, load_id=f"load-{number}")
        copy = publish(folder.warehouse, folder.serve, at=make.NIGHT)
        exec(example, {})
        with duckdb.connect(copy, read_only=True) as theirs, duckdb.connect("mine.duckdb", read_only=True) as mine:
            for table in ("tools", "reviews"):
                ordered = f"FROM {table} ORDER BY ALL"
                assert mine.execute(ordered).fetchall() == theirs.execute(ordered).fetchall()


@pytest.mark.parametrize("where", ["true", "relation = 'reviews'", "change = 'removed'", "after IS NOT NULL"])
def test_no_filter_hides_that_changes_are_not_kept(path, where):
    load_corpus(path)
    for strange in ("'load-0'", "''", "NULL"):
        with pytest.raises(QuestionFailed, match=r"this corpus has no load .*start from a full copy"):
            answer_frame(path, f"SELECT load_id FROM changes_since({strange}) WHERE {where}")


def test_a_consumer_reads_on_from_the_last_load_it_knows_and_is_told_when_that_is_too_old(path, monkeypatch):
    load_corpus(path)
    assert answer_frame(path, "FROM changes_since('load-1')").is_empty()
    for number in (2, 3, 4):
        load_corpus(
            path,
            make.corpus() | {"discrepancies": [] if number % 2 == 0 else make.corpus()["discrepancies"]},
            load_id=f"load-{number}",
        )
    # What loads removed and added again is one row.
    assert answer_frame(path, "SELECT load_id, change FROM changes_since('load-2')").rows() == [("load-4", "removed")]
    monkeypatch.setattr(keeping, "KEPT_LOADS", 2)
    load_corpus(path, load_id="load-5")
    assert answer_frame(path, "SELECT changes_kept_since()").rows() == [("load-3",)]
    assert list_kept_loads(path) == ["load-3", "load-4", "load-5"]
    too_old = "^changes are kept since the load load-3, and load-2 is older; start from a full copy$"
    with pytest.raises(ChangesNotKept, match=too_old), ask_changes(path, "load-2") as question:
        read_answer(question)


def test_more_changes_than_are_kept_leave_none_and_a_consumer_is_told(path, monkeypatch):
    load_corpus(path)
    load_corpus(path, make.corpus() | {"discrepancies": []}, load_id="load-2")
    monkeypatch.setattr(keeping, "KEPT_LEAST", 1)
    load_corpus(path, {}, load_id="load-3")
    assert answer_frame(path, CHANGES).is_empty()
    with pytest.raises(QuestionFailed, match="kept since the load load-3"):
        answer_frame(path, "FROM changes_since('load-2')")
    assert answer_frame(path, "FROM changes_since('load-3')").is_empty()
