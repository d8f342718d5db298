"""What loading, publishing, exporting and asking cost, ours beside dlt and beside what DuckDB does at best.

uv run --group peers python -m benchmarks.warehouse --reviews 1000000 --rounds 3
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measuring import Cost, cost_of, installed, markdown_table, options_of, ratio, spread
from benchmarks.warehouse_contenders import CONTENDERS, NEEDS, digest, digest_files
from benchmarks.warehouse_corpus import make_corpus, make_night
from verdicts.warehouse.serving.named_queries import list_queries
from verdicts.warehouse.serving.query import ask

NIGHT_SHARE = 0.01
SEARCHES = ("agent", "agentaccept", "the editor agentmix never agentquery")


def questions(corpus: Path, rounds: int, most: int | None) -> dict[str, list[float]]:
    """Milliseconds of each named question and some searches, from opening the file to the last row."""
    asked = {query.name: (query.sql, query.bound({})) for query in list_queries()[:most]}
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
    contenders = installed(CONTENDERS, NEEDS)
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
    cost = cost_of(CONTENDERS[contender], given, work)
    print(contender, cost, file=sys.stderr, flush=True)
    return cost


BESIDE = {
    "ours": "ours",
    "ctas": "ours",
    "dlt arrow": "ours",
    "dlt dicts": "ours",
    "dlt dicts, parquet": "ours",
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
    options = options_of(__doc__)
    options.add_argument("--reviews", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--dicts", type=int, default=1, help="rounds in which dlt is given dicts")
    options.add_argument("--inserts", type=int, default=1, help="rounds in which it makes INSERT statements of them")
    options.add_argument("--questions", type=int, help="so many of the named ones; all unless said")
    chosen = options.parse_args()
    most = {"dlt dicts": chosen.inserts, "dlt dicts, parquet": chosen.dicts}
    compare(chosen.reviews, chosen.rounds, most, chosen.questions)


if __name__ == "__main__":
    main()
