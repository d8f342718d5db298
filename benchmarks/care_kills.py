"""Snapshots and compactions killed at every moment at which they make something durable.

    python -m benchmarks.care_kills [--points 60] [--work snapshot]

Prints how many moments each has, and what was wrong afterwards.
"""

import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import options_of
from builders import dying
from verdicts.pipeline.data_folder import DataFolder

WORK = ("snapshot", "compact")


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--points", type=int, default=10_000, help="moments of each at most")
    options.add_argument("--work", choices=WORK, nargs="+", default=WORK)
    chosen = options.parse_args()
    found = 0
    with tempfile.TemporaryDirectory() as name:
        for work in chosen.work:
            scratch = Path(name) / work
            scratch.mkdir()
            data = scratch / "data"
            if work == "compact":
                dying.make_nights(DataFolder(data))
            else:
                dying.in_process("make", data, scratch)
            ticks, problems = dying.in_process(work, data, scratch, seed=1, points=chosen.points, limit_s=7200)
            tried = min(ticks, chosen.points)
            print(f"{work:<8} {tried:>4} of {ticks} moments, and a full disk: {len(problems)} problems")
            print(*problems, sep="\n")
            found += len(problems)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
