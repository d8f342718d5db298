"""Backups, restores and compactions killed at every moment at which they make something durable.

    python -m benchmarks.care_kills [POINTS]

Prints how many moments each has, and what was wrong afterwards.
"""

import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from builders import dying  # noqa: E402
from pipeline.data_folder import DataFolder  # noqa: E402


def main(points: int) -> int:
    found = 0
    with tempfile.TemporaryDirectory() as name:
        for work in ("backup", "restore", "compact"):
            scratch = Path(name) / work
            scratch.mkdir()
            data = scratch / "data"
            if work == "compact":
                dying.make_nights(DataFolder(data))
            else:
                dying.in_process("make", data, scratch)
            ticks, problems = dying.in_process(work, data, scratch, seed=1, points=points, limit_s=7200)
            print(f"{work:<8} {min(ticks, points):>4} of {ticks} moments, and a full disk: {len(problems)} problems")
            print(*problems, sep="\n")
            found += len(problems)
    return found


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)))
