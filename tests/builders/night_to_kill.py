"""A whole night on a part of the demo site with a clock that stands still, to be killed from inside or outside.

    python night_to_kill.py DATA STAGE:TICK ...

Says on stdout which stage begins. With a STAGE and a TICK the night kills itself at that tick of that stage: fetch
(before an attempt is logged), segment (half of a record is written), commit (records are durable, their rows are not),
load (before a table is merged), extract, publish and export (before a file is synced or takes its name). Without, it
says at the end how many ticks each stage has. Several nights follow on each other, each a fork of a process that has
its imports behind it.
"""

import json
import os
import signal
import sys
from collections import Counter
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import verdicts.fetch.store.store
from builders.smaller_site import shrink
from verdicts.fetch.store.segments import SegmentWriter
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config import DEMO

MOMENT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)

PAIRS = 16
"""Comparisons: a night must be short where hundreds are killed, and have a few commits."""

death = ["", 0]
ticks = Counter()
present = ["fetch"]


def tick(stage):
    """Counts; true where the process is to die now."""
    ticks[stage] += 1
    return death == [stage, ticks[stage]]


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def before(owner, name, stage_of):
    """Ticks each time `owner.name` is about to be called."""
    real = getattr(owner, name)

    def ticking(*args, **kwargs):
        if tick(stage_of()):
            die()
        return real(*args, **kwargs)

    setattr(owner, name, ticking)


def torn_write(self, frame, real=SegmentWriter._write):
    if tick("segment"):
        real(self, frame[: len(frame) // 2])
        die()
    real(self, frame)


def sync_then_die(self, real=SegmentWriter.sync):
    sizes = real(self)
    if tick("commit"):
        die()
    return sizes


def stage(name):
    present[0] = name
    print(name, flush=True)


def main():
    data, *points = sys.argv[1:]
    shrink(PAIRS)
    patch()
    if len(points) < 2:
        night(Path(data), *points)
        return
    # What a step imports when it begins, every night would import anew.
    for name in (
        "verdicts.fetch.run.crawl",
        "verdicts.warehouse.exporting.export",
        "verdicts.warehouse.serving.published",
        "verdicts.pipeline.build.build",
    ):
        import_module(name)
    for point in points:
        sys.stdout.flush()
        if (pid := os.fork()) == 0:
            night(Path(data), point)
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(pid, 0)


def patch():
    # Many small commits, as on a slow night, so that a kill falls between and inside them.
    crawling = import_module("verdicts.fetch.run.crawl")
    crawling.COMMIT_EVERY_S, verdicts.fetch.store.store.GROUP = 0.02, 20
    crawling.crawl.__kwdefaults__["clock"] = lambda: MOMENT
    steps.now = lambda: MOMENT
    SegmentWriter._write, SegmentWriter.sync = torn_write, sync_then_die
    before(verdicts.fetch.store.store.Store, "log", lambda: "fetch")
    before(import_module("verdicts.warehouse.loading.load"), "merge", lambda: "load")
    for name in ("rename", "replace"):
        before(Path, name, lambda: present[0])
    before(os, "fsync", lambda: present[0])


def night(data, point=""):
    of_stage, _, at = point.partition(":")
    death[:] = of_stage, int(at or 0)
    folder = DataFolder(data)
    with open_store(folder.root, command="run") as store:
        stage("fetch")
        steps.crawl_sites(store, DEMO)
        stage("extract")
        steps.build_corpus(store, folder)
        stage("publish")
        steps.publish_corpus(folder)
        stage("export")
        steps.export_dataset(folder, folder.dataset)
    stage("done")
    print(json.dumps(ticks))


if __name__ == "__main__":
    main()
