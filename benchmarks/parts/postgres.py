"""Postgres with a database of its own, for whoever reaches loopback."""

import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from benchmarks.parts.processes import Processes, as_user, free_port, run

USER = "postgres"
"""Whom Debian's package makes: the server refuses to run as root."""


def start_postgres(processes: Processes, programs: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Starts the server. Gives the address of its database."""
    folder.mkdir()
    if as_user(USER):
        shutil.chown(folder, USER, USER)
    data, port = str(folder / "data"), str(free_port())
    options = ["--username=verdicts", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
    run([programs["initdb"], f"--pgdata={data}", *options], user=USER)
    settings = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    command = [programs["postgres"], "-D", data, "-p", port, *settings]
    # Killed at once it would leave shared memory behind.
    processes.start("postgres", command, user=USER, ends_by=signal.SIGINT)
    asked = [programs["pg_isready"], "-q", "-h", "127.0.0.1", "-p", port]
    processes.wait_for("postgres", lambda: subprocess.run(asked, check=False).returncode == 0)
    return {"POSTGRES_URL": f"postgresql://verdicts@127.0.0.1:{port}/postgres"}
