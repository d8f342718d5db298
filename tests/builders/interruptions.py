"""Commands ended by a signal at a chosen moment, run again, and compared with ones that nobody disturbed."""

import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from builders import kills
from builders.command import RUN_MAIN, find_published_file, read_tables, without_an_api
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.demo_site.responses import SITE_URL
from verdicts.demo_site.site_facts import load_facts
from verdicts.demo_site.site_pages import render_comparison

WITHIN_S = 8.0
"""Seconds after which a command that was asked to end must be gone: it has 5 for itself."""

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}

MOMENTS = frozenset({"first_seen_at", "last_seen_at", "valid_from", "valid_to"})
BOOKKEEPING = MOMENTS | kills.BOOKKEEPING
NO_CORPUS = tuple(TABLES.keys() - CORPUS_TABLES)


@dataclass(frozen=True)
class Ended:
    """How a command ended after a signal: None for one that was done before."""

    code: int | None
    lines: str
    seconds: float
    survivors: tuple[int, ...]

    def complaint(self, number: int) -> str | None:
        """What is not as documented; None where all is."""
        if self.code is None:
            return None
        if self.code != CODES[signal.Signals(number)]:
            return f"exit {self.code}: {self.lines[-300:]}"
        said = [line for line in self.lines.splitlines() if line.startswith("verdicts: ")]
        if "Traceback" in self.lines or len(said) != 1 or not self.lines.endswith(f"{said[0]}\n"):
            return f"said {self.lines[-600:]!r}"
        if self.seconds > WITHIN_S:
            return f"took {self.seconds:.1f} s"
        return f"left processes {self.survivors}" if self.survivors else None


HEARING = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL); signal.signal(2, signal.default_int_handler)\n"
"""What ignores a signal hands that on: the tests, too, may run under `nohup` or in the background of a script."""


def start(*args: object, cwd: Path, code: str = RUN_MAIN) -> subprocess.Popen[str]:
    """A command in a session of its own, so that what it leaves behind is found."""
    return subprocess.Popen(
        [sys.executable, "-c", HEARING + code, *map(str, args)],
        cwd=cwd,
        env=without_an_api(cwd),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def end(process: subprocess.Popen[str], number: int, *, times: int = 1) -> Ended:
    """Sends the signal, and again 50 ms later where it is sent twice; waits for the command to end."""
    began = time.monotonic()
    was_over = process.poll() is not None
    for again in range(times):
        if again:
            time.sleep(0.05)
        process.send_signal(number)
    try:
        _, lines = process.communicate(timeout=4 * WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        _, lines = process.communicate()
    seconds = time.monotonic() - began
    is_done = was_over or process.returncode == 0
    return Ended(None if is_done else process.returncode, lines, seconds, find_living(process.pid))


def break_extractor(
    monkeypatch: pytest.MonkeyPatch, folder: Path, path: str, how: str = 'raise ZeroDivisionError("ours")'
) -> None:
    """Workers that are started from now on do this where they read the page at this path."""
    (folder / "sitecustomize.py").write_text(BROKEN.format(path=path, how=how))
    monkeypatch.setenv("PYTHONPATH", str(folder))


BROKEN = """
import signal, verdicts.extract.page
whole = verdicts.extract.page._page
def broken(snapshot, *words):
    if snapshot.url.endswith({path!r}): {how}
    return whole(snapshot, *words)
verdicts.extract.page._page = broken
"""


def find_living(session: int, *, within_s: float = 1.0) -> tuple[int, ...]:
    """Processes of a session that are still there after so many seconds; zombies are dead."""
    deadline = time.monotonic() + within_s
    while (alive := _members(session)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return alive


def _members(session: int) -> tuple[int, ...]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session, *_ = stat.read_text().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if int(its_session) == session and state != "Z":
            found.append(int(stat.parent.name))
    return tuple(found)


def read_published_rows(home: Path) -> object:
    return read_rows(find_published_file(home / "data"))


def read_rows(corpus: Path) -> object:
    """Every row of the corpus tables, without moments and bookkeeping."""
    return read_tables(corpus, without=NO_CORPUS, without_columns=BOOKKEEPING)


def hash_export(home: Path) -> object:
    folder = home / "out"
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*.parquet")
        if path.relative_to(folder).parts[0].removesuffix(".parquet") in CORPUS_TABLES
    }


def write_pages(folder: Path, count: int = 60) -> None:
    """Comparison pages of the demo site as files."""
    folder.mkdir()
    lines = ["path,url"]
    for pair in load_facts().pairs[:count]:
        name = f"{pair.a}-vs-{pair.b}.html"
        (folder / name).write_text(render_comparison(load_facts(), pair), encoding="utf-8")
        lines.append(f"{name},{SITE_URL.rstrip('/')}{pair.path}")
    (folder / "urls.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def strays(home: Path) -> list[str]:
    data = kills.strays(home / "data")
    beside = [path.name for path in home.iterdir() if not re.fullmatch("data|pages|out|no-prefect", path.name)]
    return data + beside
