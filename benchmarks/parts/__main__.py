"""Starts the parts, stops them, says whether they run."""

import argparse
from pathlib import Path

from benchmarks.parts.keeper import keep
from benchmarks.parts.running import ENV, is_kept, read_env, start, stop


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.parts", description=__doc__)
    # "keep" is what `start` begins: the process whose children the parts are.
    options.add_argument("what", choices=("start", "stop", "status", "keep"))
    options.add_argument("folder", type=Path)
    options.add_argument("--workers", type=int, default=2, help="worker processes of Dask")
    options.add_argument("--until-eof", action="store_true", help="keep: stop where the standard input ends")
    chosen = options.parse_args()
    folder = chosen.folder.absolute()
    if chosen.what == "keep":
        keep(folder, chosen.workers, until_eof=chosen.until_eof)
    elif chosen.what == "stop":
        stop(folder)
    elif chosen.what == "start":
        start(folder, chosen.workers)
        print((folder / ENV).read_text(encoding="utf-8"), end="")
    elif is_kept(folder):
        env = read_env(folder)
        print("running" if env else "starting", *(f"{name}={value}" for name, value in env.items()), sep="\n")
    else:
        print("not running")


if __name__ == "__main__":
    main()
