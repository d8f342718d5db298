"""Requests with retries, and redirects one hop at a time. Every attempt leaves a row in the log."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urldefrag, urljoin, urlsplit

from fetch.http.client import Answer, Client
from fetch.http.throttle import Pace, retry_after_s
from fetch.model.errors import FetchError, Outcome, Permanent, Transient
from fetch.model.log import FetchRecord
from fetch.model.site import Site
from fetch.model.skips import SkipReason, Skips
from fetch.model.snapshot import Location
from fetch.parse.robots import product_token
from fetch.store.store import Store


@dataclass(slots=True)
class Tally:
    """Addresses settled and known to be due, over all sites of a crawl; both grow."""

    settled: int
    due: int


@dataclass(slots=True)
class Run:
    """What the workers of one site share."""

    store: Store
    site: Site
    client: Client
    crawl_id: str
    user_agent: str
    clock: Callable[[], datetime]
    fetch_numbers: Iterator[int]
    """Numbers of the rows in the log; shared by the sites of a crawl."""
    tally: Tally
    skips: Skips
    started_at: datetime
    """Of the crawl. What was due then is fetched by it."""
    judged: dict[str, SkipReason | None] = field(default_factory=dict)
    """Links seen lately, and why each is left out if it is."""

    starts: set[str] = field(default_factory=set)
    """Canonical start addresses."""

    @property
    def token(self) -> str:
        """The name that robots directives know us by."""
        return product_token(self.user_agent).lower()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request for an address, as the log tells it. `number` counts from 1."""

    url: str
    number: int
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer below 500 that is no 429, the attempt that brought it, and the spelling of the address it came from."""

    answer: Answer
    attempt: Attempt
    asked: str


async def ask(run: Run, url: str, pace: Pace, headers: Mapping[str, str], *, asked: str | None = None) -> Reply:
    """The reply of a host, after as many attempts as the limits allow. Raises the last `FetchError`; all are logged.

    `asked` is the address to send where its spelling differs from the canonical `url`.
    """
    limits = run.site.limits
    number = 0
    while True:
        number += 1
        await pace.turn()
        attempt = Attempt(url, number, run.clock())
        began = time.monotonic()
        try:
            answer = await run.client.get(asked or url, headers)
            _check_status(answer, run.clock(), is_conditional=bool(headers))
        except FetchError as error:
            backoff_s = limits.backoff_s * 2 ** (number - 1)
            is_throttled = error.outcome == "throttled"
            pace.failed(error.retry_after_s if error.retry_after_s is not None else backoff_s * is_throttled)
            with run.store.transaction():
                elapsed_ms = int((time.monotonic() - began) * 1000)
                log(run, attempt, error.outcome, status=error.status, elapsed_ms=elapsed_ms, detail=error.detail)
            if isinstance(error, Permanent) or pace.is_broken or number >= limits.attempts:
                raise
            if error.retry_after_s is None:
                await asyncio.sleep(backoff_s)
            continue
        pace.answered(answer.elapsed_ms / 1000)
        return Reply(answer, attempt, asked or url)


async def ask_following(run: Run, url: str, pace: Pace, may_follow: Callable[[str], bool]) -> Reply:
    """The reply for a file that is no page, such as a sitemap, over as many redirects as the limits allow.

    Raises `FetchError`, `redirect_limit` and `out_of_scope` among them.
    """
    for _ in range(run.site.limits.redirects + 1):
        reply = await ask(run, url, pace, {})
        if not reply.answer.is_redirect:
            return reply
        try:
            target = redirect_target(url, reply.answer, may_follow)
        except Permanent as error:
            with run.store.transaction():
                log(run, reply.attempt, error.outcome, answer=reply.answer, detail=error.detail)
            raise
        with run.store.transaction():
            log(run, reply.attempt, "redirected", answer=reply.answer, detail=target)
        url = target
    raise Permanent("redirect_limit", f"more than {run.site.limits.redirects} redirects")


def redirect_target(url: str, answer: Answer, may_follow: Callable[[str], bool] = lambda _: True) -> str:
    """Where a redirect leads, as spelled by the host. Raises `Permanent` for what is not to be followed."""
    try:
        target = urldefrag(urljoin(url, (answer.header("location") or "").strip())).url
        parts = urlsplit(target)
    except ValueError as error:
        raise Permanent("out_of_scope", f"leads to no address: {error}") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise Permanent("out_of_scope", f"leads to {target[:200]!r}, which is no web address")
    if urlsplit(url).scheme == "https" and parts.scheme == "http":
        raise Permanent("out_of_scope", f"leads from https down to {target}")
    if not may_follow(target):
        raise Permanent("out_of_scope", f"leads to {target}")
    return target


def _check_status(answer: Answer, now: datetime, *, is_conditional: bool) -> None:
    """Raises `Transient` for what another try may mend."""
    if answer.status == 304 and not is_conditional:
        raise Transient("protocol_error", "304 to a request without conditions", status=304)
    wait = retry_after_s(answer.header("retry-after"), now)
    if answer.status == 429:
        raise Transient("throttled", "the host asks for a pause", status=429, retry_after_s=wait)
    if answer.status >= 500:
        raise Transient("server_error", f"the host answers {answer.status}", status=answer.status, retry_after_s=wait)
    if answer.status < 200:
        raise Permanent("protocol_error", f"status {answer.status}", status=answer.status)


def log(
    run: Run,
    attempt: Attempt,
    outcome: Outcome,
    *,
    answer: Answer | None = None,
    status: int | None = None,
    elapsed_ms: int = 0,
    sha256: str | None = None,
    location: Location | None = None,
    detail: str | None = None,
) -> None:
    """Adds an attempt to the log. Part of the caller's transaction."""
    run.store.log(
        FetchRecord(
            fetch_id=f"{run.crawl_id}.{next(run.fetch_numbers):07d}",
            crawl_id=run.crawl_id,
            url=attempt.url,
            outcome=outcome,
            status_code=status if answer is None else answer.status,
            attempt=attempt.number,
            started_at=attempt.started_at,
            elapsed_ms=elapsed_ms if answer is None else answer.elapsed_ms,
            bytes=0 if answer is None else answer.wire_bytes,
            body_sha256=sha256,
            segment=None if location is None else location.segment,
            segment_offset=None if location is None else location.offset,
            detail=detail,
        )
    )
