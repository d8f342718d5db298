"""SIGINT, SIGTERM and SIGHUP end a command within seconds, with one line and an exit code of their own.

The first signal raises `Interrupted` in the main thread, so that every context closes its resources, and a crawl
commits its pages. A second signal, or GRACE_S, ends the process. Python hears a signal when
the present call of polars returns; `kill -9` does not wait for that, and the data folder survives it.
"""

import os
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType

from verdicts.pipeline.pipeline_errors import Interrupted

GRACE_S = 5.0
"""Seconds for a command to end in order: a query in another thread may take longer."""

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class EndingSignals:
    """The signals that end this process, handled inside its context. Entered in the main thread."""

    def __init__(self) -> None:
        self.received: int | None = None
        """The signal that came, if any. What it ended may have raised something else than `Interrupted`."""

    def __enter__(self) -> "EndingSignals":
        """Handles the signals, except those that the caller ignores: `nohup` ignores SIGHUP."""
        handled = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
        self._former = {number: signal.signal(number, self._handle) for number in handled}
        return self

    def __exit__(self, *_: object) -> None:
        """Leaves the signals to the handlers that were there before."""
        for number, handler in self._former.items():
            signal.signal(number, handler)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if self.received is not None:
            self.end()
        self.received = number
        timer = threading.Timer(GRACE_S, self.end)
        timer.daemon = True
        with suppress(RuntimeError):
            # `can't start new thread`
            timer.start()
        raise Interrupted(number)

    def end(self) -> None:
        """Prints that a signal ended the command, and ends the process.

        Not by Python's normal exit, which waits for threads and destroys libraries whose objects are still in use:
        `nanobind: leaked 12 instances!`
        """
        number = signal.Signals(self.received or signal.SIGTERM)
        line = f"verdicts: ended by {number.name}; finished work is kept, and the same command continues\n"
        with suppress(OSError, ValueError):
            # The terminal may be closed.
            os.write(sys.stderr.fileno(), line.encode())
        os._exit(exit_code(number))


def exit_code(number: int) -> int:
    """130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP, as a shell reports them."""
    return 128 + number
