"""Kills, signals, shortages and damage by the hundred: the same commands, undisturbed, are compared.

    uv run python -m benchmarks.kills nights [--points 60]       nights killed in any stage, and resumed
    uv run python -m benchmarks.kills commands [--points 24]     every command, any signal, at so many moments
    uv run python -m benchmarks.kills shortages                  too few bytes, open files or address space
    uv run python -m benchmarks.kills damage [--points 200]      bits flipped, files cut and removed: found and mended

A disk of its own is a tmpfs, which root alone can mount: `sudo uv run python -m benchmarks.kills shortages`.
"""

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.progress import track

from benchmarks.damage import BEFORE, SINCE, Expected, faults, judge, mending
from benchmarks.measuring import markdown_table, options_of
from builders import bit_rot, interruptions, kills
from builders.command import RUN_MAIN, verdicts
from verdicts.pipeline.data_folder import DataFolder

Ends = Iterator[tuple[str, str, str | None]]
"""What was done, how it ended, and what is wrong with that."""

SIGNALS = {
    "SIGINT": (signal.SIGINT, 1),
    "SIGINT twice": (signal.SIGINT, 2),
    "SIGTERM": (signal.SIGTERM, 1),
    "SIGHUP": (signal.SIGHUP, 1),
}
MB = 1_000_000
SHORTAGES: dict[str, tuple[int | None, str]] = {
    **{
        f"{name} {value:,}": (
            None,
            (
                "import resource, sys; sys.dont_write_bytecode = True; "
                f"resource.setrlimit(resource.{name}, ({value}, {value})); {RUN_MAIN}"
            ),
        )
        for name, values in {
            "RLIMIT_FSIZE": (10_000, 150_000, 1_000_000),
            "RLIMIT_NOFILE": (12, 24, 64),
            "RLIMIT_AS": (500 * MB, 1_000 * MB, 1_500 * MB, 2_000 * MB, 3_000 * MB),
        }.items()
        for value in values
    },
    **{f"disk of {size} MB": (size * MB, RUN_MAIN) for size in (3, 6, 9)},
}
"""Name to the size of the disk, where it is one of its own, and to what runs a command."""


@dataclass(frozen=True)
class Case:
    """A command, the folder it begins in (made by `earlier` commands), and what of its result is compared."""

    call: tuple[str, ...]
    earlier: tuple[tuple[str, ...], ...]
    result: Callable[[Path], object]


def stored_pages(home: Path) -> object:
    """Address and digest of every stored page, and how the crawl ended."""
    with sqlite3.connect(home / "data" / "state.sqlite") as state:
        pages = state.execute("SELECT url, sha256 FROM snapshots ORDER BY url, sha256").fetchall()
        return pages, state.execute("SELECT DISTINCT status FROM crawls WHERE kind = 'crawl'").fetchall()


def built_rows(home: Path) -> object:
    return interruptions.rows_of(DataFolder(home / "data").warehouse)


INGEST, PUBLISH, EXPORT = ("ingest", "pages"), ("publish",), ("export", "out")
CASES = {
    "run": Case(("run",), (), interruptions.published_rows),
    "crawl": Case(("crawl",), (), stored_pages),
    "build": Case(("build", "--all"), (INGEST,), built_rows),
    "ingest": Case(INGEST, (), interruptions.published_rows),
    "publish": Case(PUBLISH, (INGEST,), interruptions.published_rows),
    "export": Case(EXPORT, (INGEST,), interruptions.exported_bytes),
    "load": Case(("load", "out"), (INGEST, EXPORT, ("forget",)), interruptions.published_rows),
}


def prepare(home: Path, earlier: tuple[tuple[str, ...], ...]) -> None:
    """The folder in which a command begins."""
    home.mkdir(parents=True, exist_ok=True)
    interruptions.write_pages(home / "pages")
    for call in earlier:
        if call == ("forget",):
            shutil.rmtree(home / "data")
            continue
        done = verdicts(*call, cwd=home)
        assert done.returncode == 0, done.stderr


def failure(home: Path, case: Case, expected: object) -> str | None:
    """What is wrong after the command has been run again; None where it is as if nothing had happened."""
    again = verdicts(*case.call, cwd=home)
    if again.returncode != 0:
        return f"again: exit {again.returncode}: {again.stderr[-300:]}"
    if case.result(home) != expected:
        return "other rows"
    left = [name for name in interruptions.strays(home) if not name.startswith("no-prefect")]
    return f"left {left}" if left else None


def nights(home: Path, points: int, seed: int, _: str) -> Ends:
    chance = random.Random(seed)
    (ticks,) = kills.nights(home / "whole")
    rows = kills.state_of(home / "whole")
    for number in range(points):
        stage, data = kills.STAGES[number % len(kills.STAGES)], home / str(number)
        point = f"{stage}:{chance.randint(1, ticks[stage])}"
        killed, *_ = kills.nights(data, point, "none")
        same = kills.state_of(data) == rows
        wrong = [*kills.strays(data), *kills.stored_twice(data)] + ([] if same else ["other rows"])
        yield stage, "over before" if killed else "killed", f"{point}: {wrong}" if wrong else None
        shutil.rmtree(data)


def commands(home: Path, points: int, seed: int, only: str) -> Ends:
    chance = random.Random(seed)
    for command, case, begin, expected, lasts in _cases(home, only):
        for moment in range(points):
            kind = chance.choice([*SIGNALS])
            number, times = SIGNALS[kind]
            after = (moment + chance.random()) / points * lasts
            shutil.copytree(begin, home / "home")
            process = interruptions.start(*case.call, cwd=home / "home")
            time.sleep(after)
            ended = interruptions.end(process, number, times=times)
            wrong = ended.complaint(number) or failure(home / "home", case, expected)
            yield command, kind, wrong and f"after {after:.1f} s of {lasts:.1f}: {wrong}"
            shutil.rmtree(home / "home")


def shortages(home: Path, points: int, _: int, only: str) -> Ends:
    for command, case, begin, expected, _lasts in _cases(home, only):
        for name, (size, code) in [*SHORTAGES.items()][:points]:
            with _disk(home / "home", size):
                try:
                    shutil.copytree(begin, home / "home", dirs_exist_ok=True)
                except shutil.Error:
                    continue
                done = verdicts(*case.call, cwd=home / "home", code=code)
                said = [line for line in done.stderr.splitlines() if line.startswith("verdicts: ")]
                is_as_documented = (done.returncode, len(said)) in {(0, 0), (5, 1)} and "Traceback" not in done.stderr
                if size is not None:
                    subprocess.run(["mount", "-o", "remount,size=400m", home / "home"], check=True)
                wrong = failure(home / "home", case, expected) if is_as_documented else done.stderr[-700:]
            yield command, "works" if done.returncode == 0 else "says so", wrong and f"{name}: {wrong}"


def damage(home: Path, points: int, seed: int, _: str) -> Ends:
    whole = home / "whole"
    assert kills.in_fork(lambda: bit_rot.make(whole)) == 0
    expected = Expected.of(whole, home)
    for number, fault in enumerate([*faults(whole, points, seed)]):
        shutil.rmtree(home / "other", ignore_errors=True)
        mends = mending(fault) if number % 5 == 0 else ()
        verdict = judge(fault, whole, home, expected, [*BEFORE.get(fault.kind, ()), *SINCE], mends)
        yield fault.kind, verdict.how, f"{fault}: {verdict.problems}" if verdict.problems else None


def _cases(home: Path, only: str) -> Iterator[tuple[str, Case, Path, object, float]]:
    """Each command, the folder it begins in, and what it makes and reviews where nothing disturbs it."""
    for command, case in CASES.items():
        if only not in command:
            continue
        begin, whole = home / f"{command}-begin", home / f"{command}-whole"
        prepare(begin, case.earlier)
        shutil.copytree(begin, whole)
        began = time.monotonic()
        done = verdicts(*case.call, cwd=whole)
        assert done.returncode == 0, done.stderr
        yield command, case, begin, case.result(whole), time.monotonic() - began


@contextmanager
def _disk(home: Path, size: int | None) -> Iterator[None]:
    """`home` on a disk of so many bytes, where it is one of its own."""
    home.mkdir()
    if size is not None:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", home], check=True)
    try:
        yield
    finally:
        if size is not None:
            subprocess.run(["umount", home], check=True)
        shutil.rmtree(home, ignore_errors=True)


WORK: dict[str, tuple[Any, int]] = {
    "nights": (nights, 60),
    "commands": (commands, 24),
    "shortages": (shortages, len(SHORTAGES)),
    "damage": (damage, 200),
}


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("work", choices=WORK)
    options.add_argument("--points", type=int)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="", help="a part of the names of commands")
    chosen = options.parse_args()
    work, points = WORK[chosen.work]
    counts: Counter[tuple[str, str]] = Counter()
    problems = []
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        ends = work(Path(name), points if chosen.points is None else chosen.points, chosen.seed, chosen.only)
        for of, how, wrong in track(ends, description=chosen.work):
            counts[of, how] += 1
            if wrong:
                problems.append(f"{of}, {how}: {wrong}")
    rows = [(*key, str(count)) for key, count in sorted(counts.items())]
    print(markdown_table(("", "ended", "times"), [*rows, ("all", "", str(counts.total()))]))
    print(f"{len(problems)} wrong", *problems, sep="\n")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
