"""What a test leaves behind in the process of the tests, where the next test would meet it."""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

WITHIN_S = 3.0
"""Seconds for a thread or a process that was told to end."""

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGALRM, signal.SIGPROF)

LIBRARY_THREADS = (
    "GlobalEventLoopThread",
    "RunSyncLoop",
    "AnyIO worker thread",
    "IO loop",
    "Profile",
    "TCP-Executor",
    "Dask-",
)
"""Threads that Prefect, Dask and AnyIO start once and keep for the life of their process."""

PR_SET_CHILD_SUBREAPER = 36


NOT_LEFT = {"PYTEST_CURRENT_TEST", "_RJEM_MALLOC_CONF"}
"""Variables of pytest, for the test that runs, and of polars, once it is imported."""


@dataclass(frozen=True)
class Standing:
    """Signal handlers, wakeup file, threads, child processes and environment at one moment."""

    handlers: dict[int, object]
    wakeup_file: int
    threads: frozenset[threading.Thread]
    children: dict[int, str]
    environment: dict[str, str]

    def leftovers(self, before: "Standing") -> list[str]:
        """What is here and was not before, a line each."""
        lines = [
            f"a handler of {signal.Signals(number).name}: {handler}"
            for number, handler in self.handlers.items()
            if handler != before.handlers[number]
        ]
        if self.wakeup_file != before.wakeup_file:
            lines.append(f"a wakeup file: {self.wakeup_file}")
        lines += [f"a thread: {thread.name}" for thread in self.threads - before.threads]
        lines += [
            f"a variable: {name}"
            for name in sorted(self.environment.keys() | before.environment.keys())
            if self.environment.get(name) != before.environment.get(name)
        ]
        return lines + [
            f"a process: {number}, {command}"
            for number, command in self.children.items()
            if number not in before.children
        ]


def look() -> Standing:
    """What stands now."""
    wakeup_file = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(wakeup_file)
    return Standing(
        {number: signal.getsignal(number) for number in SIGNALS},
        wakeup_file,
        frozenset(thread for thread in threading.enumerate() if not thread.name.startswith(LIBRARY_THREADS)),
        dict(_children()),
        {name: value for name, value in os.environ.items() if name not in NOT_LEFT},
    )


def look_for_leftovers(before: Standing) -> list[str]:
    """What a test left, after WITHIN_S for what is ending."""
    deadline = time.monotonic() + WITHIN_S
    while (lines := look().leftovers(before)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return lines


def adopt_orphans() -> None:
    """Makes this process the parent of processes whose own parent has ended, so that they are found. Linux alone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> Iterator[tuple[int, str]]:
    """Living child processes with their command, without those that have ended."""
    tracker = sys.modules.get("multiprocessing.resource_tracker")
    own = {getattr(getattr(tracker, "_resource_tracker", None), "_pid", None)}
    for listed in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            for number in map(int, listed.read_text().split()):
                command, is_living = _command(number)
                if is_living and number not in own:
                    yield number, command


def _command(number: int) -> tuple[str, bool]:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        return Path(f"/proc/{number}/cmdline").read_text().replace("\0", " ")[:200], state != "Z"
    except OSError:
        return "", False
