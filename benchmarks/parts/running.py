"""The parts as long as a benchmark needs them, and what stands in for Ceph. They end with this process at the latest.

Their environment names AWS_*, STORE_URL (`s3://` and a bucket) and, where there are workers, DASK_SCHEDULER.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.parts import ceph
from benchmarks.parts.dask import start_dask
from benchmarks.parts.processes import Processes
from builders import s3_server


@contextmanager
def real_parts(folder: Path, workers: int) -> Iterator[Mapping[str, str]]:
    """Ceph and so many workers of Dask in a folder that is made for them; gives their environment."""
    with _processes(folder) as processes:
        store = ceph.start_ceph(processes, folder / "ceph")
        yield _with_workers(processes, folder, workers, store | {"STORE_URL": f"s3://{ceph.BUCKET}"})


@contextmanager
def stand_ins(folder: Path, workers: int) -> Iterator[Mapping[str, str]]:
    """The same with a bucket in this process instead of Ceph's; nobody counts the bytes that are got of it."""
    with _processes(folder) as processes, s3_server.s3_server() as server:
        store = server.environment | {"STORE_URL": f"s3://{s3_server.BUCKET}"}
        yield _with_workers(processes, folder, workers, store)


@contextmanager
def _processes(folder: Path) -> Iterator[Processes]:
    folder.mkdir(parents=True)
    processes = Processes(folder)
    try:
        yield processes
    finally:
        processes.stop()
        shutil.rmtree(folder)


def _with_workers(processes: Processes, folder: Path, workers: int, store: dict[str, str]) -> dict[str, str]:
    env = store | {"NO_PROXY": "127.0.0.1"}
    return env | start_dask(processes, folder / "dask", workers, env) if workers else env
