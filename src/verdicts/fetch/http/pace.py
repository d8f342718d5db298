"""How fast a host may be requested: delays, pauses, a circuit breaker."""

import asyncio
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random

from verdicts.fetch.model.site import Limits


def backoff_s(attempt: int, base_s: float, random: Random) -> float:
    """Seconds to wait after attempt number `attempt` (from 1): half to all of `base_s * 2 ** (attempt - 1)`.

    "Equal jitter" of https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ (Brooker, 2015): clients
    that failed together do not return together. Full jitter may not wait at all, and a host in trouble needs a pause.
    """
    longest = base_s * 2.0 ** (attempt - 1)
    return longest / 2 + random.uniform(0, longest / 2)


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Seconds to wait by `Retry-After`, a number or an HTTP date; None for other values and past dates."""
    text = (value or "").strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
        wait = (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return wait if wait > 0 else None


SLOWEST_S = 60.0
"""The longest delay to which a host is slowed down."""


class Throttle:
    """Spaces the requests to one host, for all its workers."""

    def __init__(self, delay_s: float, limits: Limits) -> None:
        self._delay_s = delay_s
        self._limits = limits
        self._next_turn = 0.0
        self._failures_in_a_row = 0
        self._lock = asyncio.Lock()

    def raise_delay_to(self, delay_s: float) -> None:
        self._delay_s = max(self._delay_s, delay_s)

    async def wait_for_turn(self) -> None:
        """Waits until the host may be requested again, including pauses added meanwhile."""
        async with self._lock:
            while (wait := self._next_turn - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            self._next_turn = time.monotonic() + self._delay_s

    def record_success(self, elapsed_s: float) -> None:
        """Pauses for as long as the host took to respond, unless the configured delay is 0."""
        self._failures_in_a_row = 0
        if self._delay_s > 0:
            self.pause(elapsed_s)

    def record_failure(self, pause_s: float, *, is_of_host: bool) -> None:
        """Pauses all requests to the host for `pause_s`, at most `Limits.retry_after_max_s`.

        `is_of_host`: it counts towards giving up the host.
        """
        self._failures_in_a_row += is_of_host
        self.pause(min(pause_s, self._limits.retry_after_max_s))

    def slow_down(self) -> None:
        """Doubles the delay for the rest of the run, up to `SLOWEST_S`; a delay of 0 is the operator's own host."""
        self._delay_s = max(self._delay_s, min(2 * self._delay_s, SLOWEST_S))

    @property
    def is_tripped(self) -> bool:
        """Whether the host failed too often in a row and is given up for this run."""
        return self._failures_in_a_row >= self._limits.breaker

    def pause(self, seconds: float) -> None:
        self._next_turn = max(self._next_turn, time.monotonic() + seconds)
