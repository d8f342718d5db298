"""How true the corpus is: dedupe, attribution, identity and products on made worlds, against what they say.

uv run python -m benchmarks.quality [--appearances 10000 100000] [--thresholds]
"""

import argparse
from collections import defaultdict
from dataclasses import replace
from typing import Any

import polars as pl

from benchmarks.dedupe_contenders import ToolIds
from benchmarks.tables import markdown_table
from builders import quality
from builders.made_corpora import MadePage, make_pages
from normalize.dedup.deduplicate import TakeClusters
from normalize.dedup.distinct_texts import MENTION_SCHEMA
from normalize.dedup.thresholds import THRESHOLDS

LABELLED = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
WORLDS = {"dense": 27, "sparse": 5}
"""Takes a tool: in a dense world most tools stand on several pages, in a sparse one many on one alone."""

VARIED: dict[str, tuple[float, ...]] = {
    "near_ratio": (0.70, 0.76, 0.82, 0.88, 0.94),
    "prefix_share": (0.80, 0.93, 0.99),
    "prefix_min": (30, 60, 90, 120),
    "excerpt_containment": (0.4, 0.6, 0.8),
    "max_unknown_per_tool": (0, 8, 32, 256),
    "max_per_tool": (4, 16, 256),
}


def report(appearances: int, worlds: dict[str, int], shares: tuple[float, ...]) -> None:
    for world, takes_a_tool in worlds.items():
        found = {
            share: quality.make_and_measure(appearances, seed=1, labelled=share, takes_a_tool=takes_a_tool)
            for share in shares
        }
        print(f"\n{appearances:,} appearances, {world} world, by the share of pages that are labelled:\n")
        print(markdown_table(["", *(f"{share:.0%}" for share in shares)], _lines(found)), flush=True)
        trust: dict[float, list[quality.Bin]] = defaultdict(list)
        for measured in found.values():
            for held in measured.calibration:
                trust[held.confidence].append(held)
        print(f"\nConfidence, {world} world, all shares together:\n")
        print(markdown_table(["confidence", "reviews", "right"], _trust(trust)), flush=True)


def _lines(found: dict[float, quality.Quality]) -> list[list[str]]:
    kinds = sorted({kind for measured in found.values() for kind in measured.kinds})
    lines = [
        ["dedupe precision", *(f"{one.dedupe.precision:.4f}" for one in found.values())],
        ["dedupe recall", *(f"{one.dedupe.recall:.4f}" for one in found.values())],
    ]
    for kind in kinds:
        held = [one.kinds.get(kind) for one in found.values()]
        lines.append([f"{kind} takes", *(f"{one.takes:,}" if one else "0" for one in held)])
        lines.append([f"{kind} precision", *(f"{one.precision:.4f}" if one else "" for one in held)])
    lines += [
        ["by more than row order", *(f"{one.evidenced:.4f}" for one in found.values())],
        ["with a seat", *(f"{one.seated:.4f}" for one in found.values())],
        ["seat precision", *(f"{one.seat_precision:.4f}" for one in found.values())],
        ["tools precision", *(f"{one.tools.precision:.4f}" for one in found.values())],
        ["tools recall", *(f"{one.tools.recall:.4f}" for one in found.values())],
        ["products precision", *(f"{one.products.precision:.4f}" for one in found.values())],
        ["products recall", *(f"{one.products.recall:.4f}" for one in found.values())],
        ["lookalikes", *(f"{one.lookalikes}" for one in found.values())],
        ["takes lost", *(f"{one.lost}" for one in found.values())],
    ]
    return lines


def _trust(trust: dict[float, list[quality.Bin]]) -> list[list[str]]:
    lines = []
    for confidence, held in sorted(trust.items()):
        reviews = sum(one.reviews for one in held)
        right = sum(one.reviews * one.precision for one in held) / reviews
        lines.append([f"{confidence:g}", f"{reviews:,}", f"{right:.3f}"])
    return lines


def thresholds(appearances: int) -> None:
    """What each threshold does: precision and recall of folding with other values, all else as it is."""
    pages = list(make_pages(appearances, seed=1, labelled=0.2))
    mentions = mention_frame(pages)
    truth = [((page.b if take.is_b else page.a).number, take.seat) for page in pages for take in page.takes]
    lines = []
    for name, values in VARIED.items():
        for value in values:
            threshold: Any = type(getattr(THRESHOLDS, name))(value)
            clusters = TakeClusters(ToolIds(), replace(THRESHOLDS, **{name: threshold}))
            assigned = [member.canonical.text_id for member in clusters.add_day(mentions)]
            pairs = quality.pairs(assigned, truth)
            mark = " (ours)" if threshold == getattr(THRESHOLDS, name) else ""
            lookalikes = sum(1 for _ in clusters.lookalikes())
            lines.append([f"{name} {value:g}{mark}", f"{pairs.precision:.6f}", f"{pairs.recall:.6f}", str(lookalikes)])
    print(f"\n{appearances:,} appearances, a fifth of the pages labelled:\n")
    print(markdown_table(["threshold", "precision", "recall", "lookalikes"], lines))


def mention_frame(pages: list[MadePage]) -> pl.DataFrame:
    """The takes of pages as a night of sightings, tools by their number in the world."""
    rows = [
        (take.text, page.number, page.a.number, page.b.number, told.number if page.is_labelled else None)
        for page in pages
        for take in page.takes
        for told in ((page.b if take.is_b else page.a),)
    ]
    return pl.DataFrame(rows, schema=MENTION_SCHEMA, orient="row")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--appearances", type=int, nargs="+", default=[10_000, 100_000])
    options.add_argument("--labelled", type=float, nargs="+", default=LABELLED)
    options.add_argument("--world", choices=WORLDS, nargs="+", default=list(WORLDS))
    options.add_argument("--thresholds", action="store_true", help="what each threshold of folding does")
    chosen = options.parse_args()
    for appearances in chosen.appearances:
        if chosen.thresholds:
            thresholds(appearances)
        else:
            worlds = {world: WORLDS[world] for world in chosen.world}
            report(appearances, worlds, tuple(chosen.labelled))


if __name__ == "__main__":
    main()
