"""One request with retries: which failed attempts are repeated, and after how long. Every failure is logged."""

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from verdicts.fetch.http.backoff import backoff_s, retry_after_s
from verdicts.fetch.http.throttle import Throttle
from verdicts.fetch.model.errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.response import Response
from verdicts.fetch.run.context import Attempt, CrawlContext, log

_PART = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", re.IGNORECASE)
"""`Content-Range: bytes 0-499/1234`: a cache that stored a part may answer 200 with it."""


_VARIANT = re.compile(r'\AW/|--?+gzip(?="?+\Z)|--?+br(?="?+\Z)|;gzip(?="?+\Z)')

OF_HOST = frozenset(
    {
        Outcome.DNS_ERROR,
        Outcome.CONNECT_ERROR,
        Outcome.CONNECT_TIMEOUT,
        Outcome.TLS_ERROR,
        Outcome.BLOCKED_ADDRESS,
        Outcome.THROTTLED,
    }
)
"""Failures that any page of the host would meet."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A response below 500 that is no 429, the attempt that brought it, and the spelling of the URL that was sent."""

    response: Response
    attempt: Attempt
    requested_url: str


async def request(
    context: CrawlContext,
    url: str,
    throttle: Throttle,
    headers: Mapping[str, str],
    *,
    requested_url: str | None = None,
    cut_at: int | None = None,
    failed_before: bool = False,
) -> Reply:
    """The reply of a host, after as many attempts as `Limits.attempts`. Raises the last `AttemptFailed`.

    Failed attempts are logged here, that of the reply by the caller. `requested_url` is sent instead of the canonical
    `url` where the host spells it differently; `cut_at` as in `Client`. `failed_before`: this address gave no page last
    time, so that another failure says nothing of its host.
    """
    sent_url = requested_url or url
    number = 0
    while True:
        number += 1
        await throttle.wait_for_turn()
        # A fetcher that was stopped meanwhile has lost its hosts.
        context.lease.check()
        attempt = Attempt(url, number, context.clock())
        began = time.monotonic()
        try:
            response = await context.client.get(sent_url, headers, cut_at=cut_at)
            _check_status(response, context.clock(), headers)
        except AttemptFailed as error:
            wait_s = backoff_s(number, context.site.limits.backoff_s, context.random)
            is_last = number >= context.site.limits.attempts or not _is_worth_retrying(error)
            is_of_host = _is_of_host(error) or (is_last and error.outcome.is_transient and not failed_before)
            throttle.record_failure(_host_pause_s(error, wait_s), is_of_host=is_of_host)
            with context.store.transaction():
                elapsed_ms = int((time.monotonic() - began) * 1000)
                log(context, attempt, error.outcome, status=error.status, elapsed_ms=elapsed_ms, detail=error.detail)
            if throttle.is_tripped or is_last:
                raise
            if error.status == 304:
                headers = {}
            if error.retry_after_s is None:
                await asyncio.sleep(wait_s)
            continue
        throttle.record_success(response.elapsed_ms / 1000)
        return Reply(response, attempt, sent_url)


def _is_of_another(etag: str | None, asked: str | None) -> bool:
    """Whether two ETags differ, as weak ones; Apache writes `"abc-gzip"` for what it confirms as `"abc"`."""
    return etag is not None and asked is not None and _VARIANT.sub("", etag) != _VARIANT.sub("", asked)


def _is_worth_retrying(error: AttemptFailed) -> bool:
    # A 304 that was not asked for comes from a confused cache, whose next answer may be whole.
    is_unrequested_304 = error.outcome is Outcome.PROTOCOL_ERROR and error.status == 304
    return error.outcome.is_transient or is_unrequested_304


def _is_of_host(error: AttemptFailed) -> bool:
    """Whether a single attempt tells that the host is in trouble, and not this one page of it.

    Where it may be either, as for a 500 or a time-out, a page counts once, when it is given up. What came whole and is
    of no use, such as a corrupt encoding, is the page's own fault.
    """
    return error.outcome in OF_HOST or error.retry_after_s is not None


def _host_pause_s(error: AttemptFailed, wait_s: float) -> float:
    """Seconds in which no worker asks the host: what it asked for, else the back-off where it throttles."""
    if error.retry_after_s is not None:
        return error.retry_after_s
    return wait_s if error.outcome is Outcome.THROTTLED else 0.0


def _check_status(response: Response, now: datetime, conditions: Mapping[str, str]) -> None:
    """Raises `AttemptFailed` for a response that brings neither a page nor a final answer."""
    status = response.status
    if status == 304 and not conditions:
        raise AttemptFailed(Outcome.PROTOCOL_ERROR, "304 to a request without conditions", status=status)
    if status == 304 and _is_of_another(response.validator("etag"), conditions.get("if-none-match")):
        # RFC 9111, 4.3.4: it confirms another page than the one that was asked about.
        raise AttemptFailed(Outcome.PROTOCOL_ERROR, "304 with another ETag than was asked about", status=status)
    wait_s = retry_after_s(response.header("retry-after"), now)
    if status == 429:
        raise AttemptFailed(Outcome.THROTTLED, "the host asks for a pause", status=status, retry_after_s=wait_s)
    if status >= 500:
        raise AttemptFailed(Outcome.SERVER_ERROR, f"the host answers {status}", status=status, retry_after_s=wait_s)
    if status < 200:
        raise AttemptFailed(Outcome.PROTOCOL_ERROR, f"status {status}", status=status)
    if response.is_success and (part := _PART.fullmatch(response.header("content-range") or "")) is not None:
        first, last, size = part.groups()
        if int(first) > 0 or str(int(last) + 1) != size:
            raise AttemptFailed(Outcome.INCOMPLETE, f"only {part[0]} of the page", status=status)
