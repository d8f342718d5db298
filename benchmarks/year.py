"""A simulated year at weekly steps: how the disk, the processor time and the requests of a night grow with the corpus.

    uv run python -m benchmarks.year [--seed 1] [--weeks 52]

The site and its checks are those of `benchmarks.month`; nothing breaks but what breaks there. Ends with 1 where the
corpus is not the answer key.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import markdown_table, options_of
from benchmarks.month import COPIES, MB, SOURCE, part, run
from builders.month.month import NightReport, Plan
from builders.month.site import DAY

QUARTER = 13
"""Weeks."""

HEAD = ["weeks", "requests, mean", "of a full crawl", "source MB", "copies MB", "CPU s, mean", "problems"]


def quarters(nights: Sequence[NightReport]) -> list[list[str]]:
    lines = []
    for first in range(0, len(nights), QUARTER):
        some = nights[first : first + QUARTER]
        lines.append(
            [
                f"{first} to {first + len(some) - 1}",
                f"{sum(night.asked for night in some) / len(some):.0f}",
                f"{sum(night.asked / night.whole for night in some) / len(some):.0%}",
                f"{part(some[-1], SOURCE) / MB:.1f}",
                f"{part(some[-1], COPIES) / MB:.0f}",
                f"{sum(night.cpu_s for night in some) / len(some):.1f}",
                str(sum(len(night.problems) for night in some)),
            ]
        )
    return lines


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--weeks", type=int, default=52)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as home:
        year, problems = run(Plan(seed=chosen.seed, nights=chosen.weeks, step=7 * DAY), Path(home))
    print()
    print(markdown_table(HEAD, quarters(year.reports)))
    print(f"\n{len(problems)} differences from the answer key")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
