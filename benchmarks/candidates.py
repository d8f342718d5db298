"""Tools of other sites beside the panel's: labelled pairs, and what another threshold of similar names would give.

uv run python -m benchmarks.candidates [--wrong]
"""

from verdicts.normalize.outside import matching

from benchmarks.measuring import markdown_table, options_of
from builders.named_tools import decided, measured, pairs

THRESHOLDS = (0.80, 0.85, 0.90, 0.925, 0.95, 0.975, 0.99)


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--wrong", action="store_true", help="name the pairs that are not decided as they are")
    shows_wrong = options.parse_args().wrong
    labelled = pairs()
    print(f"{len(labelled)} pairs, {sum(pair.is_same for pair in labelled)} of them one tool\n")
    lines = []
    chosen = matching.MIN_SIMILARITY
    for threshold in THRESHOLDS:
        matching.MIN_SIMILARITY = threshold
        lines.append([f"{threshold:.3f}", *(f"{share:.3f}" for share in measured())])
    matching.MIN_SIMILARITY = chosen
    print(
        markdown_table(["similar from", "merged precision", "merged recall", "candidates precision", "recall"], lines)
    )
    if shows_wrong:
        for pair in labelled:
            if (decision := decided(pair)) != ("none" if not pair.is_same else "merged"):
                print(decision, "same" if pair.is_same else "other", pair.name, pair.link, "-", pair.tool)


if __name__ == "__main__":
    main()
