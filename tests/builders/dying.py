"""Pieces of work ended by kill -9 at the moments at which they make something durable, and what is left then.

    python -m builders.dying WORK DATA SCRATCH SEED POINTS

In a process of its own, which runs no work itself: each is a fork of it, and threads do not survive a fork. `make` only
makes the folder. Prints how many moments there are and the problems that were met.
"""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from builders import bit_rot
from builders.command import tables_of
from verdicts.demo_site.responses import build_site
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config_sections import DEMO_CARE as DEMO
from verdicts.warehouse.serving.published import published
from verdicts.warehouse.storage.errors import WarehouseBroken

NIGHT = bit_rot.FIRST_NIGHT + timedelta(days=30)
PAGES, NIGHTS, CHANGED = 3, 5, 2
STORED = PAGES * NIGHTS
FULL_AT = 10_000
"""Bytes that a file may have where the disk is full."""


def in_process(
    work: str, data: Path, scratch: Path, *, seed: int = 0, points: int = 0, limit_s: int = 600
) -> tuple[int, list[str]]:
    """Runs this module: how many moments the work has, and the problems that were met at `points` of them."""
    call = [sys.executable, "-m", "builders.dying", work, str(data), str(scratch), str(seed), str(points)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=limit_s, check=False, cwd=bit_rot.TESTS)
    assert done.returncode == 0, done.stderr
    ticks, problems = json.loads(done.stdout.splitlines()[-1])
    return ticks, problems


def in_fork(work: Callable[[], object], tick: int | None = None) -> int:
    """Does the work in a fork, which dies at a moment where one is given: 0, 1 for an error, -9 where it was killed."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            if tick is not None:
                _ticking(tick)
            work()
            code = 0
        except Exception as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        finally:
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def ticks_of(work: Callable[[], object]) -> int:
    """How many such moments there are: before each sync, rename and removal of a file, and each commit."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        counted = _ticking(None)
        work()
        os.write(writing, str(counted[0]).encode())
        os._exit(0)
    os.waitpid(pid, 0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        return int(pipe.read())


def _ticking(tick: int | None) -> list[int]:
    counted = [0]

    def before(owner, name):
        real = getattr(owner, name)

        def call(*args, **kwargs):
            counted[0] += 1
            if counted[0] == tick:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **kwargs)

        setattr(owner, name, call)

    durable = ((os, "fsync"), (os, "link"), (os, "sync"), (Path, "rename"), (Path, "replace"), (Path, "unlink"))
    for owner, name in durable:
        before(owner, name)
    return counted


def chosen(ticks: int, seed: int, points: int) -> list[int]:
    """Some of the moments, by seed; all of them where there are no more."""
    return sorted(random.Random(seed).sample(range(1, ticks + 1), min(points, ticks)))


def snapshot(folder: DataFolder, scratch: Path, seed: int, points: int) -> tuple[int, list[str]]:
    """A snapshot is killed, or meets a full disk: there is none then, and the next one is whole."""
    target, counted = DataFolder(scratch / "snapshot"), scratch / "counted"
    rows = tables_of(published(folder.serve)), tables_of(folder.warehouse)

    def take() -> None:
        steps.snapshot_data(folder, target.root)

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (FULL_AT, FULL_AT))
        with pytest.raises(StorageFailed, match=str(scratch)):
            take()

    def is_sound() -> None:
        assert (tables_of(published(target.serve)), tables_of(target.warehouse)) == rows
        assert not steps.verify_data(target, 1).damaged
        assert not steps.examine_data(target, DEMO).findings

    ticks, problems = ticks_of(lambda: steps.snapshot_data(folder, counted)), []
    for tick in [*chosen(ticks, seed, points), None]:
        shutil.rmtree(target.root, ignore_errors=True)
        code = in_fork(full) if tick is None else in_fork(take, tick)
        if code != (0 if tick is None else -9):
            problems.append(f"tick {tick}: {code}")
        if not target.root.exists() and in_fork(take):
            problems.append(f"tick {tick}: the next snapshot fails")
        if in_fork(is_sound):
            problems.append(f"tick {tick}: the snapshot is not whole")
        if {path.name for path in scratch.iterdir()} - {"data", "counted", "snapshot"}:
            problems.append(f"tick {tick}: an unfinished one was left")
    return ticks, problems


def compact(folder: DataFolder, scratch: Path, seed: int, points: int) -> tuple[int, list[str]]:
    """A compaction is killed, or meets a full disk: every row and record is there, and the next one goes on."""
    whole = DataFolder(scratch / "whole")
    shutil.copytree(folder.root, whole.root)
    care = DEMO.model_copy(update={"compact_when_free": 0.0})

    def work() -> None:
        steps.compact_data(folder, care, lambda _: None, is_done=True)

    def is_sound() -> None:
        with open_store(folder.root, command="test") as store:
            entries = store.index()
            assert len([store.read(entry.location) for entry in entries]) == STORED
        assert not steps.verify_data(folder, 1).damaged
        found = [item for item in steps.examine_data(folder, DEMO).findings if item.mend != "verdicts build"]
        assert not found, found
        with open_store(folder.root, command="test") as store:
            steps.build_corpus(store, folder)
        assert tables_of(folder.warehouse) == tables_of(whole.warehouse)

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (FULL_AT, FULL_AT))
        with pytest.raises((StorageFailed, WarehouseBroken)):
            work()

    ticks, problems = ticks_of(work), []
    for tick in [*chosen(ticks, seed, points), None]:
        shutil.rmtree(folder.root)
        shutil.copytree(whole.root, folder.root)
        code = in_fork(full) if tick is None else in_fork(work, tick)
        if code != (0 if tick is None else -9):
            problems.append(f"tick {tick}: {code}")
        if in_fork(is_sound):
            problems.append(f"tick {tick}: something is lost")
        if in_fork(work) or in_fork(is_sound):
            problems.append(f"tick {tick}: the next compaction does not go on")
        files = [path.name for path in folder.warehouse.parent.iterdir()]
        if any(".tmp" in name for name in files):
            problems.append(f"tick {tick}: left: {files}")
    return ticks, problems


def make_nights(folder: DataFolder) -> None:
    """Nights on which the pages are other bytes each time and say the same, but for one that is another once."""
    pages = [(path, answer.body) for path, answer in build_site().items() if path.startswith("/compare/")]
    for night in range(NIGHTS):
        shown = [(path, body + f"<!-- {night} -->".encode()) for path, body in pages[:PAGES]]
        if night == CHANGED:
            shown[0] = (shown[0][0], pages[PAGES][1])
        with open_store(folder.root, command="test") as store:
            bit_rot._crawl(store, shown, bit_rot.FIRST_NIGHT + timedelta(days=night))
    with open_store(folder.root, command="test") as store:
        steps.build_corpus(store, folder)
    steps.publish_corpus(folder)
    steps.verify_data(folder, 1)


def make(folder: DataFolder, scratch: Path, seed: int, points: int) -> tuple[int, list[str]]:
    del scratch, seed, points
    bit_rot.make_in_a_fork(folder.root)
    return 0, []


WORK = {"make": make, "compact": compact, "snapshot": snapshot}


def main() -> None:
    work, data, scratch, seed, points = sys.argv[1:]
    bit_rot.import_all()
    done = WORK[work](DataFolder(Path(data)), Path(scratch), int(seed), int(points))
    print(json.dumps(done))


if __name__ == "__main__":
    main()
