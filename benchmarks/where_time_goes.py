"""Where the CPU time goes, step by step.

    uv run python -m benchmarks.where_time_goes [--pages 2000] [--rounds 3] [--only crawl] [--picture FILE]

The work of a crawl and of extraction is sampled at ticks of its CPU time: a sample counts for the step of the innermost
frame that is known. The steps of a night are timed, because most of it is spent in DuckDB, which no sample interrupts.
So the steps of a part add up to all that it costs.
"""

import pkgutil
import signal
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple
from unittest import mock

from benchmarks import extract_speed
from benchmarks.fetch_server import run_server
from benchmarks.fetch_speed import SIZES, ours
from benchmarks.measuring import cpu_seconds, in_own_process, make_options, markdown_table
from benchmarks.scale_pages import fill
from benchmarks.time_picture import write_picture
from builders.made_observations import FIRST_NIGHT
from builders.snapshots import html
from builders.warehouse_files import publish
from comparison_bench.gallery.pages import gallery_pages
from verdicts.extract.page import extract
from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.record import NightRecord
from verdicts.pipeline.nights.reporting import report_night
from verdicts.pipeline.sources.config import DEMO
from verdicts.pipeline.workers.record_rows import observe

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
def sample(steps: StepOf) -> Iterator[Counter[str]]:
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
    "httpx": "HTTP",
    "httpx_aiohttp": "HTTP",
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
    "verdicts.fetch.store.warc:pack_member": "gzip",
    "verdicts.fetch.store.segments": "writing segments",
    "verdicts.fetch.run": "decisions of the crawl",
    "verdicts.fetch.model": "decisions of the crawl",
}


def crawl(size: int, pages: int) -> list[Figure]:
    """A crawl of pages of one size, as `fetch_speed` has it."""
    with run_server(pages, size) as port, tempfile.TemporaryDirectory() as folder:
        go = ours(port, pages, Path(folder))
        spent = cpu_seconds()
        with sample(CRAWL) as counts:
            fetched = go()
        spent = cpu_seconds() - spent
    if fetched != pages:
        sys.exit(f"got {fetched} of {pages} pages")
    return list_figures(f"a crawled page of {size // 1000} KB", counts, spent, pages)


def list_figures(part: str, counts: Mapping[str, float], spent_s: float, pages: int) -> list[Figure]:
    """What was spent, divided as the counts are."""
    counted = sum(counts.values()) or 1
    return [Figure(part, step, count / counted * spent_s / pages * 1e6) for step, count in counts.items()]


def crawls(pages: int) -> list[Figure]:
    return [figure for size in SIZES for figure in in_own_process(crawl, size, pages)]


EXTRACTION: StepOf = {
    "verdicts.fetch.model": "bytes to text",
    "verdicts.extract.page": "bytes to text",
    "verdicts.extract.html": "blocks",
    "verdicts.extract.model.blocks": "blocks",
    "verdicts.extract.html.html_page": "parse",
    "verdicts.extract.panel": "sections",
    "verdicts.extract.panel.cards": "cards",
    "verdicts.extract.panel.decision_table": "Decision table",
    "verdicts.extract.panel.scorecard": "scorecard and reviews",
    "verdicts.extract.panel.take_cells": "scorecard and reviews",
    "verdicts.extract.panel.take_heads": "scorecard and reviews",
    "verdicts.extract.panel.take_words": "scorecard and reviews",
    "verdicts.extract.statements": "statements",
    "verdicts.extract.grids": "grids",
    "verdicts.extract.generic": "generic reader",
    "verdicts.extract.model": "records",
    "verdicts.pipeline": "records",
    "verdicts.normalize": "records",
}

READ = {
    "a page of a panel, 80 KB": lambda pages: [extract_speed.snapshot(*page) for page in extract_speed.pages(pages)],
    "a page of another site": lambda pages: [
        html(page.html, page.url)
        for page in islice(chain.from_iterable(map(gallery_pages, range(1, 2 + pages // 120))), pages)
    ],
}
"""Part to so many of its pages."""


def extraction(part: str, pages: int) -> list[Figure]:
    """Snapshots of this part, read to rows of record files, once the first of them have been read."""
    given = [
        (IndexEntry(Location("a", 0), of.url, of.url, of.fetched_at, of.crawl_id, "0" * 64, "text/html"), of)
        for of in READ[part](pages)
    ]
    for entry, snapshot in given[:20]:
        observe(entry, extract(snapshot))
    spent = cpu_seconds()
    with sample(EXTRACTION) as counts:
        for entry, snapshot in given:
            observe(entry, extract(snapshot))
    return list_figures(part, counts, cpu_seconds() - spent, pages)


def extractions(pages: int) -> list[Figure]:
    return [figure for part in READ for figure in in_own_process(extraction, part, pages)]


NIGHT = {
    "verdicts.pipeline.build.build.bring_records_up_to_date": "extract",
    "verdicts.pipeline.build.build.judge_runs": "gates",
    "verdicts.pipeline.build.build.normalize_files": "normalize: records in, rows out",
    "verdicts.normalize.corpus.sight_pages": "normalize: sight pages",
    "verdicts.normalize.corpus.identify_pages": "normalize: identify pages",
    "verdicts.normalize.corpus.read_pages": "normalize: read pages",
    "verdicts.normalize.corpus.trace_tools": "normalize: trace tools",
    "verdicts.normalize.corpus.fold_texts": "normalize: fold texts",
    "verdicts.normalize.corpus.attribute_reviews": "normalize: attribute reviews",
    "verdicts.normalize.corpus.infer_reviewers": "normalize: infer reviewers",
    "verdicts.normalize.corpus.keep_reviews": "normalize: keep reviews",
    "verdicts.normalize.corpus.keep_discrepancies": "normalize: keep discrepancies",
    "verdicts.pipeline.build.build.load": "load",
    "verdicts.warehouse.loading.load.audit": "audits",
    "verdicts.warehouse.serving.copy.make_copy": "publish",
    "verdicts.warehouse.serving.copy.bring_index_up_to_date": "search index",
}
"""Functions where a night calls them, and the step that each is."""


def night(pages: int) -> list[Figure]:
    """The first night of so many pages: all of them are new. The crawl is that of pages of 20 KB."""
    counts, running = Counter[str](), ["all else"]
    last = [0.0]

    def now_in(step: str | None) -> None:
        """What was spent until now is the innermost step's. Then another one begins; None: the one around goes on."""
        spent = cpu_seconds()
        counts[running[-1]] += spent - last[0]
        last[0] = spent
        running.pop() if step is None else running.append(step)

    def time_step(step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            now_in(step)
            try:
                return function(*given, **named)
            finally:
                now_in(None)

        return run

    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = DataFolder(Path(name))
        fill(folder.root, pages)
        for place, step in NIGHT.items():
            stack.enter_context(mock.patch(place, time_step(step, pkgutil.resolve_name(place))))
        last[0] = cpu_seconds()
        with open_store(folder.root, command="benchmark") as store:
            steps.build_corpus(store, folder)
            # In this process: what a child costs has no steps.
            time_step("publish", publish)(folder.warehouse, folder.serve, at=FIRST_NIGHT)
            time_step("export", steps.export_dataset)(folder, folder.dataset)
            time_step("verify", steps.verify_tonight)(store)
        ended = NightRecord("20261101T023000Z-0001", FIRST_NIGHT, status="done", exit_code=0)
        time_step("report", report_night)(folder, DEMO, ended)
        now_in(None)
    return list_figures("a night's new page", counts, counts.total(), pages)


def nights(pages: int) -> list[Figure]:
    fetched = sum(figure.us for figure in in_own_process(crawl, SIZES[0], pages))
    made = in_own_process(night, pages)
    return [Figure(made[0].part, "fetch (20 KB)", fetched), *made]


PARTS: dict[str, Callable[[int], list[Figure]]] = {"crawl": crawls, "extraction": extractions, "night": nights}
"""Each takes the number of pages."""


Costs = dict[str, Counter[str]]
"""Microseconds a page by part and step."""


def by_part(figures: Sequence[Figure], rounds: int) -> Costs:
    """The mean of the rounds."""
    costs: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for part, step, us in figures:
        costs[part][step] += us / rounds
    return costs


def table(costs: Costs) -> str:
    """A row for each step of at least half a percent, the dearest first; a column for each part, and its share."""
    totals = {part: sum(of_part.values()) for part, of_part in costs.items()}
    sums = sum(costs.values(), Counter[str]())
    head = ("CPU µs a page", *chain.from_iterable((part, "%") for part in costs))
    rows = [
        (step, *chain.from_iterable(_cells(of_part[step], totals[part]) for part, of_part in costs.items()))
        for step, _ in sums.most_common()
        if any(of_part[step] >= totals[part] / 200 for part, of_part in costs.items())
    ]
    return markdown_table(
        head, [*rows, ("in all", *chain.from_iterable((f"{total:,.0f}", "") for total in totals.values()))]
    )


def _cells(us: float, total: float) -> tuple[str, str]:
    return (f"{us:,.0f}", f"{us / total:.0%}") if us else ("", "")


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--pages", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    options.add_argument("--picture", type=Path, help="also draw the figures to this file, .svg")
    chosen = options.parse_args()
    found: Costs = {}
    for name in chosen.only:
        rounds = [PARTS[name](chosen.pages) for _ in range(chosen.rounds)]
        costs = by_part(list(chain.from_iterable(rounds)), chosen.rounds)
        print(table(costs), end="\n\n", flush=True)
        found |= costs
    if chosen.picture:
        write_picture(chosen.picture, found)


if __name__ == "__main__":
    main()
