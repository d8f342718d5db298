"""A Prefect server, a schedule and what runs it, on this machine: all of them end with this process."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import ConfigError
from pipeline.prefect_api import KEY, answers, url_at

STARTS_WITHIN_S = 120.0
"""A server makes its database first; on a busy machine that takes a minute."""

ENDS_WITHIN_S = 10.0


@contextmanager
def prefect_server(home: Path, port: int) -> Iterator[None]:
    """A server on loopback alone, its database in `home`. Raises `ConfigError`."""
    url = url_at(port)
    home.mkdir(parents=True, exist_ok=True)
    # Prefect prunes no runs but where it is told to; then those that ended 90 days ago.
    chosen = {"PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs"} | os.environ
    settings = {
        "PREFECT_HOME": str(home.resolve()),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_UI_API_URL": url,
        # It writes its pages anew for this address; where it is installed may be read-only.
        "PREFECT_UI_STATIC_DIRECTORY": str(home.resolve() / "ui"),
    }
    call = [sys.executable, "-m", "flows.server_process", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    with (home / "server.log").open("ab") as log:
        # A session of its own: Ctrl-C is for us, and we end it when the flows have ended.
        server = subprocess.Popen(  # noqa: S603  our own call
            call, env=chosen | settings, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
        )
    try:
        _wait(server, url, home)
        yield
    finally:
        _end(server)


def check_free(port: int) -> None:
    """Raises `ConfigError` where the port of 127.0.0.1 is taken, or is none."""
    with socket.socket() as tried:
        # As the server does: the connections of one that has just ended are no reason.
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            advice = f"name another --port, or set {KEY} to the address of a Prefect API that runs"
            raise ConfigError(f"port {port} of 127.0.0.1 cannot be had ({why}); {advice}") from None


def _wait(server: "subprocess.Popen[bytes]", url: str, home: Path) -> None:
    gives_up_at = time.monotonic() + STARTS_WITHIN_S
    while not answers(url):
        if server.poll() is not None or time.monotonic() > gives_up_at:
            raise ConfigError(f"the Prefect server does not start; {home / 'server.log'} says why")
        time.sleep(0.2)


def _end(server: "subprocess.Popen[bytes]") -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(server.pid, number)
            server.wait(ENDS_WITHIN_S)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
        break
