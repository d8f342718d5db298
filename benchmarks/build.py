"""What a build costs from record files to the published copy, by size: all of it is made anew each night.

    uv run python -m benchmarks.build --appearances 20000 100000 1000000 --labelled 0.2 --workers 1 2

Each build runs in a process of its own. With `--workers` the stages of normalization run once more in so many processes
of this machine, their messages and rows as files; the rows must be those of the build. Ends with 1 where they are not.
"""

import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import psutil

from benchmarks.measuring import Cost, in_own_process, make_options, markdown_table, measure_body, peak_bytes
from builders.made_corpora import make_pages
from builders.made_observations import FIRST_NIGHT, observations
from builders.warehouse_files import publish
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.objects import open_objects
from verdicts.pipeline.build.build import normalize_files
from verdicts.pipeline.build.build_manifest import make_inputs
from verdicts.pipeline.build.record_files import write_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import LocalEngine
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.scale.batches import count_partitions, make_plan
from verdicts.pipeline.scale.executor import normalize_at_scale
from verdicts.pipeline.workers.record_rows import record_row
from verdicts.warehouse.loading.load import load
from verdicts.warehouse.loading.rows import Logs, ParquetFiles

PAGES_A_SEGMENT = 5_000
STEPS = ("normalize", "load", "publish")


@dataclass(frozen=True)
class World:
    """`reviews` are appearances a tool: with 27 most tools are on many pages, with 5 on one or two."""

    appearances: int
    takes: int
    labelled: float

    def __str__(self) -> str:
        return f"{self.appearances:,}, {self.takes} a tool, {self.labelled:.0%} labelled"


def make_records(root: Path, world: World) -> int:
    """Record files of a world, and how many pages it has."""
    by_segment: dict[str, list[Any]] = defaultdict(list)
    pages = make_pages(world.appearances, seed=1, labelled=world.labelled, takes_a_tool=world.takes)
    for number, item in enumerate(observations(pages)):
        by_segment[f"20261101T013000Z-0001-{number // PAGES_A_SEGMENT:05}"].append(item)
    (root / "records").mkdir(parents=True)
    for segment, items in by_segment.items():
        places = (Location(f"{segment}.warc.gz", item.location.offset) for item in items)
        rows = [record_row(replace(item, location=place)) for item, place in zip(items, places, strict=True)]
        write_records(root / "records" / f"{segment}.n{len(rows)}.parquet", rows)
    return sum(map(len, by_segment.values()))


def build(root: Path, is_compared: bool) -> tuple[dict[str, Cost], dict[str, int]]:
    """The whole way in one process: what each step costs, and, to be compared, a sum of the rows of each table."""
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
    sums = {
        table: _sum(pl.read_parquet(list(rows.paths)))
        for table, rows in made.rows.items()
        if is_compared and isinstance(rows, ParquetFiles)
    }
    with measure_body() as costs["publish"]:
        publish(folder.warehouse, folder.serve, at=FIRST_NIGHT)
    return costs, sums


def normalize_in_processes(root: Path, workers: int, pages: int) -> tuple[Cost, dict[str, int]]:
    """Normalization in processes of this machine; with one worker it is this one."""
    objects, files = open_objects(str(root)), sorted((root / "records").glob("*.parquet"))
    partitions = max(2, count_partitions(pages, 64))
    plan = make_plan(objects, make_inputs(files), partitions)
    for left in objects.names(f"messages/{plan.name}/"):
        if not left.endswith("plan.json"):
            objects.remove(left)
    engine = LocalEngine(workers)
    with measure_body() as cost:
        parts = normalize_at_scale(objects, engine, plan, FailureLog(), lambda *_: None)
    # What processes have used that have not ended is counted nowhere else.
    for process in psutil.Process().children(recursive=True):
        cost.cpu_s += sum(process.cpu_times()[:2])
        cost.peak_mb += peak_bytes(process.pid) / 1024 / 1024
    sums = {
        table: _sum(pl.concat([pl.read_parquet(BytesIO(objects.read(part.name))) for part in of_table]).unique())
        for table, of_table in parts.items()
    }
    return cost, sums


def _sum(rows: pl.DataFrame) -> int:
    own = [name for name in TABLES_COLUMNS if name in rows.columns]
    return int(rows.select(own).hash_rows(seed=1).cast(pl.Int128).sum())


TABLES_COLUMNS = sorted({name for table in CORPUS_TABLES for name in TABLES[table].column_names} - {"load_id"})


def line(world: World, pages: int, costs: Mapping[str, Cost]) -> list[str]:
    to_the_copy = sum(costs[step].cpu_s for step in STEPS)
    of_steps = [part for step in STEPS for part in (f"{costs[step].cpu_s:.1f}", f"{costs[step].peak_mb:.0f}")]
    return [str(world), f"{pages:,}", *of_steps, f"{to_the_copy:.1f}"]


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--appearances", type=int, nargs="+", default=[20_000, 100_000])
    options.add_argument("--reviews", type=int, nargs="+", default=[27], help="appearances a tool")
    options.add_argument("--labelled", type=float, nargs="+", default=[0.0, 0.2, 1.0])
    options.add_argument("--workers", type=int, nargs="*", default=[], help="processes of this machine")
    given = options.parse_args()
    worlds = [World(*of) for of in _product(given.reviews, given.labelled, given.appearances)]
    built, in_processes = [], []
    for world in worlds:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            pages = in_own_process(make_records, root, world)
            costs, sums = in_own_process(build, root, bool(given.workers))
            print(world, {step: asdict(cost) for step, cost in costs.items()}, file=sys.stderr, flush=True)
            built.append(line(world, pages, costs))
            for workers in given.workers:
                cost, others = in_own_process(normalize_in_processes, root, workers, pages)
                print(world, workers, asdict(cost), file=sys.stderr, flush=True)
                if differing := [
                    table for table in sums.keys() | others.keys() if sums.get(table) != others.get(table)
                ]:
                    sys.exit(f"{world}, {workers} processes: other rows in {', '.join(sorted(differing))}")
                in_processes.append(
                    [str(world), str(workers), f"{cost.wall_s:.1f}", f"{cost.cpu_s:.1f}", f"{cost.peak_mb:.0f}"]
                )
    print(markdown_table(_HEAD, built))
    if in_processes:
        print("\nNormalization in processes, with its rows written as parts:\n")
        print(markdown_table(["appearances", "processes", "wall s", "CPU s", "MB of all"], in_processes))
        print("\nsame rows")


_HEAD = (
    "appearances",
    "pages",
    "normalize: CPU s",
    "MB",
    "load: CPU s",
    "MB",
    "publish: CPU s",
    "MB",
    "to the copy: CPU s",
)


def _product(takes: Sequence[int], labelled: Sequence[float], sizes: Sequence[int]) -> list[tuple[int, int, float]]:
    return [(size, density, share) for density in takes for share in labelled for size in sizes]


if __name__ == "__main__":
    main()
