"""What happens to the workers of a cluster while they work: killed, stopped for a while, both at seeded moments."""

import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from builders.dask_cluster import DaskCluster

PAUSE_S = (0.1, 1.5)
"""Between two troubles, by the seed."""

STOPPED_S = (0.1, 4.0)
"""A worker counts as dead after three."""


@contextmanager
def trouble(cluster: DaskCluster, workers: Sequence[str], seed: int) -> Iterator[Counter[str]]:
    """Until the context ends; then all of these workers are there and go on. Gives what has happened so far."""
    chance, over = random.Random(seed), threading.Event()
    happened: Counter[str] = Counter()

    def make() -> None:
        while not over.wait(chance.uniform(*PAUSE_S)):
            name = chance.choice(workers)
            if chance.random() < 0.6:
                cluster.kill(name)
                cluster.start_worker(name)
                happened["killed"] += 1
            else:
                pid = cluster.processes[name].pid
                os.kill(pid, signal.SIGSTOP)
                over.wait(chance.uniform(*STOPPED_S))
                os.kill(pid, signal.SIGCONT)
                happened["stopped"] += 1

    maker = threading.Thread(target=make)
    maker.start()
    try:
        yield happened
    finally:
        over.set()
        maker.join()
