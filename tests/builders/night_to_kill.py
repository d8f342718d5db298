"""A whole night on the demo site with a clock that stands still, to be killed from inside or outside.

    python night_to_kill.py DATA STAGE TICK

Says on stdout which stage begins. With a STAGE and a TICK the process kills itself at that tick of that stage: fetch
(before an attempt is logged), segment (half of a record is written), commit (records are durable, their rows are not),
load (before a table is merged), extract, publish and export (before a file is synced or takes its name). Without, it
says at the end how many ticks each stage has.
"""

import json
import os
import signal
import sys
from collections import Counter
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import fetch.store.store
from fetch.store.segments import SegmentWriter
from fetch.store.store import open_store
from pipeline import steps
from pipeline.data_folder import DataFolder

MOMENT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)

STAGE, TICK = (sys.argv[2], int(sys.argv[3])) if len(sys.argv) > 2 else ("", 0)
ticks = Counter()
present = ["fetch"]


def tick(stage):
    """Counts; true where the process is to die now."""
    ticks[stage] += 1
    return stage == STAGE and ticks[stage] == TICK


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
    # Many small commits, as on a slow night, so that a kill falls between and inside them.
    crawling = import_module("fetch.run.crawl")
    crawling.COMMIT_EVERY_S, fetch.store.store.GROUP = 0.02, 20
    crawling.crawl.__kwdefaults__["clock"] = lambda: MOMENT
    steps.now = lambda: MOMENT
    SegmentWriter._write, SegmentWriter.sync = torn_write, sync_then_die
    before(fetch.store.store.Store, "log", lambda: "fetch")
    before(import_module("warehouse.loading.load"), "merge", lambda: "load")
    for name in ("rename", "replace"):
        before(Path, name, lambda: present[0])
    before(os, "fsync", lambda: present[0])
    folder = DataFolder(Path(sys.argv[1]))
    with open_store(folder.root, command="run") as store:
        stage("fetch")
        steps.crawl_sites(store, None)
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
