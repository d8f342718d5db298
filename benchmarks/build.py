"""What a build costs from record files to the published copy, by size: all of it is made anew each night.

    uv run python -m benchmarks.build --appearances 100000 1000000 [--labelled 0.2]

Each build runs in a process of its own.
"""

import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.measuring import Cost, in_own_process, make_options, markdown_table, measure_body
from builders.made_corpora import make_pages
from builders.made_observations import FIRST_NIGHT, observations
from builders.warehouse_files import publish
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.model.snapshot import Location
from verdicts.pipeline.build.build import normalize_files
from verdicts.pipeline.build.build_manifest import make_inputs
from verdicts.pipeline.build.record_files import write_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.workers.record_rows import make_record_row
from verdicts.warehouse.loading.load import load
from verdicts.warehouse.loading.rows import Logs

PAGES_A_SEGMENT = 5_000


def make_records(root: Path, appearances: int, labelled: float) -> int:
    """Record files of a world, and how many pages it has."""
    by_segment: dict[str, list[Any]] = defaultdict(list)
    for number, item in enumerate(observations(make_pages(appearances, seed=1, labelled=labelled))):
        by_segment[f"20261101T013000Z-0001-{number // PAGES_A_SEGMENT:05}"].append(item)
    (root / "records").mkdir(parents=True)
    for segment, items in by_segment.items():
        places = (Location(f"{segment}.warc.gz", item.location.offset) for item in items)
        rows = [make_record_row(replace(item, location=place)) for item, place in zip(items, places, strict=True)]
        write_records(root / "records" / f"{segment}.n{len(rows)}.parquet", rows)
    return sum(map(len, by_segment.values()))


def build(root: Path) -> dict[str, Cost]:
    """The whole way in one process: what each step costs."""
    folder, costs = DataFolder(root), dict[str, Cost]()
    files = sorted(folder.records.glob("*.parquet"))
    with measure_body() as costs["normalize"]:
        made = normalize_files(files, make_inputs(files), FailureLog(), folder.parts)
    with measure_body() as costs["load"]:
        load(
            folder.warehouse,
            made.rows,
            Logs(),
            load_id="20261101T013000Z-0001",
            loaded_at=FIRST_NIGHT,
            extractor_version=EXTRACTOR_VERSION,
        )
    with measure_body() as costs["publish"]:
        publish(folder.warehouse, folder.serve, at=FIRST_NIGHT)
    return costs


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--appearances", type=int, nargs="+", default=[20_000, 100_000])
    options.add_argument("--labelled", type=float, default=0.2, help="share of pages with reviewers and scores")
    given = options.parse_args()
    rows = []
    for appearances in given.appearances:
        with tempfile.TemporaryDirectory() as name:
            pages = in_own_process(make_records, Path(name), appearances, given.labelled)
            costs = in_own_process(build, Path(name))
        steps = [part for cost in costs.values() for part in (f"{cost.cpu_s:.1f}", f"{cost.peak_mb:.0f}")]
        rows.append([f"{appearances:,}", f"{pages:,}", *steps, f"{sum(cost.cpu_s for cost in costs.values()):.1f}"])
    head = [part for step in ("normalize", "load", "publish") for part in (f"{step}: CPU s", "MB")]
    print(markdown_table(["appearances", "pages", *head, "in all: CPU s"], rows))


if __name__ == "__main__":
    main()
