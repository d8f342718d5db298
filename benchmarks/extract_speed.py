"""Pages read a second and core, beside a bare parse, parsel, BeautifulSoup and trafilatura, on the same pages.

    uv run --group peers python -m benchmarks.extract_speed [--pages 200] [--rounds 5]

Those that give the same fields have to give the same values, or the run ends. The last line is the whole way from a raw
segment to Parquet records, in worker processes: all of it on one core, and on two.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from benchmarks.extract_contenders import CONTENDERS, NEEDS, ours
from benchmarks.extract_pages import pages, snapshot
from benchmarks.measuring import in_turns, installed, keep_pages, markdown_table, options_of, ratio, spread
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.extract_segments import bring_records_up_to_date
from verdicts.pipeline.failure_log import FailureLog


def seconds(name: str, given: list) -> float:
    """CPU seconds for all pages."""
    began = time.process_time()
    for pair, html in given:
        CONTENDERS[name](pair, html)
    return time.process_time() - began


def check(given: list, names: Iterable[str]) -> None:
    """The same values from all that give fields."""
    for pair, html in given[:20]:
        key = ours(pair, html)
        for name in {*names} & {*NEEDS}:
            fields = CONTENDERS[name](pair, html)
            fields["decision"] = {label: fields["decision"][label] for label in key["decision"]}
            if {**fields, "cards": [tuple(card) for card in fields["cards"]]} != key:
                sys.exit(f"{name} reads {pair.path} otherwise")


@contextmanager
def segment_of(count: int) -> Iterator[Callable[[int], float]]:
    """A raw segment of so many pages; gives how many a second get to Parquet on so many cores, workers started."""
    given = pages(count)
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder), command="benchmark") as store:
        keep_pages(store, [snapshot(pair, f"{html}<!-- {number} -->") for number, (pair, html) in enumerate(given)])

        def rate(cores: int) -> float:
            allowed = os.sched_getaffinity(0)
            os.sched_setaffinity(0, sorted(allowed)[:cores])
            began = time.perf_counter()
            records = Path(folder) / "records"
            bring_records_up_to_date(store.index(), store.raw, records, lambda *_: None, FailureLog(), anew=True)
            elapsed = time.perf_counter() - began
            os.sched_setaffinity(0, allowed)
            return count / elapsed

        yield rate


def rate_on(core: int, given: list, lasts_s: float) -> float:
    """Pages a second that this process reads on this core."""
    os.sched_setaffinity(0, [core])
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < lasts_s:
        ours(*given[done % len(given)])
        done += 1
    return done / (time.perf_counter() - began)


def ratio_of_two(given: list, lasts_s: float) -> float:
    """What two processes that share nothing read in the time of one: two cores may be one core's two threads."""
    with ProcessPoolExecutor(2) as processes:
        cores = sorted(os.sched_getaffinity(0))[:2]
        alone = processes.submit(rate_on, cores[0], given, lasts_s).result()
        return sum(processes.map(rate_on, cores, [given] * 2, [lasts_s] * 2)) / alone


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--pages", type=int, default=200)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--stored", type=int, default=2000, help="pages that become records, on one core and on two")
    options.add_argument("--lasts", type=float, default=2, help="seconds for which two processes read side by side")
    chosen = options.parse_args()
    contenders = installed(CONTENDERS, NEEDS)
    given = pages(chosen.pages, semantic_only=True)
    check(given, contenders)
    for name in contenders:
        seconds(name, given[:5])
    spent = in_turns(chosen.rounds, contenders, lambda name: seconds(name, given))
    rows = []
    for name, times in spent.items():
        rate = chosen.pages / statistics.median(times)
        rows.append((name, f"{rate:,.0f}", f"{1000 / rate:.2f}", ratio(times, spent["ours"])))
    size = sum(len(html) for _, html in given) // len(given)
    print(f"{chosen.pages} pages of {size / 1000:.0f} KB on average:\n")
    print(markdown_table(("", "pages/s a core", "CPU ms a page", "CPU a page, ours = 1"), rows))
    with segment_of(chosen.stored) as rate:
        rates = [(rate(1), rate(2)) for _ in range(chosen.rounds)]
    limits = [ratio_of_two(given[:50], chosen.lasts) for _ in range(chosen.rounds)]
    ratios = [two / one for one, two in rates]
    one, two = (statistics.median(column) for column in zip(*rates, strict=True))
    print(f"\nFrom raw segment to Parquet: {one:,.0f} pages/s on one core, {two:,.0f} on two, ", end="")
    print(f"{statistics.median(ratios):.2f} times as many ({spread(ratios)}).")
    print(f"Two processes that share nothing: {statistics.median(limits):.2f} times one ({spread(limits)}).")


if __name__ == "__main__":
    main()
