"""What loading, publishing, exporting and asking cost, ours beside dlt and beside what DuckDB does at best.

uv run --group peers python -m benchmarks.warehouse --reviews 1000000 --rounds 3
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from benchmarks.measuring import Cost, make_options, markdown_table, measure_cost, ratio, select_installed, spread
from benchmarks.warehouse_corpus import list_files, make_corpus, make_night
from builders.warehouse_files import publish
from verdicts.corpus.tables import TABLES, name_relation
from verdicts.warehouse.exporting.contents import file_pattern
from verdicts.warehouse.exporting.export import export
from verdicts.warehouse.loading.load import LoadReport, load
from verdicts.warehouse.loading.rows import Logs
from verdicts.warehouse.serving.named_queries import list_queries
from verdicts.warehouse.serving.query import ask

NOW = datetime(2026, 11, 21, tzinfo=UTC)
NOTHING: dict[str, Any] = {"logs": Logs(), "loaded_at": NOW, "extractor_version": "2"}

Contender = Callable[[Path, Path], None]
"""Takes the folder with `corpus/` and `night/`, and the one it works in."""


def ours(given: Path, work: Path) -> None:
    """Contracts, staging, merge, audits, one transaction."""
    _check_change(load(work / "corpus.duckdb", list_files(given / "corpus"), load_id="1", **NOTHING), is_changed=True)


def ours_again(given: Path, work: Path) -> None:
    _check_change(load(work / "corpus.duckdb", list_files(given / "corpus"), load_id="2", **NOTHING), is_changed=False)


def ours_night(given: Path, work: Path) -> None:
    _check_change(load(work / "corpus.duckdb", list_files(given / "night"), load_id="3", **NOTHING), is_changed=True)


def _check_change(report: LoadReport, *, is_changed: bool) -> None:
    if report.is_changed != is_changed:
        raise AssertionError(report)


def publish_copy(given: Path, work: Path) -> None:
    publish(work / "corpus.duckdb", work / "serve", at=NOW)


def ours_export(given: Path, work: Path) -> None:
    export(work / "corpus.duckdb", work / "dataset")


def ctas(given: Path, work: Path) -> None:
    """The limit: DuckDB's CREATE TABLE AS, nothing checked."""
    with duckdb.connect(work / "bare.duckdb") as connection:
        for file in sorted((given / "corpus").glob("*.parquet")):
            connection.execute(f"CREATE TABLE {file.stem} AS FROM read_parquet('{file}')")
        connection.execute("CHECKPOINT")


def copy(given: Path, work: Path) -> None:
    """The limit: DuckDB's COPY, in whatever order the rows lie."""
    (work / "copied").mkdir(exist_ok=True)
    with duckdb.connect(work / "corpus.duckdb", read_only=True) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        for file in sorted((given / "corpus").glob("*.parquet")):
            target = work / "copied" / file.name
            connection.execute(f"COPY {name_relation(file.stem)} TO '{target}' (FORMAT parquet, COMPRESSION zstd)")


def dlt_arrow(given: Path, work: Path) -> None:
    _dlt(given, work, lambda file: iter([pl.read_parquet(file).to_arrow()]))


def dlt_dicts(given: Path, work: Path) -> None:
    """In Parquet files, the fastest of its ways for dicts."""
    _dlt(given, work, _dicts)


def _dicts(file: Path) -> Iterator[list[dict[str, Any]]]:
    for batch in pl.read_parquet(file).iter_slices(50_000):
        yield batch.to_dicts()


def _dlt(given: Path, work: Path, rows: Callable[[Path], Iterator[Any]]) -> None:
    os.environ.update(RUNTIME__DLTHUB_TELEMETRY="false", RUNTIME__LOG_LEVEL="CRITICAL")
    import dlt

    resources = [
        dlt.resource(
            rows(file),
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
    "ours again": ours_again,
    "publish, first": publish_copy,
    "ours export": ours_export,
    "copy": copy,
    "ours night": ours_night,
    "publish, night": publish_copy,
    "ctas": ctas,
    "dlt arrow": dlt_arrow,
    "dlt dicts": dlt_dicts,
}
NEEDS = dict.fromkeys(("dlt arrow", "dlt dicts"), "dlt")
"""The module that each imports."""


Digest = dict[str, tuple[int, int]]
"""Rows of each table, and a sum over their values: the same on both sides, whatever the order."""


def digest(database: Path, schema: str, given: Path) -> Digest:
    """Of the tables in a file."""
    with duckdb.connect(database, read_only=True) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return {file.stem: _digest(connection, f"{schema}.{file.stem}", file) for file in _files(given)}


def digest_files(folder: Path, given: Path) -> Digest:
    """Of exported files."""
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return {
            file.stem: _digest(
                connection,
                f"'{folder}/{file.name if (folder / file.name).exists() else file_pattern(file.stem)}'",
                file,
            )
            for file in _files(given)
        }


def _files(given: Path) -> list[Path]:
    return sorted(given.glob("*.parquet"))


def _digest(connection: duckdb.DuckDBPyConnection, relation: str, file: Path) -> tuple[int, int]:
    # Lists are JSON with dlt, and a column without a value is not made.
    held = {name for name, *_ in connection.execute(f"DESCRIBE FROM {relation}").fetchall()}
    derived = {column.name for column in TABLES[file.stem].columns if column.is_derived}
    schema = pl.read_parquet_schema(file).items()
    names = [name for name, dtype in schema if not dtype.is_nested() and name not in derived]
    values = ", ".join(f"{name}::VARCHAR" if name in held else "NULL::VARCHAR" for name in names)
    ((rows, total),) = connection.execute(f"SELECT count(*), sum(hash({values})) FROM {relation}").fetchall()
    return int(rows), int(total or 0)


NIGHT_SHARE = 0.01
SEARCHES = ("agent", "agentaccept", "the editor agentmix never agentquery")


def questions(corpus: Path, rounds: int, most: int | None) -> dict[str, list[float]]:
    """Milliseconds of each named question and some searches, from opening the file to the last row."""
    asked = {query.name: (query.sql, query.bind({})) for query in list_queries()[:most]}
    for words in SEARCHES:
        asked[f"search {words!r}"] = ("FROM search_reviews($words, most := 10)", {"words": words})
    taken: dict[str, list[float]] = {name: [] for name in asked}
    for _ in range(rounds):
        for name, (sql, values) in asked.items():
            begun = time.perf_counter()
            ask(corpus, sql, values)
            taken[name].append(1000 * (time.perf_counter() - begun))
    return taken


def check(given: Path, work: Path, named: set[str]) -> None:
    """Every contender has made of the rows what they are."""
    corpus = given / "corpus"
    expected = digest_files(corpus, corpus)
    made = {
        "ctas": lambda: digest(work / "bare.duckdb", "main", corpus),
        "ours": lambda: digest_files(work / "loaded", corpus),
    }
    made |= {"copy": lambda: digest_files(work / "copied", corpus)}
    made |= {name: lambda: digest(work / "dlt.duckdb", "rows", corpus) for name in CONTENDERS if name.startswith("dlt")}
    for name in named & made.keys():
        if made[name]() != expected:
            raise SystemExit(f"{name} made other rows than it was given")


def compare(reviews: int, rounds: int, most: dict[str, int], asked: int | None) -> None:
    contenders = select_installed(CONTENDERS, NEEDS)
    figures: dict[str, list[Cost]] = {name: [] for name in contenders}
    taken: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        given = Path(name) / "given"
        make_corpus(reviews, given / "corpus")
        make_night(given / "corpus", given / "night", NIGHT_SHARE)
        for number in range(rounds):
            work = Path(name) / "work"
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir()
            for contender in contenders:
                if number >= most.get(contender, rounds):
                    continue
                figures[contender].append(_run(contender, given, work))
                if contender == "publish, first":
                    for question, times in questions(next((work / "serve").glob("*.duckdb")), 3, asked).items():
                        taken.setdefault(question, []).extend(times)
                if contender == "ours export":
                    (work / "dataset").rename(work / "loaded")
                if contender.startswith("dlt"):
                    check(given, work, {contender})
                    for file in work.glob("dlt.duckdb*"):
                        file.unlink()
            check(given, work, {"ctas", "ours", "copy"})
    _print(reviews, figures, taken)


def _run(contender: str, given: Path, work: Path) -> Cost:
    # What the one before has written is not for the next to wait for.
    os.sync()
    cost = measure_cost(CONTENDERS[contender], given, work)
    print(contender, cost, file=sys.stderr, flush=True)
    return cost


BESIDE = {
    "ours": "ours",
    "ctas": "ours",
    "dlt arrow": "ours",
    "dlt dicts": "ours",
    "ours export": "ours export",
    "copy": "ours export",
}
"""With which of ours a figure is compared."""


def _print(reviews: int, figures: dict[str, list[Cost]], taken: dict[str, list[float]]) -> None:
    print(f"\n{reviews:,} reviews:\n")
    head = ["", "wall s", "range", "CPU s", "peak MB", "wall, ours = 1"]
    print(markdown_table(head, (_line(name, figures) for name, held in figures.items() if held)))
    print()
    head = ["question", "median ms", "worst ms"]
    print(
        markdown_table(head, ([name, f"{statistics.median(ms):.0f}", f"{max(ms):.0f}"] for name, ms in taken.items()))
    )


def _line(name: str, figures: dict[str, list[Cost]]) -> list[str]:
    held = figures[name]
    walls = [one.wall_s for one in held]
    beside = [one.wall_s for one in figures[BESIDE[name]][: len(walls)]] if name in BESIDE else []
    return [
        name,
        f"{statistics.median(walls):.2f}",
        spread(walls),
        f"{statistics.median(one.cpu_s for one in held):.2f}",
        f"{max(one.peak_mb for one in held):,.0f}",
        ratio(walls, beside) if beside else "",
    ]


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--reviews", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--dicts", type=int, default=1, help="rounds in which dlt is given dicts")
    options.add_argument("--questions", type=int, help="so many of the named ones; all unless said")
    chosen = options.parse_args()
    compare(chosen.reviews, chosen.rounds, {"dlt dicts": chosen.dicts}, chosen.questions)


if __name__ == "__main__":
    main()
