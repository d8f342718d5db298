"""What loading, publishing and searching cost, ours beside dlt and beside what DuckDB does at best.

uv run --group peers python -m benchmarks.warehouse --reviews 200000 --rounds 1
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from benchmarks.measuring import Cost, make_options, markdown_table, measure_cost, ratio, select_installed
from benchmarks.warehouse_corpus import list_files, make_corpus, make_night
from builders.warehouse_files import publish
from verdicts.corpus.tables import TABLES, name_relation
from verdicts.warehouse.loading.load import LoadReport, load
from verdicts.warehouse.loading.rows import Logs
from verdicts.warehouse.serving.query import ask

NOW = datetime(2026, 11, 21, tzinfo=UTC)
NOTHING: dict[str, Any] = {"logs": Logs(), "loaded_at": NOW, "extractor_version": "2"}

Contender = Callable[[Path, Path], None]
"""Takes the folder with `corpus/` and `night/`, and the one it works in."""


def ours(given: Path, work: Path) -> None:
    """Contracts, staging, merge, audits, one transaction."""
    _check_change(load(work / "corpus.duckdb", list_files(given / "corpus"), load_id="1", **NOTHING), is_changed=True)


def ours_night(given: Path, work: Path) -> None:
    _check_change(load(work / "corpus.duckdb", list_files(given / "night"), load_id="3", **NOTHING), is_changed=True)


def _check_change(report: LoadReport, *, is_changed: bool) -> None:
    if report.is_changed != is_changed:
        raise AssertionError(report)


def publish_copy(given: Path, work: Path) -> None:
    publish(work / "corpus.duckdb", work / "serve", at=NOW)


def ctas(given: Path, work: Path) -> None:
    """The limit: DuckDB's CREATE TABLE AS, nothing checked."""
    with duckdb.connect(work / "bare.duckdb") as connection:
        for file in sorted((given / "corpus").glob("*.parquet")):
            connection.execute(f"CREATE TABLE {file.stem} AS FROM read_parquet('{file}')")
        connection.execute("CHECKPOINT")


def dlt_arrow(given: Path, work: Path) -> None:
    os.environ.update(RUNTIME__DLTHUB_TELEMETRY="false", RUNTIME__LOG_LEVEL="CRITICAL")
    import dlt

    resources = [
        dlt.resource(
            iter([pl.read_parquet(file).to_arrow()]),
            name=file.stem,
            write_disposition="merge",
            primary_key=TABLES[file.stem].key,
            max_table_nesting=0,
        )
        for file in sorted((given / "corpus").glob("*.parquet"))
    ]
    destination = dlt.destinations.duckdb(str(work / "dlt.duckdb"))
    pipeline = dlt.pipeline("warehouse", pipelines_dir=str(work), destination=destination, dataset_name="rows")
    pipeline.run(resources, loader_file_format="parquet").raise_on_failed_jobs()


CONTENDERS: dict[str, Contender] = {
    "ours": ours,
    "first publication": publish_copy,
    "a night that changes 1 %": ours_night,
    "ctas": ctas,
    "dlt arrow": dlt_arrow,
}
NEEDS = {"dlt arrow": "dlt"}
"""The module that each imports."""
BESIDE = ("ours", "ctas", "dlt arrow")
"""Those that do the same, and are compared."""


Digest = dict[str, tuple[int, int]]
"""Rows of each table, and a sum over their values: the same on both sides, whatever the order."""

MADE: dict[str, tuple[str, Callable[[str], str]]] = {
    "ours": ("corpus.duckdb", name_relation),
    "ctas": ("bare.duckdb", "main.{}".format),
    "dlt arrow": ("dlt.duckdb", "rows.{}".format),
}
"""The file that each makes, and how a table is called in it."""


def compute_digest(given: Path, database: Path | None = None, relation: Callable[[str], str] = str) -> Digest:
    """Of the tables in a database, or of the given files."""
    with duckdb.connect(database or ":memory:", read_only=database is not None) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return {
            file.stem: _digest(connection, relation(file.stem) if database else f"'{file}'", file)
            for file in sorted(given.glob("*.parquet"))
        }


def _digest(connection: duckdb.DuckDBPyConnection, relation: str, file: Path) -> tuple[int, int]:
    # Lists are JSON with dlt, and a column without a value is not made.
    there = {name for name, *_ in connection.execute(f"DESCRIBE FROM {relation}").fetchall()}
    derived = {column.name for column in TABLES[file.stem].columns if column.is_derived}
    schema = pl.read_parquet_schema(file).items()
    names = [name for name, dtype in schema if not dtype.is_nested() and name not in derived]
    values = ", ".join(f"{name}::VARCHAR" if name in there else "NULL::VARCHAR" for name in names)
    ((rows, total),) = connection.execute(f"SELECT count(*), sum(hash({values})) FROM {relation}").fetchall()
    return int(rows), int(total or 0)


NIGHT_SHARE = 0.01
SEARCHES = ("agent", "agentaccept", "the editor agentmix never agentquery")


def time_searches(corpus: Path) -> list[float]:
    """Milliseconds of some searches, each from opening the file to the last row: the median of three."""
    taken = []
    for words in SEARCHES:
        times = []
        for _ in range(3):
            begun = time.perf_counter()
            ask(corpus, "FROM search_reviews($words, most := 10)", {"words": words})
            times.append(1000 * (time.perf_counter() - begun))
        taken.append(statistics.median(times))
    return taken


def compare(reviews: int, rounds: int) -> None:
    contenders = select_installed(CONTENDERS, NEEDS)
    costs: dict[str, list[Cost]] = {name: [] for name in contenders}
    searches: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        given, work = Path(name) / "given", Path(name) / "work"
        make_corpus(reviews, given / "corpus")
        make_night(given / "corpus", given / "night", NIGHT_SHARE)
        expected = compute_digest(given / "corpus")
        for _ in range(rounds):
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir()
            for contender in contenders:
                costs[contender].append(_run(contender, given, work))
                if contender in MADE:
                    file, relation = MADE[contender]
                    if compute_digest(given / "corpus", work / file, relation) != expected:
                        raise SystemExit(f"{contender} made other rows than it was given")
                if contender == "first publication":
                    searches += time_searches(next((work / "serve").glob("*.duckdb")))
    print(f"\n{reviews:,} reviews:\n")
    print(markdown_table(["", "wall s", "CPU s", "peak MB", "wall, ours = 1"], (_line(name, costs) for name in costs)))
    print(f"\nSearches take {min(searches):.0f} to {max(searches):.0f} ms.")


def _run(contender: str, given: Path, work: Path) -> Cost:
    # What the one before has written is not for the next to wait for.
    os.sync()
    cost = measure_cost(CONTENDERS[contender], given, work)
    print(contender, cost, file=sys.stderr, flush=True)
    return cost


def _line(name: str, costs: dict[str, list[Cost]]) -> list[str]:
    walls = [cost.wall_s for cost in costs[name]]
    return [
        name,
        f"{statistics.median(walls):.2f}",
        f"{statistics.median(cost.cpu_s for cost in costs[name]):.2f}",
        f"{max(cost.peak_mb for cost in costs[name]):,.0f}",
        ratio(walls, [cost.wall_s for cost in costs["ours"]]) if name in BESIDE else "",
    ]


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--reviews", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    compare(chosen.reviews, chosen.rounds)


if __name__ == "__main__":
    main()
