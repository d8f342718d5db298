"""Cost of deduplicating takes: ours, MinHash libraries, SQL and a lower bound, on one generated corpus.

uv run --group peers python -m benchmarks.dedupe_speed --appearances 1000000 --rounds 3
uv run --group peers python -m benchmarks.dedupe_speed --articles 400 --rounds 3
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl

from benchmarks.dedupe_contenders import CONTENDERS
from benchmarks.tables import markdown_table, spread
from builders import quality
from builders.made_articles import renderings
from builders.made_corpora import make_pages
from normalize.dedup.distinct_texts import MENTION_SCHEMA

SEED = 1
LABELLED = 0.5


def make(appearances: int, folder: Path) -> Path:
    """The mentions of a corpus with their truth, as a Parquet file; those of one page follow each other."""
    pages = list(make_pages(appearances, seed=SEED, labelled=LABELLED))
    truth = [f"{(page.b if take.is_b else page.a).number}/{take.seat}" for page in pages for take in page.takes]
    path = folder / "rows.parquet"
    quality.mention_frame(pages).with_columns(truth=pl.Series(truth)).write_parquet(path)
    return path


def make_articles(articles: int, folder: Path) -> Path:
    """Six renderings of each article with their truth: each on a page of its own, all of the same two tools."""
    made = [*renderings(articles, seed=SEED)]
    rows = [(item.text, page, 0, 1, 2, None) for page, item in enumerate(made)]
    path = folder / "rows.parquet"
    mentions = pl.DataFrame(rows, schema=MENTION_SCHEMA, orient="row")
    mentions.with_columns(truth=pl.Series([str(item.article) for item in made])).write_parquet(path)
    return path


def measure(name: str, path: Path) -> None:
    """Runs one contender in this process and prints its figures as a line of JSON."""
    rows = pl.read_parquet(path)
    mentions = rows.drop("truth")
    before = resource.getrusage(resource.RUSAGE_SELF)
    wall = time.perf_counter()
    clusters = CONTENDERS[name](mentions)
    wall = time.perf_counter() - wall
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    pairs = quality.pairs(clusters, rows["truth"].to_list())
    print(json.dumps({"wall": wall, "cpu": cpu, "mb": after.ru_maxrss / 1024, "p": pairs.precision, "r": pairs.recall}))


def compare(make_rows: Callable[[Path], Path], title: str, names: list[str], rounds: int) -> None:
    figures: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        path = make_rows(Path(folder))
        for _ in range(rounds):
            for name in names:
                command = [sys.executable, "-m", "benchmarks.dedupe_speed", "--measure", name, str(path)]
                ran = subprocess.run(command, capture_output=True, text=True, check=True)
                figures[name].append(json.loads(ran.stdout.splitlines()[-1]))
                print(name, ran.stdout.splitlines()[-1], file=sys.stderr, flush=True)
    print(f"\n{title}:\n")
    head = ["", "wall s", "CPU s", "peak MB", "precision", "recall", "CPU, ours = 1"]
    print(markdown_table(head, (_line(name, figures) for name in names)))


def _line(name: str, figures: dict[str, list[dict[str, float]]]) -> list[str]:
    rounds = figures[name]
    ratios = [round_["cpu"] / ours["cpu"] for round_, ours in zip(rounds, figures["ours"], strict=True)]
    return [
        name,
        f"{statistics.median(round_['wall'] for round_ in rounds):.2f}",
        f"{statistics.median(round_['cpu'] for round_ in rounds):.2f}",
        f"{max(round_['mb'] for round_ in rounds):,.0f}",
        f"{rounds[0]['p']:.6f}",
        f"{rounds[0]['r']:.6f}",
        f"{statistics.median(ratios):.2f} ({spread(ratios)})",
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--appearances", type=int, default=100_000)
    options.add_argument(
        "--contenders", nargs="+", choices=CONTENDERS, default=["ours", "limit", "rensa", "rensa_first", "datasketch"]
    )
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--articles", type=int, help="renderings of so many articles under two unknown tools instead")
    options.add_argument("--measure", nargs=2, metavar=("NAME", "ROWS"), help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.measure:
        measure(chosen.measure[0], Path(chosen.measure[1]))
    elif chosen.articles:
        title = f"six renderings of each of {chosen.articles:,} articles"
        compare(lambda folder: make_articles(chosen.articles, folder), title, chosen.contenders, chosen.rounds)
    else:
        title = f"{chosen.appearances:,} appearances"
        compare(lambda folder: make(chosen.appearances, folder), title, chosen.contenders, chosen.rounds)


if __name__ == "__main__":
    main()
