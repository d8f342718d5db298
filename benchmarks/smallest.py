"""Every benchmark once with its smallest input, so that none rots: `smallest.toml` says what that is.

    python -m benchmarks.smallest [NAME...] [--at-once 2]

A line each: seconds by the clock and of CPU, arguments, how it ended. Ends with 1 where one fails, does not end, prints
no figure, or is missing in the table. All are imported once, and each runs in a fork of this process.
"""

import importlib
import os
import re
import shlex
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from benchmarks import measuring

TABLE = Path(__file__).with_name("smallest.toml")
WITHIN_S = 300.0
"""On a busy machine; most take a second or two."""


@dataclass(frozen=True)
class Running:
    """`home` has what a run prints, and the folder that it may be given."""

    call: str
    began: float
    home: Path


def benchmarks() -> list[str]:
    """The modules that are run by themselves."""
    modules = sorted(path for path in TABLE.parent.glob("*.py") if path.name != Path(__file__).name)
    return [path.stem for path in modules if '__name__ == "__main__"' in path.read_text(encoding="utf-8")]


def calls() -> dict[str, list[str]]:
    """Each benchmark of the table with the arguments of its runs."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {name: [runs] if isinstance(runs, str) else runs for name, runs in table.items()}


def start(name: str, arguments: str) -> tuple[int, Running]:
    home = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    began, pid = time.monotonic(), os.fork()
    if pid == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for place, number in (("out", 1), ("err", 2)):
            os.dup2(os.open(home / place, os.O_CREAT | os.O_WRONLY), number)
        os._exit(run(name, shlex.split(arguments.replace("{folder}", str(home / "folder")))))
    return pid, Running(f"{name} {arguments}".strip(), began, home)


def run(name: str, arguments: list[str]) -> int:
    """The code with which a benchmark ends, as Python has it."""
    sys.argv = [name, *arguments]
    try:
        with forker() as give:
            measuring.FORKED.append(give)
            importlib.import_module(f"benchmarks.{name}").main()
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except pytest.skip.Exception as missing:
        print(missing)
        return measuring.SKIPPED
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


@contextmanager
def forker() -> Iterator[Callable[..., Any]]:
    """Gives work to forks of a process that runs nothing itself: threads do not survive a fork."""
    here, there = Pipe()
    pid = os.fork()
    if pid == 0:
        here.close()
        with suppress(EOFError):
            while True:
                _do(*there.recv(), there)
        os._exit(0)
    there.close()

    def give(work: Callable[..., Any], *given: Any) -> Any:
        here.send((work, given))
        result = here.recv()
        if isinstance(result, Exception):
            raise result
        return result

    try:
        yield give
    finally:
        here.close()
        os.waitpid(pid, 0)


def _do(work: Callable[..., Any], given: tuple[Any, ...], told: Connection) -> None:
    if os.fork() == 0:
        try:
            result = work(*given)
        except BaseException as error:
            traceback.print_exc()
            result = RuntimeError(f"{type(error).__name__}: {error}")
        told.send(result)
        sys.stdout.flush()
        os._exit(0)
    _, status = os.wait()
    if status:
        told.send(RuntimeError(f"{work.__name__} ended with {os.waitstatus_to_exitcode(status)}"))


def has_figure(printed: str) -> bool:
    """Whether a table has a number in a row, or there is one where no table is."""
    _, _, rows = printed.partition("\n| ---")
    return bool(re.search(r"(?m)^\|.*\d", rows) if rows else re.search(r"\d", printed))


def told(running: Running, code: int, cpu_s: float) -> bool:
    """Prints how a run ended, and all that it said where that is not well."""
    out, err = ((running.home / place).read_text(encoding="utf-8", errors="replace") for place in ("out", "err"))
    shutil.rmtree(running.home)
    is_well = code == measuring.SKIPPED or (code == 0 and has_figure(out))
    skipped = f"skipped: {out.strip()}"
    how = {0: "" if is_well else "NO FIGURE", measuring.SKIPPED: skipped}.get(code, f"FAILED with {code}")
    left_out = ", ".join(re.findall(r"(?m)^left out.*: (.*?)(?: \(|$)", out))
    seconds = time.monotonic() - running.began
    print(f"{seconds:5.1f} s {cpu_s:5.1f} s CPU  {running.call}  {how}{left_out and f'without {left_out}'}", flush=True)
    if not is_well:
        print(out, err, sep="\n", flush=True)
    return is_well


def end(pid: int) -> None:
    """Ends a run and what it has started."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def run_all(chosen: dict[str, list[str]], at_once: int) -> int:
    """Runs them in the order of the table; how many did not end well."""
    waiting = [(name, arguments) for name, runs in chosen.items() for arguments in runs]
    running: dict[int, Running] = {}
    bad = 0
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                pid, begun = start(*waiting.pop(0))
                running[pid] = begun
            for pid, of_pid in [*running.items()]:
                if time.monotonic() - of_pid.began > WITHIN_S:
                    end(pid)
                done, status, used = os.wait4(pid, os.WNOHANG)
                if done:
                    # What it has started ends with it.
                    end(pid)
                    code = os.waitstatus_to_exitcode(status)
                    bad += not told(running.pop(pid), code, used.ru_utime + used.ru_stime)
            time.sleep(0.02)
    finally:
        for pid, of_pid in running.items():
            end(pid)
            shutil.rmtree(of_pid.home, ignore_errors=True)
    return bad


def main() -> None:
    options = measuring.options_of(__doc__)
    options.add_argument("names", nargs="*", metavar="NAME", help="these alone")
    options.add_argument("--at-once", type=int, default=2)
    given = options.parse_args()
    if unknown := {*given.names} - {*calls()}:
        options.error(f"not in smallest.toml: {', '.join(sorted(unknown))}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    table, there, began = calls(), benchmarks(), time.monotonic()
    bad = sorted({*table} ^ {*there})
    for name in bad:
        print(f"{name}: {'is missing in smallest.toml' if name in there else 'of smallest.toml is not there'}")
    chosen = {name: runs for name, runs in table.items() if name in there and name in (given.names or table)}
    for name in chosen:
        # One that cannot be imported says so when it runs.
        with suppress(Exception):
            importlib.import_module(f"benchmarks.{name}")
    print(f"{time.monotonic() - began:5.1f} s  imports", flush=True)
    failed = run_all(chosen, given.at_once)
    print(f"{time.monotonic() - began:5.1f} s  in all, {failed} not well")
    sys.exit(bool(bad or failed))


if __name__ == "__main__":
    main()
