"""Compaction: a smaller folder with the same rows, whatever happens meanwhile."""

from pathlib import Path

import duckdb
import pytest

from builders import bit_rot, kills
from builders.command import JOURNAL, tables_of
from verdicts.fetch.model.errors import StoreDamaged, StoreLocked
from verdicts.fetch.store import checksums
from verdicts.fetch.store.state import hold
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.care.compact import compact_data
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config_sections import DEMO_CARE as DEMO
from verdicts.warehouse.serving.published import Keep, kept

SEED, POINTS = 20261122, 1
ALWAYS = {"when_free": 0.0}


@pytest.fixture
def folder(two_nights, tmp_path):
    return DataFolder(bit_rot.fresh(two_nights, tmp_path))


def compact(folder, *, is_done=True, **when):
    told = []
    compact_data(folder, DEMO, told.append, is_done=is_done, **when)
    return told


def files_of(root):
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in root.rglob("*") if path.is_file()}


def corpus_of(folder):
    """Every value of every row but of the log; with the places in the raw store."""
    return tables_of(folder.warehouse, without=JOURNAL)


@pytest.mark.whole
def test_a_dry_run_says_what_would_go_and_touches_nothing(folder):
    before = files_of(folder.root)
    (line,) = compact(folder, is_done=False, **ALWAYS)
    assert line.startswith("warehouse: ")
    assert files_of(folder.root) == before


@pytest.mark.whole
def test_a_damaged_warehouse_is_not_compacted_and_a_held_one_waits(folder):
    bit_rot.flip(folder.warehouse)
    with pytest.raises(StoreDamaged, match=f"{folder.warehouse.name}.*'verdicts repair'"):
        compact(folder, **ALWAYS)
    with hold(folder.root / "lock", "run"), pytest.raises(StoreLocked):
        compact(folder)


@pytest.mark.whole
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
    told = compact(folder)
    assert any(line.startswith("warehouse: ") for line in told)
    assert folder.warehouse.stat().st_size < size / 2
    assert corpus_of(folder) == before
    assert steps.verify_data(folder, 1).damaged == ()
    with open_store(folder.root, command="test") as store:
        assert steps.build_corpus(store, folder).load.moved == 0


@pytest.mark.whole
def test_killed_anywhere_or_on_a_full_disk_a_compaction_loses_nothing(two_nights, tmp_path):
    ticks, problems = kills.anywhere("compact", bit_rot.fresh(two_nights, tmp_path), tmp_path, seed=SEED, points=POINTS)
    assert ticks > 10
    assert problems == []


def test_of_published_copies_the_newest_of_days_weeks_and_months_stay():
    days = [(month, day) for month in range(1, 7) for day in range(1, 29)]
    copies = [Path(f"corpus-2026{month:02}{day:02}T013000Z-0000.duckdb") for month, day in days]
    staying = {path.name[11:15] for path in kept(copies, Keep(daily=4, weekly=3, monthly=3))}
    by_day, by_week, by_month = {"0628", "0627", "0626", "0625"}, {"0628", "0621", "0614"}, {"0628", "0528", "0428"}
    assert staying == by_day | by_week | by_month
    assert len(kept(copies, Keep(0, 0, 0))) == 3, "never none"
