"""Time of a build after a night with few new pages, compared with a full rebuild.

uv run python -m benchmarks.night --appearances 50000 200000 --pages 50
"""

import argparse
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.tables import markdown_table
from builders.made_corpora import make_pages
from builders.made_observations import observations
from pipeline.build.build import normalized
from pipeline.build.build_manifest import manifest_of
from pipeline.build.record_files import write_records
from pipeline.failure_log import FailureLog
from pipeline.workers.record_rows import record_row
from warehouse.loading.load import load

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def measure(appearances: int, pages: int) -> list[list[str]]:
    """Two lines: the whole corpus from nothing, and one more night with this many pages after it."""
    every_page = list(make_pages(appearances, seed=1, labelled=1.0))
    lines = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [folder / "20261101T013000Z.parquet", folder / "20261102T013000Z.parquet"]
        write_records(files[0], [record_row(item) for item in observations(every_page[:-pages])])
        # The observations of the last pages, as of another night.
        write_records(files[1], [record_row(item) for item in observations(every_page[-pages:], first=2)])
        warehouse = folder / "corpus.duckdb"
        before = None
        for title, night in (("all of it", files[:1]), (f"{pages} new pages", files)):
            begun = time.perf_counter()
            now = manifest_of(night, ())
            rows, scope = normalized(warehouse, night, now, before, FailureLog())
            between = time.perf_counter()
            report = load(
                warehouse, rows, crawls=(), fetches=(), load_id=title, loaded_at=NOW, extractor_version="2", scope=scope
            )
            ended = time.perf_counter()
            before = now
            changed = sum(change.added + change.changed + change.removed for change in report.tables.values())
            made = sum(map(len, rows.values()))
            seconds = [f"{between - begun:.1f}", f"{ended - between:.1f}"]
            lines.append([f"{appearances:,}: {title}", f"{made:,}", f"{changed:,}", *seconds])
    return lines


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--appearances", type=int, nargs="+", default=[50_000, 200_000])
    options.add_argument("--pages", type=int, default=50)
    chosen = options.parse_args()
    head = ["appearances: what is built", "rows made", "rows changed", "normalize s", "load s"]
    lines = [line for appearances in chosen.appearances for line in measure(appearances, chosen.pages)]
    print(markdown_table(head, lines))


if __name__ == "__main__":
    main()
