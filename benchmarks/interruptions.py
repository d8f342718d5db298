"""Every command ended by every signal at six moments, each run again and compared with one that nobody disturbed.

uv run python -m benchmarks.interruptions [--commands run crawl ...] [--moments 6] [--seed 1]
"""

import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from rich.progress import track

from benchmarks.measuring import markdown_table, options_of
from builders import interruptions
from builders.command import verdicts
from builders.interruptions import CASES

SIGNALS = {
    "SIGINT": (signal.SIGINT, 1),
    "SIGINT twice": (signal.SIGINT, 2),
    "SIGTERM": (signal.SIGTERM, 1),
    "SIGHUP": (signal.SIGHUP, 1),
}


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--commands", nargs="+", choices=CASES, default=list(CASES))
    options.add_argument("--signals", nargs="+", choices=SIGNALS, default=list(SIGNALS))
    options.add_argument("--moments", type=int, default=6)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    chance = random.Random(chosen.seed)
    ended: Counter[tuple[str, str]] = Counter()
    tried: Counter[tuple[str, str]] = Counter()
    failures = []
    for command in chosen.commands:
        case = CASES[command]
        with tempfile.TemporaryDirectory() as name:
            begin, whole, home = (Path(name) / part for part in ("begin", "whole", "home"))
            interruptions.prepare(begin, case.earlier)
            shutil.copytree(begin, whole)
            began = time.monotonic()
            done = verdicts(*case.call, cwd=whole)
            lasts = time.monotonic() - began
            assert done.returncode == 0, done.stderr
            expected = case.result(whole)
            points = [(kind, number) for kind in chosen.signals for number in range(chosen.moments)]
            for kind, number in track(points, description=command):
                share = (number + chance.random()) / chosen.moments
                number_of, times = SIGNALS[kind]
                shutil.copytree(begin, home)
                process = interruptions.start(*case.call, cwd=home)
                time.sleep(share * lasts)
                result = interruptions.end(process, number_of, times=times)
                wrong = result.complaint(number_of) or interruptions.failure(home, case, expected)
                tried[command, kind] += 1
                if wrong is None:
                    ended[command, kind] += 1
                else:
                    failures.append(f"{command}, {kind} after {share:.2f} of {lasts:.1f} s: {wrong}")
                    print(failures[-1], flush=True)
                shutil.rmtree(home)
    lines = [
        [command, *(f"{ended[command, kind]} of {tried[command, kind]}" for kind in chosen.signals)]
        for command in chosen.commands
    ]
    print(markdown_table(["command", *chosen.signals], lines))
    print("\n".join(failures))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
