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
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks import measuring

TABLE = Path(__file__).with_name("smallest.toml")
WITHIN_S = 300.0
"""On a busy machine; most take a second or two."""


def benchmarks() -> set[str]:
    """The modules that are run by themselves."""
    modules = [path for path in TABLE.parent.glob("*.py") if path.name != Path(__file__).name]
    return {path.stem for path in modules if '__name__ == "__main__"' in path.read_text(encoding="utf-8")}


def calls() -> dict[str, list[str]]:
    """Each benchmark of the table with the arguments of its runs."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {name: [runs] if isinstance(runs, str) else runs for name, runs in table.items()}


def start(name: str, arguments: str, home: Path) -> int:
    """The process of a run, which leads a session of its own. `home` has what it prints."""
    if pid := os.fork():
        return pid
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for place, number in (("out", 1), ("err", 2)):
        os.dup2(os.open(home / place, os.O_CREAT | os.O_WRONLY), number)
    code = run(name, shlex.split(arguments.replace("{folder}", str(home / "folder"))))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run(name: str, arguments: list[str]) -> int:
    """The code with which a benchmark ends, as Python has it."""
    sys.argv = [name, *arguments]
    measuring.IN_THIS_PROCESS.append(True)
    try:
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
    return 0


def has_figure(printed: str) -> bool:
    """Whether a table has a number in a row, or there is one where no table is."""
    _, _, rows = printed.partition("\n| ---")
    return bool(re.search(r"(?m)^\|.*\d", rows) if rows else re.search(r"\d", printed))


def is_well(call: str, home: Path, code: int, seconds: float, cpu_s: float) -> bool:
    """Prints how a run ended, and all that it said where that is not well."""
    out, err = ((home / place).read_text(encoding="utf-8", errors="replace") for place in ("out", "err"))
    how = {0: "" if has_figure(out) else "NO FIGURE", measuring.SKIPPED: f"skipped: {out.strip()}"}
    said = how.get(code, f"FAILED with {code}")
    left_out = ", ".join(re.findall(r"(?m)^left out.*: (.*?)(?: \(|$)", out))
    print(f"{seconds:5.1f} s {cpu_s:5.1f} s CPU  {call}  {said}{left_out and f'without {left_out}'}", flush=True)
    well = said == "" or code == measuring.SKIPPED
    if not well:
        print(out, err, sep="\n", flush=True)
    return well


def end(pid: int) -> None:
    """Ends a run and what it has started."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def run_all(waiting: list[tuple[str, str]], at_once: int) -> int:
    """Runs them in the order of the table; how many did not end well."""
    running: dict[int, tuple[str, Path, float]] = {}
    bad = 0
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                call, home = waiting.pop(0), Path(tempfile.mkdtemp(prefix="smallest-"))
                running[start(*call, home)] = (" ".join(call), home, time.monotonic())
            for pid, (call, home, began) in [*running.items()]:
                seconds = time.monotonic() - began
                if seconds > WITHIN_S:
                    end(pid)
                done, status, used = os.wait4(pid, os.WNOHANG)
                if done:
                    end(pid)
                    code, cpu_s = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
                    bad += not is_well(call, home, code, seconds, cpu_s)
                    shutil.rmtree(running.pop(pid)[1], ignore_errors=True)
            time.sleep(0.02)
    finally:
        for pid, (_, home, _) in running.items():
            end(pid)
            shutil.rmtree(home, ignore_errors=True)
    return bad


def main() -> None:
    options = measuring.make_options(__doc__)
    options.add_argument("names", nargs="*", metavar="NAME", help="these alone")
    options.add_argument("--at-once", type=int, default=2)
    given = options.parse_args()
    table, there, began = calls(), benchmarks(), time.monotonic()
    if unknown := {*given.names} - {*table}:
        options.error(f"not in smallest.toml: {', '.join(sorted(unknown))}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    bad = sorted({*table} ^ there)
    for name in bad:
        print(f"{name}: {'is missing in smallest.toml' if name in there else 'of smallest.toml is not there'}")
    chosen = [name for name in table if name in there and name in (given.names or table)]
    for name in chosen:
        # One that cannot be imported says so when it runs.
        with suppress(Exception):
            importlib.import_module(f"benchmarks.{name}")
    print(f"{time.monotonic() - began:5.1f} s  imports", flush=True)
    failed = run_all([(name, arguments) for name in chosen for arguments in table[name]], given.at_once)
    print(f"{time.monotonic() - began:5.1f} s  in all, {failed} not well")
    sys.exit(bool(bad or failed))


if __name__ == "__main__":
    main()
