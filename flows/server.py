"""A Prefect server, a schedule and what runs it, on this machine: all of them end with this process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import ConfigError
from pipeline.prefect_api import KEY, answers

STARTS_WITHIN_S = 120.0
"""A server makes its database first; on a busy machine that takes a minute."""

ENDS_WITHIN_S = 10.0


@contextmanager
def prefect_server(home: Path, port: int) -> Iterator[str]:
    """A server on loopback alone, its database in `home`; gives the address of its API. Raises `ConfigError`."""
    url = f"http://127.0.0.1:{port}/api"
    if answers(url):
        raise ConfigError(f"something answers at {url} already; name another --port, or set {KEY} to use it")
    home.mkdir(parents=True, exist_ok=True)
    settings = {
        "PREFECT_HOME": str(home.resolve()),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_UI_API_URL": url,
    }
    call = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    with (home / "server.log").open("ab") as log:
        # A session of its own: Ctrl-C is for us, and we end it when the flows have ended.
        server = subprocess.Popen(  # noqa: S603  our own call
            call, env=os.environ | settings, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
        )
    try:
        _wait(server, url, home)
        yield url
    finally:
        _end(server)


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
