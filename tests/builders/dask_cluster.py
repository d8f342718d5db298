"""A Dask scheduler and its workers: processes of their own, on loopback."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.pipeline.engine.dask import connect_client
from verdicts.pipeline.pipeline_errors import ConfigError

SETTINGS = {
    # A worker that says nothing for so long counts as dead. On a busy machine a sound one may be silent for seconds.
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "60s",
    # Tests kill more workers than a batch may be blamed for.
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1000",
}
STARTS_WITHIN_S = 60
TESTS = Path(__file__).parents[1]
"""Where workers find the functions of tests."""
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass
class DaskCluster:
    """`folder` has the log of each process. Workers are known by their names; processes by theirs."""

    folder: Path
    address: str = ""
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start_scheduler(self, **settings: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self._launch("scheduler", "scheduler", "--host", "127.0.0.1", "--port", str(port), environment=settings)

    def start_worker(self, name: str, *options: str, environment: Mapping[str, str] = NOTHING) -> None:
        """A worker of one thread without a nanny: killed, it is gone. It may still be on its way when this returns."""
        call = ("worker", self.address, "--name", name, "--nthreads", "1", "--no-nanny", "--memory-limit", "0")
        self._launch(name, *call, *options, environment=environment)

    def _launch(self, name: str, *call: str, environment: Mapping[str, str]) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "dask", *call, "--no-dashboard"],
                cwd=self.folder,
                env=os.environ | SETTINGS | {"PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])} | environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def names(self) -> set[str]:
        """The workers that the scheduler knows; none while it starts."""
        try:
            with connect_client(self.address) as client:
                return {str(worker["name"]) for worker in client.scheduler_info()["workers"].values()}
        except ConfigError:
            return set()

    def await_workers(self, *names: str) -> None:
        """Returns once these workers are there and no others."""
        gives_up_at = time.monotonic() + STARTS_WITHIN_S
        while (there := self.names()) != set(names):
            assert time.monotonic() < gives_up_at, f"{there} and not {names}: see the logs in {self.folder}"
            time.sleep(0.05)

    def kill(self, name: str) -> None:
        """SIGKILL, of this process alone."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def end(self) -> None:
        for process in self.processes.values():
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def dask_cluster(
    folder: Path, *workers: str, environment: Mapping[str, str] = NOTHING, dead_after: str = "60s"
) -> Iterator[DaskCluster]:
    """A scheduler and these workers."""
    cluster = DaskCluster(folder)
    try:
        cluster.start_scheduler(DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL=dead_after)
        for name in workers:
            cluster.start_worker(name, environment=environment)
        cluster.await_workers(*workers)
        yield cluster
    finally:
        cluster.end()


class Visit(NamedTuple):
    """A batch that leaves a file for each time it was worked on."""

    folder: str
    number: int

    def __str__(self) -> str:
        return f"visit {self.number}"


def visit(batch: Visit) -> int:
    (Path(batch.folder) / f"{batch.number}-{os.getpid()}-{time.monotonic_ns()}").touch()
    return batch.number


def visit_once_let(batch: Visit) -> int:
    """Goes on once there is a file `go`."""
    visit(batch)
    while not (Path(batch.folder) / "go").exists():
        time.sleep(0.01)
    return batch.number


def die(batch: Visit) -> int:
    visit(batch)
    os.kill(os.getpid(), signal.SIGKILL)
    return batch.number


def find_damage(batch: Visit) -> int:
    if batch.number == 3:
        raise StoreDamaged(Path("raw/1.warc.gz"), 17, "no record begins there")
    return batch.number


def visits(folder: Path) -> list[int]:
    return sorted(int(path.name.partition("-")[0]) for path in folder.glob("*-*-*"))


def once(met) -> None:
    """Returns when it is so."""
    gives_up_at = time.monotonic() + 30
    while not met():
        assert time.monotonic() < gives_up_at
        time.sleep(0.01)
