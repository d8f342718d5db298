"""A Prefect server on this machine, which ends with the process that started it.

Whoever knows its password can start processes here. Prefect itself refuses requests without the password, and pages
of other origins.
"""

import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from verdicts.fetch.model.errors import StorageFailed
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.prefect_api import AUTH, KEY, SERVED, Api
from verdicts.pipeline.workers.process import end_with_parent

STARTS_WITHIN_S = 300.0
"""Seconds to start. On a busy machine, creating the database takes minutes."""

ENDS_WITHIN_S = 10.0

SETTINGS = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    # Prefect prunes runs only if it is asked to; then those that ended 90 days ago.
    "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
}


def new_api(port: int) -> Api:
    """The API of a server on this port of 127.0.0.1, any for 0, with a new password. Raises `ConfigError`."""
    try:
        with socket.socket() as trial:
            # Connections of a previous server do not block the port.
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(("127.0.0.1", port))
            port = trial.getsockname()[1]
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        advice = f"choose another --port, or set {KEY} to the address of a Prefect API that runs"
        raise ConfigError(f"port {port} of 127.0.0.1 is not free ({why}); {advice}") from None
    return Api(f"http://127.0.0.1:{port}/api", f"verdicts:{secrets.token_urlsafe(32)}")


@contextmanager
def prefect_server(home: Path, api: Api) -> Iterator[None]:
    """Runs `prefect server start` with its database in `home`, and announces the API in a file of mode 600.

    Raises `ConfigError` if it does not start. If it ends by itself, signals this process and raises `StorageFailed`.
    """
    settings = {
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_API_AUTH_STRING": str(api.auth),
        # Only its own pages; the default allows every page of a browser.
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": api.url.removesuffix("/api"),
        "PREFECT_UI_API_URL": api.url,
        # It writes its pages for this address, and the installation may be read-only.
        "PREFECT_UI_STATIC_DIRECTORY": str(home / "ui"),
    }
    port = api.url.removesuffix("/api").rpartition(":")[2]
    with (home / "server.log").open("ab") as log:
        server = subprocess.Popen(  # noqa: S603  our own call
            [sys.executable, "-P", "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", port],
            # A `prefect.toml` of the working folder would configure the server.
            cwd=home,
            env=SETTINGS | os.environ | settings,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            # Ctrl-C reaches only this process, which ends the server after the flows.
            start_new_session=True,
            # It would otherwise hold the port and the database of the next one.
            preexec_fn=end_with_parent,  # noqa: PLW1509  no thread runs yet
        )
    ended = StorageFailed(f"the Prefect server has ended; {home / 'server.log'} says why")
    is_ending = threading.Event()

    def signal_end() -> None:
        server.wait()
        if not is_ending.is_set():
            os.kill(os.getpid(), signal.SIGTERM)

    try:
        gives_up_at = time.monotonic() + STARTS_WITHIN_S
        while api.failure(within_s=2) is not None:
            if server.poll() is not None or time.monotonic() > gives_up_at:
                raise ConfigError(f"the Prefect server does not start; {home / 'server.log'} says why")
            time.sleep(0.1)
        threading.Thread(target=signal_end, name="server", daemon=True).start()
        with _announced(home / SERVED, api):
            yield
        if server.poll() is not None:
            raise ended
    finally:
        is_ending.set()
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(ENDS_WITHIN_S)
        server.kill()
        server.wait()


@contextmanager
def _announced(path: Path, api: Api) -> Iterator[None]:
    path.unlink(missing_ok=True)
    # Created with this mode, so others can never open it.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{KEY}={api.url}\n{AUTH}={api.auth}\n")
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
