"""Work ended by SIGKILL at a chosen moment, run again, and compared with work that nobody disturbed.

    kills night DATA [STAGE:TICK ...]            a night on a part of the demo site, or several in turn
    kills snapshot DATA SCRATCH SEED POINTS

In a process of its own, which imports all and runs nothing itself: each piece of work is a fork of it, and threads do
not survive a fork. The moments of a night are ticks of its stages: fetch (before an attempt is logged), segment (half
of a record is written), commit (records are durable, their rows are not), load (before a table is merged), extract,
publish and export (before a file is synced or takes its name). Those of other work make something durable.
"""

import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

import verdicts.fetch.store.store
from builders import bit_rot
from builders.command import find_published_file, read_tables
from verdicts.demo_site import responses
from verdicts.demo_site.site_facts import load_facts
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.store.segments import SegmentWriter
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config import DEMO
from verdicts.warehouse.serving import copy
from verdicts.warehouse.serving import published as serving

STAGES = ("fetch", "segment", "commit", "extract", "load", "publish", "export")

PAIRS = 16
"""Comparisons of a night: it must be short where hundreds are killed, and have a few commits."""

BOOKKEEPING = frozenset({"load_id", "content_hash", "segment", "segment_offset"})
"""Columns that say where and in which load a row was written: a night in two parts writes two segments. The hash of a
reject is among them, because its key has its segment."""

FILES = re.compile(
    r"lock|state\.sqlite(-wal|-shm|\.sha256)?|raw/.*\.warc\.gz|dataset/[^.].*"
    r"|records/[^.]+\.v\d+-\d+-\d+\.n\d+\.parquet|warehouse/(corpus\.duckdb|built\.txt)"
    r"|serve/(current|corpus(-[^/]+)?\.duckdb)"
    r"|logs/verdicts\.jsonl|metrics/verdicts\.prom|reports/[^/]+\.json"
)
"""What a data folder may hold once a night is over."""

FULL_AT = 10_000
"""Bytes that a file may have where the disk is full."""


def call(*args: object) -> list[str]:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r}); from builders.kills import main; main()"
    )
    return [sys.executable, "-c", code, *map(str, args)]


def nights(data: Path, *points: str) -> list[dict[str, int] | None]:
    """Nights that go on where the one before was killed: the ticks of the stages of each, None where it was killed."""
    done = subprocess.run(call("night", data, *points), capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if not line.isalpha() or line == "null"]


def anywhere(work: str, data: Path, scratch: Path, *, seed: int = 0, points: int = 0) -> tuple[int, list[str]]:
    """How many moments a piece of work has, and the problems that were met at `points` of them."""
    args = call(work, data, scratch, seed, points)
    done = subprocess.run(args, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    ticks, problems = json.loads(done.stdout.splitlines()[-1])
    return ticks, problems


def read_state(data: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of the published corpus, without the bookkeeping."""
    return read_tables(find_published_file(data), without_columns=BOOKKEEPING)


def strays(data: Path) -> list[str]:
    """Files that no night leaves behind."""
    names = [path.relative_to(data).as_posix() for path in data.rglob("*") if path.is_file()]
    return [name for name in names if not FILES.fullmatch(name)]


def find_stored_twice(data: Path) -> list[str]:
    """Addresses that the log says were stored more than once."""
    with open_store(data, command="test", read_only=True) as store:
        stored = Counter(item.url for item in store.fetches() if item.outcome == "stored")
    return [url for url, times in stored.items() if times > 1]


def shrink(pairs: int) -> None:
    """From now on this process serves so many comparisons, spread over the whole, and the pages of their tools."""
    facts = load_facts()
    few = facts.pairs[:: len(facts.pairs) // pairs][:pairs]
    tools = {slug: tool for slug, tool in facts.tools.items() if any(slug in (pair.a, pair.b) for pair in few)}
    smaller = replace(facts, pairs=few, tools=tools)
    responses.load_facts = lambda: smaller
    responses.build_site.cache_clear()


class Ticks:
    """Counts moments by stage. The process dies at one of them: `death` is its stage and number."""

    def __init__(self, stage: str = "", number: int = 0) -> None:
        self.counted: Counter[str] = Counter()
        self.death = (stage, number)

    def is_last(self, stage: str) -> bool:
        self.counted[stage] += 1
        return self.death == (stage, self.counted[stage])

    def before(self, owner: object, name: str, stage_of: Callable[[], str]) -> None:
        """A tick each time `owner.name` is about to be called."""
        real = getattr(owner, name)

        def tick(*args, **kwargs):
            if self.is_last(stage_of()):
                die()
            return real(*args, **kwargs)

        setattr(owner, name, tick)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def in_fork(work: Callable[[], object]) -> int:
    """Does the work in a fork: 0, 1 for an error, -9 where it was killed."""
    sys.stdout.flush()
    if (pid := os.fork()) == 0:
        code = 1
        try:
            work()
            code = 0
        except Exception as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def night(data: Path, point: str = "") -> None:
    """All steps with a clock that stands still, and many small commits: a kill falls between and inside them."""
    stage, _, tick = point.partition(":")
    ticks, present, moment = Ticks(stage, int(tick or 0)), [""], bit_rot.FIRST_NIGHT
    crawling = import_module("verdicts.fetch.run.crawl")
    crawling.COMMIT_EVERY_S, verdicts.fetch.store.store.GROUP = 0.02, 20
    crawling.crawl.__kwdefaults__["clock"] = lambda: moment
    steps.now = lambda: moment

    def tear_write(self, frame, real=SegmentWriter._write):
        if ticks.is_last("segment"):
            real(self, frame[: len(frame) // 2])
            die()
        real(self, frame)

    def sync_then_die(self, real=SegmentWriter.sync):
        sizes = real(self)
        if ticks.is_last("commit"):
            die()
        return sizes

    SegmentWriter._write, SegmentWriter.sync = tear_write, sync_then_die
    ticks.before(verdicts.fetch.store.store.Store, "log", lambda: "fetch")
    ticks.before(import_module("verdicts.warehouse.loading.load"), "merge", lambda: "load")
    for owner, name in ((Path, "rename"), (Path, "replace"), (os, "fsync")):
        ticks.before(owner, name, lambda: present[0])
    folder = DataFolder(data)
    with open_store(folder.root, command="run") as store:
        for present[0], step in {
            "fetch": lambda: steps.crawl_sites(store, DEMO),
            "extract": lambda: steps.build_corpus(store, folder),
            "publish": lambda: steps.publish_corpus(folder),
            "export": lambda: steps.export_dataset(folder, folder.dataset),
        }.items():
            print(present[0], flush=True)
            step()
    print(json.dumps(ticks.counted))


def count_moments(work: Callable[[], object]) -> int:
    """How many moments the work has: before each sync, link, rename and removal of a file."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as pipe:
        assert in_fork(lambda: os.write(writing, str(_count_ticks(work)).encode())) == 0
        os.close(writing)
        return int(pipe.read())


def _count_ticks(work: Callable[[], object], tick: int = 0) -> int:
    """Does the work, which dies at a tick; how many it had."""
    ticks = Ticks("", tick)
    for owner, names in {os: ("fsync", "link", "sync"), Path: ("rename", "replace", "unlink")}.items():
        for name in names:
            ticks.before(owner, name, lambda: "")
    work()
    return ticks.counted[""]


def try_kill(
    work: Callable[[], object],
    begin: Callable[[], object],
    checks: Mapping[str, Callable[[], object]],
    full: type[Exception] | tuple[type[Exception], ...],
    moments: int,
    seed: int,
    points: int,
) -> tuple[int, list[str]]:
    """The work killed at some of its moments, and on a full disk, each time after `begin`, and checked."""

    def on_a_full_disk() -> None:
        sys.dont_write_bytecode = True  # it would be cut, too, and break each later process
        resource.setrlimit(resource.RLIMIT_FSIZE, (FULL_AT, FULL_AT))
        with pytest.raises(full):
            work()

    problems = []
    for tick in [*sorted(random.Random(seed).sample(range(1, moments + 1), min(points, moments))), 0]:
        begin()
        code = in_fork(lambda tick=tick: _count_ticks(work, tick)) if tick else in_fork(on_a_full_disk)
        if code != (-signal.SIGKILL if tick else 0):
            problems.append(f"tick {tick}: {code}")
        problems += [f"tick {tick}: {name}" for name, check in checks.items() if in_fork(check)]
    return moments, problems


def snapshot(folder: DataFolder, scratch: Path, seed: int, points: int) -> tuple[int, list[str]]:
    """A snapshot that is killed, or meets a full disk: there is none then, and the next one is whole."""
    target = DataFolder(scratch / "snapshot")
    segments = {path.name: path.read_bytes() for path in (folder.root / "raw").iterdir()}
    moments = count_moments(lambda: steps.snapshot_data(folder, scratch / "counted"))

    def take() -> None:
        steps.snapshot_data(folder, target.root)

    def is_sound() -> None:
        if not target.root.exists():
            take()
        assert {path.name: path.read_bytes() for path in (target.root / "raw").iterdir()} == segments
        assert not steps.verify_data(target).damaged

    def is_tidy() -> None:
        assert {path.name for path in scratch.iterdir()} <= {"data", "counted", "snapshot"}

    checks = {"it is not whole, nor is the next one": is_sound, "an unfinished one was left": is_tidy}
    return try_kill(
        take, lambda: shutil.rmtree(target.root, ignore_errors=True), checks, StorageFailed, moments, seed, points
    )


def half_a_file(_: Path, target: Path) -> None:
    target.write_bytes(b"half a copy")


STEPS = {
    "start": (copy, "make_copy", None),
    "search index": (copy, "bring_index_up_to_date", copy.bring_index_up_to_date),
    "copy": (shutil, "copyfile", half_a_file),
    "views": (copy, "_make_table_from_view", copy._make_table_from_view),
    "readers' state": (copy, "leave_to_readers", copy.leave_to_readers),
    "checks": (copy, "_check_opens", None),
    "name": (serving, "make_copy_path", None),
    "link": (os, "link", os.link),
    "pointer": (serving, "replace_text", None),
}
"""Where the module that calls a step looks it up, and how much of it is done before the signal."""


def end_at(step: str, number: int) -> None:
    """From here on each publication of this process meets the signal at that step."""
    module, name, before = STEPS[step]

    def ending(*arguments: object, **named: object) -> None:
        if before is not None:
            before(*arguments, **named)
        os.kill(os.getpid(), number)

    setattr(module, name, ending)


def main() -> None:
    work, data, *args = sys.argv[1:]
    bit_rot.import_all()
    if work != "night":
        scratch, seed, points = args
        print(json.dumps(snapshot(DataFolder(Path(data)), Path(scratch), int(seed), int(points))))
        return
    shrink(PAIRS)
    if not args:
        night(Path(data))
    for point in args:
        code = in_fork(lambda point=point: night(Path(data), point))
        assert code in {0, -signal.SIGKILL}, f"a night failed at {point}"
        if code:
            print("null", flush=True)


if __name__ == "__main__":
    main()
