"""Quality of the corpus: deduplication, attribution, identity and products on generated worlds, against their truth.

uv run python -m benchmarks.quality [--appearances 10000 100000]
uv run python -m benchmarks.quality --names          tools that other sites name
"""

from collections import defaultdict

from benchmarks.measuring import make_options, markdown_table
from builders import named_tools, quality

LABELLED = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
WORLDS = {"dense": 27, "sparse": 5}
"""Reviews per tool: in a dense world most tools are on several pages, in a sparse one many are on a single page."""


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


def names() -> None:
    """Pairs of tools, of which it is known whether they are the same."""
    head = ["merged precision", "merged recall", "candidates precision", "recall"]
    print(markdown_table(head, [[f"{share:.3f}" for share in named_tools.measure()]]))


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--appearances", type=int, nargs="+", default=[10_000, 100_000])
    options.add_argument("--labelled", type=float, nargs="+", default=LABELLED)
    options.add_argument("--world", choices=WORLDS, nargs="+", default=list(WORLDS))
    options.add_argument("--names", action="store_true", help="tools that other sites name")
    chosen = options.parse_args()
    if chosen.names:
        names()
        return
    for appearances in chosen.appearances:
        report(appearances, {world: WORLDS[world] for world in chosen.world}, tuple(chosen.labelled))


if __name__ == "__main__":
    main()
