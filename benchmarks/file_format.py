"""What the version and the block size of DuckDB's file cost and save, at the size of a night and at that of years.

uv run python -m benchmarks.file_format --reviews 1000000 --rounds 3
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from benchmarks.measuring import markdown_table, options_of, spread
from benchmarks.warehouse_contenders import ours, ours_night, publish_copy
from benchmarks.warehouse_corpus import make_corpus, make_night
from verdicts.warehouse.serving.named_queries import list_queries
from verdicts.warehouse.serving.query import ask
from verdicts.warehouse.storage import connection

CHOSEN = ("v1.2.0", 16_384)
FORMATS = (CHOSEN, ("v1.2.0", 65_536), ("v1.2.0", 262_144), ("latest", 16_384), ("latest", 262_144))
"""Storage version and block size; the last pair is what DuckDB takes by itself."""

STEPS = {"load": ours, "publish": publish_copy, "night": ours_night, "publish again": publish_copy}
SEARCH = "the editor agentmix never agentquery"


def measure(given: Path, work: Path, chosen: tuple[str, int], questions: int | None) -> dict[str, float]:
    """Seconds of each step and of all questions, megabytes of the published copy."""
    version, block = chosen
    connection.STORAGE_VERSION, connection.BLOCK_BYTES = version, block
    figures = {}
    for name, step in STEPS.items():
        begun = time.perf_counter()
        step(given, work)
        figures[name] = time.perf_counter() - begun
    copy = max((work / "serve").glob("*.duckdb"))
    _check_format(copy, block)
    asked = [(query.sql, query.bound({})) for query in list_queries()[:questions]]
    for sql, values in asked:
        ask(copy, sql, values)
    begun = time.perf_counter()
    for sql, values in asked:
        ask(copy, sql, values)
    figures["all questions"] = time.perf_counter() - begun
    begun = time.perf_counter()
    ask(copy, "FROM search_reviews($words, most := 10)", {"words": SEARCH})
    return figures | {"search": time.perf_counter() - begun, "MB": copy.stat().st_size / 1e6}


def _check_format(copy: Path, block: int) -> None:
    with duckdb.connect(copy, read_only=True) as opened:
        ((held,),) = opened.execute(
            "SELECT block_size FROM pragma_database_size() WHERE database_name = current_database()"
        ).fetchall()
    if held != block:
        raise SystemExit(f"{copy.name} has blocks of {held} bytes, not of {block}")


def compare(reviews: int, rounds: int, formats: int | None, questions: int | None) -> None:
    figures: dict[tuple[str, int], list[dict[str, float]]] = {chosen: [] for chosen in FORMATS[:formats]}
    with tempfile.TemporaryDirectory() as name:
        given = Path(name) / "given"
        make_corpus(reviews, given / "corpus")
        make_night(given / "corpus", given / "night", 0.01)
        for _ in range(rounds):
            for chosen, held in figures.items():
                with tempfile.TemporaryDirectory(dir=name) as work:
                    held.append(measure(given, Path(work), chosen, questions))
                print(chosen, held[-1], file=sys.stderr, flush=True)
    names = [*figures[CHOSEN][0]]
    rows = []
    for (version, block), held in figures.items():
        cells = [f"{statistics.median(one[name] for one in held):.2f}" for name in names]
        loads = [one["load"] / ours["load"] for one, ours in zip(held, figures[CHOSEN], strict=True)]
        rows.append([version, f"{block:,}", *cells, spread(loads)])
    print(f"\n{reviews:,} reviews:\n")
    print(markdown_table(["version", "block", *names, "load, chosen = 1"], rows))


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--reviews", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--formats", type=int, help="so many of them; all unless said")
    options.add_argument("--questions", type=int, help="so many of them; all unless said")
    chosen = options.parse_args()
    compare(chosen.reviews, chosen.rounds, chosen.formats, chosen.questions)


if __name__ == "__main__":
    main()
