"""A damaged data folder: the build stops and says where, nothing worse is published, a repair mends it."""

import pytest

from builders import bit_rot
from builders.command import read_tables
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.build.record_files import is_readable, read_observations
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.repair import repair
from verdicts.warehouse.serving.published import find_published

PAGE = "amble-kernel-vs-midmeadow"


@pytest.fixture
def folder(two_nights, tmp_path):
    return DataFolder(bit_rot.fresh(two_nights, tmp_path))


def wipe_middle(path):
    """One flipped bit may be in a block that DuckDB does not use."""
    content = path.read_bytes()
    third = len(content) // 3
    path.chmod(0o644)
    path.write_bytes(content[:third] + bytes(third) + content[2 * third :])


def test_a_damaged_record_stops_the_build_loses_no_row_and_is_mended(folder):
    before = read_tables(folder.warehouse)
    with open_store(folder.root, command="test") as store:
        entry = store.index()[3]
        segment = folder.raw / entry.location.segment
        bit_rot.flip(segment, entry.location.offset + 100)
        with pytest.raises(StoreDamaged, match=f"{segment.name} at byte {entry.location.offset:,}: "):
            steps.build_corpus(store, folder, anew=True)
    assert read_tables(folder.warehouse) == before
    told: list[str] = []
    repair(folder, told.append)
    assert told == [
        f"{segment} at byte {entry.location.offset:,}: set aside; {entry.url} is due, and the next crawl fetches it"
    ]
    assert steps.verify_data(folder).damaged == ()
    with open_store(folder.root, command="test") as store:
        steps.build_corpus(store, folder, anew=True)
    assert read_tables(folder.warehouse) == before


def test_a_bit_that_flips_in_a_record_file_is_never_another_value(folder):
    """Each is found when it is read, or changes nothing; the file is made again from raw/."""
    (path, *_) = sorted(folder.records.iterdir())
    whole, written = path.read_bytes(), list(read_observations(path))
    found = 0
    for offset in range(7, len(whole), len(whole) // 40):
        path.write_bytes(whole)
        bit_rot.flip(path, offset)
        try:
            assert list(read_observations(path)) == written, offset
        except StoreDamaged:
            found += 1
            assert not is_readable(path)
    assert found > 20
    path.write_bytes(whole)
    bit_rot.flip(path, len(whole) // 3)
    told: list[str] = []
    repair(folder, told.append)
    assert told[0] == f"{path}: damaged, or of another version; made again"
    assert list(read_observations(path)) == written


@pytest.mark.whole
def test_a_lost_state_and_all_that_is_made_of_the_pages_come_back_with_the_same_rows(folder):
    before = read_tables(folder.warehouse, without_columns=frozenset({"load_id"}))
    (record, *_) = folder.records.glob("*.parquet")
    for path in (record, folder.warehouse, find_published(folder.serve)):
        wipe_middle(path)
    damaged = {folder.state, record, folder.warehouse, find_published(folder.serve)}
    folder.state.unlink()
    assert {item.path for item in steps.verify_data(folder).damaged} == {folder.state}
    told: list[str] = []
    repair(folder, told.append)
    assert all(any(line.startswith(f"{path}: ") for line in told) for path in damaged)
    assert steps.verify_data(folder).damaged == ()
    assert read_tables(folder.warehouse, without_columns=frozenset({"load_id"})) == before
