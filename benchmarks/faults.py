"""Faults by kind: how many cases of how many survive. Each batch in a process of its own, bounded in time.

uv run python -m benchmarks.faults [--kind robots] [--share 50 --seed 1] [--show WORDS]
"""

import argparse
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

from benchmarks.measuring import markdown_table, options_of
from builders.faults.cases import Case, batches, every_case, named, tried
from builders.faults.page_case import PageCase, Rows, untouched

SECONDS, SECONDS_EACH = 120, 30
"""A batch that takes longer, in all and for each case, is killed, and its cases are tried one by one."""

BYTES = 6_000_000_000
"""Memory that a case may take before it is refused more: one that reads without end must not take the machine along."""

FORKS = multiprocessing.get_context("forkserver")
"""Forks of a process that has imported all and run nothing: threads of polars and DuckDB do not survive a fork."""


@dataclass
class Running:
    batch: list[Case]
    process: multiprocessing.process.BaseProcess
    receiver: Connection
    began: float


def start(batch: list[Case], neighbours: Rows | None) -> Running:
    receiver, sender = FORKS.Pipe(duplex=False)
    names = [(case.kind, case.name) for case in batch]
    process = FORKS.Process(target=_try, args=(names, neighbours, sender))
    process.start()
    sender.close()
    return Running(batch, process, receiver, time.monotonic())


def _try(names: Sequence[tuple[str, str]], neighbours: Rows | None, sender: Connection) -> None:
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    with tempfile.TemporaryDirectory() as folder:
        try:
            seen = tried(named(names), Path(folder), neighbours)
        except BaseException as error:
            seen = [[f"could not be tried: {type(error).__name__}: {error}"]] * len(names)
    sender.send(seen)


def ended(running: Running) -> list[list[str]]:
    """What a batch saw; a batch that was killed or died saw that."""
    try:
        return running.receiver.recv() if running.receiver.poll() else [["did not end in time"]] * len(running.batch)
    except EOFError:
        running.process.join()
        return [[f"its process died ({running.process.exitcode})"]] * len(running.batch)
    finally:
        running.process.kill()
        running.process.join()


def try_all(cases: Sequence[Case], workers: int) -> dict[tuple[str, str], list[str]]:
    """By kind and name, what was seen that the rule of a case forbids."""
    neighbours = untouched() if any(isinstance(case, PageCase) for case in cases) else None
    waiting, active, seen = list(batches(cases)), [], {}
    while waiting or active:
        while waiting and len(active) < workers:
            active.append(start(waiting.pop(0), neighbours))
        wait([running.receiver for running in active], timeout=1)
        for running in list(active):
            within = SECONDS + SECONDS_EACH * len(running.batch)
            if not running.receiver.poll() and time.monotonic() - running.began < within:
                continue
            active.remove(running)
            for case, lines in zip(running.batch, ended(running), strict=True):
                if lines and len(running.batch) > 1:
                    # Another one of the batch may have ended it for all.
                    waiting.insert(0, [case])
                    continue
                seen[case.kind, case.name] = lines
                fell = f"\n{case.kind}: {case.name} [{case.rule}]: {'; '.join(lines)}\n"
                print(fell if lines else ".", end="", flush=True, file=sys.stderr)
    print(file=sys.stderr)
    return seen


def chosen_from(cases: list[Case], options: argparse.Namespace) -> list[Case]:
    if options.kind:
        cases = [case for case in cases if any(kind in case.kind for kind in options.kind)]
    if options.show:
        cases = [case for case in cases if options.show in f"{case.kind}: {case.name}"]
    return random.Random(options.seed).sample(cases, min(options.share or len(cases), len(cases)))


def main() -> None:
    parser = options_of(__doc__)
    parser.add_argument("--kind", action="append", help="only kinds with these words in their name; may be given again")
    parser.add_argument("--show", help="only cases with these words in their name")
    parser.add_argument("--share", type=int, help="so many cases, chosen by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    FORKS.set_forkserver_preload(["builders.faults.cases"])
    cases = chosen_from(every_case(), options)
    seen = try_all(cases, options.workers)
    by_kind: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_kind[case.kind].append(case)
    rows = [
        (kind, f"{len(tries):,}", f"{sum(not seen[kind, case.name] for case in tries):,}")
        for kind, tries in by_kind.items()
    ]
    fallen = [case for case in cases if seen[case.kind, case.name]]
    rows.append(("all", f"{len(cases):,}", f"{len(cases) - len(fallen):,}"))
    print(markdown_table(["kind", "cases", "survived"], rows))
    for case in fallen:
        print(f"\n{case.kind}: {case.name} [{case.rule}]", *seen[case.kind, case.name], sep="\n    ")
    sys.exit(bool(fallen))


if __name__ == "__main__":
    main()
