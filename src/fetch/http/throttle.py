"""How fast one host is asked: a delay that follows its responses, the pauses it asks for, and a circuit breaker."""

import asyncio
import time

from verdicts.fetch.model.site import Limits


class Throttle:
    """Spaces the requests to one host. Shared by all of its workers."""

    def __init__(self, delay_s: float, limits: Limits) -> None:
        self._delay_s = delay_s
        self._limits = limits
        self._next_turn = 0.0
        self._failures_in_a_row = 0
        self._lock = asyncio.Lock()

    @property
    def delay_s(self) -> float:
        """Seconds between two requests, at least."""
        return self._delay_s

    @property
    def wait_s(self) -> float:
        """Seconds until the host may be asked again."""
        return max(0.0, self._next_turn - time.monotonic())

    def pause(self, seconds: float) -> None:
        """Nobody asks the host for so long."""
        self._pause(seconds)

    def raise_delay_to(self, delay_s: float) -> None:
        """Makes the delay between two requests at least `delay_s` seconds."""
        self._delay_s = max(self._delay_s, delay_s)

    async def wait_for_turn(self) -> None:
        """Waits until the host may be asked again; a pause that is added while waiting is waited for too."""
        async with self._lock:
            while (wait := self._next_turn - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            self._next_turn = time.monotonic() + self._delay_s

    def record_success(self, elapsed_s: float) -> None:
        """Pauses for as long as the host took to respond; not where the configured delay is 0."""
        self._failures_in_a_row = 0
        if self._delay_s > 0:
            self._pause(elapsed_s)

    def record_failure(self, pause_s: float, *, is_of_host: bool) -> None:
        """Pauses all requests to the host for `pause_s` seconds, at most `Limits.retry_after_max_s`.

        `is_of_host`: it counts towards giving the host up.
        """
        self._failures_in_a_row += is_of_host
        self._pause(min(pause_s, self._limits.retry_after_max_s))

    @property
    def is_tripped(self) -> bool:
        """Whether the host failed so often in a row that it is not asked again in this run."""
        return self._failures_in_a_row >= self._limits.breaker

    def _pause(self, seconds: float) -> None:
        self._next_turn = max(self._next_turn, time.monotonic() + seconds)
