"""What the workers of one site share, and how they log their attempts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random

from corpus.rows.runs import FetchRow
from fetch.http.client import Client
from fetch.model.outcome import Outcome
from fetch.model.response import Response
from fetch.model.site import Site
from fetch.model.skips import SkipCounter, SkipReason
from fetch.model.snapshot import Location
from fetch.parse.robots import product_token
from fetch.store.store import Store

DETAIL_LENGTH = 2_000
"""Characters of a detail, at most: a host may have written it."""


def utc_now() -> datetime:
    """The default clock of a run."""
    return datetime.now(UTC)


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
    start_urls: set[str] = field(default_factory=set)
    """Canonical start URLs."""
    skip_reasons: dict[str, SkipReason | None] = field(default_factory=dict)
    """A cache: links seen lately, and why each is skipped; None for those in scope."""
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
