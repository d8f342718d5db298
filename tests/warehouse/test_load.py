"""A load brings the file to the rows it is given, wholly or not at all."""

import dataclasses
import subprocess
import sys
from datetime import timedelta

import duckdb
import polars as pl
import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import load_corpus, load_rows, tables
from verdicts.corpus.rows.reviews import ReviewAliasRow
from verdicts.corpus.tables import CORPUS_TABLES, name_relation
from verdicts.warehouse.loading.load import Changes
from verdicts.warehouse.loading.rows import ParquetFiles
from verdicts.warehouse.storage import connection as opening
from verdicts.warehouse.storage.warehouse_errors import AuditFailed, ContractBroken, WarehouseBroken, WarehouseLocked


@pytest.fixture
def path(tmp_path):
    return tmp_path / "warehouse" / "corpus.duckdb"


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The hand-made corpus, for tests that leave it as it is."""
    path = tmp_path_factory.mktemp("good") / "corpus.duckdb"
    load_corpus(path)
    return path


def test_a_first_load_adds_every_row_as_it_was_given(path):
    report = load_corpus(path)
    rows = make.corpus()
    assert {name: len(held) for name, held in tables(path).items() if name in rows} == {
        name: len(given) for name, given in rows.items()
    }
    assert report.tables["appearances"] == Changes(5, 0, 0)
    assert tables(path)["pages"][0][9:13] == (["html"], False, make.NIGHT, make.NIGHT)


def test_another_night_without_news_adds_only_its_crawl_and_fetches(path):
    load_corpus(path)
    before = tables(path)
    report = load_corpus(path, load_id="load-2", loaded_at=make.NEXT_NIGHT, extractor_version="2")
    assert not report.is_changed
    assert tables(path) == before
    night = make.Crawl("20261121T013000Z-0002", started_at=make.NEXT_NIGHT)
    visit = make.Fetch("5", crawl_id=night.crawl_id, outcome="unchanged", status_code=304)
    report = load_corpus(path, load_id="load-3", crawls=[*make.crawls(), night], fetches=[visit])
    after = tables(path)
    assert not report.is_changed
    assert {name for name in after if after[name] != before[name]} == {"crawls", "fetches", "loads", "load_counts"}
    assert len(after["fetches"]) == len(before["fetches"]) + 1


def test_a_crawl_that_was_running_is_brought_up_to_date(path):
    load_corpus(path, crawls=[make.Crawl(finished_at=None, status="running")])
    load_corpus(path, load_id="load-2")
    assert [row[4] for row in tables(path)["crawls"]] == ["done"]


def test_what_differs_is_changed_what_is_gone_removed_and_each_row_names_the_load_that_did_it(path):
    load_corpus(path)
    rows = make.corpus()
    rows["tools"] = [make.tool("alpha", entry=None), *rows["tools"][1:]]
    rows["pages"][1] = make.page("alpha-vs-gamma", renderings=("html", "quotes"))
    rows["reviews"][1] = replace(rows["reviews"][1], score=61)
    rows["review_aliases"].append(ReviewAliasRow(make.an_id("another"), make.an_id("beta builder"), "cut short"))
    rows["discrepancies"] = []
    seconds = iter((10.0, 12.5))
    report = load_corpus(
        path, rows, load_id="load-2", crawls=[make.Crawl("20261121T013000Z-0002")], clock=lambda: next(seconds)
    )
    changed = {table: changes for table, changes in report.tables.items() if changes != Changes(0, 0, 0)}
    assert changed == {
        "crawls": Changes(1, 0, 0),
        "tools": Changes(0, 1, 0),
        "pages": Changes(0, 1, 0),
        "reviews": Changes(0, 1, 0),
        "review_aliases": Changes(1, 0, 0),
        "discrepancies": Changes(0, 0, 1),
    }
    held = tables(path)
    assert held["discrepancies"] == []
    assert [row[8] for row in held["tools"] if row[2] == "alpha"] == [None]
    assert sorted(row[-1] for row in held["review_aliases"]) == ["load-1", "load-2"]
    assert {row[4]: row[-1] for row in held["reviews"]} == {80: "load-1", 61: "load-2", 90: "load-1", None: "load-1"}
    assert [row[1:] for row in held["load_counts"] if row[0] == "load-2"] == [
        ("crawls", 1, 0, 0, 2, 0),
        ("discrepancies", 0, 0, 1, 0, 0),
        ("pages", 0, 1, 0, 3, 0),
        ("review_aliases", 1, 0, 0, 2, 0),
        ("reviews", 0, 1, 0, 4, 0),
        ("tools", 0, 1, 0, 3, 0),
    ]
    assert [(row[0], *row[2:5], row[6]) for row in held["loads"]] == [
        ("load-1", sum(map(len, make.corpus().values())), 0, 0, 0),
        ("load-2", 1, 3, 1, 2500),
    ]


def test_a_product_that_gets_another_name_is_a_change_of_its_tool(path):
    load_corpus(path)
    rows = make.corpus()
    rows["products"] = [replace(row, name="Twins") for row in rows["products"]]
    report = load_corpus(path, rows, load_id="load-2")
    assert report.tables["tools"] == Changes(0, 2, 0)
    assert {row[9]: row[-1] for row in tables(path)["tools"]} == {"Alpha": "load-1", "Twins": "load-2"}


def test_the_same_row_given_twice_is_one_and_two_that_differ_are_refused(path):
    rows = make.corpus()
    rows["reviews"].append(rows["reviews"][0])
    assert load_corpus(path, rows).tables["reviews"] == Changes(4, 0, 0)
    held = tables(path)
    rows["reviews"].append(replace(rows["reviews"][0], score=81))
    with pytest.raises(ContractBroken, match="primary_key"):
        load_corpus(path, rows, load_id="load-2")
    assert tables(path) == held


@pytest.mark.parametrize(
    ("table", "rows", "error"),
    [
        ("pages", make.corpus()["pages"][:1], AuditFailed),
        ("reviews", [make.review("alpha builder", "alpha", confidence=2.0)], ContractBroken),
    ],
)
def test_a_first_load_that_fails_leaves_no_file(path, table, rows, error):
    with pytest.raises(error):
        load_rows(path, make.corpus() | {table: rows})
    assert [file.name for file in path.parent.glob("*")] == []


def test_files_are_read_again_only_when_they_or_their_table_changed(path, good):
    files = write_parquet(good, path.parent)
    assert load_corpus(path, files).tables["appearances"] == Changes(5, 0, 0)
    assert tables(path) == tables(good)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("verdicts.warehouse.loading.rows.parquet", None)
        assert not load_corpus(path, files, load_id="load-2").is_changed
    load_corpus(path, make.corpus() | {"rejects": []}, load_id="load-3")
    assert load_corpus(path, files, load_id="load-4").tables["rejects"] == Changes(1, 0, 0)
    assert [row[:-1] for row in tables(path)["reviews"]] == [row[:-1] for row in tables(good)["reviews"]]
    told = pl.read_parquet(files["tools"].paths[0])
    told.with_columns(entry=pl.lit("Paid")).write_parquet(files["tools"].paths[0])
    assert load_corpus(path, files, load_id="load-5").tables["tools"] == Changes(0, 2, 0)


def test_a_first_load_of_large_files_has_large_blocks_and_keeps_long_texts_in_zstandard(path, good, monkeypatch):
    files = write_parquet(good, path.parent)
    monkeypatch.setattr(opening, "LARGE_FILE_BYTES", sum(of.paths[0].stat().st_size for of in files.values()))
    monkeypatch.setattr(opening, "ZSTD_CHARS", 20)
    load_rows(path, files)
    with duckdb.connect(path, read_only=True) as connection:
        stored = connection.execute("SELECT block_size FROM pragma_database_size()").fetchall()
        texts = "SELECT DISTINCT compression FROM pragma_storage_info('reviews') WHERE column_name = 'text'"
        assert stored == [(65_536,)]
        assert ("ZSTD",) in connection.execute(texts).fetchall()
    assert tables(path)["reviews"] == tables(good)["reviews"]


def write_parquet(corpus, folder):
    folder.mkdir(exist_ok=True)
    with duckdb.connect(corpus, read_only=True) as connection:
        for table in CORPUS_TABLES:
            connection.execute(
                f"COPY (FROM {name_relation(table)} ORDER BY hash({table})) TO '{folder}/{table}.parquet'"
            )
    return {table: ParquetFiles((folder / f"{table}.parquet",)) for table in CORPUS_TABLES}


@pytest.mark.parametrize("in_files", [True, False])
@pytest.mark.whole
def test_more_rows_than_one_frame_are_loaded_as_if_they_came_at_once(path, good, monkeypatch, *, in_files):
    monkeypatch.setattr("verdicts.warehouse.loading.rows.AT_A_TIME", 1)
    rows = {name: held[::-1] for name, held in make.corpus().items()}
    load_corpus(path, write_parquet(good, path.parent) if in_files else rows)
    assert tables(path) == tables(good)
    assert in_file_order(path) == in_file_order(good)


def in_file_order(path):
    with duckdb.connect(path, read_only=True) as connection:
        return {table: connection.execute(f"FROM {name_relation(table)}").fetchall() for table in CORPUS_TABLES}


def test_a_table_that_is_left_out_is_empty(path):
    load_corpus(path)
    load_corpus(path, {}, load_id="load-2")
    held = tables(path)
    assert held["reviews"] == held["pages"] == []
    assert len(held["fetches"]) == 4


def put(table, number, row):
    return lambda rows: rows[table].__setitem__(number, row)


def add(table, row):
    return lambda rows: rows[table].append(row)


def drop(table, number):
    return lambda rows: rows[table].pop(number)


OVERLAPPING = make.tool_state("alpha", valid_to=make.NEXT_NIGHT + timedelta(hours=1))
MERGED, LOST = (ReviewAliasRow(make.an_id(old), make.an_id(new), "merged") for old, new in (
    ("gamma", "beta builder"), ("old", "nobody's")))  # fmt: skip
SPOILED = [
    (drop("pages", 1), "appearances_page_id_is_in_pages"),
    (drop("tools", 0), "mentions_tool_id_is_in_tools"),
    (put("reviews", 0, make.review("alpha builder", "alpha", appearances=3)), "reviews_miscounted"),
    (add("appearances", make.appearance("alpha-vs-beta", "nobody's", 7)), "appearances_review_id_is_in_reviews"),
    (put("tool_history", 0, OVERLAPPING), "tool_history_periods_do_not_overlap"),
    (put("verdict_history", 1, make.verdict_state("alpha-vs-beta", "b", "beta")),
     "verdict_history_periods_do_not_overlap"),
    (put("reviews", 3, make.review("gamma", "gamma", attribution="matched")),
     "reviews_weaker_or_stronger_than_evidence"),
    (add("review_aliases", MERGED), "review_aliases_old_id_is_retired"),
    (add("review_aliases", LOST), "review_aliases_review_id_is_in_reviews"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "audit"), SPOILED, ids=[audit for _, audit in SPOILED])
@pytest.mark.share(4)
def test_rows_that_contradict_each_other_leave_the_last_good_state(good, spoil, audit):
    before = tables(good)
    rows = make.corpus()
    spoil(rows)
    with pytest.raises(AuditFailed) as caught:
        load_corpus(good, rows, load_id="load-2", crawls=[make.Crawl("20261121T013000Z-0002")], fetches=[])
    assert caught.value.audit == audit
    assert caught.value.sample
    assert tables(good) == before


def test_a_file_that_is_no_database_is_called_broken(path):
    path.parent.mkdir()
    path.write_bytes(b"this is no database" * 1000)
    with pytest.raises(WarehouseBroken, match=r"corpus\.duckdb"):
        load_corpus(path)


def test_a_file_another_process_holds_is_waited_for_then_called_locked(path, monkeypatch):
    load_corpus(path)
    hold = f"import duckdb; c = duckdb.connect({str(path)!r}); print('held', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        monkeypatch.setattr(opening, "_PATIENCE_S", 0.0)
        with pytest.raises(WarehouseLocked, match="another process"):
            load_corpus(path, load_id="load-2")
        # Found held, and let go while it waits.
        monkeypatch.setattr(opening, "_PATIENCE_S", 30.0)
        monkeypatch.setattr("time.sleep", lambda _: holder.communicate(b"\n"))
        load_corpus(path, load_id="load-2")


def test_a_row_of_the_log_that_breaks_its_contract_costs_itself(tmp_path, caplog):
    good, *rest = make.fetches()
    broken = [
        dataclasses.replace(good, fetch_id="x", elapsed_ms=-1),
        dataclasses.replace(good, fetch_id="y", bytes=10**30),
    ]
    load_corpus(tmp_path / "corpus.duckdb", fetches=[broken[0], good, *rest, broken[1]])
    assert len(tables(tmp_path / "corpus.duckdb")["fetches"]) == 1 + len(rest)
    assert "elapsed_ms" in caplog.text
    assert "bytes" in caplog.text


def test_a_load_whose_log_was_not_written_into_the_file_is_read_and_goes_on(tmp_path, monkeypatch):
    # A disk that fills, or a kill, after the commit: DuckDB alone cannot replay what the load declared.
    connect, path = duckdb.connect, tmp_path / "corpus.duckdb"

    def keep_log(*args, **options):
        connection = connect(*args, **options)
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        connection.execute("SET GLOBAL checkpoint_threshold = '1TB'")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(duckdb, "connect", keep_log)
        load_corpus(path, make.corpus(), "load-0")
    assert path.with_name("corpus.duckdb.wal").exists()
    with opening.open_database(path, is_read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM reviews").fetchone() > (0,)
    load_corpus(path, make.market(), "load-1")
