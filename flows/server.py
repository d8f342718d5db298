"""A Prefect server, a schedule and what runs it, on this machine: all of them end with this process."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from urllib.request import Request, urlopen

from verdicts.fetch.store.state import LOCK_FILE, holder_of
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.exit_codes import STORAGE
from verdicts.pipeline.prefect_api import KEY, SERVED, Api, answers

PROCESS = "verdicts.flows.server_process"
"""The module that is run as the server."""

STARTS_WITHIN_S = 120.0
"""A server makes its database first; on a busy machine that takes a minute."""

ANSWERS_WITHIN_S = 2.0
"""The socket takes a question before the server is there to answer it."""

ENDS_WITHIN_S = 10.0

BACKLOG = 2_048
"""Connections that wait for the server: uvicorn's own number."""

LEGACY = "api-url"
"""In which earlier versions named their API, which took commands from everyone who reached the port."""

SERVICE_ENDS_WITHIN_S = 45.0
"""An earlier service ends a run that is under way within 40 s, in order."""


@contextmanager
def listening(port: int) -> Iterator[socket.socket]:
    """Listens on a port of 127.0.0.1, on any free one for 0. Raises `ConfigError`.

    The socket is ours, and the server that answers on it is our child: if the server dies, nobody else can take the
    port while this process lives, and be sent the password.
    """
    with socket.socket() as taken:
        # As the server does: the connections of one that has just ended are no reason.
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", port))
            taken.listen(BACKLOG)
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            advice = f"name another --port, or set {KEY} to the address of a Prefect API that runs"
            raise ConfigError(f"port {port} of 127.0.0.1 is not free ({why}); {advice}") from None
        yield taken


@contextmanager
def prefect_server(home: Path, listening: socket.socket, api: Api) -> Iterator[None]:
    """A server on this socket, its database in `home`, for those alone who know the password. Raises `ConfigError`."""
    # Prefect prunes no runs but where it is told to; then those that ended 90 days ago.
    chosen = {"PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs"} | os.environ
    settings = {
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_API_AUTH_STRING": str(api.auth),
        # `OwnPagesAlone` lets nobody else through; the default would allow every page of a browser.
        "PREFECT_SERVER_API_CORS_ALLOWED_ORIGINS": api.url.removesuffix("/api"),
        "PREFECT_UI_API_URL": api.url,
        # It writes its pages anew for this address; where it is installed may be read-only.
        "PREFECT_UI_STATIC_DIRECTORY": str(home / "ui"),
    }
    call = [sys.executable, "-m", PROCESS, str(listening.fileno())]
    with (home / "server.log").open("ab") as log:
        # A session of its own: Ctrl-C is for us, and we end it when the flows have ended.
        server = subprocess.Popen(  # noqa: S603  our own call
            call,
            env=chosen | settings,
            pass_fds=[listening.fileno()],
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    is_ending = threading.Event()
    try:
        _wait(server, api.url, home)
        threading.Thread(target=_end_with, args=(server, is_ending, home), name="server", daemon=True).start()
        yield
    finally:
        is_ending.set()
        _end(server)


def replace_unprotected_service(home: Path) -> int | None:
    """Ends the service of an earlier version, whose API takes commands without a password. Returns its process.

    None where there is none. Raises `ConfigError` where it cannot be ended.
    """
    try:
        url = (home / LEGACY).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
    holder = holder_of(home / LOCK_FILE)
    if holder is None or (home / SERVED).exists() or not _takes_commands_from_anyone(url):
        return None
    gives_up_at = time.monotonic() + SERVICE_ENDS_WITHIN_S
    if _has_open(holder.pid, home / LOCK_FILE):
        os.kill(holder.pid, signal.SIGTERM)
        while holder_of(home / LOCK_FILE) == holder:
            if time.monotonic() > gives_up_at:
                break
            time.sleep(0.2)
        else:
            return holder.pid
    raise ConfigError(
        f"{holder} is of an earlier version, and its API at {url} takes commands from everyone on this machine;"
        " end it, then start this one"
    )


def _takes_commands_from_anyone(url: str) -> bool:
    if not re.fullmatch(r"http://127\.0\.0\.1:\d+/api", url):
        return False
    asked = Request(f"{url}/deployments/filter", b"{}", {"Content-Type": "application/json"})  # noqa: S310  on loopback
    try:
        with urlopen(asked, timeout=ANSWERS_WITHIN_S):  # noqa: S310
            return True
    except (OSError, HTTPException):
        return False


def _has_open(pid: int, path: Path) -> bool:
    """Whether it is a process of this machine: the number in a lock may be one of another container."""
    try:
        return any(file.samefile(path) for file in Path(f"/proc/{pid}/fd").iterdir() if file.exists())
    except OSError:
        return False


def _wait(server: "subprocess.Popen[bytes]", url: str, home: Path) -> None:
    gives_up_at = time.monotonic() + STARTS_WITHIN_S
    while not answers(url, within_s=ANSWERS_WITHIN_S):
        if server.poll() is not None or time.monotonic() > gives_up_at:
            raise ConfigError(f"the Prefect server does not start; {home / 'server.log'} says why")


def _end_with(server: "subprocess.Popen[bytes]", is_ending: threading.Event, home: Path) -> None:
    """Without its server the service would run no night, and say nothing. Its runs end when they see it gone."""
    server.wait()
    if not is_ending.is_set():
        os.write(
            sys.stderr.fileno(), f"verdicts: the Prefect server has ended; {home / 'server.log'} says why\n".encode()
        )
        os._exit(STORAGE)


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
