"""What a command costs as a whole process, beside the imports it cannot do without.

uv run python -m benchmarks.command_start --rounds 15
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import Cost, make_options, markdown_table, ratio
from builders.command import run_here

VERDICTS = str(Path(sys.executable).with_name("verdicts"))

JSON = ("--format", "json")
LIGHT, DUCKDB = "import click, rich", "import duckdb"
"""Two bare processes: what a command that opens nothing needs, and one that asks the corpus."""

COMMANDS = {
    ("--help",): LIGHT,
    ("path",): LIGHT,
    ("query",): LIGHT,
    ("sql", "SELECT 1"): DUCKDB,
    ("query", "coverage_by_host"): DUCKDB,
    ("search", "checker"): DUCKDB,
    ("show", "REVIEW"): DUCKDB,
    ("status",): DUCKDB,
}
"""Each command with the bare process it is compared with."""


MEASURE = """
import os, sys, time
begun = time.perf_counter()
silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
_, status, usage = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent), 0)
print(status, time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""
"""A small process that starts the command: Linux counts the memory of the process that starts it as its own."""


def cost(call: list[str], cwd: Path) -> Cost:
    begin = [sys.executable, "-ISc", MEASURE, *call]
    done = subprocess.run(begin, cwd=cwd, capture_output=True, text=True, check=True)
    status, *figures = map(float, done.stdout.split())
    if status:
        raise SystemExit(f"{call}: {done.stderr}")
    return Cost(*figures)


def folder_to_ask(home: Path) -> str:
    """Crawls, builds and publishes the demo site below `home`. Returns an id of a review."""
    question = "SELECT review_id FROM reviews ORDER BY ALL LIMIT 1"
    done = [run_here(*command, cwd=home) for command in (["crawl"], ["build"], ["publish"], ["sql", question, *JSON])]
    assert not any(command.returncode for command in done), done
    return json.loads(done[-1].stdout)[0]["review_id"]


def measure(rounds: int, only: Sequence[str]) -> list[list[str]]:
    """A line a process. Every round runs all of them in turn; ratios are taken within a round."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        review_id = folder_to_ask(home)
        bare = {code: [sys.executable, "-c", code] for code in (LIGHT, DUCKDB)}
        chosen = [args for args in COMMANDS if args[0] in only]
        calls = bare | {args: [VERDICTS, *(review_id if arg == "REVIEW" else arg for arg in args)] for args in chosen}
        for call in calls.values():
            cost(call, home)
        costs: dict[str | tuple[str, ...], list[Cost]] = {key: [] for key in calls}
        for _ in range(rounds):
            for key, call in calls.items():
                costs[key].append(cost(call, home))
    return [_line(key, costs) for key in calls]


def _line(key: str | tuple[str, ...], costs: dict[str | tuple[str, ...], list[Cost]]) -> list[str]:
    own = costs[key]
    beside = COMMANDS[key] if isinstance(key, tuple) else key
    cpu, of_bare = ([item.cpu_s for item in of] for of in (own, costs[beside]))
    title = f"`verdicts {' '.join(key)}`" if isinstance(key, tuple) else f'`python -c "{key}"`'
    return [
        title,
        f"{statistics.median(cpu):.2f}",
        f"{statistics.median(item.wall_s for item in own):.2f}",
        f"{max(item.peak_mb for item in own):.0f}",
        ratio(cpu, of_bare) if isinstance(key, tuple) else "",
        f"`{beside}`" if isinstance(key, tuple) else "",
    ]


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--only", nargs="+", default=[args[0] for args in COMMANDS], help="these commands")
    chosen = options.parse_args()
    head = ["process", "CPU s", "wall s", "peak MB", "CPU, bare process = 1", "bare process"]
    print(markdown_table(head, measure(chosen.rounds, chosen.only)))


if __name__ == "__main__":
    main()
