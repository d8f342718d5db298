"""A night in a process of its own that is killed in its middle, or whose disk is full.

    python -m builders.month.troubled_night DATA CONFIG MOMENT SEED TROUBLE HOST=PORT...

`TROUBLE` is `kill:STAGE:TICK`, with a stage of fetch (before an attempt is logged) or load (before a table is merged),
or `full:BYTES`, which no file may exceed from then on. Prints the exit code and the last line as JSON.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from datetime import datetime
from importlib import import_module
from pathlib import Path

from builders.month.night import Ended, run
from builders.month.serving import Addresses

TESTS = Path(__file__).parents[2]
KILLED = -signal.SIGKILL


def troubled(data: Path, config: Path, at: datetime, addresses: Addresses, seed: int, trouble: str) -> Ended:
    """The night in a process of its own."""
    where = [f"{host}={port}" for host, (_, port) in addresses.items()]
    call = [sys.executable, "-m", "builders.month.troubled_night", data, config, at.isoformat(), seed, trouble, *where]
    done = subprocess.run([*map(str, call)], cwd=TESTS, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode == KILLED:
        return Ended(KILLED, f"killed ({trouble})", done.stderr)
    assert done.returncode == 0, done.stderr
    code, line = json.loads(done.stdout.splitlines()[-1])
    return Ended(code, line, done.stderr)


def kill_at(stage: str, tick: int) -> None:
    """This process kills itself at a tick of a stage. It commits often, as a long night does."""
    crawling = import_module("verdicts.fetch.run.crawl")
    crawling.COMMIT_EVERY_S = 0.02
    owner, name = {
        "fetch": (import_module("verdicts.fetch.store.store").Store, "log"),
        "load": (import_module("verdicts.warehouse.loading.load"), "merge"),
    }[stage]
    real, ticks = getattr(owner, name), iter(range(1, tick))

    def ticking(*args, **kwargs):
        if next(ticks, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **kwargs)

    setattr(owner, name, ticking)


def main() -> None:
    data, config, at, seed, trouble, *where = sys.argv[1:]
    addresses = {host: ("127.0.0.1", int(port)) for host, _, port in (item.partition("=") for item in where)}
    kind, *how = trouble.split(":")
    if kind == "kill":
        kill_at(how[0], int(how[1]))
    else:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(how[0]), int(how[0])))
    ended = run(Path(data), Path(config), datetime.fromisoformat(at), addresses, seed=int(seed))
    print(json.dumps([ended.code, ended.line]))


if __name__ == "__main__":
    main()
