"""Processes that end with the one that started them, however it ends."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

READY_S = 120.0
"""A part that does not answer by then is told as failed: a busy machine takes a while."""

WITH_ITS_PARENT = ("setpriv", "--pdeathsig", "KILL", "--")


class Processes:
    """The parts that run, each with its output in `<name>.log`: children of the thread that starts them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, command: Sequence[str], *, env: Mapping[str, str] | None = None) -> None:
        with self._log(name).open("wb") as output:
            self._running[name] = subprocess.Popen(
                [*WITH_ITS_PARENT, *command],
                cwd=self._folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    def wait_for(self, name: str, is_ready: Callable[[], bool]) -> None:
        """Ends this process where a part ends, or does not answer in time."""
        process = self._running[name]
        gives_up_at = time.monotonic() + READY_S
        while not is_ready():
            if process.poll() is not None or time.monotonic() > gives_up_at:
                said = self._log(name).read_text(encoding="utf-8", errors="replace")[-2000:]
                sys.exit(f"{name} {'does not answer' if process.poll() is None else 'ended'}\n{said}")
            time.sleep(0.1)

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def stop(self) -> None:
        """Ends all of them, the last one first."""
        for process in reversed(self._running.values()):
            process.send_signal(signal.SIGKILL)
            process.wait()


def run(command: Sequence[str], *, env: Mapping[str, str]) -> str:
    """What a command printed. Ends the process with what it said where it fails."""
    call = [*WITH_ITS_PARENT, *command]
    done = subprocess.run(call, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr or done.stdout}")
    return done.stdout


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
