"""A server of Postgres on loopback, from the system's own programs."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

STARTS_WITHIN_S = 60
SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=50", "shared_buffers=32MB")
"""For tests: what is lost with the machine is of no use to them."""


def programs() -> Path | None:
    """The folder with initdb and postgres; None where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [Path(shutil.which("initdb") or "-")]
    return found[-1].parent if found[-1].exists() else None


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a server with nothing in it. Its folder is no pytest's, which nobody else may enter."""
    with TemporaryDirectory(prefix="verdicts-postgres-") as folder, _served(Path(folder)) as address:
        yield address


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    home = programs()
    assert home is not None
    data = folder / "data"
    as_other: list[str] = []
    if os.geteuid() == 0:
        # It refuses to run as root.
        as_other = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        shutil.chown(folder, "postgres", "postgres")
    run = subprocess.run(
        [*as_other, home / "initdb", "-D", data, "-A", "trust", "-U", "verdicts", "--no-sync"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [part for setting in SETTINGS for part in ("-c", setting)]
    place = ["-h", "127.0.0.1", "-p", str(port), "-k", str(folder)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [*as_other, home / "postgres", "-D", data, *place, *options], cwd=folder, stdout=log, stderr=log
        )
    address = f"postgresql://verdicts@127.0.0.1:{port}/postgres"
    try:
        _await(address, server, folder / "log")
        yield address
    finally:
        server.terminate()
        server.wait()


def _await(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    gives_up_at = time.monotonic() + STARTS_WITHIN_S
    while True:
        try:
            psycopg.connect(address, connect_timeout=5).close()
        except psycopg.OperationalError:
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < gives_up_at, log.read_text()
            time.sleep(0.05)
        else:
            return


def new_database(address: str, name: str) -> str:
    """An empty database of a server; gives its address."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{address.rpartition('/')[0]}/{name}"
