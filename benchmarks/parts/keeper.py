"""The process whose children the parts are: where it ends, however, they end."""

import shlex
import shutil
import signal
import sys
from pathlib import Path

from benchmarks.parts.ceph import BUCKET, start_ceph
from benchmarks.parts.dask import start_dask
from benchmarks.parts.postgres import start_postgres
from benchmarks.parts.processes import Processes
from benchmarks.parts.programs import find_programs
from benchmarks.parts.running import ENV, held


def keep(folder: Path, workers: int, *, until_eof: bool) -> None:
    """Starts the parts, writes `env.sh` once all of them answer, and waits for SIGTERM or the end of its input."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with held(folder):
        processes = Processes(folder)
        try:
            programs = find_programs()
            env = start_ceph(processes, programs, folder / "ceph")
            env |= start_postgres(processes, programs, folder / "postgres")
            env |= {"STORE_URL": f"s3://{BUCKET}", "NO_PROXY": "127.0.0.1"}
            env |= start_dask(processes, folder / "dask", workers, env)
            _write(folder / ENV, env)
            if until_eof:
                sys.stdin.read()
            else:
                while True:
                    signal.pause()
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            processes.stop()
            if (folder / ENV).exists():
                shutil.rmtree(folder)


def _write(path: Path, env: dict[str, str]) -> None:
    draft = path.with_suffix(".draft")
    draft.write_text("".join(f"export {name}={shlex.quote(value)}\n" for name, value in env.items()), encoding="utf-8")
    draft.replace(path)
