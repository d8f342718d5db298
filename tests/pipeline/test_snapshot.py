"""Snapshots: of one moment while a night writes, whole or not there, and a data folder that answers the same."""

import os
import shutil
import signal
import subprocess
import sys
from datetime import timedelta

import pytest

from builders import bit_rot
from builders.command import read_tables
from verdicts.fetch.model.fetch_errors import StoreDamaged, StoreLocked, StoreMissing
from verdicts.fetch.store.state import hold
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.doctor import examine
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.repair import repair
from verdicts.warehouse.serving.published import find_published

NIGHT = bit_rot.FIRST_NIGHT + timedelta(days=30)


@pytest.fixture
def folder(two_nights, tmp_path):
    return DataFolder(bit_rot.fresh(two_nights, tmp_path))


def is_content(snapshot):
    """Nothing is damaged, and the doctor asks for the warehouse alone, or for a run that was at work."""
    asked = {finding.mend for finding in examine(snapshot, steps.now())}
    return steps.verify_data(snapshot).damaged, asked - {"verdicts build", "verdicts run", "verdicts run --all"}


def test_a_snapshot_copied_back_and_repaired_gives_readers_the_same_rows(folder, tmp_path):
    (folder.root / "note.txt").write_text("words of the operator")
    steps.snapshot_data(folder, tmp_path / "snapshot")
    back = DataFolder(shutil.copytree(tmp_path / "snapshot", tmp_path / "back"))
    assert is_content(back) == ((), set())
    kept = {path.relative_to(folder.root) for path in folder.root.rglob("*") if path.is_file()}
    there = {path.relative_to(back.root) for path in back.root.rglob("*") if path.is_file()}
    assert {path.parts[0] for path in kept - there} == {"dataset", "metrics", "records", "serve", "warehouse"}
    assert {path.name for path in there - kept} <= {"lock"}
    repair(back, [].append)
    bookkeeping = frozenset({"load_id"})
    assert read_tables(find_published(back.serve), without_columns=bookkeeping) == read_tables(
        find_published(folder.serve), without_columns=bookkeeping
    )
    assert examine(back, steps.now()) == ()


def test_what_never_changes_is_linked_and_what_a_night_writes_is_not(folder, tmp_path):
    taken = steps.snapshot_data(folder, tmp_path / "snapshot")
    snapshot = DataFolder(tmp_path / "snapshot")
    inodes = {path.stat().st_ino for path in folder.root.rglob("*") if path.is_file()}
    linked = {path for path in snapshot.root.rglob("*") if path.is_file() and path.stat().st_ino in inodes}
    assert linked == {*snapshot.raw.iterdir()}
    assert 0 < taken.linked_bytes < taken.bytes


def test_a_snapshot_on_another_disk_is_copied(folder, tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    assert steps.snapshot_data(folder, tmp_path / "snapshot").linked_bytes == 0
    assert is_content(DataFolder(tmp_path / "snapshot")) == ((), set())


WRITER = f"""
import os, sys
from datetime import datetime
from pathlib import Path
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.store.store import open_store
at = datetime.fromisoformat({NIGHT.isoformat()!r})
with open_store(Path(sys.argv[1]), command="crawl") as store:
    crawl_id = store.begin("20261201T013000Z-0000", "crawl", at).crawl_id
    for number in range(1_000_000):
        url = f"http://a.example/page-{{number}}"
        with store.transaction():
            store.keep(Snapshot(url, url, at, 200, (("content-type", "text/html"),), os.urandom(900), crawl_id))
        if number == 10:
            print("begun", flush=True)
"""


def test_a_snapshot_beside_a_run_that_writes_is_of_one_moment(folder, tmp_path):
    """The writer commits as fast as it can. A command that writes to the snapshot takes nothing from the run."""
    with subprocess.Popen([sys.executable, "-c", WRITER, folder.root], stdout=subprocess.PIPE) as writer:
        try:
            writer.stdout.readline()
            for number in range(3):
                snapshot = DataFolder(tmp_path / f"snapshot-{number}")
                steps.snapshot_data(folder, snapshot.root)
                assert is_content(snapshot) == ((), set()), number
                with open_store(snapshot.root, command="test") as store:
                    assert len(store.index()) > 2 * bit_rot.PAGES
            assert writer.poll() is None, "it still writes"
        finally:
            writer.kill()
    assert steps.verify_data(folder).damaged == ()


KILLED = f"""
import os, pathlib, sys
sys.path.insert(0, {str(bit_rot.TESTS)!r})
from builders.kills import Ticks
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
data, target, tick = sys.argv[1:]
ticks = Ticks("", int(tick))
for owner, name in ((os, "fsync"), (os, "link"), (pathlib.Path, "rename")):
    ticks.before(owner, name, lambda: "")
steps.snapshot_data(DataFolder(pathlib.Path(data)), pathlib.Path(target))
"""


@pytest.mark.whole
def test_killed_it_leaves_no_snapshot_and_the_next_one_is_whole(folder, tmp_path):
    target = DataFolder(tmp_path / "snapshot")
    for tick in (1, 3):
        call = [sys.executable, "-c", KILLED, folder.root, target.root, str(tick)]
        assert subprocess.run(call, stderr=subprocess.PIPE, check=False).returncode == -signal.SIGKILL
        assert not target.root.exists()
    steps.snapshot_data(folder, target.root)
    assert is_content(target) == ((), set())
    assert not (tmp_path / "snapshot.unfinished").exists()


def test_a_damaged_folder_gives_no_snapshot(folder, tmp_path):
    damaged = DataFolder(bit_rot.fresh(folder.root, tmp_path / "damaged"))
    bit_rot.flip(damaged.state)
    with pytest.raises(StoreDamaged, match="repair"):
        steps.snapshot_data(damaged, tmp_path / "snapshot")
    next(folder.raw.iterdir()).unlink()
    with pytest.raises(StoreDamaged, match="the segment is missing"):
        steps.snapshot_data(folder, tmp_path / "snapshot")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("snapshot")]


def test_a_target_that_cannot_be_used_is_refused(folder, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("words")
    shutil.copytree(tmp_path / "other", tmp_path / "new.unfinished")
    for target, words in (
        (folder.root / "snapshot", "lies in the data folder"),
        (tmp_path / "other", "already exists"),
        (tmp_path / "missing" / "snapshot", "does not exist"),
        (tmp_path / "new", "is not an unfinished snapshot"),
    ):
        with pytest.raises(ConfigError, match=words):
            steps.snapshot_data(folder, target)
    (tmp_path / "snapshot.unfinished").mkdir()
    with hold(tmp_path / "snapshot.unfinished" / "lock", "snapshot"), pytest.raises(StoreLocked):
        steps.snapshot_data(folder, tmp_path / "snapshot")
    with pytest.raises(StoreMissing):
        steps.snapshot_data(DataFolder(tmp_path / "nothing"), tmp_path / "snapshot")
