"""What a shard of a public crawl costs where it lies, beside the same file taken in.

    uv run python -m benchmarks.shards [--pages 3000] [--ceph]

Both are ingested and extracted, each in a process of its own. Ends with 1 where the records differ.
"""

import os
import sys
import tempfile
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

import polars as pl

from benchmarks.extract_pages import pages
from benchmarks.measuring import in_own_process, markdown_table, measured, options_of
from benchmarks.parts.running import real_parts
from builders.public_crawl import CrawledPage, packed, warc
from verdicts.demo_site.responses import SITE_URL
from verdicts.fetch.intake.ingest import ingest
from verdicts.fetch.intake.sources import Shard, Source
from verdicts.fetch.objects.opening import open_objects
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.extract_segments import bring_records_up_to_date
from verdicts.pipeline.failure_log import FailureLog

NAME = "benchmark/shard.warc.gz"


def make_shard(count: int) -> bytes:
    """Pages of 60 to 100 KB, with what a crawl writes beside each."""
    given = enumerate(pages(count))
    crawled = (CrawledPage(f"{SITE_URL}{pair.path}?{number}", html.encode()) for number, (pair, html) in given)
    return packed(warc(crawled))


def measure(data: Path, named: str) -> dict[str, float]:
    """Seconds on the clock and of processors of both steps; the most memory of the first, and the segments, in MB."""
    source = Source(Path(named), None) if "://" not in named else Shard(named)
    figures: dict[str, float] = {}
    with open_store(data, command="benchmark") as store:
        for step in ("ingest", "extract"):
            with measured() as cost:
                if step == "ingest":
                    run = ingest(store, [source], clock=lambda: datetime(2026, 11, 1, tzinfo=UTC))
                    assert run.status == "done", store.fetches()[-1]
                else:
                    bring_records_up_to_date(store.index(), store.raw, data / "records", lambda *_: None, FailureLog())
            figures |= {step: cost.wall_s, f"{step} CPU": cost.cpu_s}
            if step == "ingest":
                figures["most memory, MB"] = cost.peak_mb
    figures["raw MB"] = sum(path.stat().st_size for path in (data / "raw").iterdir()) / 1e6
    return figures


def records(data: Path) -> list[tuple[object, ...]]:
    read = pl.read_parquet([*(data / "records").glob("*.parquet")])
    return sorted(read.select("url", "fetched_at", "sha256", "kind", "record").rows())


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--pages", type=int, default=3_000)
    options.add_argument("--ceph", action="store_true", help="the shard is in a bucket of Ceph's, not in a folder")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        home = Path(name)
        env = stack.enter_context(real_parts(home / "parts", workers=0)) if chosen.ceph else {}
        stack.enter_context(patch.dict(os.environ, env))
        content = make_shard(chosen.pages)
        (home / "shard.warc.gz").write_bytes(content)
        objects = open_objects(env.get("STORE_URL", str(home / "store")))
        objects.remove(NAME)
        objects.create_from(NAME, home / "shard.warc.gz")
        places = {
            "the file taken in": str(home / "shard.warc.gz"),
            "the shard where it lies": f"{objects.url if chosen.ceph else f'file://{objects.url}'}/{NAME}",
        }
        rows, found = [], []
        for number, (title, named) in enumerate(places.items()):
            figures = in_own_process(measure, home / str(number), named)
            found.append(records(home / str(number)))
            rows.append([title, *(f"{value:,.1f}" for value in figures.values())])
        print(f"{chosen.pages:,} pages, {len(content) / 1e6:,.0f} MB\n")
        print(markdown_table(["", *(f"{key}, s" if "MB" not in key else key for key in figures)], rows))
        if found[0] != found[1]:
            sys.exit("other records")
        print("\nsame records")


if __name__ == "__main__":
    main()
