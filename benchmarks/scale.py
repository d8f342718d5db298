"""The whole way past one machine on real parts: Ceph's S3 gateway and Dask workers, on loopback.

    uv run python -m benchmarks.scale FOLDER --pages 10000 100000 --workers 1 2

Pages are made once for each number of them, shipped into the bucket, extracted and normalized there with so many
workers; the parts are checked, become a manifest, and are published as a file of views. The rows are compared with
those that one machine makes of the same data folder. CPU is that of all workers and of the planner; a page costs what
both take. What is moved is counted by the gateway: bytes put and got.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TypeVar

import polars as pl
import psutil
from distributed import Client

from benchmarks.measuring import in_own_process, markdown_table, options_of, peak_bytes
from benchmarks.parts.running import real_parts, stand_ins
from benchmarks.scale_pages import fill
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.objects.objects import Objects
from verdicts.fetch.objects.opening import open_objects
from verdicts.fetch.store.store import open_store
from verdicts.normalize.corpus import NORMALIZER_VERSION
from verdicts.pipeline.build.build_manifest import manifest_of
from verdicts.pipeline.build.extract_segments import bring_records_up_to_date
from verdicts.pipeline.build.normalization import normalize_files
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.dask import DaskEngine
from verdicts.pipeline.engine.engine import Engine
from verdicts.pipeline.failure_log import FailureLog
from verdicts.pipeline.scale.extraction import extract_at_scale
from verdicts.pipeline.scale.normalization import normalize_at_scale
from verdicts.pipeline.scale.plan import make_plan, partitions_of
from verdicts.pipeline.scale.shipping import ship
from verdicts.warehouse.loading.rows import frame
from verdicts.warehouse.manifests import Manifest, Part, publish_manifest
from verdicts.warehouse.parts import check_parts
from verdicts.warehouse.serving.publish import publish
from verdicts.warehouse.serving.views_file import Given, make_views

CHECKED = 100_000
"""Pages up to which one machine makes the same rows to compare with: of a million it takes all of 24 GB."""

B = TypeVar("B")
R = TypeVar("R")
MakeParts = Callable[[Path, int], AbstractContextManager[Mapping[str, str]]]

MOMENT = datetime(2026, 11, 1, tzinfo=UTC)
GIVEN = Given("benchmark", MOMENT, (), ())

MEASURED = ("extract", "normalize")
"""The steps that a page costs something in on workers."""


@dataclass
class Step:
    """Of one step: seconds by the clock, of CPU of all workers and of this process, and bytes put."""

    wall_s: float = 0.0
    workers_s: float = 0.0
    planner_s: float = 0.0
    put_bytes: int = 0


@dataclass
class Run:
    """A number of pages on a number of workers."""

    pages: int
    workers: int
    steps: dict[str, Step] = field(default_factory=dict)
    got_bytes: int = 0
    worker_bytes: int = 0
    planner_bytes: int = 0
    different: list[str] | None = None
    rows: int = 0
    stages: dict[str, float] = field(default_factory=dict)

    @property
    def page_ms(self) -> float:
        """CPU of a page, extracted and normalized."""
        used = (self.steps[name] for name in MEASURED)
        return 1000 * sum(step.workers_s + step.planner_s for step in used) / self.pages


class Timed:
    """An engine, and how long each stage took by the clock."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.seconds: dict[str, float] = {}

    @property
    def workers(self) -> int:
        return self._engine.workers

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        began = time.monotonic()
        yield from self._engine.run(function, batches)
        if batches:
            self.seconds[getattr(batches[0], "stage", "extract")] = time.monotonic() - began


def used_by_worker() -> tuple[float, int]:
    """Seconds of CPU that a worker and its page processes have used, and the most bytes that all of them held."""
    me = psutil.Process()
    family = [me, *me.children(recursive=True)]
    # What processes that have ended used is counted where they were waited for.
    seconds = sum(sum(process.cpu_times()[:4]) for process in family)
    return seconds, sum(peak_bytes(process.pid) for process in family)


@contextmanager
def measured(run: Run, name: str, client: Client, objects: Objects) -> Iterator[None]:
    """The body as a step of a run."""
    step = run.steps[name] = Step()
    before = sum(seconds for seconds, _ in client.run(used_by_worker).values())
    there, began, mine = stored(objects), time.monotonic(), time.process_time()
    yield
    step.wall_s, step.planner_s = time.monotonic() - began, time.process_time() - mine
    after = client.run(used_by_worker).values()
    step.workers_s = sum(seconds for seconds, _ in after) - before
    step.put_bytes = stored(objects) - there
    run.worker_bytes = max(run.worker_bytes, *(held for _, held in after))
    run.planner_bytes = max(run.planner_bytes, peak_bytes())


def stored(objects: Objects) -> int:
    """Bytes of all objects."""
    return sum(size for name in objects.names() if (size := objects.size(name)) is not None)


def on_parts(folder: DataFolder, run: Run, parts: Path, bins: int, one: Path | None, made: MakeParts) -> None:
    """Ships, extracts, normalizes and publishes on parts; `one` has the rows to compare with."""
    # From here on the most memory is counted anew.
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    with made(parts, run.workers) as env:
        os.environ.update(env)
        objects = open_objects(f"{env['STORE_URL']}/{run.pages}")
        engine, failures = Timed(DaskEngine(env["DASK_SCHEDULER"])), FailureLog()
        with Client(env["DASK_SCHEDULER"], set_as_default=False) as client:
            with measured(run, "ship", client, objects), open_store(folder.root, command="benchmark") as store:
                ship(store, folder, objects, lambda *_: None)
            with measured(run, "extract", client, objects):
                names = extract_at_scale(objects, engine, failures, lambda *_: None)
            with measured(run, "normalize", client, objects):
                plan = make_plan(objects, names, gone=(), moved={}, held=(), partitions=partitions_of(run.pages, bins))
                tables = normalize_at_scale(objects, engine, plan, failures, lambda *_: None)
            with measured(run, "check", client, objects):
                manifest = checked(objects, plan.name, tables)
            with measured(run, "publish", client, objects):
                publish(parts / "served" / "serve", partial(make_views, objects, manifest, GIVEN))
        assert not failures.failed
        run.rows = manifest.rows
        run.stages = engine.seconds
        run.got_bytes = got(parts)
        if one is not None:
            run.different = differences(one, objects, tables)


def checked(objects: Objects, build_id: str, tables: Mapping[str, Sequence[Part]]) -> Manifest:
    """The manifest of a build, once its parts agree."""
    made = Manifest(
        0, build_id, MOMENT, EXTRACTOR_VERSION, NORMALIZER_VERSION, {name: (*tables[name],) for name in tables}
    )
    check_parts(objects, made)
    return publish_manifest(
        objects,
        build_id=build_id,
        created_at=MOMENT,
        extractor_version=EXTRACTOR_VERSION,
        normalizer_version=NORMALIZER_VERSION,
        tables=tables,
    )


def got(parts: Path) -> int:
    """Bytes that the gateway has sent, by its own log: `"GET /corpus/... HTTP/1.1" 206 1234 - ...`."""
    sent = 0
    for log in parts.rglob("client.rgw*.log"):
        with log.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if '"GET /' in line:
                    sent += int(line.rpartition('"GET /')[2].partition('" ')[2].split()[1])
    return sent


def rows_in(objects: Objects, table: str, parts: Sequence[Part]) -> pl.DataFrame:
    """The rows of a table, in order."""
    rows = pl.concat([pl.read_parquet(BytesIO(objects.read(part.name))) for part in parts])
    return rows.sort(TABLES[table].key)


def of_one_machine(folder: DataFolder, into: Path) -> float:
    """One machine's rows, a file a table; the seconds of CPU that they take."""
    used = os.times()
    with open_store(folder.root, command="benchmark") as store:
        failures = FailureLog()
        files = bring_records_up_to_date(store.index(), folder.raw, folder.records, lambda *_: None, failures)
        made = normalize_files(files, manifest_of(files, ()), failures)
    now = os.times()
    seconds = sum(now[:4]) - sum(used[:4])
    into.mkdir()
    for table in CORPUS_TABLES:
        given = made.rows[table]
        if len(given):  # type: ignore[arg-type]  # rows of one machine are in memory
            of_table = frame(table, given, load_id="none")  # type: ignore[arg-type]
            own = [name for name in of_table.columns if name != "load_id"]
            of_table.select(own).sort(TABLES[table].key).write_parquet(into / f"{table}.parquet")
    return seconds


def differences(one: Path, objects: Objects, tables: Mapping[str, Sequence[Part]]) -> list[str]:
    """The tables whose rows are not those of one machine, one after another: all of them fill the memory."""
    different = []
    for table in CORPUS_TABLES:
        file, parts = one / f"{table}.parquet", tables.get(table)
        if file.exists() and parts:
            rows = pl.read_parquet(file)
            if not rows.equals(rows_in(objects, table, parts).select(rows.columns)):
                different.append(table)
        elif file.exists() or parts:
            different.append(table)
    return different


def line(run: Run, one_s: float | None) -> list[str]:
    extract, normalize, check, publish = (run.steps[name] for name in ("extract", "normalize", "check", "publish"))
    put = sum(step.put_bytes for step in run.steps.values())
    return [
        f"{run.pages:,}",
        str(run.workers),
        f"{run.steps['ship'].wall_s:.0f}",
        f"{extract.wall_s:.0f}",
        f"{normalize.wall_s:.0f}",
        f"{check.wall_s:.0f}",
        f"{publish.wall_s:.0f}",
        f"{run.rows:,}",
        f"{extract.workers_s + extract.planner_s:.0f}",
        f"{normalize.workers_s:.0f}",
        f"{normalize.planner_s:.1f}",
        f"{run.page_ms:.2f}",
        "" if one_s is None else f"{1000 * one_s / run.pages:.2f}",
        f"{put / run.pages / 1000:.1f}",
        f"{run.got_bytes / run.pages / 1000:.1f}",
        f"{run.worker_bytes / 1e6:,.0f}",
        f"{run.planner_bytes / 1e6:,.0f}",
        "" if run.different is None else "DIFFERENT" if run.different else "same",
    ]


HEAD = (
    "pages",
    "workers",
    "ship, s",
    "extract, s",
    "normalize, s",
    "check, s",
    "publish, s",
    "rows",
    "extract, CPU s",
    "normalize, CPU s",
    "planner, CPU s",
    "a page, CPU ms",
    "on one machine, ms",
    "put a page, kB",
    "got a page, kB",
    "a worker, MB",
    "planner, MB",
    "of one machine",
)


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--pages", type=int, nargs="+", default=[10_000, 100_000])
    options.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options.add_argument("--bins", type=int, default=64)
    options.add_argument("--checked", type=int, default=CHECKED, help="pages up to which rows are compared")
    options.add_argument("--stand-ins", action="store_true", help="a bucket of this process instead of Ceph's")
    chosen = options.parse_args()
    made = stand_ins if chosen.stand_ins else real_parts
    lines = []
    for pages in chosen.pages:
        folder = DataFolder(chosen.folder / f"pages-{pages}")
        if not folder.root.exists():
            fill(folder.root, pages)
        one = chosen.folder / f"one-{pages}" if pages <= chosen.checked else None
        one_s = None if one is None else in_own_process(of_one_machine, folder, one)
        for workers in chosen.workers:
            run = Run(pages, workers)
            on_parts(folder, run, chosen.folder / "parts", chosen.bins, one, made)
            if run.different:
                print(f"{pages} pages, {workers} workers: other rows in {', '.join(run.different)}", flush=True)
            lines.append(line(run, one_s))
            print(markdown_table(HEAD, lines), flush=True)
            print(", ".join(f"{stage} {seconds:.1f}" for stage, seconds in run.stages.items()), flush=True)
        shutil.rmtree(folder.records, ignore_errors=True)
        if one is not None:
            shutil.rmtree(one)


if __name__ == "__main__":
    main()
