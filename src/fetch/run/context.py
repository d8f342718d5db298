"""What the workers of one site share, and how they log their attempts."""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from verdicts.fetch.http.client import Client
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.response import Response
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.skips import SkipCounter, SkipReason
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.parse.robots import product_token
from verdicts.fetch.shared.leases import Lease
from verdicts.fetch.store.run_log import fetch_row
from verdicts.fetch.store.store import Store

DETAIL_LENGTH = 2_000
"""Characters of a detail, at most: a host may have written it."""


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
    left: dict[str, tuple[Outcome | SkipReason, str | None]] = field(default_factory=dict)
    """Hosts that were asked to the end of this run, and why what is left of each is left; of all sites."""
    reported: set[tuple[str, int, str]] = field(default_factory=set)
    """File, line and type of the errors of our own whose traceback was written."""

    @property
    def token(self) -> str:
        """Our product token in lower case, which robots directives may name."""
        return product_token(self.user_agent).lower()


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
        fetch_row(
            context.crawl_id,
            next(context.fetch_numbers),
            attempt.url,
            outcome,
            attempt.started_at,
            attempt=attempt.number,
            status_code=status if response is None else response.status,
            elapsed_ms=elapsed_ms if response is None else response.elapsed_ms,
            size=0 if response is None else response.wire_bytes,
            sha256=sha256,
            location=location,
            detail=None if detail is None else " ".join(detail[:DETAIL_LENGTH].split()),
        )
    )
