"""SIGINT, SIGTERM and SIGHUP end a command in order: within seconds, with one line and a code of its own.

The first signal raises `Interrupted` in the main thread, so that every context on the way out closes what it holds; a
crawl commits what it has first (`pipeline.event_loop`). A second signal ends the process at once, and so does a thread
once GRACE_S have passed: the main thread may be in a call of DuckDB or polars that sees no signal. The data folder
survives that as it survives `kill -9`.
"""

import atexit
import os
import select
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType

from verdicts.pipeline.errors import Interrupted

GRACE_S = 5.0
"""Seconds that a command has to end in order."""

_grace_s = [GRACE_S]


def allow_to_end(seconds: float) -> None:
    """Gives this process longer than GRACE_S: it has others to end first."""
    _grace_s[0] = seconds


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_FROM_128 = 128
"""A shell reports a command that a signal ended as 128 and the number of the signal; so do we."""

_NOTED_WITHIN_S = 0.1
"""Seconds after which a signal that has raised an exception is surely noted by the thread."""


class EndingSignals:
    """The signals that end this process, from `take` on. Made once, in the main thread."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._is_raised = False
        self._noted = threading.Event()
        self._is_reported = threading.Lock()

    def take(self) -> None:
        """Handles the signals, but for those that the caller has us ignore: `nohup` does so with SIGHUP."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        with suppress(RuntimeError):
            # `can't start new thread`: what needs one says so; a command that needs none does without.
            threading.Thread(target=self._watch, args=(reading,), name="signals", daemon=True).start()
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        sys.unraisablehook = _report_unraisable
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._handle)
        # Registered first, it runs last: then Python lets signals kill the process again, whose code is decided.
        atexit.register(_ignore_from_now_on)

    def disarm(self) -> None:
        """From now on a signal raises nothing, as the work is done; the process still has GRACE_S to end."""
        self._is_raised = True

    def received(self) -> int | None:
        """The signal that came; None where none did.

        While a flow runs, Prefect handles SIGTERM in our place; only the thread knows of it then.
        """
        if self._number is None:
            self._noted.wait(_NOTED_WITHIN_S)
        return self._number

    def report(self) -> None:
        """Says once that a signal ended the command."""
        number = self._number
        if number is not None and self._is_reported.acquire(blocking=False):
            name = signal.Signals(number).name
            line = f"verdicts: ended by {name}; finished work is kept, and the same command continues\n"
            with suppress(OSError, ValueError):
                # The terminal may be gone.
                os.write(sys.stderr.fileno(), line.encode())

    @staticmethod
    def exit_code(number: int) -> int:
        """What the process returns: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP."""
        return _FROM_128 + number

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if self._number is None:
            self._number = number
        if not self._is_raised:
            # Once: contexts that are on their way out are left to it, or to the thread.
            self._is_raised = True
            raise Interrupted(number)

    def _watch(self, reading: int) -> None:
        """Ends the process at a second signal, or GRACE_S after the first."""
        first = _next(reading, None)
        if self._number is None:
            self._number = first
        self._noted.set()
        _next(reading, _grace_s[0])
        self.report()
        os._exit(self.exit_code(self._number or signal.SIGTERM))


def _next(reading: int, seconds: float | None) -> int | None:
    """The next ending signal; None after so many seconds."""
    while select.select([reading], [], [], seconds)[0]:
        (number,) = os.read(reading, 1)
        if number in ENDING:
            return number
    return None


def _ignore_from_now_on() -> None:
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


def _report_unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """A signal that came where nothing can be raised, as in `__del__`, is no bug: the thread ends the process."""
    if not isinstance(unraisable.exc_value, Interrupted):
        sys.__unraisablehook__(unraisable)
