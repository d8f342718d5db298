"""What happens to the workers of a cluster while they work: killed, stopped for a while, both at seeded moments."""

import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from builders.dask_cluster import DaskCluster

BATCHES = (1, 8)
"""Done between two troubles, by the seed: however slow the machine is, there is an end."""

LATER_S = 0.3
"""So much after such a batch, at most: amid others."""

STOPPED_S = (0.1, 4.0)
"""A worker counts as dead after three."""


@dataclass
class Trouble:
    """`happened`: how often which. Told of each batch by `advance`."""

    cluster: DaskCluster
    workers: Sequence[str]
    chance: random.Random
    happened: Counter[str] = field(default_factory=Counter)
    over: threading.Event = field(default_factory=threading.Event)
    done: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def advance(self, *_: int) -> None:
        self.done.release()

    def make(self) -> None:
        while self._awaits(self.chance.randint(*BATCHES)):
            self.over.wait(self.chance.uniform(0, LATER_S))
            name = self.chance.choice(self.workers)
            if self.chance.random() < 0.6:
                self.cluster.kill(name)
                self.cluster.start_worker(name)
                self.happened["killed"] += 1
            else:
                pid = self.cluster.processes[name].pid
                os.kill(pid, signal.SIGSTOP)
                self.over.wait(self.chance.uniform(*STOPPED_S))
                os.kill(pid, signal.SIGCONT)
                self.happened["stopped"] += 1

    def _awaits(self, batches: int) -> bool:
        """Once so many are done; False where the run is over before."""
        for _ in range(batches):
            while not self.done.acquire(timeout=0.05):
                if self.over.is_set():
                    return False
        return not self.over.is_set()


@contextmanager
def trouble(cluster: DaskCluster, workers: Sequence[str], seed: int) -> Iterator[Trouble]:
    """Until the context ends; then all of these workers are there again."""
    made = Trouble(cluster, workers, random.Random(seed))
    maker = threading.Thread(target=made.make)
    maker.start()
    try:
        yield made
    finally:
        made.over.set()
        maker.join()
    cluster.bring_back(*workers)
