"""The workers of a scheduler, as a table for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verdicts.pipeline.terminal import shown_line

if TYPE_CHECKING:
    from rich.console import Console

    from verdicts.pipeline.engine.cluster import ClusterState, WorkerState

SILENT_S = 5.0
"""A worker says how it is twice a second; one that is silent for so long is stopped, or its network is."""


def print_cluster(console: Console, cluster: ClusterState) -> None:
    """Whether the scheduler answers, and each worker with what it holds."""
    from rich.table import Table

    if cluster.why is not None:
        console.print(shown_line(cluster.why), soft_wrap=True)
        return
    count = f"{len(cluster.workers)} workers" if cluster.workers else "no worker; 'verdicts worker' starts one"
    console.print(
        shown_line(f"scheduler {cluster.scheduler}: {count}, {cluster.waiting:,} batches wait"), soft_wrap=True
    )
    if not cluster.workers:
        return
    table = Table("worker", "process", "threads", "MB", "works on", box=None, pad_edge=False)
    for worker in cluster.workers:
        memory = f"{worker.memory_bytes / 1e6:.0f}"
        table.add_row(
            shown_line(worker.name), f"{worker.host}:{worker.pid}", str(worker.threads), memory, _words(worker)
        )
    console.print(table)


def _words(worker: WorkerState) -> str:
    work = ", ".join(f"{work.batch} ({work.seconds:.0f} s)" for work in worker.work) or "nothing"
    silence = f"; silent for {worker.silent_s:.0f} s" if worker.silent_s > SILENT_S else ""
    return shown_line(work + silence)
