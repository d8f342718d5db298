"""Cost of deduplicating takes: ours, MinHash libraries, SQL and a lower bound, on one generated corpus.

uv run --group peers python -m benchmarks.dedupe_speed --appearances 1000000 --rounds 3
uv run --group peers python -m benchmarks.dedupe_speed --articles 400 --rounds 3
"""

import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

import polars as pl

from benchmarks.dedupe_contenders import CONTENDERS, NEEDS
from benchmarks.measuring import Cost, in_own_process, in_turns, installed, markdown_table, measured, options_of, ratio
from builders import quality
from builders.made_articles import renderings
from builders.made_corpora import make_pages
from verdicts.normalize.dedup.distinct_texts import MENTION_SCHEMA

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


def measure(name: str, path: Path) -> tuple[Cost, quality.Pairs]:
    """What one contender costs, and how right its clusters are."""
    rows = pl.read_parquet(path)
    mentions = rows.drop("truth")
    with measured() as cost:
        clusters = CONTENDERS[name](mentions)
    return cost, quality.pairs(clusters, rows["truth"].to_list())


def compare(make_rows: Callable[[Path], Path], title: str, names: list[str], rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = make_rows(Path(folder))
        figures = in_turns(rounds, names, lambda name: in_own_process(measure, name, path))
    print(f"\n{title}:\n")
    head = ["", "wall s", "CPU s", "peak MB", "precision", "recall", "CPU, ours = 1"]
    cpu = {name: [cost.cpu_s for cost, _ in found] for name, found in figures.items()}
    lines = [
        [
            name,
            f"{statistics.median(cost.wall_s for cost, _ in found):.2f}",
            f"{statistics.median(cpu[name]):.2f}",
            f"{max(cost.peak_mb for cost, _ in found):,.0f}",
            f"{found[0][1].precision:.6f}",
            f"{found[0][1].recall:.6f}",
            ratio(cpu[name], cpu["ours"]),
        ]
        for name, found in figures.items()
    ]
    print(markdown_table(head, lines))


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--appearances", type=int, default=100_000)
    options.add_argument(
        "--contenders", nargs="+", choices=CONTENDERS, default=["ours", "limit", "rensa", "rensa_first", "datasketch"]
    )
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--articles", type=int, help="renderings of so many articles under two unknown tools instead")
    chosen = options.parse_args()
    contenders = installed(chosen.contenders, NEEDS)
    if chosen.articles:
        title = f"six renderings of each of {chosen.articles:,} articles"
        compare(lambda folder: make_articles(chosen.articles, folder), title, contenders, chosen.rounds)
    else:
        title = f"{chosen.appearances:,} appearances"
        compare(lambda folder: make(chosen.appearances, folder), title, contenders, chosen.rounds)


if __name__ == "__main__":
    main()
