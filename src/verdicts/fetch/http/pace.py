"""The pace of requests to a host: delays after refusals, pauses, a circuit breaker."""

import asyncio
import random
import re
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.site import Limits

SLOWEST_S = 60.0
"""The longest delay that refusals teach."""

EASED_AFTER, EASED_BY = 10, 0.95
"""After so many answers without a refusal the delay shrinks by this factor: 14 times until it is half as long.

A limit is met again after 140 requests, instead of after each doubling and halving (scrapy/scrapy#3061).
"""

REFUSALS_ALONE = 4
"""A page that is refused so often, and no other page in between, is given up for this run."""

PAUSE_MAX_S = 7 * 86_400.0
"""The longest pause that the next runs keep: a host must not close itself for years by mistake."""

LEFT = "the host failed too often, or asks for a longer pause than a run waits"

_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?", re.ASCII)
"""RFC 9110, 10.2.3, has whole seconds; some servers send `2.0` (OpenFeign/feign#980)."""


def draw_backoff_s(attempt: int, base_s: float) -> float:
    """Seconds to wait after attempt number `attempt` (from 1): half to all of `base_s * 2 ** (attempt - 1)`.

    "Equal jitter" of https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ (Brooker, 2015): clients
    that failed together do not return together. Full jitter may not wait at all, and a host in trouble needs a pause.
    """
    longest = base_s * 2.0 ** (attempt - 1)
    return longest / 2 + random.uniform(0, longest / 2)  # noqa: S311  no secret


def parse_retry_after_s(value: str | None, now: datetime) -> float | None:
    """Seconds to wait by `Retry-After`, a number or an HTTP date; None for other values, past dates and 0.

    `now` is the time by the clock that wrote the date: the `Date` of the response.
    """
    text = (value or "").strip()
    try:
        wait = float(text) if _SECONDS.fullmatch(text) else (parse_http_date(text) - now).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return wait if wait > 0 else None


def parse_http_date(text: str) -> datetime:
    """An HTTP date, in UTC if it has no zone. Raises `ValueError`, `TypeError`, `IndexError`, `OverflowError`."""
    moment = parsedate_to_datetime(text)
    return moment.replace(tzinfo=moment.tzinfo or UTC)


class _Refused(NamedTuple):
    """How often a page was refused, how often it alone, and how many answers its host had given by the last time."""

    times: int
    alone: int
    answers: int


class Throttle:
    """Spaces the requests to one host, for all its workers.

    A refusal (429, 503, a wall) doubles the delay until the end of the run. Requests that were on their way at that
    moment count as the same refusal, and so do walls between pages that are answered: they stand before single pages,
    whatever the pace. `slowest_s` is the longest delay that refusals led to.
    """

    def __init__(self, delay_s: float, limits: Limits) -> None:
        self._least_s = self._delay_s = delay_s
        self._limits = limits
        self._next_turn = 0.0
        self._failures_in_a_row = 0
        self._lock = asyncio.Lock()
        self._slowed_at = -1.0
        self._answers = self._answers_since_refusal = 0
        self._answers_at_refusal: int | None = None
        self._refused: dict[str, _Refused] = {}
        self._last_refused: str | None = None
        self.slowest_s = 0.0
        self.left_for_s: float | None = None
        """The pause that the host asked for, if that is longer than a run waits."""

    def raise_delay_to(self, delay_s: float) -> None:
        self._least_s = max(self._least_s, delay_s)
        self._delay_s = max(self._delay_s, delay_s)

    async def wait_for_turn(self) -> float:
        """Waits until the host may be requested again, including pauses added meanwhile. Returns the moment.

        Raises `AttemptFailed` if the host was left while others waited, or asks for more time than a run waits.
        """
        async with self._lock:
            while (wait := self._next_turn - time.monotonic()) > 0 and not self.is_left:
                if wait > self._limits.longest_wait_s:
                    self.left_for_s = wait
                else:
                    await asyncio.sleep(wait)
            if self.is_left:
                raise AttemptFailed(Outcome.THROTTLED, LEFT, may_ask_again=True)
            now = time.monotonic()
            self._next_turn = now + self._delay_s
            return now

    def record_success(self, elapsed_s: float) -> None:
        """Pauses for as long as the host took to respond, unless the configured delay is 0."""
        self._failures_in_a_row = 0
        self._answers += 1
        self._answers_since_refusal += 1
        if self._answers_since_refusal % EASED_AFTER == 0:
            self._delay_s = max(self._least_s, self._delay_s * EASED_BY)
        if self._delay_s > 0:
            self.pause(elapsed_s)

    def record_failure(self, *, is_of_host: bool) -> None:
        """`is_of_host`: it counts towards giving up the host."""
        self._failures_in_a_row += is_of_host

    def record_refusal(self, url: str, sent_at: float, *, is_wall: bool = False) -> bool:
        """Slows down, unless other pages are answered. Returns whether the page may be requested again."""
        last = self._answers_at_refusal if is_wall and self._answers_at_refusal is not None else self._answers
        self._answers_at_refusal = self._answers
        before = self._refused.get(url, _Refused(0, 0, last))
        are_others_answered = before.answers < self._answers
        refusals_alone = before.alone + (are_others_answered or self._last_refused == url)
        self._refused[url] = _Refused(before.times + 1, refusals_alone, self._answers)
        self._last_refused = url
        if not are_others_answered and sent_at > self._slowed_at:
            self._failures_in_a_row += 1
            self._answers_since_refusal = 0
            self._slowed_at = time.monotonic()
            slower_s = min(max(2 * self._delay_s, self._limits.backoff_s), max(SLOWEST_S, self._least_s))
            self._delay_s = self.slowest_s = max(slower_s, self._delay_s)
            self.pause(self._delay_s)
        return refusals_alone < REFUSALS_ALONE - 1

    def count_refusals(self, url: str) -> int:
        return 0 if url not in self._refused else self._refused[url].times

    @property
    def is_left(self) -> bool:
        """Whether the host is not asked again in this run."""
        return self.is_tripped or self.left_for_s is not None

    @property
    def is_tripped(self) -> bool:
        """Whether the host failed too often in a row and is given up for this run."""
        return self._failures_in_a_row >= self._limits.breaker

    def pause(self, seconds: float) -> None:
        """Pauses all requests to the host; one longer than `Limits.longest_wait_s` leaves it."""
        if seconds > self._limits.longest_wait_s:
            self.left_for_s = max(self.left_for_s or 0.0, seconds)
        self._next_turn = max(self._next_turn, time.monotonic() + seconds)
