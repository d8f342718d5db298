"""A simulated month: thirty nights over a site that lives on, with outages, a kill, a full disk and a clock set back.

    uv run python -m benchmarks.month [--seed 1] [--nights 30]
    uv run python -m benchmarks.month --nights 52 --weekly      a year of nights a week apart, told by the quarter

Prints a line a night and what must be true after it: the corpus is the answer key of the site's facts, histories are
the site's, ids are what they were, and `build --all` makes the same rows. Ends with 1 where anything is not so.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import make_options, markdown_table
from builders.month.month import Month, NightReport, Plan
from builders.month.site import DAY

MB, KB = 1_000_000, 1_000

STATES = {0: "done", 2: "partial", 3: "held", 5: "storage failed", -9: "killed"}
"""Of exit codes."""

SETTLED_AFTER = 10
"""Nights after which intervals have grown: what a night asks for then is what it will go on asking for."""

SHARE_MOST, SHARE_MEAN_MOST = 0.75, 0.40
"""Of a full crawl: what a settled night may ask for, and what these may on average."""

SOURCE_KB_MOST = 150
"""By which raw store, state and records may grow a night, on average."""

SOURCE, COPIES = ("raw", "state", "records"), ("warehouse", "serve", "dataset")
"""What the corpus is made of, and what is made of it: published copies are kept by the day, the week and the month."""

QUARTER = 13
"""Weeks."""

QUARTER_HEAD = ["weeks", "requests, mean", "of a full crawl", "source MB", "copies MB", "CPU s, mean", "problems"]
HEAD = ["night", "events", "how it ended", "requests", "of a full crawl", "stored", "source MB", "all MB", "CPU s"]


def line(night: NightReport) -> list[str]:
    ends = ", ".join(STATES[end.code] for end in night.ended)
    return [
        f"{night.number} ({night.at:%m-%d})",
        "; ".join(night.events),
        ends + (f"; accepted: {', '.join(night.accepted)} (asked {night.asked_by_operator})" if night.accepted else ""),
        str(night.asked),
        f"{night.asked / night.whole:.0%}",
        str(night.outcomes.get("stored", 0)),
        f"{part(night, SOURCE) / MB:.2f}",
        f"{part(night, SOURCE + COPIES) / MB:.0f}",
        f"{night.cpu_s:.1f}",
    ]


def part(night: NightReport, names: Sequence[str]) -> int:
    return sum(night.disk.get(name, 0) for name in names)


def figures(nights: Sequence[NightReport]) -> list[list[str]]:
    """What the nights took, the first one left out, which asks for all there is."""
    later = nights[1:]
    settled = nights[SETTLED_AFTER:] or later
    growth = [(part(now, SOURCE) - part(before, SOURCE)) / KB for before, now in zip(nights, later, strict=False)]
    shares = [night.asked / night.whole for night in settled]
    return [
        ["requests, mean share of a full crawl", f"{sum(n.asked / n.whole for n in later) / len(later):.0%}"],
        [
            f"requests from night {settled[0].number} on, mean and most",
            f"{sum(shares) / len(shares):.0%}, {max(shares):.0%}",
        ],
        [
            "source (raw, state, records), KB a night, mean and most",
            f"{sum(growth) / len(growth):.0f}, {max(growth):.0f}",
        ],
        ["source at the end, MB", f"{part(nights[-1], SOURCE) / MB:.1f}"],
        ["warehouse, copies, dataset at the end, MB", f"{part(nights[-1], COPIES) / MB:.0f}"],
        [
            "CPU seconds a night, mean and most",
            f"{sum(n.cpu_s for n in later) / len(later):.1f}, {max(n.cpu_s for n in later):.1f}",
        ],
    ]


def quarters(nights: Sequence[NightReport]) -> list[list[str]]:
    """How a night grows with the corpus, where there is one a week."""
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


def list_broken_bounds(nights: Sequence[NightReport]) -> list[str]:
    """What was promised of the requests and of the disk, and is not so."""
    settled = [night.asked / night.whole for night in nights[SETTLED_AFTER:]]
    kilobytes = (part(nights[-1], SOURCE) - part(nights[0], SOURCE)) / KB / max(len(nights) - 1, 1)
    broken = []
    if settled and max(settled) > SHARE_MOST:
        broken.append(f"a night asked for {max(settled):.0%} of a full crawl")
    if settled and sum(settled) / len(settled) > SHARE_MEAN_MOST:
        broken.append(f"nights asked for {sum(settled) / len(settled):.0%} of a full crawl on average")
    if kilobytes > SOURCE_KB_MOST:
        broken.append(f"the source grew by {kilobytes:.0f} KB a night")
    return broken


def run(plan: Plan, home: Path) -> tuple[Month, list[str]]:
    """All nights, told as they end, and what is wrong after them."""
    month = Month(home, plan)
    print(markdown_table(HEAD, []), flush=True)
    problems = []
    for night in month.nights():
        print(f"| {' | '.join(line(night))} |", flush=True)
        for end in night.ended:
            if end.code:
                print(f"    {end.line}", flush=True)
        for problem in night.problems:
            print(f"    WRONG: {problem}", flush=True)
        problems += [f"night {night.number}: {problem}" for problem in night.problems]
    after = month.rebuilt()
    if plan.step == DAY:
        after += list_broken_bounds(month.reports)
    print("\n".join(f"    WRONG: {problem}" for problem in after))
    return month, problems + after


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--nights", type=int, default=30)
    options.add_argument("--weekly", action="store_true", help="a night a week")
    options.add_argument("--tools", type=int, default=26)
    options.add_argument("--pages", type=int, default=70)
    options.add_argument("--quiet", action="store_true", help="nothing happens to the site or the machine")
    chosen = options.parse_args()
    plan = Plan(
        seed=chosen.seed,
        nights=chosen.nights,
        tools=chosen.tools,
        pages=chosen.pages,
        step=7 * DAY if chosen.weekly else DAY,
        events=((),) * chosen.nights if chosen.quiet else None,
    )
    with tempfile.TemporaryDirectory() as home:
        month, problems = run(plan, Path(home))
    print()
    print(markdown_table([f"seed {chosen.seed}, {chosen.nights} nights", ""], figures(month.reports)))
    if chosen.weekly:
        print()
        print(markdown_table(QUARTER_HEAD, quarters(month.reports)))
    print(f"\n{len(problems)} problems: differences from the answer key, and bounds that do not hold")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
