"""Pages read a second and core, beside a bare parse, parsel, BeautifulSoup and trafilatura, on the same pages.

    uv run --group peers python -m benchmarks.extract_speed [--pages 200] [--rounds 5]

Those that give the same fields have to give the same values, or the run ends. The last line is the whole way from a raw
segment to Parquet records, in worker processes on all cores.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
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


def whole_way(count: int) -> float:
    """Pages a second from a raw segment to Parquet, workers started and all."""
    given = pages(count)
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder), command="benchmark") as store:
        first = snapshot(*given[0])
        crawl_id = store.begin("20261101T013000Z-aaaa", "crawl", first.fetched_at).crawl_id
        with store.transaction():
            for number, (pair, html) in enumerate(given):
                store.keep(snapshot(pair, f"{html}<!-- {number} -->"))
        store.finish(crawl_id, first.fetched_at)
        began = time.perf_counter()
        bring_records_up_to_date(store.index(), store.raw, Path(folder) / "records", lambda *_: None)
        return count / (time.perf_counter() - began)


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
    rates = [whole_way(2000) for _ in range(3)]
    print(f"\nFrom raw segment to Parquet, {os.cpu_count()} cores: {statistics.median(rates):,.0f} pages/s")


if __name__ == "__main__":
    main()
