"""Precision and recall of extraction, field by field, on every rendering of the demo site and on its redesigns.

uv run python -m benchmarks.fidelity [--kinds]

With --other-site: the pages of a second generator, by class. Silent is what is wrong or lost on a page that is neither
refused nor flagged.

uv run python -m benchmarks.fidelity --other-site [--kinds | --layouts | --show KIND] [--seeds 2 --pairs 1000 | --share]
"""

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import chain, islice
from pathlib import Path

from benchmarks.measuring import markdown_table, options_of
from builders import fidelity
from builders.other_site import cases, gate
from builders.other_site.gate import Reading, read


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


def own_pages(most: int | None, *, by_kind: bool) -> None:
    for title, made in (("Renderings", fidelity.renderings()), ("Redesigns", fidelity.mutations())):
        pages = list(islice(made, most))
        total, kinds = fidelity.Score(), defaultdict(fidelity.Score)
        for case in pages:
            for score in (total, kinds[case.kind]):
                fidelity.read(case, score)
        print(f"\n{title}: {len(pages):,} pages, {fidelity.digest(pages)[:16]}\n")
        print(table(total))
        if by_kind:
            for kind, score in kinds.items():
                right, wrong, missing = (sum(part.values()) for part in (score.right, score.wrong, score.missing))
                print(f"{kind:40} right {right:6} wrong {wrong:5} missing {missing:5}")


def other_site(options: argparse.Namespace) -> None:
    made = cases.share() if options.share else chain(cases.singles(range(options.seeds)), cases.pairs(options.pairs))
    pages = list(islice(made, options.most))
    if options.show:
        show([case for case in pages if options.show in case.name], Path(tempfile.mkdtemp(prefix="gate-")))
        return
    readings = [read(case) for case in pages]
    print(f"\nOther site: {len(pages):,} pages of {len(cases.KINDS)} kinds, {cases.digest(pages)}\n")
    if options.kinds:
        print(counted("kind", readings, lambda reading: f"{reading.case.family}: {reading.case.name}"))
    elif options.layouts:
        print(counted("layout", readings, lambda reading: reading.case.layout))
    else:
        print(counted("class", readings, lambda reading: reading.case.family))


def counted(title: str, readings: Sequence[Reading], name: Callable[[Reading], str]) -> str:
    groups = gate.grouped(readings, name)
    rows = [(group, *(f"{counts[column]:,}" for column in gate.COLUMNS)) for group, counts in groups]
    return markdown_table((title, *gate.COLUMNS), rows)


def show(pages: Sequence[cases.Case], folder: Path) -> None:
    """Every page of a kind that is not simply right, with what is wrong."""
    for case in pages:
        reading = read(case)
        if reading.state != "right":
            print("\n".join(gate.shown(reading, folder)))


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--kinds", action="store_true", help="one line for each kind of page")
    options.add_argument("--other-site", action="store_true", help="the pages of the second generator")
    options.add_argument("--layouts", action="store_true", help="one line for each of its layouts")
    options.add_argument("--pairs", type=int, default=0, metavar="N", help="N of its pages of two kinds each, too")
    options.add_argument("--seeds", type=int, default=2, metavar="N", help="N pages of each kind and layout")
    options.add_argument("--share", action="store_true", help="only those of its pages that the tests read")
    options.add_argument("--show", metavar="KIND", help="what is wrong on its pages whose kind holds this word")
    options.add_argument("--most", type=int, metavar="N", help="the first N pages alone")
    given = options.parse_args()
    if given.other_site:
        other_site(given)
    else:
        own_pages(given.most, by_kind=given.kinds)


if __name__ == "__main__":
    main()
