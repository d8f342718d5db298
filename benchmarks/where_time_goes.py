"""Where the CPU time goes, step by step.

    uv run python -m benchmarks.where_time_goes [--pages 2000] [--rounds 3] [--only crawl]

The work is sampled at ticks of its CPU time: a sample counts for the step of the innermost frame that is known.
So the steps of a part add up to all that it costs.
"""

import signal
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from benchmarks.fetch_server import serving
from benchmarks.fetch_speed import SIZES, ours
from benchmarks.measuring import cpu_seconds, in_own_process, markdown_table, options_of

EVERY_S = 0.001


class Figure(NamedTuple):
    """What a step of a part costs, in microseconds for each page."""

    part: str
    step: str
    us: float


StepOf = Mapping[str, str]
"""Step by `module` or `module:function`. Modules of a package count for it: `aiohttp` for `aiohttp.client`."""

REST = "all else"


@contextmanager
def sampled(steps: StepOf) -> Iterator[Counter[str]]:
    """How many samples of the body fall into each step. Only for work in the main thread."""
    counts: Counter[str] = Counter()
    known: dict[object, str | None] = {}

    def note(_: int, frame: FrameType | None) -> None:
        while frame is not None:
            code = frame.f_code
            if code not in known:
                known[code] = _step(steps, str(frame.f_globals.get("__name__")), code.co_name)
            if (step := known[code]) is not None:
                counts[step] += 1
                return
            frame = frame.f_back
        counts[REST] += 1

    before = signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)
    try:
        yield counts
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _step(steps: StepOf, module: str, function: str) -> str | None:
    if (step := steps.get(f"{module}:{function}")) is not None:
        return step
    while module and module not in steps:
        module = module.rpartition(".")[0]
    return steps.get(module)


CRAWL: StepOf = {
    "asyncio": "event loop",
    "asyncio.selector_events": "socket",
    "aiohttp": "HTTP",
    "yarl": "HTTP",
    "verdicts.fetch.http": "HTTP",
    "verdicts.fetch.http.pace": "politeness",
    "verdicts.fetch.parse.robots": "politeness",
    "protego": "politeness",
    "verdicts.fetch.parse.page_links": "links",
    "verdicts.fetch.model.html_tokens": "links",
    "verdicts.fetch.parse.page_head": "head of the page",
    "verdicts.fetch.model.charset": "head of the page",
    "verdicts.fetch.parse.content": "head of the page",
    "verdicts.fetch.model.addresses": "addresses and scope",
    "verdicts.fetch.model.site": "addresses and scope",
    "verdicts.fetch.run.discovery": "addresses and scope",
    "verdicts.fetch.store.frontier": "frontier and log (SQLite)",
    "verdicts.fetch.store.run_log": "frontier and log (SQLite)",
    "verdicts.fetch.store.reader": "frontier and log (SQLite)",
    "verdicts.fetch.store.store": "frontier and log (SQLite)",
    "verdicts.fetch.model.snapshot:sha256": "digests",
    "verdicts.fetch.store.warc": "WARC record",
    "verdicts.fetch.store.warc:_frame": "zstd",
    "verdicts.fetch.store.segments": "writing segments",
    "verdicts.fetch.run": "decisions of the crawl",
    "verdicts.fetch.model": "decisions of the crawl",
}


def crawl(size: int, pages: int) -> list[Figure]:
    """A crawl of pages of one size, as `fetch_speed` has it."""
    with serving(pages, size) as port, tempfile.TemporaryDirectory() as folder:
        go = ours(port, pages, Path(folder))
        spent = cpu_seconds()
        with sampled(CRAWL) as counts:
            fetched = go()
        spent = cpu_seconds() - spent
    if fetched != pages:
        sys.exit(f"got {fetched} of {pages} pages")
    samples = counts.total() or 1
    return [
        Figure(f"a crawled page of {size // 1000} KB", step, count / samples * spent / pages * 1e6)
        for step, count in counts.items()
    ]


def crawls(pages: int) -> list[Figure]:
    return [figure for size in SIZES for figure in in_own_process(crawl, size, pages)]


PARTS: dict[str, Callable[[int], list[Figure]]] = {"crawl": crawls}
"""Each takes the number of pages."""


def table(figures: Sequence[Figure]) -> str:
    """A row for each step, the dearest first; a column for each part, and its share."""
    columns = list(dict.fromkeys(figure.part for figure in figures))
    costs: defaultdict[tuple[str, str], float] = defaultdict(float)
    for part, step, us in figures:
        costs[step, part] += us
    totals = {part: sum(us for (_, of), us in costs.items() if of == part) for part in columns}
    steps = sorted({step for step, _ in costs}, key=lambda step: -sum(costs[step, part] for part in columns))
    head = ("CPU µs a page", *chain.from_iterable((part, "%") for part in columns))
    rows = [(step, *chain.from_iterable(_cells(costs[step, part], totals[part]) for part in columns)) for step in steps]
    return markdown_table(
        head, [*rows, ("in all", *chain.from_iterable((f"{totals[part]:,.0f}", "") for part in columns))]
    )


def _cells(us: float, total: float) -> tuple[str, str]:
    return (f"{us:,.0f}", f"{us / total:.0%}") if us else ("", "")


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--pages", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    chosen = options.parse_args()
    for name in chosen.only:
        rounds = [PARTS[name](chosen.pages) for _ in range(chosen.rounds)]
        print(
            table([figure._replace(us=figure.us / chosen.rounds) for figures in rounds for figure in figures]),
            end="\n\n",
        )


if __name__ == "__main__":
    main()
