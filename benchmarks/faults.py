"""Faults by kind: how many cases of how many survive. Each in a process of its own, bounded in time.

uv run python -m benchmarks.faults [--kind robots] [--share 50 --seed 1] [--show WORDS]
"""

import argparse
import multiprocessing
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

from benchmarks.measuring import markdown_table, options_of
from builders.faults.cases import (
    Case,
    Ready,
    batches,
    every_case,
    has_calls,
    has_pages,
    is_crawl,
    named,
    prepare,
    tried,
)

SECONDS, SECONDS_EACH = 120, 30
"""A batch that takes longer, in all and for each case, is killed, and its cases are tried one by one."""

BYTES = 6_000_000_000
"""Memory that a case may take before it is refused more: one that reads without end must not take the machine along."""

FORK, SPAWN = multiprocessing.get_context("fork"), multiprocessing.get_context("spawn")
"""A fork costs nothing, but threads of polars and DuckDB do not survive one: all but crawls run in new processes."""


@dataclass(frozen=True)
class Verdict:
    """What became of a case: what was seen that its rule forbids, and its seconds."""

    seen: list[str]
    seconds: float


def _builder(names: Sequence[tuple[str, str]], ready: Ready, sender: Connection) -> None:
    _child(named(names), ready, sender)


def _child(batch: Sequence[Case], ready: Ready, sender: Connection) -> None:
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    with tempfile.TemporaryDirectory() as folder:
        try:
            seen = tried(batch, Path(folder), ready)
        except BaseException as error:
            seen = [[f"could not be tried: {type(error).__name__}: {error}"]] * len(batch)
    sender.send(seen)


@dataclass
class Running:
    batch: list[Case]
    process: multiprocessing.process.BaseProcess
    receiver: Connection
    began: float


def _prepare(pages: bool, calls: bool, sender: Connection) -> None:
    sender.send(prepare(pages=pages, calls=calls))


def prepared(cases: Sequence[Case]) -> Ready:
    if not has_pages(cases) and not has_calls(cases):
        return Ready()
    receiver, sender = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=_prepare, args=(has_pages(cases), has_calls(cases), sender))
    process.start()
    ready = receiver.recv()
    process.join()
    return ready


def start(batch: list[Case], ready: Ready) -> Running:
    if not is_crawl(batch):
        receiver, sender = SPAWN.Pipe(duplex=False)
        names = [(case.kind, case.name) for case in batch]
        process = SPAWN.Process(target=_builder, args=(names, ready, sender))
    else:
        receiver, sender = FORK.Pipe(duplex=False)
        process = FORK.Process(target=_child, args=(batch, ready, sender))
    process.start()
    sender.close()
    return Running(batch, process, receiver, time.monotonic())


def ended(running: Running) -> list[list[str]]:
    """What a batch saw; a batch that was killed or died saw that."""
    try:
        if running.receiver.poll():
            return running.receiver.recv()
        why = "did not end in time"
    except EOFError:
        running.process.join()
        why = f"its process died ({running.process.exitcode})"
    return [[why]] * len(running.batch)


def try_all(cases: Sequence[Case], workers: int) -> dict[tuple[str, str], Verdict]:
    ready = prepared(cases)
    waiting, active, verdicts = list(batches(cases)), [], {}
    while waiting or active:
        while waiting and len(active) < workers:
            active.append(start(waiting.pop(0), ready))
        wait([running.receiver for running in active], timeout=1)
        for running in list(active):
            took = time.monotonic() - running.began
            if not running.receiver.poll() and took < SECONDS + SECONDS_EACH * len(running.batch):
                continue
            seen = ended(running)
            running.process.kill()
            running.process.join()
            active.remove(running)
            fallen = [case for case, lines in zip(running.batch, seen, strict=True) if lines]
            if len(fallen) == len(running.batch) > 1:
                # One of them ended it for all.
                half = len(fallen) // 2
                waiting = [fallen[:half], fallen[half:], *waiting]
                continue
            for case, lines in zip(running.batch, seen, strict=True):
                if lines and len(running.batch) > 1:
                    waiting.insert(0, [case])
                    continue
                verdicts[case.kind, case.name] = Verdict(lines, took / len(running.batch))
                fell = f"\n{case.kind}: {case.name} [{case.rule}]: {'; '.join(lines)}\n"
                print(fell if lines else ".", end="", flush=True, file=sys.stderr)
    print(file=sys.stderr)
    if ready.homes:
        shutil.rmtree(ready.homes["root"])
    return verdicts


def chosen_from(cases: list[Case], options: argparse.Namespace) -> list[Case]:
    if options.kind:
        cases = [case for case in cases if any(kind in case.kind for kind in options.kind)]
    if options.show:
        cases = [case for case in cases if options.show in f"{case.kind}: {case.name}"]
    if options.share and options.share < len(cases):
        kept = set(random.Random(options.seed).sample(range(len(cases)), options.share))
        cases = [case for number, case in enumerate(cases) if number in kept]
    return cases


def main() -> None:
    parser = options_of(__doc__)
    parser.add_argument("--kind", action="append", help="only kinds with these words in their name; may be given again")
    parser.add_argument("--show", help="only cases with these words in their name")
    parser.add_argument("--share", type=int, help="so many cases, chosen by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    cases = chosen_from(every_case(), options)
    verdicts = try_all(cases, options.workers)
    by_kind = defaultdict(list)
    for case in cases:
        by_kind[case.kind].append((case, verdicts[case.kind, case.name]))
    rows = [
        [kind, f"{len(tries):,}", f"{sum(not verdict.seen for _, verdict in tries):,}",
         f"{sum(verdict.seconds for _, verdict in tries):.0f}"]
        for kind, tries in by_kind.items()
    ]  # fmt: skip
    fallen = [(case, verdict) for tries in by_kind.values() for case, verdict in tries if verdict.seen]
    total = sum(verdict.seconds for verdict in verdicts.values())
    rows.append(["all", f"{len(cases):,}", f"{len(cases) - len(fallen):,}", f"{total:.0f}"])
    print(markdown_table(["kind", "cases", "survived", "seconds"], rows))
    for case, verdict in fallen:
        print(f"\n{case.kind}: {case.name} [{case.rule}]")
        print(*(f"    {line}" for line in verdict.seen), sep="\n")
    sys.exit(bool(fallen))


if __name__ == "__main__":
    main()
