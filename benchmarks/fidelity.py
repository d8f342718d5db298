"""Precision and recall of extraction, field by field, on every rendering of the demo site and on its redesigns.

uv run python -m benchmarks.fidelity [--kinds]
"""

import argparse
from collections import defaultdict

from benchmarks.tables import markdown_table
from builders import fidelity


def table(score: fidelity.Score) -> str:
    rows = [
        (
            name,
            f"{score.precision(name):.4f}",
            f"{score.recall(name):.4f}",
            f"{score.right[name]:,}",
            f"{score.wrong[name]:,}",
            f"{score.missing[name]:,}",
        )
        for name in score.fields()
    ]
    return markdown_table(("field", "precision", "recall", "right", "wrong", "missing"), rows)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--kinds", action="store_true", help="one line for each kind of mutation")
    by_kind = options.parse_args().kinds
    for title, cases in (("Renderings", list(fidelity.renderings())), ("Redesigns", list(fidelity.mutations()))):
        total, kinds = fidelity.Score(), defaultdict(fidelity.Score)
        for case in cases:
            for score in (total, kinds[case.kind]):
                fidelity.read(case, score)
        print(f"\n{title}: {len(cases):,} pages, {fidelity.digest(cases)[:16]}\n")
        print(table(total))
        if by_kind:
            for kind, score in kinds.items():
                right, wrong, missing = (sum(part.values()) for part in (score.right, score.wrong, score.missing))
                print(f"{kind:40} right {right:6} wrong {wrong:5} missing {missing:5}")


if __name__ == "__main__":
    main()
