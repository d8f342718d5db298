"""Quality of the corpus: deduplication, attribution, identity and products on generated worlds, against their truth.

uv run python -m benchmarks.quality [--appearances 10000 100000] [--thresholds]
uv run python -m benchmarks.quality --names          tools that other sites name: what other thresholds would give
"""

from collections import defaultdict
from dataclasses import replace
from typing import Any

from benchmarks.measuring import make_options, markdown_table
from builders import named_tools, quality
from builders.made_corpora import make_pages
from builders.made_observations import fold_mentions, make_mentions
from verdicts.normalize import external
from verdicts.normalize.dedup.similarity import THRESHOLDS

LABELLED = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
WORLDS = {"dense": 27, "sparse": 5}
"""Reviews per tool: in a dense world most tools are on several pages, in a sparse one many are on a single page."""

VARIED: dict[str, tuple[float, ...]] = {
    "near_ratio": (0.70, 0.76, 0.82, 0.88, 0.94),
    "prefix_share": (0.80, 0.93, 0.99),
    "prefix_min": (30, 60, 90, 120),
    "texts_a_tool": (4, 16, 100, 500),
}


def report(appearances: int, worlds: dict[str, int], shares: tuple[float, ...]) -> None:
    for world, takes_a_tool in worlds.items():
        measured = {
            share: quality.make_and_measure(appearances, seed=1, labelled=share, takes_a_tool=takes_a_tool)
            for share in shares
        }
        print(f"\n{appearances:,} appearances, {world} world, by the share of pages that are labelled:\n")
        print(markdown_table(["", *(f"{share:.0%}" for share in shares)], _lines(measured)), flush=True)
        bins: dict[float, list[quality.Bin]] = defaultdict(list)
        for world_quality in measured.values():
            for bin_ in world_quality.calibration:
                bins[bin_.confidence].append(bin_)
        print(f"\nConfidence, {world} world, all shares together:\n")
        print(markdown_table(["confidence", "reviews", "right"], _calibration(bins)), flush=True)


def _lines(measured: dict[float, quality.Quality]) -> list[list[str]]:
    worlds = measured.values()
    lines = []
    for part, form in (("shares", ".4f"), ("counts", ",")):
        for name in dict.fromkeys(name for world in worlds for name in getattr(world, part)):
            values = (getattr(world, part).get(name) for world in worlds)
            lines.append([name.replace("_", " "), *("" if value is None else f"{value:{form}}" for value in values)])
    return lines


def _calibration(bins: dict[float, list[quality.Bin]]) -> list[list[str]]:
    lines = []
    for confidence, of_confidence in sorted(bins.items()):
        reviews = sum(bin_.reviews for bin_ in of_confidence)
        right = sum(bin_.reviews * bin_.precision for bin_ in of_confidence) / reviews
        lines.append([f"{confidence:g}", f"{reviews:,}", f"{right:.3f}"])
    return lines


def thresholds(appearances: int) -> None:
    """What each threshold does: precision and recall of deduplication with other values, all else unchanged."""
    pages = list(make_pages(appearances, seed=1, labelled=0.2))
    mentions = make_mentions(pages)
    truth = [((page.b if take.is_b else page.a).number, take.reviewer) for page in pages for take in page.takes]
    lines = []
    for name, values in VARIED.items():
        for value in values:
            threshold: Any = type(getattr(THRESHOLDS, name))(value)
            folding = fold_mentions(mentions, replace(THRESHOLDS, **{name: threshold}))
            assigned = [folding.texts[one.text_id].review_id for one in mentions]
            pairs = quality.pairs(assigned, truth)
            mark = " (ours)" if threshold == getattr(THRESHOLDS, name) else ""
            lookalikes = len(folding.lookalikes)
            lines.append([f"{name} {value:g}{mark}", f"{pairs.precision:.6f}", f"{pairs.recall:.6f}", str(lookalikes)])
    print(f"\n{appearances:,} appearances, a fifth of the pages labelled:\n")
    print(markdown_table(["threshold", "precision", "recall", "lookalikes"], lines))


def names() -> None:
    """Labelled pairs of tools, by how similar their names have to be."""
    chosen, lines = external.MIN_SIMILARITY, []
    for threshold in (0.80, 0.85, 0.90, 0.925, chosen, 0.975, 0.99):
        external.MIN_SIMILARITY = threshold
        lines.append([f"{threshold:.3f}", *(f"{share:.3f}" for share in named_tools.measure())])
    external.MIN_SIMILARITY = chosen
    head = ["similar from", "merged precision", "merged recall", "candidates precision", "recall"]
    print(markdown_table(head, lines))


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--appearances", type=int, nargs="+", default=[10_000, 100_000])
    options.add_argument("--labelled", type=float, nargs="+", default=LABELLED)
    options.add_argument("--world", choices=WORLDS, nargs="+", default=list(WORLDS))
    options.add_argument("--thresholds", action="store_true", help="what each threshold of deduplication does")
    options.add_argument("--names", action="store_true", help="tools that other sites name, by threshold")
    chosen = options.parse_args()
    if chosen.names:
        names()
        return
    for appearances in chosen.appearances:
        if chosen.thresholds:
            thresholds(appearances)
        else:
            worlds = {world: WORLDS[world] for world in chosen.world}
            report(appearances, worlds, tuple(chosen.labelled))


if __name__ == "__main__":
    main()
