"""The whole way past one machine on real parts: Ceph's S3 gateway and Dask workers, on loopback.

    uv run python -m benchmarks.scale FOLDER --pages 10000 100000 --workers 1 2

Pages are made once for each number of them, half of their hosts for each of two fetchers, which send them to the
bucket. They are extracted and normalized there with so many workers, and the parts are loaded into a warehouse. The
rows are compared with those that one machine makes of the same pages in one data folder. CPU is that of all
workers and of the planner; a page costs what both take. What is moved is counted by the gateway: bytes put and got.
"""

import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import polars as pl
import psutil
from distributed import Client

from benchmarks.measuring import in_own_process, markdown_table, options_of, peak_bytes
from benchmarks.parts import parts
from benchmarks.scale_pages import fill
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.model.share import Share
from verdicts.fetch.objects import Objects, open_objects
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.build import normalize_files
from verdicts.pipeline.build.build_manifest import inputs_of
from verdicts.pipeline.build.extraction import bring_records_up_to_date
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.dask import DaskEngine
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.scale.batches import make_plan, partitions_of
from verdicts.pipeline.scale.executor import normalize_at_scale
from verdicts.pipeline.scale.shipping import extract_at_scale, ship
from verdicts.warehouse.loading.load import load
from verdicts.warehouse.loading.rows import Logs, ParquetFiles
from verdicts.warehouse.parts import Part, rows_of

CHECKED = 100_000
"""Pages up to which one machine makes the same rows to compare with: of a million it takes all of 24 GB."""


SHARES = (Share(1, 2), Share(2, 2))

MOMENT = datetime(2026, 11, 1, tzinfo=UTC)

PLACE = ("segment", "segment_offset")
"""Columns that are not compared: each record has a random id, so it begins elsewhere in a fetcher's segment."""

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

    @property
    def page_ms(self) -> float:
        """CPU of a page, extracted and normalized."""
        used = (self.steps[name] for name in MEASURED)
        return 1000 * sum(step.workers_s + step.planner_s for step in used) / self.pages


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


def on_parts(
    fetchers: Sequence[DataFolder], run: Run, home: Path, partitions: int, one: Path | None, *, is_real: bool
) -> None:
    """Ships, extracts, normalizes and publishes on parts; `one` has the rows to compare with."""
    # From here on the most memory is counted anew.
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    with parts(home, run.workers, is_real=is_real) as env:
        os.environ.update(env)
        objects = open_objects(f"{env['STORE_URL']}/{run.pages}")
        engine, failures = DaskEngine(env["DASK_SCHEDULER"]), FailureLog()
        with Client(env["DASK_SCHEDULER"], set_as_default=False) as client:
            with measured(run, "ship", client, objects):
                for folder in fetchers:
                    with open_store(folder.root, command="benchmark") as store:
                        ship(store, folder, objects, lambda *_: None)
            with measured(run, "extract", client, objects):
                names = extract_at_scale(objects, engine, failures, lambda *_: None)
            with measured(run, "normalize", client, objects):
                plan = make_plan(objects, inputs_of([*map(Path, names)]), partitions_of(run.pages, partitions))
                tables = normalize_at_scale(objects, engine, plan, failures, lambda *_: None)
            with measured(run, "load", client, objects):
                rows = rows_of(objects, tables, home / "parts")
                warehouse = home / "warehouse" / "corpus.duckdb"
                load(
                    warehouse,
                    rows,
                    Logs(),
                    load_id="20261101T000000Z-0000",
                    loaded_at=MOMENT,
                    extractor_version=EXTRACTOR_VERSION,
                )
        assert not failures.failed
        run.rows = sum(part.rows for parts in tables.values() for part in parts)
        run.got_bytes = got(home)
        if one is not None:
            run.different = differences(one, objects, tables)


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
    """One machine's rows, a file a table; the seconds of CPU that they review."""
    used = os.times()
    with open_store(folder.root, command="benchmark") as store:
        failures = FailureLog()
        files = bring_records_up_to_date(store.index(), folder.raw, folder.records, lambda *_: None, failures)
        made = normalize_files(files, inputs_of(files), failures, folder.parts)
    now = os.times()
    seconds = sum(now[:4]) - sum(used[:4])
    into.mkdir()
    for table in CORPUS_TABLES:
        given = made.rows[table]
        if isinstance(given, ParquetFiles):
            of_table = pl.read_parquet(list(given.paths))
            own = [name for name in of_table.columns if name != "load_id"]
            of_table.select(own).sort(TABLES[table].key).write_parquet(into / f"{table}.parquet")
    return seconds


def differences(one: Path, objects: Objects, tables: Mapping[str, Sequence[Part]]) -> list[str]:
    """The tables whose rows are not those of one machine, one after another: all of them fill the memory."""
    different = []
    for table in CORPUS_TABLES:
        file, parts = one / f"{table}.parquet", tables.get(table)
        if file.exists() and parts:
            rows = pl.read_parquet(file).drop(*PLACE, strict=False)
            if not rows.equals(rows_in(objects, table, parts).select(rows.columns)):
                different.append(table)
        elif file.exists() or parts:
            different.append(table)
    return different


def line(run: Run, one_s: float | None) -> dict[str, str]:
    """What is told of a run, by column."""
    extract, normalize = run.steps["extract"], run.steps["normalize"]
    put = sum(step.put_bytes for step in run.steps.values())
    return {
        "pages": f"{run.pages:,}",
        "workers": str(run.workers),
        **{f"{name}, s": f"{step.wall_s:.0f}" for name, step in run.steps.items()},
        "rows": f"{run.rows:,}",
        "extract, CPU s": f"{extract.workers_s + extract.planner_s:.0f}",
        "normalize, CPU s": f"{normalize.workers_s:.0f}",
        "planner, CPU s": f"{normalize.planner_s:.1f}",
        "a page, CPU ms": f"{run.page_ms:.2f}",
        "on one machine, ms": "" if one_s is None else f"{1000 * one_s / run.pages:.2f}",
        "put a page, kB": f"{put / run.pages / 1000:.1f}",
        "got a page, kB": f"{run.got_bytes / run.pages / 1000:.1f}",
        "a worker, MB": f"{run.worker_bytes / 1e6:,.0f}",
        "planner, MB": f"{run.planner_bytes / 1e6:,.0f}",
        "of one machine": "" if run.different is None else "DIFFERENT" if run.different else "same",
    }


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--pages", type=int, nargs="+", default=[10_000, 100_000])
    options.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options.add_argument("--partitions", type=int, default=64, help="at most")
    options.add_argument("--checked", type=int, default=CHECKED, help="pages up to which rows are compared")
    options.add_argument("--stand-ins", action="store_true", help="a bucket of this process instead of Ceph's")
    chosen = options.parse_args()
    lines = []
    for pages in chosen.pages:
        folder = DataFolder(chosen.folder / f"pages-{pages}")
        fetchers = {share: chosen.folder / f"pages-{pages}-share-{share.number}" for share in SHARES}
        if not folder.root.exists():
            fill(folder.root, pages, fetchers)
        one = chosen.folder / f"one-{pages}" if pages <= chosen.checked else None
        one_s = None if one is None else in_own_process(of_one_machine, folder, one)
        for workers in chosen.workers:
            run = Run(pages, workers)
            on_parts(
                [*map(DataFolder, fetchers.values())],
                run,
                chosen.folder / "parts",
                chosen.partitions,
                one,
                is_real=not chosen.stand_ins,
            )
            if run.different:
                print(f"{pages} pages, {workers} workers: other rows in {', '.join(run.different)}", flush=True)
            lines.append(line(run, one_s))
            print(markdown_table([*lines[0]], [[*of.values()] for of in lines]), flush=True)
        shutil.rmtree(folder.records, ignore_errors=True)
        if one is not None:
            shutil.rmtree(one)


if __name__ == "__main__":
    main()
