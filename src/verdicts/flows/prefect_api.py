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

from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.workers.process import end_with_parent

KEY, AUTH = "PREFECT_API_URL", "PREFECT_API_AUTH_STRING"

SERVED = "api.env"
"""The file in which a running `verdicts serve` announces its address and password."""

STARTS_WITHIN_S = 300.0
"""Seconds to start. On a busy machine, creating the database takes minutes."""

ENDS_WITHIN_S = 10.0

SETTINGS = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    # Prefect prunes runs only if it is asked to; then those that ended 90 days ago.
    "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
}


def use_api(home: Path, settings: dict[str, str]) -> None:
    """Makes Prefect use a server of `home`, in this process and its children. Call it before Prefect is imported."""
    # The settings of the user's own home are for another server.
    os.environ.update(settings | {"PREFECT_HOME": str(home.absolute())})
    # No proxy reaches the loopback of this machine.
    hosts = os.environ.get("no_proxy") or os.environ.get("NO_PROXY")
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = f"{hosts},127.0.0.1" if hosts else "127.0.0.1"


@contextmanager
def prefect_server(home: Path, port: int) -> Iterator[str]:
    """Runs `prefect server start` on a port of 127.0.0.1, any for 0, with its database in `home`. Yields its address.

    It has a new password, in a file of mode 600, and this process uses it. Raises `ConfigError` if it does not start.
    If it ends by itself, signals this process and raises `StorageFailed`.
    """
    try:
        # A connection of an earlier server does not block the port.
        with socket.create_server(("127.0.0.1", port)) as trial:
            port = trial.getsockname()[1]
    except OSError as error:
        advice = f"choose another --port, or set {KEY} to the address of a Prefect API that runs"
        why = os.strerror(error.errno or 0)
        raise ConfigError(f"port {port} of 127.0.0.1 is not free ({why}); {advice}") from None
    address, password = f"http://127.0.0.1:{port}", f"verdicts:{secrets.token_urlsafe(32)}"
    use_api(home, {KEY: f"{address}/api", AUTH: password})
    settings = {
        "PREFECT_SERVER_API_AUTH_STRING": password,
        # Only its own pages; the default allows every page of a browser.
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": address,
        # It writes its pages for this address, and the installation may be read-only.
        "PREFECT_UI_STATIC_DIRECTORY": str(home / "ui"),
    }
    with (home / "server.log").open("ab") as log:
        server = subprocess.Popen(  # noqa: S603  our own call
            [sys.executable, "-P", "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)],
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
    is_ending = threading.Event()

    def signal_end() -> None:
        server.wait()
        if not is_ending.is_set():
            os.kill(os.getpid(), signal.SIGTERM)

    try:
        _wait_for_server(server, port, home)
        threading.Thread(target=signal_end, name="server", daemon=True).start()
        (home / SERVED).unlink(missing_ok=True)
        # Created with this mode, so others can never open it.
        with os.fdopen(os.open(home / SERVED, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{KEY}={address}/api\n{AUTH}={password}\n")
        try:
            yield address
        finally:
            # Whatever Prefect raised.
            if server.poll() is not None:
                raise StorageFailed(f"the Prefect server has ended; {home / 'server.log'} says why") from None
    finally:
        is_ending.set()
        (home / SERVED).unlink(missing_ok=True)
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(ENDS_WITHIN_S)
        server.kill()
        server.wait()


def _wait_for_server(server: "subprocess.Popen[bytes]", port: int, home: Path) -> None:
    """It listens once its database is ready."""
    gives_up_at = time.monotonic() + STARTS_WITHIN_S
    while server.poll() is None and time.monotonic() < gives_up_at:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2):
            return
        time.sleep(0.1)
    raise ConfigError(f"the Prefect server does not start; {home / 'server.log'} says why")
