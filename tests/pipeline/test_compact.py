"""Compaction: a smaller folder with the same rows, whatever happens meanwhile."""

import os
import time
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from builders import bit_rot, dying
from builders.command import JOURNAL, tables_of
from verdicts.commands.printing.show import show_id
from verdicts.fetch.model.errors import StoreDamaged, StoreLocked
from verdicts.fetch.store import checksums
from verdicts.fetch.store.lock import hold
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.repair import repair
from verdicts.pipeline.sources.config_sections import DEMO_CARE as DEMO
from verdicts.warehouse.serving.published import published
from verdicts.warehouse.serving.query import ask
from verdicts.warehouse.serving.retention import Keep, kept

pytestmark = pytest.mark.matrix

SEED, POINTS = 20261122, 1
LEAN = DEMO.model_copy(update={"keep_raw": "last 1 and first of each page"})


@pytest.fixture(scope="module")
def nights(tmp_path_factory):
    data = tmp_path_factory.mktemp("compact") / "data"
    dying.make_nights(DataFolder(data))
    return data


@pytest.fixture
def folder(nights, tmp_path):
    return DataFolder(bit_rot.fresh(nights, tmp_path))


def compact(folder, care=LEAN, *, is_done=True):
    told = []
    steps.compact_data(folder, care, told.append, is_done=is_done)
    return told


def files_of(root):
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in root.rglob("*") if path.is_file()}


def corpus_of(folder):
    """Every value of every row but of the log; with the places in the raw store."""
    return tables_of(folder.warehouse, without=JOURNAL)


def flip(path, offset):
    content = bytearray(path.read_bytes())
    content[offset] ^= 4
    path.write_bytes(content)


def test_a_dry_run_says_what_would_go_and_touches_nothing(folder):
    before = files_of(folder.root)
    (line,) = compact(folder, is_done=False)
    assert line.startswith(f"raw: {dying.NIGHTS} segments become 1; {dying.DROPPED} snapshots dropped, ")
    assert files_of(folder.root) == before


def test_every_row_leads_to_its_words_after_a_compaction_and_a_build_of_all_changes_nothing(folder):
    before = corpus_of(folder)
    copy = published(folder.serve)
    ((review,),) = ask(copy, "SELECT min(review_id) FROM reviews").rows
    story = show_id(copy, folder.raw, review)
    assert "source  " in story
    compact(folder)
    assert [path.name for path in folder.raw.iterdir()] == ["20261101T013000Z-0000-00001-p1.warc.zst"]
    assert show_id(copy, folder.raw, review) == story
    assert steps.verify_data(folder, 1).damaged == ()
    assert steps.examine_data(folder, DEMO).findings == ()
    with open_store(folder.root, command="test") as store:
        steps.build_corpus(store, folder, anew=True)
    assert corpus_of(folder) == before
    assert compact(folder) == [], "there is nothing more to do"
    with open_store(folder.root, command="test", read_only=True) as store:
        log = store.fetches()
    assert len([row for row in log if row.segment is None]) == dying.DROPPED, "nothing is kept of them"


def test_the_state_is_made_again_from_a_pack_with_the_same_places(folder):
    before = corpus_of(folder)
    compact(folder)
    folder.state.unlink()
    repair(folder, lambda _: None)
    assert corpus_of(folder) == before
    assert steps.verify_data(folder, 1).damaged == ()
    with open_store(folder.root, command="test", read_only=True) as store:
        assert len(store.index()) == dying.STORED - dying.DROPPED


def test_a_damaged_record_of_a_pack_is_set_aside_and_its_page_asked_for_again(folder):
    compact(folder)
    before = corpus_of(folder)
    with open_store(folder.root, command="test", read_only=True) as store:
        entry = max((entry for entry in store.index() if not entry.is_lost), key=lambda entry: entry.place)
    pack = folder.raw / entry.place.segment
    flip(pack, entry.place.offset + 50)
    told = []
    repair(folder, told.append)
    assert told == [
        f"{pack} at byte {entry.place.offset:,}: set aside; {entry.url} is due and asked for by the next crawl"
    ]
    assert steps.verify_data(folder, 1).damaged == ()
    assert corpus_of(folder) == before


def test_what_a_revisit_stands_for_stays(folder):
    with open_store(folder.root, command="test") as store:
        _, needed, *_ = [entry for entry in store.index() if entry.url == store.index()[1].url]
        with store.transaction():
            store.state.execute("UPDATE fetches SET outcome = 'unchanged' WHERE body_sha256 = ?", (needed.sha256,))
    compact(folder)
    with open_store(folder.root, command="test", read_only=True) as store:
        assert needed.location in {entry.location for entry in store.index() if not entry.is_lost}
        assert sum(entry.is_lost for entry in store.index()) == dying.DROPPED - 1


def test_a_damaged_folder_is_not_compacted_and_a_held_one_waits(folder):
    segment = sorted(folder.raw.iterdir())[1]
    flip(segment, segment.stat().st_size // 2)
    before = {path.name for path in folder.raw.iterdir()}
    with pytest.raises(StoreDamaged, match=f"{segment.name} at byte .*'verdicts repair'"):
        compact(folder, DEMO)
    assert {path.name for path in folder.raw.iterdir()} == before
    assert steps.verify_data(folder, 1).raw.damages
    with hold(folder.root / "lock", "run"), pytest.raises(StoreLocked):
        compact(folder)


def test_what_was_replaced_stays_in_the_trash_for_its_days(folder):
    compact(folder, DEMO)
    trash = sorted((folder.root / "trash").iterdir())
    assert len(trash) == dying.NIGHTS
    assert compact(folder, DEMO) == []
    old = time.time() - timedelta(days=DEMO.trash_days, hours=1).total_seconds()
    os.utime(trash[0], (old, old))
    (line,) = compact(folder, DEMO)
    assert line.startswith("trash: 1 files older than 30 days, ")
    assert sorted((folder.root / "trash").iterdir()) == trash[1:]


def test_a_run_that_goes_on_after_a_compaction_takes_no_name_twice(folder):
    compact(folder, DEMO)
    with open_store(folder.root, command="test") as store:
        crawl_id = store.crawls()[0].crawl_id
        store.begin(crawl_id, "ingest", bit_rot.FIRST_NIGHT)
        with store.transaction():
            (entry, *_) = store.index()
            store.keep(store.read(entry.location))
    (new,) = {path.name for path in folder.raw.iterdir()} - {f"{crawl_id}-00001-p1.warc.zst"}
    assert not (folder.root / "trash" / new).exists()


def test_a_warehouse_is_written_anew_where_much_of_it_is_free(folder):
    before = corpus_of(folder)
    with duckdb.connect(str(folder.warehouse)) as connection:
        connection.execute("CREATE TABLE ballast AS SELECT hash(i) AS h FROM range(2_000_000) t(i)")
        connection.execute("CHECKPOINT")
        # Behind it, or DuckDB would cut it off.
        connection.execute("CREATE TABLE internal.behind AS SELECT hash(i) AS h FROM range(100_000) t(i)")
        connection.execute("CHECKPOINT")
        connection.execute("DROP TABLE ballast")
        connection.execute("CHECKPOINT")
    checksums.note(folder.warehouse)
    size = folder.warehouse.stat().st_size
    told = compact(folder, DEMO)
    assert any(line.startswith("warehouse: ") for line in told)
    assert folder.warehouse.stat().st_size < size / 2
    assert corpus_of(folder) == before
    assert steps.verify_data(folder, 1).damaged == ()
    with open_store(folder.root, command="test") as store:
        assert steps.build_corpus(store, folder).load.moved == 0


def test_killed_anywhere_or_on_a_full_disk_a_compaction_loses_nothing(nights, tmp_path):
    ticks, problems = dying.in_process("compact", bit_rot.fresh(nights, tmp_path), tmp_path, seed=SEED, points=POINTS)
    assert ticks > 10
    assert problems == []


def test_of_published_copies_the_newest_of_days_weeks_and_months_stay():
    days = [(month, day) for month in range(1, 7) for day in range(1, 29)]
    copies = [Path(f"corpus-2026{month:02}{day:02}T013000Z-0000.duckdb") for month, day in days]
    staying = {path.name[11:15] for path in kept(copies, Keep(daily=4, weekly=3, monthly=3))}
    by_day, by_week, by_month = {"0628", "0627", "0626", "0625"}, {"0628", "0621", "0614"}, {"0628", "0528", "0428"}
    assert staying == by_day | by_week | by_month
    assert len(kept(copies, Keep(0, 0, 0))) == 3, "never none"
