"""What the workers of one site share, and how they log their attempts."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from verdicts.corpus.rows.runs import FetchRow
from verdicts.fetch.http.client import Client
from verdicts.fetch.model.addresses.web_address import host_of
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.response import Response
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.skips import SkipCounter, SkipReason
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.parse.parameters import Lessons, parameters_of, without
from verdicts.fetch.parse.robots import product_token
from verdicts.fetch.shared.leases import Lease
from verdicts.fetch.store import standings
from verdicts.fetch.store.store import Store

DETAIL_LENGTH = 2_000
"""Characters of a detail, at most: a host may have written it."""


SAMPLES_A_NIGHT = 5
"""Addresses with a dropped parameter that are requested in a night, by host and parameter: what the first values did
not change, another one may."""


def utc_now() -> datetime:
    """The default clock of a run."""
    return datetime.now(UTC)


def steady_clock() -> Callable[[], datetime]:
    """A clock that starts as `utc_now` and runs on by itself: in one run no moment comes twice, or is left out."""
    begun, started = utc_now(), _seconds()
    return lambda: begun + timedelta(seconds=_seconds() - started)


def _seconds() -> float:
    """Seconds since some moment; on Linux those that the machine was suspended count too."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


@dataclass(slots=True)
class Tally:
    """URLs settled and URLs due, over all sites of a crawl; both only grow."""

    settled: int
    due: int


@dataclass(slots=True)
class CrawlContext:
    """What the workers of one site share.

    `fetch_numbers`, `tally`, `skips`, `redirects` and `random` are shared by all sites of a crawl. `started_at` is that
    of the crawl: it fetches what was due then. `redirects` are the canonical URLs that redirected in this run, with
    where to. `random` makes the jitter of back-offs.
    """

    store: Store
    site: Site
    client: Client
    crawl_id: str
    user_agent: str
    clock: Callable[[], datetime]
    fetch_numbers: Iterator[int]
    tally: Tally
    skips: SkipCounter
    redirects: dict[str, str]
    started_at: datetime
    random: Random
    lease: Lease = field(default_factory=Lease)
    """Of the hosts of the site."""
    start_urls: set[str] = field(default_factory=set)
    """Canonical start URLs."""
    skip_reasons: dict[str, SkipReason | None] = field(default_factory=dict)
    """A cache: links seen lately, and why each is skipped; None for those in scope."""
    lessons: dict[str, Lessons] = field(default_factory=dict)
    """What this run taught of the parameters of each host."""
    _samples: dict[tuple[str, ...], set[str]] = field(default_factory=dict)
    _decided: dict[str, dict[str, bool]] = field(default_factory=dict)
    _dropped: dict[str, list[str]] = field(default_factory=dict)
    left: dict[str, tuple[Outcome | SkipReason, str | None]] = field(default_factory=dict)
    """Hosts that were asked to the end of this run, and why what is left of each is left; of all sites."""
    reported: set[tuple[str, int, str]] = field(default_factory=set)
    """File, line and type of the errors of our own whose traceback was written."""

    @property
    def token(self) -> str:
        """Our product token in lower case, which robots directives may name."""
        return product_token(self.user_agent).lower()

    def decided(self, host: str) -> Mapping[str, bool]:
        """The parameters of a host that were decided, in earlier runs too, and whether each is dropped."""
        if host not in self._decided:
            self._decided[host] = standings.decided(self.store.state, host)
        return self._decided[host]

    def decide(self, host: str, name: str, *, is_dropped: bool) -> None:
        """Decides a parameter for this run and all others. Part of the caller's transaction."""
        standings.decide(self.store.state, host, name, self.crawl_id, is_dropped=is_dropped)
        was_dropped = self.decided(host).get(name, False)
        self._decided[host][name] = is_dropped
        if is_dropped or was_dropped:
            self._dropped.pop(host, None)
            self.skip_reasons.clear()

    def without_dropped(self, url: str) -> str:
        """A canonical URL without the parameters that change nothing on its host."""
        if "?" not in url and ";" not in url:
            return url
        host = host_of(url)
        if host not in self._dropped:
            self._dropped[host] = [name for name, is_dropped in self.decided(host).items() if is_dropped]
        for name in self._dropped[host]:
            url = without(url, name)
        return url

    def is_sample(self, url: str) -> bool:
        """Whether an address with dropped parameters is requested all the same: some are, of each parameter."""
        host = host_of(url)
        decided = self.decided(host)
        key = (host, *(name for name in parameters_of(url) if decided.get(name)))
        samples = self._samples.setdefault(key, set())
        if len(samples) < SAMPLES_A_NIGHT:
            samples.add(url)
        return url in samples


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request for a URL. `number` counts from 1."""

    url: str
    number: int
    started_at: datetime


def log(
    context: CrawlContext,
    attempt: Attempt,
    outcome: Outcome,
    *,
    response: Response | None = None,
    status: int | None = None,
    elapsed_ms: int = 0,
    sha256: str | None = None,
    location: Location | None = None,
    detail: str | None = None,
) -> None:
    """Adds an attempt to the log. Part of the caller's transaction.

    `status` and `elapsed_ms` are for attempts without a whole response.
    """
    context.store.log(
        FetchRow(
            fetch_id=f"{context.crawl_id}.{next(context.fetch_numbers):07d}",
            crawl_id=context.crawl_id,
            url=attempt.url,
            outcome=outcome,
            status_code=status if response is None else response.status,
            attempt=attempt.number,
            started_at=attempt.started_at,
            elapsed_ms=elapsed_ms if response is None else response.elapsed_ms,
            bytes=0 if response is None else response.wire_bytes,
            body_sha256=sha256,
            segment=None if location is None else location.segment,
            segment_offset=None if location is None else location.offset,
            detail=None if detail is None else " ".join(detail[:DETAIL_LENGTH].split()),
        )
    )
