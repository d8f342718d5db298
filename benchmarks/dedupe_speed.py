"""Cost of deduplicating takes: ours, MinHash libraries, SQL and a lower bound, on one generated corpus.

uv run --group peers python -m benchmarks.dedupe_speed --appearances 1000000 --rounds 3
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

from benchmarks.dedupe_contenders import CONTENDERS, ToolIds
from benchmarks.quality import mention_frame, quality
from benchmarks.tables import markdown_table, spread
from builders.made_corpora import make_pages
from normalize.dedup.deduplicate import TakeClusters

SEED = 1
LABELLED = 0.5
NIGHT = 10_000


def make(appearances: int, folder: Path) -> Path:
    """The mentions of a corpus with their truth, as a Parquet file; those of one page follow each other."""
    pages = list(make_pages(appearances, seed=SEED, labelled=LABELLED))
    truth = [f"{(page.b if take.is_b else page.a).number}/{take.seat}" for page in pages for take in page.takes]
    path = folder / "rows.parquet"
    mention_frame(pages).with_columns(truth=pl.Series(truth)).write_parquet(path)
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


def compare(appearances: int, names: list[str], rounds: int) -> None:
    figures: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        path = make(appearances, Path(folder))
        for _ in range(rounds):
            for name in names:
                command = [sys.executable, "-m", "benchmarks.dedupe_speed", "--measure", name, str(path)]
                ran = subprocess.run(command, capture_output=True, text=True, check=True)
                figures[name].append(json.loads(ran.stdout.splitlines()[-1]))
                print(name, ran.stdout.splitlines()[-1], file=sys.stderr, flush=True)
    print(f"\n{appearances:,} appearances:\n")
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


def night(known: list[int], rounds: int) -> None:
    """Adds a night of new appearances to corpora of several sizes."""
    lines = []
    for size in known:
        pages = list(make_pages(size + NIGHT, seed=SEED, labelled=LABELLED))
        whole = mention_frame(pages)
        walls, cpus = [], []
        for _ in range(rounds):
            clusters = TakeClusters(ToolIds())
            clusters.add_day(whole.head(size))
            wall, cpu = time.perf_counter(), time.process_time()
            clusters.add_day(whole.tail(len(whole) - size))
            walls.append(time.perf_counter() - wall)
            cpus.append(time.process_time() - cpu)
        lines.append([f"{size:,}", f"{statistics.median(walls):.3f}", spread(walls), f"{statistics.median(cpus):.3f}"])
    print(f"\nA night of {NIGHT:,} new appearances:\n")
    print(markdown_table(["appearances known", "wall s", "range", "CPU s"], lines))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--appearances", type=int, default=100_000)
    options.add_argument(
        "--contenders", nargs="+", choices=CONTENDERS, default=["ours", "limit", "rensa", "rensa_first", "datasketch"]
    )
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--night", type=int, nargs="+", help="known appearances under a night instead")
    options.add_argument("--measure", nargs=2, metavar=("NAME", "ROWS"), help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.measure:
        measure(chosen.measure[0], Path(chosen.measure[1]))
    elif chosen.night:
        night(chosen.night, chosen.rounds)
    else:
        compare(chosen.appearances, chosen.contenders, chosen.rounds)


if __name__ == "__main__":
    main()
