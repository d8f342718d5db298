"""Backups: whole or not there, taken beside a crawl, restored to a folder that answers the same."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from builders import bit_rot
from builders.command import tables_of
from builders.dying import NIGHT, in_process
from verdicts.fetch.model.errors import StoreDamaged, StoreLocked
from verdicts.fetch.store.lock import hold
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.care import backup_folder
from verdicts.pipeline.care.backup_folder import BackupBroken
from verdicts.pipeline.care.nightly import back_up_what_is_due
from verdicts.pipeline.care.restore import choose_backup, rehearse
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.warehouse.serving.published import published

pytestmark = pytest.mark.matrix

SEED, POINTS = 20261122, 1


@pytest.fixture
def folder(two_nights, tmp_path):
    return DataFolder(bit_rot.fresh(two_nights, tmp_path))


def files_of(root):
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def rows_of(folder):
    return tables_of(published(folder.serve)), tables_of(folder.warehouse)


def flip(path, offset=None):
    content = bytearray(path.read_bytes())
    content[len(content) // 2 if offset is None else offset] ^= 4
    path.chmod(0o644)
    path.write_bytes(content)


def add_night(folder, number):
    """One more page, as a crawl of its own."""
    with open_store(folder.root, command="test") as store:
        bit_rot._crawl(store, [(f"/compare/more-{number}", b"<html>words</html>")], NIGHT + timedelta(days=number))


def test_a_restored_folder_answers_the_same_and_a_build_of_it_changes_nothing(folder, tmp_path):
    report = steps.back_up(folder, tmp_path / "backups")
    restored = DataFolder(tmp_path / "again")
    steps.restore(tmp_path / "backups", restored)
    assert rows_of(restored) == rows_of(folder)
    assert steps.verify_data(restored, 1).damaged == ()
    kept = {name for name in files_of(folder.root) if not name.startswith(("dataset/", "serve/corpus", "lock"))}
    copy = {f"serve/{name}" for name in (published(folder.serve).name, f"{published(folder.serve).name}.sha256")}
    assert files_of(restored.root) - {"lock"} == kept | copy
    assert len(report.backup.files) == report.new
    with open_store(restored.root, command="test") as store:
        built = steps.build_corpus(store, restored)
    assert built.load.moved == 0


def test_a_later_backup_copies_what_is_new_alone_and_the_older_one_can_still_be_restored(folder, tmp_path):
    first = steps.back_up(folder, tmp_path / "backups")
    assert steps.back_up(folder, tmp_path / "backups").new == 0
    (folder.root / "reports" / "night.html").write_text("a report")
    add_night(folder, 0)
    second = steps.back_up(folder, tmp_path / "backups")
    before = {file.name for file in first.backup.files}
    new = sorted(Path(file.path).parent.name for file in second.backup.files if file.name not in before)
    assert new == ["", "raw", "reports"], "the state, a segment and the report"
    steps.restore(tmp_path / "backups", DataFolder(tmp_path / "old"), first.backup.backup_id)
    with open_store(tmp_path / "old", command="test", read_only=True) as store:
        assert len(store.index()) == 2 * bit_rot.PAGES


def test_only_so_many_backups_are_kept_and_what_they_need(folder, tmp_path):
    for number in range(backup_folder.BACKUPS_KEPT + 2):
        (folder.root / "note.txt").write_text(f"version {number}")
        steps.back_up(folder, tmp_path / "backups")
    assert len(backup_folder.manifests(tmp_path / "backups")) == backup_folder.BACKUPS_KEPT
    notes = sorted(path.name for path in (tmp_path / "backups" / "files").glob("note.txt.*"))
    assert len(notes) == backup_folder.BACKUPS_KEPT
    assert rehearse(tmp_path / "backups", lambda *_: None, at=NIGHT).problem is None


@pytest.mark.parametrize("work", ["backup", "restore"])
def test_killed_anywhere_the_backup_before_is_whole_and_a_part_is_never_taken_for_a_folder(two_nights, tmp_path, work):
    """A full disk, too."""
    data = bit_rot.fresh(two_nights, tmp_path)
    ticks, problems = in_process(work, data, tmp_path, seed=SEED, points=POINTS)
    assert ticks > 10
    assert problems == []


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


def test_a_backup_beside_a_run_that_writes_is_of_one_moment(folder, tmp_path):
    """A writer that commits as fast as it can; whatever moment a backup is of, each of its rows has its record."""
    with subprocess.Popen([sys.executable, "-c", WRITER, folder.root], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        counts = []
        # On a busy machine three may be of one moment.
        for number in range(50):
            if number >= 3 and counts[-1] > counts[0]:
                break
            steps.back_up(folder, tmp_path / "backups")
            assert rehearse(tmp_path / "backups", lambda *_: None, at=NIGHT).problem is None, number
            counts.append(choose_backup(tmp_path / "backups", None).counts["state.snapshots"])
        assert writer.poll() is None, "it still writes"
        writer.kill()
    assert counts == sorted(counts)
    assert counts[-1] > counts[0] > 2 * bit_rot.PAGES


def test_a_damaged_folder_is_not_backed_up_and_the_backup_before_stays(folder, tmp_path):
    steps.back_up(folder, tmp_path / "backups")
    with open_store(folder.root, command="test", read_only=True) as store:
        entry = store.index()[3]
    segment = folder.raw / entry.location.segment
    flip(segment, entry.location.offset + 100)
    with pytest.raises(StoreDamaged, match=rf"{segment.name} at byte {entry.location.offset:,}: .*'verdicts repair'"):
        steps.back_up(folder, tmp_path / "backups")
    for path in (published(folder.serve), folder.warehouse, folder.state):
        damaged = DataFolder(bit_rot.fresh(folder.root, tmp_path / path.name))
        (damaged.root / path.relative_to(folder.root)).chmod(0o644)
        flip(damaged.root / path.relative_to(folder.root))
        with pytest.raises(StoreDamaged, match="repair"):
            steps.back_up(damaged, tmp_path / "backups")
    assert len(backup_folder.manifests(tmp_path / "backups")) == 1
    assert rehearse(tmp_path / "backups", lambda *_: None, at=NIGHT).problem is None


def test_a_damaged_backup_is_never_restored_and_the_next_one_mends_it(folder, tmp_path):
    target = tmp_path / "backups"
    steps.back_up(folder, target)
    copy, *_ = sorted((target / "files").glob("*.warc.zst.*"))
    flip(copy)
    with pytest.raises(BackupBroken, match=f"{copy.name} is not as it was written"):
        steps.restore(target, DataFolder(tmp_path / "again"))
    care = CareConfig(backup_dir=target, min_free_gb=0)
    assert not back_up_what_is_due(folder, care, at=NIGHT + timedelta(days=400))
    assert any(f"verdicts backup {target}" in item.mend for item in steps.examine_data(folder, care).findings)
    steps.back_up(folder, target)
    assert rehearse(target, lambda *_: None, at=NIGHT).problem is None
    copy.unlink()
    with pytest.raises(BackupBroken, match=f"not whole: {copy.name} is missing"):
        choose_backup(target, None)


def test_a_folder_that_cannot_take_a_backup_says_so(folder, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("words")
    for target, words in (
        (folder.root / "backups", "lies in the data folder"),
        (tmp_path / "other", "holds something that is no backup"),
        (tmp_path / "missing" / "backups", "is not there"),
    ):
        with pytest.raises(ConfigError, match=words):
            steps.back_up(folder, target)
    steps.back_up(folder, tmp_path / "backups")
    with hold(tmp_path / "backups" / "lock", "backup"), pytest.raises(StoreLocked):
        steps.back_up(folder, tmp_path / "backups")
    stranger = DataFolder(tmp_path / "stranger")
    add_night(stranger, 0)
    with pytest.raises(ConfigError, match="another data folder"):
        steps.back_up(stranger, tmp_path / "backups")
    with pytest.raises(ConfigError, match="is not empty"):
        steps.restore(tmp_path / "backups", stranger)


def test_a_night_takes_the_backup_that_is_due_and_tells_one_that_fails(folder, tmp_path, capsys):
    target = tmp_path / "backups"
    care = CareConfig(backup_dir=target, backup_every="1d", restore_test_every="30d")
    assert not back_up_what_is_due(folder, care, at=NIGHT)
    assert f"'verdicts backup {target}' begins it" in capsys.readouterr().err
    assert not target.exists(), "it may be the place of a disk that is not mounted"
    backup_folder.begin(target)
    taken = {}
    for hours in (0, 12, 24, 48, 24 * 31):
        assert back_up_what_is_due(folder, care, at=NIGHT + timedelta(hours=hours))
        taken[hours] = (len(backup_folder.manifests(target)), backup_folder.read_test(target) is not None)
    assert taken == {0: (1, False), 12: (1, False), 24: (2, False), 48: (3, False), 24 * 31: (4, True)}
    flip(folder.warehouse)
    assert not back_up_what_is_due(folder, care, at=NIGHT + timedelta(days=40))
    assert "the backup failed: " in capsys.readouterr().err
