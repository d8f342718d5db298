"""A Dask scheduler and its worker processes, which import what this checkout does."""

import os
import sys
from pathlib import Path

from benchmarks.parts.processes import Processes, free_port

CHECKOUT = Path(__file__).parents[2]


def start_dask(processes: Processes, folder: Path, workers: int, parts: dict[str, str]) -> dict[str, str]:
    """Starts scheduler and workers, one thread each, with `parts` in their environment. Gives the scheduler's address.

    A worker that is killed stays away.
    """
    folder.mkdir()
    places = [CHECKOUT / "lib", CHECKOUT, CHECKOUT / "tests", *filter(None, [os.environ.get("PYTHONPATH")])]
    env = os.environ | parts | {"PYTHONPATH": os.pathsep.join(map(str, places))}
    address = f"tcp://127.0.0.1:{free_port()}"
    _, _, port = address.rpartition(":")
    call = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port]
    processes.start("dask-scheduler", [*call, "--no-dashboard", "--no-show"], env=env)
    for number in range(workers):
        call = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--host", "127.0.0.1", "--no-nanny"]
        options = ["--nthreads", "1", "--no-dashboard", "--name", str(number), "--local-directory", str(folder)]
        processes.start(f"dask-worker-{number}", [*call, *options], env=env)
    processes.wait_for("dask-scheduler", lambda: _worker_count(address) == workers)
    return {"DASK_SCHEDULER": address}


def _worker_count(address: str) -> int:
    from distributed import Client

    try:
        with Client(address, timeout="5s", set_as_default=False) as client:
            return len(client.scheduler_info(n_workers=-1)["workers"])
    except OSError:
        return 0
