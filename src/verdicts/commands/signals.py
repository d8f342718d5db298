"""SIGINT, SIGTERM and SIGHUP end a command within seconds, with one line and an exit code of their own.

The first signal raises `Interrupted` in the main thread, so that every context closes its resources; a crawl first
commits its pages (`pipeline.event_loop`). A thread ends the process at a second signal, or after GRACE_S: the main
thread may be in a call of DuckDB or polars that sees no signal. The data folder survives that as it survives `kill -9`.
When the command has ended, the handlers, the thread and its pipe are gone: a program may call several commands.
"""

import os
import select
import signal
import sys
import threading
from contextlib import ExitStack, suppress
from types import FrameType

from verdicts.pipeline.errors import Interrupted

GRACE_S = 5.0
"""Seconds for a command to end in order."""

_grace_s = [GRACE_S]


def allow_to_end(seconds: float) -> None:
    """Gives this process longer than GRACE_S: it must end other processes first."""
    _grace_s[0] = seconds


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_NOTED_WITHIN_S = 0.1
"""After these seconds the thread surely knows of a signal that raised an exception."""


class EndingSignals:
    """The signals that end this process, handled inside its context. Entered in the main thread."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._is_raised = False
        self._noted = threading.Event()
        self._is_reported = threading.Lock()
        self._undo = ExitStack()

    def __enter__(self) -> "EndingSignals":
        """Handles the signals, except those that the caller ignores: `nohup` ignores SIGHUP."""
        _grace_s[0] = GRACE_S
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        watching = threading.Thread(target=self._watch, args=(reading,), name="signals", daemon=True)
        self._undo.callback(os.close, reading)
        with suppress(RuntimeError):
            # `can't start new thread`: a command that needs one reports it; others go on without.
            watching.start()
            self._undo.callback(watching.join)
        # The thread ends when nothing more can be written.
        self._undo.callback(os.close, writing)
        self._undo.callback(signal.set_wakeup_fd, signal.set_wakeup_fd(writing, warn_on_full_buffer=False))
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._undo.callback(signal.signal, number, signal.signal(number, self._handle))
        return self

    def __exit__(self, *_: object) -> None:
        """Leaves the signals to the handlers that were there before."""
        self.disarm()
        self._undo.close()

    def disarm(self) -> None:
        """The work is done: a signal raises nothing from now on."""
        self._is_raised = True

    def received(self) -> int | None:
        """The signal that came, if any. While a flow runs, Prefect handles SIGTERM; then only the thread sees it."""
        if self._number is None:
            self._noted.wait(_NOTED_WITHIN_S)
        return self._number

    def report(self) -> None:
        """Prints once that a signal ended the command."""
        if self._number is not None and self._is_reported.acquire(blocking=False):
            name = signal.Signals(self._number).name
            line = f"verdicts: ended by {name}; finished work is kept, and the same command continues\n"
            with suppress(OSError, ValueError):
                # The terminal may be closed.
                os.write(sys.stderr.fileno(), line.encode())

    @staticmethod
    def exit_code(number: int) -> int:
        """130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP, as a shell reports them."""
        return 128 + number

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self._number = self._number or number
        if not self._is_raised:
            # Only once: contexts must be free to close.
            self._is_raised = True
            raise Interrupted(number)

    def _watch(self, reading: int) -> None:
        """Ends the process at a second signal, or GRACE_S after the first; returns when the context is left."""
        seconds: float | None = None
        while select.select([reading], [], [], seconds)[0]:
            if not (written := os.read(reading, 1)):
                return
            if written[0] not in ENDING:
                continue
            if self._noted.is_set():
                break
            self._number, seconds = self._number or written[0], _grace_s[0]
            self._noted.set()
        self.report()
        os._exit(self.exit_code(self._number or signal.SIGTERM))
