"""Work ended by SIGKILL at a chosen moment, run again, and compared with work that nobody disturbed.

    kills DATA [STAGE:TICK ...]            a night on a part of the demo site, or several in turn

In a process of its own, which imports all and runs nothing itself: each piece of work is a fork of it, and threads do
not survive a fork. The moments of a night are ticks of its stages: fetch (before an attempt is logged), segment (half
of a record is written), commit (records are durable, their rows are not), load (before a table is merged), extract,
publish and export (before a file is synced or takes its name).
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import verdicts.fetch.store.store
from builders import bit_rot
from builders.command import find_published_file, read_tables
from verdicts.demo_site import responses
from verdicts.demo_site.site_facts import load_facts
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


def call(*args: object) -> list[str]:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r}); from builders.kills import main; main()"
    )
    return [sys.executable, "-c", code, *map(str, args)]


def nights(data: Path, *points: str) -> list[dict[str, int] | None]:
    """Nights that go on where the one before was killed: the ticks of the stages of each, None where it was killed."""
    done = subprocess.run(call(data, *points), capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if not line.isalpha() or line == "null"]


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
        stored = Counter(item.url for item in store.read_fetches() if item.outcome == "stored")
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
    data, *points = sys.argv[1:]
    bit_rot.import_all()
    shrink(PAIRS)
    if not points:
        night(Path(data))
    for point in points:
        code = in_fork(lambda point=point: night(Path(data), point))
        assert code in {0, -signal.SIGKILL}, f"a night failed at {point}"
        if code:
            print("null", flush=True)


if __name__ == "__main__":
    main()
