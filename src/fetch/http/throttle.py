"""How fast one host is asked: a delay that follows its answers, pauses it asks for, a breaker for when it is down."""

import asyncio
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from fetch.model.site import Limits


class Pace:
    """Hands out turns for one host. Shared by all of its workers."""

    def __init__(self, delay_s: float, limits: Limits) -> None:
        self._delay_s = delay_s
        self._limits = limits
        self._next_turn = 0.0
        self._failures_in_a_row = 0
        self._lock = asyncio.Lock()

    def slow_to(self, delay_s: float) -> None:
        """At least so many seconds between two requests."""
        self._delay_s = max(self._delay_s, delay_s)

    async def turn(self) -> None:
        """Waits until the host may be asked again; a pause that comes up while waiting is waited for too."""
        async with self._lock:
            while (wait := self._next_turn - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            self._next_turn = time.monotonic() + self._delay_s

    def answered(self, elapsed_s: float) -> None:
        """A good answer. A host that answers slowly is asked as slowly; without a delay none is added."""
        self._failures_in_a_row = 0
        if self._delay_s > 0:
            self._pause(elapsed_s)

    def failed(self, pause_s: float) -> None:
        """A bad answer, after which the whole host is left alone for a while."""
        self._failures_in_a_row += 1
        self._pause(min(pause_s, self._limits.retry_after_max_s))

    @property
    def is_broken(self) -> bool:
        """Whether the host is left alone for the rest of the run."""
        return self._failures_in_a_row >= self._limits.breaker

    def _pause(self, seconds: float) -> None:
        self._next_turn = max(self._next_turn, time.monotonic() + seconds)


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Seconds to wait by `Retry-After`, a number or an HTTP date; None for what is neither, or lies in the past."""
    text = (value or "").strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
        wait = (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return wait if wait > 0 else None
