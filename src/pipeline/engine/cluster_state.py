"""What the workers of a Dask scheduler hold at the moment."""

import time
from dataclasses import dataclass
from typing import Any

from verdicts.pipeline.engine.cluster import connected
from verdicts.pipeline.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Work:
    """A batch that is worked on, and for how many seconds."""

    batch: str
    seconds: float


@dataclass(frozen=True, slots=True)
class WorkerState:
    """A worker: its name, where it runs, its memory in bytes, for how long it has said nothing, what it works on."""

    name: str
    host: str
    pid: int
    threads: int
    memory_bytes: int
    silent_s: float
    work: tuple[Work, ...]


@dataclass(frozen=True, slots=True)
class ClusterState:
    """A scheduler: its workers by name, and how many batches wait for one; or, `why`, that it cannot be reached."""

    scheduler: str
    workers: tuple[WorkerState, ...] = ()
    waiting: int = 0
    why: str | None = None


def cluster_state(scheduler: str) -> ClusterState:
    """How the scheduler at an address stands."""
    try:
        with connected(scheduler) as client:
            workers, waiting = client.run_on_scheduler(_look)
    except (ConfigError, ImportError) as error:
        return ClusterState(scheduler, why=str(error))
    return ClusterState(scheduler, tuple(sorted(workers, key=lambda worker: worker.name)), waiting)


def _look(dask_scheduler: Any) -> tuple[list[WorkerState], int]:  # noqa: ANN401  named as Dask gives it
    """Runs in the scheduler, which knows of its workers what they said last."""
    now = time.time()
    workers = [
        WorkerState(
            name=str(worker.name),
            host=worker.host,
            pid=worker.pid,
            threads=worker.nthreads,
            memory_bytes=worker.metrics.get("memory", 0),
            silent_s=round(now - worker.last_seen, 1),
            # It is as old as the worker's last word: what has ended since is left out.
            work=tuple(
                Work(_batch(task.key), round(seconds, 1))
                for task, seconds in worker.executing.items()
                if task in worker.processing
            ),
        )
        for worker in dask_scheduler.workers.values()
    ]
    tasks = dask_scheduler.tasks.values()
    return workers, sum(task.state in {"queued", "no-worker", "waiting"} for task in tasks)


def _batch(key: Any) -> str:  # noqa: ANN401  a task of another program may have any
    """`DaskEngine` names the batch in its key."""
    return key[1] if isinstance(key, tuple) and len(key) == 4 else str(key)
