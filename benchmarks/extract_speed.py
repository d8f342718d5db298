"""Pages read a second and core, beside a bare parse, parsel, BeautifulSoup and trafilatura, on the same pages.

    uv run --group peers python -m benchmarks.extract_speed [--pages 200] [--rounds 5]

Those that give the same fields have to give the same values, or the run ends. The last line is the whole way from a raw
segment to Parquet records, in worker processes: all of it on one core, and on two.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from benchmarks.extract_contenders import CONTENDERS, ours
from benchmarks.extract_pages import pages, snapshot
from benchmarks.tables import markdown_table, spread
from fetch.store.store import open_store
from pipeline.build.extract_segments import bring_records_up_to_date


def seconds(name: str, given: list) -> float:
    """CPU seconds for all pages."""
    began = time.process_time()
    for pair, html in given:
        CONTENDERS[name](pair, html)
    return time.process_time() - began


def check(given: list) -> None:
    """The same values from all that give fields."""
    for pair, html in given[:20]:
        key = ours(pair, html)
        for name in ("parsel", "beautifulsoup"):
            fields = CONTENDERS[name](pair, html)
            fields["decision"] = {label: fields["decision"][label] for label in key["decision"]}
            if {**fields, "cards": [tuple(card) for card in fields["cards"]]} != key:
                sys.exit(f"{name} reads {pair.path} otherwise")


@contextmanager
def segment_of(count: int) -> Iterator[Callable[[int], float]]:
    """A raw segment of so many pages; gives how many a second get to Parquet on so many cores, workers started."""
    given = pages(count)
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder), command="benchmark") as store:
        first = snapshot(*given[0])
        crawl_id = store.begin("20261101T013000Z-aaaa", "crawl", first.fetched_at).crawl_id
        with store.transaction():
            for number, (pair, html) in enumerate(given):
                store.keep(snapshot(pair, f"{html}<!-- {number} -->"))
        store.finish(crawl_id, first.fetched_at)

        def rate(cores: int) -> float:
            allowed = os.sched_getaffinity(0)
            os.sched_setaffinity(0, sorted(allowed)[:cores])
            began = time.perf_counter()
            bring_records_up_to_date(store.index(), store.raw, Path(folder) / "records", lambda *_: None, anew=True)
            elapsed = time.perf_counter() - began
            os.sched_setaffinity(0, allowed)
            return count / elapsed

        yield rate


def rate_on(core: int, given: list) -> float:
    """Pages a second that this process reads on this core, for two seconds."""
    os.sched_setaffinity(0, [core])
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < 2:
        ours(*given[done % len(given)])
        done += 1
    return done / (time.perf_counter() - began)


def ratio_of_two(given: list) -> float:
    """What two processes that share nothing read in the time of one: two cores may be one core's two threads."""
    with ProcessPoolExecutor(2) as processes:
        cores = sorted(os.sched_getaffinity(0))[:2]
        alone = processes.submit(rate_on, cores[0], given).result()
        return sum(processes.map(rate_on, cores, [given, given])) / alone


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--pages", type=int, default=200)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    given = pages(chosen.pages, semantic_only=True)
    check(given)
    for name in CONTENDERS:
        seconds(name, given[:5])
    spent: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for _ in range(chosen.rounds):
        for name in CONTENDERS:
            spent[name].append(seconds(name, given))
    rows = []
    for name, times in spent.items():
        ratios = [seconds / own for seconds, own in zip(times, spent["ours"], strict=True)]
        rate = chosen.pages / statistics.median(times)
        rows.append((name, f"{rate:,.0f}", f"{1000 / rate:.2f}", f"{statistics.median(ratios):.2f} ({spread(ratios)})"))
    size = sum(len(html) for _, html in given) // len(given)
    print(f"{chosen.pages} pages of {size / 1000:.0f} KB on average:\n")
    print(markdown_table(("", "pages/s a core", "CPU ms a page", "CPU a page, ours = 1"), rows))
    with segment_of(2000) as rate:
        rates = [(rate(1), rate(2)) for _ in range(chosen.rounds)]
    limits = [ratio_of_two(given[:50]) for _ in range(chosen.rounds)]
    ratios = [two / one for one, two in rates]
    one, two = (statistics.median(column) for column in zip(*rates, strict=True))
    print(f"\nFrom raw segment to Parquet: {one:,.0f} pages/s on one core, {two:,.0f} on two, ", end="")
    print(f"{statistics.median(ratios):.2f} times as many ({spread(ratios)}).")
    print(f"Two processes that share nothing: {statistics.median(limits):.2f} times one ({spread(limits)}).")


if __name__ == "__main__":
    main()
