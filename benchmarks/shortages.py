"""Commands that run out of disk, file handles, file size or memory, each run again with enough of it.

A disk of its own is a tmpfs, which root alone can mount: `sudo uv run python -m benchmarks.shortages`
"""

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measuring import markdown_table, options_of
from builders import interruptions
from builders.command import RUN_MAIN, verdicts
from builders.interruptions import CASES

MB, GB = 1_000_000, 1_000_000_000


def limited(name: str, value: int) -> Callable[[], str]:
    """Code that runs a command under a limit of `resource`."""
    return lambda: f"import resource; resource.setrlimit(resource.{name}, ({value}, {value})); {RUN_MAIN}"


SHORTAGES: dict[str, tuple[int | None, Callable[[], str]]] = {
    **{f"disk of {size} MB": (size * MB, lambda: RUN_MAIN) for size in (3, 6, 9)},
    **{f"files of {size:,} bytes": (None, limited("RLIMIT_FSIZE", size)) for size in (10_000, 150_000, 1_000_000)},
    **{f"{count} files open": (None, limited("RLIMIT_NOFILE", count)) for count in (12, 24, 64)},
    **{f"{size} GB of address space": (None, limited("RLIMIT_AS", int(size * GB))) for size in (0.5, 1, 1.5, 2, 3)},
}
"""Name to the size of the disk, where it is one of its own, and to what runs a command."""


@contextmanager
def disk(home: Path, size: int | None) -> Iterator[None]:
    """`home` on a disk of so many bytes, grown at the end of the block: the second half of a case has room."""
    home.mkdir()
    if size is None:
        yield
        shutil.rmtree(home)
        return
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", home], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", home], check=True)


def complaint(done: subprocess.CompletedProcess[str]) -> str | None:
    """What is not as documented where a command may end with 0, or with 5 and a line."""
    lines = [line for line in done.stderr.splitlines() if line.startswith("verdicts: ")]
    if done.returncode == 0 and not lines:
        return None
    if done.returncode != 5 or len(lines) != 1 or "Traceback" in done.stderr or "panicked" in done.stderr:
        return f"exit {done.returncode}: {done.stderr[-700:]}"
    return None


def tried(case: interruptions.Case, begin: Path, home: Path, shortage: str, expected: object) -> tuple[str, str | None]:
    """How the command ended, and what is wrong with that or with the run that had enough."""
    size, code = SHORTAGES[shortage]
    with disk(home, size):
        try:
            shutil.copytree(begin, home, dirs_exist_ok=True)
        except shutil.Error:
            return "does not fit", None
        done = verdicts(*case.call, cwd=home, code=code())
        if (wrong := complaint(done)) is not None:
            return "otherwise", wrong
        if size is not None:
            subprocess.run(["mount", "-o", "remount,size=400m", home], check=True)
        wrong = interruptions.failure(home, case, expected)
    said = done.stderr.splitlines()[-1] if done.returncode else ""
    return ("works" if done.returncode == 0 else "5"), None if wrong is None else f"{said} | then {wrong}"


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--commands", nargs="+", choices=CASES, default=list(CASES))
    options.add_argument("--shortages", nargs="+", default=[""], help="parts of their names")
    chosen = options.parse_args()
    names = [name for name in SHORTAGES if any(part in name for part in chosen.shortages)]
    ends: dict[str, Counter[str]] = {name: Counter() for name in names}
    failures = []
    for command in chosen.commands:
        case = CASES[command]
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            begin, whole, home = (Path(folder) / part for part in ("begin", "whole", "home"))
            interruptions.prepare(begin, case.earlier)
            shutil.copytree(begin, whole)
            done = verdicts(*case.call, cwd=whole)
            assert done.returncode == 0, done.stderr
            expected = case.result(whole)
            for name in names:
                end, wrong = tried(case, begin, home, name, expected)
                shutil.rmtree(home, ignore_errors=True)
                ends[name]["wrong" if wrong else end] += 1
                print(command, name, end, wrong or "", flush=True)
                if wrong:
                    failures.append(f"{command}, {name}: {wrong}")
    head = ["shortage", "works", "5", "does not fit", "wrong", "otherwise"]
    print(markdown_table(head, [[name, *(str(ends[name][end]) for end in head[1:])] for name in names]))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
