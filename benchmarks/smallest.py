"""Every benchmark once with its smallest input, so that none rots: `smallest.toml` says what that is.

    python -m benchmarks.smallest [NAME...]

A line each. Ends with 1 where one fails, prints no figure, or is missing in the table. Each runs in a fork of this
process, which imports for all.
"""

import importlib
import os
import re
import shlex
import sys
import tempfile
import time
import tomllib
import traceback
from pathlib import Path

from benchmarks import measuring

TABLE = Path(__file__).with_name("smallest.toml")


def list_benchmarks() -> set[str]:
    """The modules that are run by themselves."""
    modules = [path for path in TABLE.parent.glob("*.py") if path.name != Path(__file__).name]
    return {path.stem for path in modules if '__name__ == "__main__"' in path.read_text(encoding="utf-8")}


def list_calls() -> dict[str, list[str]]:
    """Each benchmark of the table with the arguments of its runs."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {name: [runs] if isinstance(runs, str) else runs for name, runs in table.items()}


def is_well(name: str, arguments: str) -> bool:
    """Runs a benchmark, and prints how it ended."""
    module = importlib.import_module(f"benchmarks.{name}")
    began = time.monotonic()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        if (pid := os.fork()) == 0:
            for number in (1, 2):
                os.dup2(output.fileno(), number)
            sys.argv = [name, *shlex.split(arguments)]
            measuring.IN_THIS_PROCESS.append(True)
            code: object = 1
            try:
                code = module.main()
            except SystemExit as ended:
                code = ended.code
            except BaseException:
                traceback.print_exc()
            if isinstance(code, str):
                print(code)
            sys.stdout.flush()
            os._exit(bool(code))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        output.seek(0)
        printed = output.read()
    well = code == 0 and has_figure(printed)
    print(f"{time.monotonic() - began:5.1f} s  {name} {arguments}", "" if well else f"FAILED with {code}", flush=True)
    if not well:
        print(printed, flush=True)
    return well


def has_figure(printed: str) -> bool:
    """Whether a table has a number in a row, or there is one where no table is."""
    _, _, rows = printed.partition("\n| ---")
    return bool(re.search(r"(?m)^\|.*\d", rows) if rows else re.search(r"\d", printed))


def main() -> None:
    calls, there = list_calls(), list_benchmarks()
    names = sys.argv[1:] or sorted(calls)
    for name in {*calls} ^ there:
        print(f"{name}: {'is missing in smallest.toml' if name in there else 'of smallest.toml is not there'}")
    ended = [is_well(name, arguments) for name in names for arguments in calls[name]]
    sys.exit({*calls} != there or not all(ended))


if __name__ == "__main__":
    main()
