"""A Prefect server on this machine, which ends with this process: `prefect_server` starts it, `serve` is the server.

A server that outlived a killed `verdicts serve` would hold the database beside the next one. What is served takes
commands: who sends the auth string starts processes here (Prefect checks it), and a browser on this machine reaches it
for every page that it shows (`OwnPagesAlone`). Without its server the service ends.
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
"""The module that is run as the server."""

STARTS_WITHIN_S = 120.0
"""A server makes its database first; on a busy machine that takes a minute."""

ANSWERS_WITHIN_S = 2.0
"""The socket takes a question before the server is there to answer it."""

ENDS_WITHIN_S = 10.0

BACKLOG = 2_048
"""Connections that wait for the server: uvicorn's own number."""


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


class OwnPagesAlone:
    """Another ASGI app, for requests to 127.0.0.1 by that name, and of a browser for those of the app's own pages.

    Preflights and WebSockets too. A page elsewhere whose name leads here (DNS rebinding) sends that name as `Host`.
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
        # Not `localhost`: another user may listen on its other address, ::1.
        if headers.getlist("host") != [self._place]:
            return f"open {own}, and no other name of it"
        is_of_others = any(origin != own for origin in headers.getlist("origin"))
        # What a browser asks without an `Origin`: pictures, scripts, frames. A link that somebody clicks may lead here.
        is_embedded = headers.get("sec-fetch-dest", "document") != "document"
        if is_of_others or (is_embedded and headers.get("sec-fetch-site") in {"cross-site", "same-site"}):
            return "no page of another address may ask this"
        return None


def serve(listens: socket.socket) -> None:
    """Serves until a signal asks for the end."""
    # They take seconds, in which the parent may be killed already.
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
