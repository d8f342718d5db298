"""What a test run has started ends with it, also where the run is killed (Linux).

    python run_end.py PID MARK PIPE

waits for the end of the process PID, then kills whatever came of it: each process that has MARK in its environment, as
children of children have, or that holds PIPE open, as a fork does that calls no program.
"""

import os
import secrets
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

MARK = "VERDICTS_TEST_RUN"
"""The variable in which each process of a run has its name."""

NEW_ONES_FOR_S = 10.0
"""A process that is about to be killed may start another."""


def end_children_with_this_process() -> None:
    """Whatever this process starts from here on is killed when it ends, however it ends."""
    if sys.platform != "linux":
        return
    # Never read: forks are known by it, and a program that is called has it closed.
    pipe = str(Path(f"/proc/self/fd/{os.pipe()[0]}").readlink())
    mark = f"{os.getpid()}-{secrets.token_hex(4)}"
    call = [sys.executable, "-I", "-S", __file__, str(os.getpid()), mark, pipe]
    own = {name: value for name, value in os.environ.items() if name != MARK}
    subprocess.run(call, env=own, check=True, stdin=subprocess.DEVNULL)
    os.environ[MARK] = mark


def await_end(pid: int) -> None:
    with suppress(ProcessLookupError):
        select.select([os.pidfd_open(pid)], [], [])


def find_started(mark: str, pipe: str) -> list[int]:
    """The processes of a run that are still there, but for those that are another user's."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            variables = (process / "environ").read_bytes().split(b"\0")
            if f"{MARK}={mark}".encode() in variables or any(
                str(opened.readlink()) == pipe for opened in (process / "fd").iterdir()
            ):
                found.append(int(process.name))
    return found


def kill_started(mark: str, pipe: str) -> None:
    gives_up_at = time.monotonic() + NEW_ONES_FOR_S
    while (started := find_started(mark, pipe)) and time.monotonic() < gives_up_at:
        for pid in started:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def main() -> None:
    pid, mark, pipe = sys.argv[1:]
    if os.fork():
        return  # nobody's child, so that no test finds it among its own
    os.setsid()
    # Who reads what the run prints waits for the last who could write.
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    await_end(int(pid))
    kill_started(mark, pipe)


if __name__ == "__main__":
    main()
