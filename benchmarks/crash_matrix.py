"""Nights killed with SIGKILL at many points, each resumed and compared row by row with one that nobody disturbed.

uv run python -m benchmarks.crash_matrix [--points 60] [--seed 1]
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

from rich.progress import track

from benchmarks.measuring import options_of
from builders import crashes


def failure(data: Path, point: crashes.Point, rows: object) -> str | None:
    """What is wrong after a night was killed and resumed; None where nothing is."""
    crashes.resume(data)
    if crashes.state_of(data) != rows:
        return f"{point}: other rows"
    if left := crashes.strays(data):
        return f"{point}: left {left}"
    if twice := crashes.stored_twice(data):
        return f"{point}: stored twice {twice}"
    return None


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--points", type=int, default=60)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    killed: Counter[str] = Counter()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        ticks, lasted = crashes.undisturbed(whole)
        rows = crashes.state_of(whole)
        points = crashes.spread(ticks, lasted, chosen.points, chosen.seed)
        for number, point in enumerate(track(points, description="nights")):
            data = Path(folder) / str(number)
            killed[point.stage] += crashes.kill(data, point)
            if (wrong := failure(data, point, rows)) is not None:
                failures.append(wrong)
    print(f"{sum(killed.values())} of {len(points)} nights killed: {dict(killed)}; {len(failures)} ended otherwise")
    print("\n".join(failures))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
