"""A command as its users call it, on a copy of a folder after a night, spoiled first or disturbed while it runs."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from builders.command import RUN_MAIN, published_file
from builders.faults.builds.items import page
from builders.faults.builds.panels import made
from builders.faults.crawl_case import START
from builders.faults.page_case import CRAWL, DEMO, OTHER, good
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder

SECONDS = 90
DOCUMENTED = frozenset({0, 1, 2, 3, 4, 5, 130})
REFUSED, STORAGE, DONE = frozenset({1}), frozenset({5}), frozenset({0})

KINDS = ("{tool}", "{page}", "{review}")

EVIL = "Al\x1b]0;OWNED\x07pha\x9b31m\x08\x08\x1b[2J"
"""Sets the title of the window, rings, goes back, clears the screen; C1 in it is the same in one byte."""

BARE_ESCAPES = re.compile(r"\x1b(?!\[[0-9;?]*[mKhlABCDJG])|\x1b\[2J|[\x07\x08\x0b\x0c\x0e\x0f\x80-\x9f]")
"""What no output to a terminal may hold: only colours and the moves of a progress bar are ours."""

OBEYING = f"""
import ctypes, os, sys
ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE: root obeys permissions too
os.execv(sys.executable, [sys.executable, "-c", {RUN_MAIN!r}, *sys.argv[1:]])
"""


@dataclass(frozen=True)
class CallCase:
    """A call and what must be seen.

    `spoil` changes the folder before. `has`, `lacks`: in what it prints. `disturb` is called with the running process.
    `then`: calls that must end with 0 afterwards. `keeps`: the published reviews are afterwards as before. `{tool}`,
    `{page}` and `{review}` in the arguments are ids of the corpus.
    """

    kind: str
    name: str
    rule: str
    args: tuple[str, ...]
    codes: frozenset[int]
    spoil: Callable[[Path], object] = lambda _: None
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    home: str = "night"
    code: str = RUN_MAIN
    is_terminal: bool = False
    is_read_only: bool = False
    disturb: Callable[[subprocess.Popen], object] | None = None
    then: tuple[tuple[str, ...], ...] = ()
    keeps: bool = False
    env: Mapping[str, str] = field(default_factory=dict)


def homes() -> dict[str, Path]:
    """Folders made once: one after a night on the demo site, one whose pages have evil names."""
    root = Path(tempfile.mkdtemp(prefix="faults-"))
    night, evil = root / "night", root / "evil"
    night.mkdir()
    subprocess.run(
        [sys.executable, "-c", RUN_MAIN, "run"], cwd=night, env=own_env(night), capture_output=True, check=True
    )
    shutil.copytree(night / "data" / "dataset", night / "dataset")
    with open_store(evil / "data", command="test") as store:
        crawl_id = store.begin(CRAWL, "crawl", START).crawl_id
        with store.transaction():
            for url, body in (
                (f"{DEMO}/compare/alpha1-vs-bravo1", made(1, a={"name": EVIL, "tagline": EVIL,
                    "description": f"{EVIL} builds a branch and runs its tests."})),
                (f"{OTHER}/evil", page("[]", f"<article><h1>{EVIL}</h1><p>{EVIL} is named in words.</p></article>")),
                *good(),
            ):  # fmt: skip
                store.keep(Snapshot(url, url, START, 200, (("content-type", "text/html"),), body, crawl_id))
        store.finish(crawl_id, START)
        steps.build_corpus(store, DataFolder(evil / "data"))
    steps.publish_corpus(DataFolder(evil / "data"))
    return {"night": night, "evil": evil, "root": root}


def with_ids(args: tuple[str, ...], home: Path) -> list[str]:
    """The arguments with an id in place of `{tool}` and its like: of a tool with an evil name where there is one."""
    if not any(arg in KINDS for arg in args):
        return list(args)
    with duckdb.connect(str(published_file(home / "data")), read_only=True) as corpus:
        first = "SELECT tool_id FROM tools ORDER BY name NOT LIKE 'Al%', name LIMIT 1"
        questions = {"{tool}": first, "{page}": f"SELECT page_id FROM tool_cards WHERE tool_id = ({first})",
                     "{review}": f"SELECT review_id FROM reviews WHERE tool_id = ({first})"}  # fmt: skip
        return [corpus.execute(questions[arg]).fetchall()[0][0] if arg in questions else arg for arg in args]


def own_env(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "VERDICTS_"))}
    return own | {"PREFECT_HOME": str(home / "no-prefect"), "TERM": "xterm-256color"} | dict(more or {})


def fell(case: CallCase, data: Path, source: Path | None) -> list[str]:
    """What was seen that the rule forbids. `source`: the folder of which a copy is made; None for an empty one."""
    home = data / "home"
    home.parent.mkdir(parents=True, exist_ok=True)
    if source is None:
        home.mkdir()
    else:
        shutil.copytree(source, home)
    case.spoil(home)
    before = reviews(home) if case.keeps else None
    modes = lock_up(home) if case.is_read_only else {}
    try:
        code, out, err = called(case, home)
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
    seen = judged(case, code, out, err)
    if case.keeps and reviews(home) != before:
        seen.append("the published rows are others")
    for args in case.then:
        again, _, why = run([sys.executable, "-c", RUN_MAIN, *args], home, {})
        if again != 0:
            seen.append(f"then `{' '.join(args)[:40]}` ends with {again}: {why.strip()[-160:]}")
    return seen


def judged(case: CallCase, code: int | None, out: str, err: str) -> list[str]:
    said = out + err
    if code is None:
        return [f"did not end within {SECONDS} s"]
    seen = []
    if code not in case.codes:
        seen.append(f"ends with {code}, must be {' or '.join(map(str, sorted(case.codes)))}: {err.strip()[-200:]}")
    if "Traceback" in said:
        seen.append(f"a traceback: {said.strip().splitlines()[-1][:160]}")
    # Steps of a night are plain lines before it: `crawl: 228 addresses`. What `verify` finds is its answer. Lines of
    # DuckDB's hint are indented below the first of a message.
    lines = [line for line in err.splitlines() if not line.startswith("  ")]
    if (
        code in {1, 3, 4, 5}
        and not case.is_terminal
        and "next: verdicts" not in said
        and not (lines or [""])[-1].startswith(("verdicts: ", "Usage", "Error"))
    ):
        seen.append(f"no line at the end says what went wrong: {err.strip()[-160:]!r}")
    seen += [f"does not say {words!r}: {said.strip()[-160:]!r}" for words in case.has if words not in said]
    seen += [f"says {words!r}" for words in case.lacks if words in said]
    if case.is_terminal and (found := BARE_ESCAPES.search(said)):
        seen.append(f"sends {said[max(0, found.start() - 10) : found.end() + 10]!r} to the terminal")
    return seen


def called(case: CallCase, home: Path) -> tuple[int | None, str, str]:
    call = [sys.executable, "-c", OBEYING if case.is_read_only else case.code, *with_ids(case.args, home)]
    if case.is_terminal:
        return on_a_terminal(call, home, case.env)
    return run(call, home, case.env, case.disturb)


def run(
    call: list[str], home: Path, env: Mapping[str, str], disturb: Callable[[subprocess.Popen], object] | None = None
) -> tuple[int | None, str, str]:
    with (home.parent / "out").open("wb") as out, (home.parent / "err").open("wb") as err:
        process = subprocess.Popen(
            call,
            cwd=home,
            env=own_env(home, env),
            stdout=out,
            stderr=err,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            if disturb is not None:
                disturb(process)
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = None
    return code, *((home.parent / name).read_bytes().decode("utf-8", "replace") for name in ("out", "err"))


def on_a_terminal(call: list[str], home: Path, env: Mapping[str, str]) -> tuple[int | None, str, str]:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        call, cwd=home, env=own_env(home, env), stdout=theirs, stderr=theirs, stdin=theirs, start_new_session=True
    )
    os.close(theirs)
    pieces, end = [], time.monotonic() + SECONDS
    while time.monotonic() < end:
        if not select.select([ours], [], [], 0.5)[0]:
            if process.poll() is not None:
                break
            continue
        try:
            piece = os.read(ours, 65_536)
        except OSError:
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(ours)
    if time.monotonic() >= end:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return process.returncode, b"".join(pieces).decode("utf-8", "replace"), ""


def lock_up(home: Path) -> dict[Path, int]:
    paths = [home / "data", *(home / "data").rglob("*")]
    modes = {path: path.stat().st_mode for path in paths}
    for path in reversed(paths):
        path.chmod(0o555 if path.is_dir() else 0o444)
    return modes


def reviews(home: Path) -> str:
    return run(
        [
            sys.executable,
            "-c",
            RUN_MAIN,
            "sql",
            "SELECT count(*), sum(hash(review_id)) FROM reviews",
            "--format",
            "csv",
        ],
        home,
        {},
    )[1]
