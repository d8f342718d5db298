"""A Prefect server on this machine. `prefect_server` starts it; `serve` is its process.

It ends with the process that started it, because it would otherwise hold the database of the next one. Whoever knows
its password can start processes here, and any page in a local browser can reach it, so `OwnPagesAlone` filters
requests. If the server ends, the service ends.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.exit_codes import STORAGE
from verdicts.pipeline.prefect_api import KEY, Api, answers
from verdicts.pipeline.workers.process import end_with_parent

PROCESS = "verdicts.flows.server"
"""The module of the server process."""

STARTS_WITHIN_S = 120.0
"""Seconds to start. On a busy machine, creating the database takes a minute."""

ANSWERS_WITHIN_S = 2.0
"""Seconds to answer: the socket accepts requests before the server runs."""

ENDS_WITHIN_S = 10.0

BACKLOG = 2_048
"""Waiting connections, as in uvicorn."""


@contextmanager
def listening(port: int) -> Iterator[socket.socket]:
    """Listens on a port of 127.0.0.1, or on any free port for 0. Raises `ConfigError`.

    This process keeps the socket, so that nobody else can take the port, and receive the password, if the server dies.
    """
    with socket.socket() as taken:
        # As the server does: connections of a previous server do not block the port.
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
    """Runs a server on this socket, with its database in `home`. Raises `ConfigError`."""
    # Prefect prunes runs only if it is asked to; then those that ended 90 days ago.
    chosen = {"PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs"} | os.environ
    settings = {
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_API_AUTH_STRING": str(api.auth),
        # Only our own pages; the default allows every page of a browser.
        "PREFECT_SERVER_API_CORS_ALLOWED_ORIGINS": api.url.removesuffix("/api"),
        "PREFECT_UI_API_URL": api.url,
        # It writes its pages for this address, and the installation may be read-only.
        "PREFECT_UI_STATIC_DIRECTORY": str(home / "ui"),
    }
    call = [sys.executable, "-m", PROCESS, str(listening.fileno())]
    with (home / "server.log").open("ab") as log:
        # In its own session, so that Ctrl-C reaches only this process, which ends the server after the flows.
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


def _wait(server: "subprocess.Popen[bytes]", url: str, home: Path) -> None:
    gives_up_at = time.monotonic() + STARTS_WITHIN_S
    while not answers(url, within_s=ANSWERS_WITHIN_S):
        if server.poll() is not None or time.monotonic() > gives_up_at:
            raise ConfigError(f"the Prefect server does not start; {home / 'server.log'} says why")


def _end_with(server: "subprocess.Popen[bytes]", is_ending: threading.Event, home: Path) -> None:
    """Ends the service with its server, because it would silently run no nights. Its runs notice and end."""
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


class OwnPagesAlone:
    """Passes only requests to 127.0.0.1 by that name, and browser requests only from the app's own pages.

    This includes preflights and WebSockets. With DNS rebinding, a foreign page sends its own name as `Host`.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._place = f"127.0.0.1:{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        why = None if scope["type"] == "lifespan" else self._refusal(Headers(scope=scope))
        app = self._app if why is None else PlainTextResponse(f"{why}\n", status_code=403)
        await app(scope, receive, send)

    def _refusal(self, headers: Headers) -> str | None:
        own = f"http://{self._place}"
        # Not `localhost`: another user may listen on ::1.
        if headers.getlist("host") != [self._place]:
            return f"open {own}, by exactly this name"
        is_of_others = any(origin != own for origin in headers.getlist("origin"))
        # Browsers request pictures, scripts and frames without `Origin`. A clicked link may lead here.
        is_embedded = headers.get("sec-fetch-dest", "document") != "document"
        if is_of_others or (is_embedded and headers.get("sec-fetch-site") in {"cross-site", "same-site"}):
            return "pages of other addresses may not ask this"
        return None


def serve(listens: socket.socket) -> None:
    """Serves until a signal arrives."""
    # Imported here, because they take seconds in which the parent may die.
    from prefect.server.api.server import create_app  # noqa: PLC0415
    from prefect.settings import get_current_settings  # noqa: PLC0415

    settings = get_current_settings().server
    config = uvicorn.Config(
        OwnPagesAlone(create_app(final=True), listens.getsockname()[1]),
        proxy_headers=False,
        log_level=settings.logging_level.lower(),
        timeout_keep_alive=settings.api.keepalive_timeout,
        ws_ping_interval=settings.api.websocket_ping_interval,
        ws_ping_timeout=settings.api.websocket_ping_timeout,
    )
    uvicorn.Server(config).run([listens])


if __name__ == "__main__":
    end_with_parent()
    serve(socket.socket(fileno=int(sys.argv[1])))
