"""How fast pages are fetched and stored, beside Scrapy, Crawlee and a bare loop, all on the same loopback server.

    uv run --group peers python -m benchmarks.fetch_speed [--pages 2000] [--rounds 5]

Contenders take turns within a round, so that other load on the machine affects all of them. Every one has to get every
page, or the run ends.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.fetch_contenders import CONTENDERS
from benchmarks.tables import markdown_table, spread

SIZES = (20_000, 100_000)
EXTRA = {"scrapy": 1, "scrapy_in_memory": 1}
"""Scrapy requests its start URL again when a page links to it."""


@contextmanager
def serving(pages: int, size: int) -> Iterator[int]:
    """The port of a server in a process of its own."""
    call = [sys.executable, "-m", "benchmarks.fetch_server", str(pages), str(size)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.terminate()


def measure(name: str, port: int, pages: int) -> dict[str, float]:
    """One run of one contender."""
    with tempfile.TemporaryDirectory() as folder:
        call = [sys.executable, "-m", "benchmarks.fetch_contenders", name, str(port), str(pages), folder]
        done = subprocess.run(call, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    if result["pages"] != pages + EXTRA.get(name, 0):
        sys.exit(f"{name} got {result['pages']} of {pages} pages")
    return result


def report(size: int, pages: int, rounds: dict[str, list[dict[str, float]]]) -> str:
    """A table of one page size: medians, and ratios taken within each round."""
    rows = []
    for name, runs in rounds.items():
        rate = [pages / run["wall_s"] for run in runs]
        cpu = [run["cpu_s"] / pages * 1e6 for run in runs]
        ratio = [ours["cpu_s"] / run["cpu_s"] for ours, run in zip(rounds["ours"], runs, strict=True)]
        times = [1 / value for value in ratio]
        rows.append(
            (
                name,
                f"{statistics.median(rate):,.0f}",
                f"{statistics.median(cpu):,.0f}",
                f"{statistics.median(run['peak_mb'] for run in runs):.0f}",
                f"{statistics.median(times):.2f} ({spread(times)})",
            )
        )
    head = ("", "pages/s", "CPU µs a page", "peak MB", "CPU a page, ours = 1")
    return f"{pages:,} pages of {size // 1000} KB:\n\n{markdown_table(head, rows)}\n"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--pages", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--only", nargs="*", default=list(CONTENDERS))
    chosen = options.parse_args()
    for size in SIZES:
        rounds: dict[str, list[dict[str, float]]] = {name: [] for name in chosen.only}
        with serving(chosen.pages, size) as port:
            for _ in range(chosen.rounds):
                for name in chosen.only:
                    rounds[name].append(measure(name, port, chosen.pages))
        print(report(size, chosen.pages, rounds))


if __name__ == "__main__":
    main()
