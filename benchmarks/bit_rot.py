"""Bytes flipped, files cut and files removed in a data folder: each is found or harmless, and mended.

    uv run python -m benchmarks.bit_rot [--faults 200] [--seed 1] [--built 1] [--mended 5]

After each, an analyst's commands, then a build and a publication. Found: a command ends with a documented code and says
what is damaged. Harmless: every answer is as before. Silent: an answer differs and nothing says so. Wrong is a crash,
an error that names no file, and a folder whose rows or digests differ after `repair`.
"""

import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from rich.progress import track

from benchmarks.measuring import markdown_table, options_of
from builders import bit_rot


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--faults", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument(
        "--built", type=int, default=1, help="after every so many faults a build and a publication; 0 is never"
    )
    options.add_argument("--mended", type=int, default=5, help="a repair after every so many; 0 is never")
    chosen = options.parse_args()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        whole = bit_rot.make_in_a_fork(home / "whole")
        expected = bit_rot.Expected.of(whole, home)
        faults = list(bit_rot.faults(whole, chosen.faults, chosen.seed))
        for number, fault in enumerate(track(faults, description="faults")):
            is_built, is_mended = (bool(every) and number % every == 0 for every in (chosen.built, chosen.mended))
            verdict = bit_rot.judge(fault, whole, home, expected, is_built=is_built, is_mended=is_mended)
            counts[fault.kind][verdict.how] += 1
            counts[fault.kind][verdict.first] += 1
            wrong += [f"{fault}: {problem}" for problem in verdict.problems]
            print(f"{fault}: {verdict.how} {verdict.first} {len(verdict.problems)} wrong", file=sys.stderr)
    hows = ("found", "harmless", "silent")
    heads = sorted({name for count in counts.values() for name in count} - {*hows, ""})
    rows = [
        (kind, str(sum(count[how] for how in hows)), *(str(count[name]) for name in (*heads, "harmless", "silent")))
        for kind, count in counts.items()
    ]
    print(markdown_table(("file", "faults", *(f"found by {name}" for name in heads), "harmless", "silent"), rows))
    print(f"{chosen.faults} faults, {len(wrong)} wrong")
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
