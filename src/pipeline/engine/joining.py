"""A worker of this machine for a Dask scheduler."""

import os
import socket
from collections.abc import Callable

from distributed import Nanny

from verdicts.pipeline import event_loop
from verdicts.pipeline.engine.cluster import check_scheduler, connected
from verdicts.pipeline.errors import EngineFailed
from verdicts.pipeline.workers.pool import cores


def join(scheduler: str, tell: Callable[[str], None]) -> None:
    """Works on batches of a scheduler until a signal asks for the end. A worker that was killed is started again.

    Raises `ConfigError` where the scheduler does not answer or has other versions, `EngineFailed` once it is gone.
    """
    with connected(scheduler) as client:
        check_scheduler(client, scheduler)
    event_loop.run(_work(scheduler, tell))
    raise EngineFailed(f"the scheduler {scheduler} is gone; start it, then 'verdicts worker' again")


async def _work(scheduler: str, tell: Callable[[str], None]) -> None:
    name = f"{socket.gethostname()}:{os.getpid()}"
    # A process with a thread a core: its pages are read in processes of their own.
    async with Nanny(scheduler, nthreads=cores(), name=name, dashboard=False) as nanny:
        tell(f"joined {scheduler} as {name}, with {cores()} batches at a time")
        await nanny.finished()
