"""A simulated month: nights over a site that changes every day, each crawled over sockets and built.

    uv run python -m benchmarks.month [--seed 1] [--nights 30]

Prints a line a night: its requests beside those of a full crawl. Ends with 1 where a corpus is not the answer key of
the site's facts.
"""

import sys
import tempfile
from pathlib import Path
from statistics import mean

from benchmarks.measuring import make_options, markdown_table
from builders.month.nights import crawl_nights
from builders.month.site import draw_events


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--nights", type=int, default=30)
    options.add_argument("--tools", type=int, default=26)
    options.add_argument("--pages", type=int, default=70)
    chosen = options.parse_args()
    calendar = draw_events(chosen.seed, chosen.nights)
    shares, problems = [], 0
    print(markdown_table(["night", "events", "requests", "of a full crawl"], []), flush=True)
    with tempfile.TemporaryDirectory() as home:
        nights = crawl_nights(Path(home), seed=chosen.seed, tools=chosen.tools, pages=chosen.pages, calendar=calendar)
        for number, (night, events) in enumerate(zip(nights, calendar, strict=True)):
            shares.append(night.requests / night.full_crawl)
            problems += len(night.problems)
            print(f"| {number} | {'; '.join(events)} | {night.requests} | {shares[-1]:.0%} |", flush=True)
            for problem in night.problems:
                print(f"    WRONG: {problem}", flush=True)
    # The first night asks for all there is.
    print(f"\nlater nights request {mean(shares[1:]):.0%} of a full crawl on average; {problems} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
