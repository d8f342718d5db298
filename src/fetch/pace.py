"""How fast one host is asked: a delay that follows its answers, pauses it asks for, a breaker for when it is down."""

import asyncio
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from fetch.site import Limits


class Pace:
    """Hands out turns for one host. Shared by all of its workers."""

    def __init__(self, delay_s: float, limits: Limits) -> None:
        self._delay_s = delay_s
        self._limits = limits
        self._next_turn = 0.0
        self._failures_in_a_row = 0
        self._lock = asyncio.Lock()

    async def turn(self) -> None:
        """Waits until the host may be asked again."""
        async with self._lock:
            wait = self._next_turn - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            self._next_turn = time.monotonic() + self._delay_s

    def answered(self, elapsed_s: float) -> None:
        """A good answer. A host that answers slowly is asked as slowly; without a delay none is added."""
        self._failures_in_a_row = 0
        if self._delay_s > 0:
            self._next_turn = max(self._next_turn, time.monotonic() + elapsed_s)

    def failed(self, retry_after_s: float | None) -> None:
        """A bad answer; the host may have said how long to leave it alone."""
        self._failures_in_a_row += 1
        if retry_after_s is not None:
            self._next_turn = max(
                self._next_turn, time.monotonic() + min(retry_after_s, self._limits.retry_after_max_s)
            )

    @property
    def is_broken(self) -> bool:
        """Whether the host is left alone for the rest of the run."""
        return self._failures_in_a_row >= self._limits.breaker


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Seconds to wait by `Retry-After`, a number or an HTTP date; None for what is neither, or lies in the past."""
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    wait = (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()
    return wait if wait > 0 else None
