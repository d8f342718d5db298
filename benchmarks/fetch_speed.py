"""How fast pages are fetched and stored, beside Scrapy, Crawlee and a bare loop, all on the same loopback server.

    uv run --group peers python -m benchmarks.fetch_speed [--pages 2000] [--rounds 5]

Contenders take turns within a round, so that other load on the machine affects all of them. Every one has to get every
page, or the run ends.
"""

import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.fetch_contenders import CONTENDERS, NEEDS, run
from benchmarks.fetch_server import serving
from benchmarks.measuring import Cost, in_own_process, in_turns, installed, markdown_table, options_of, ratio

SIZES = (20_000, 100_000)
EXTRA = {"scrapy": 1, "scrapy_in_memory": 1}
"""Scrapy requests its start URL again when a page links to it."""


def measure(name: str, port: int, pages: int) -> Cost:
    """One run of one contender."""
    with tempfile.TemporaryDirectory() as folder:
        done, cost = in_own_process(run, name, port, pages, Path(folder))
    if done != pages + EXTRA.get(name, 0):
        sys.exit(f"{name} got {done} of {pages} pages")
    return cost


def report(size: int, pages: int, rounds: dict[str, list[Cost]]) -> str:
    """A table of one page size: medians, and ratios taken within each round."""
    cpu = {name: [cost.cpu_s / pages * 1e6 for cost in costs] for name, costs in rounds.items()}
    rows = [
        (
            name,
            f"{statistics.median(pages / cost.wall_s for cost in costs):,.0f}",
            f"{statistics.median(cpu[name]):,.0f}",
            f"{statistics.median(cost.peak_mb for cost in costs):.0f}",
            ratio(cpu[name], cpu["ours"]),
        )
        for name, costs in rounds.items()
    ]
    head = ("", "pages/s", "CPU µs a page", "peak MB", "CPU a page, ours = 1")
    return f"{pages:,} pages of {size // 1000} KB:\n\n{markdown_table(head, rows)}\n"


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--pages", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--bytes", type=int, nargs="+", default=SIZES, help="of a page")
    options.add_argument("--only", nargs="*", choices=CONTENDERS, default=list(CONTENDERS))
    chosen = options.parse_args()
    contenders: Sequence[str] = installed(chosen.only, NEEDS)
    for size in chosen.bytes:
        with serving(chosen.pages, size) as port:
            rounds = in_turns(chosen.rounds, contenders, lambda name, port=port: measure(name, port, chosen.pages))
        print(report(size, chosen.pages, rounds))


if __name__ == "__main__":
    main()
