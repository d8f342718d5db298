"""One request with retries: which failed attempts are repeated, and when. Every failure is logged."""

import asyncio
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial

from verdicts.fetch.http.client import NO_COOKIES
from verdicts.fetch.http.cookies import VisitCookies
from verdicts.fetch.http.pace import PAUSE_MAX_S, Throttle, draw_backoff_s, parse_http_date, parse_retry_after_s
from verdicts.fetch.model.addresses import BadUrl, OtherScheme, TooLong, resolve_address
from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome, SkipReason
from verdicts.fetch.model.snapshot import Response
from verdicts.fetch.model.url_state import UrlState, UrlStatus
from verdicts.fetch.parse.page_head import PageHead, read_head
from verdicts.fetch.parse.page_links import read_refresh
from verdicts.fetch.parse.robots import Robots
from verdicts.fetch.parse.walls import find_wall
from verdicts.fetch.run.context import Attempt, CrawlContext
from verdicts.fetch.run.stand_ins import check_stand_in
from verdicts.fetch.store import frontier

_PART = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", re.IGNORECASE)
"""`Content-Range: bytes 0-499/1234`: a cache that stored a part may send it with a 200."""


_VARIANT = re.compile(r'\AW/|--?+gzip(?="?+\Z)|--?+br(?="?+\Z)|;gzip(?="?+\Z)')
"""What two ETags of one version may differ in: Apache confirms `"abc"` with `"abc-gzip"`."""

OF_HOST = frozenset(
    {
        Outcome.DNS_ERROR,
        Outcome.CONNECT_ERROR,
        Outcome.CONNECT_TIMEOUT,
        Outcome.TLS_ERROR,
        Outcome.BLOCKED_ADDRESS,
    }
)
"""Failures that any page of the host would meet."""

REFUSALS = frozenset({429, 503})
"""Statuses of a host that wants fewer requests; nginx limits with 503."""


@dataclass(frozen=True)
class Reply:
    """A response below 500 other than 429, its attempt, and the address that was sent.

    `token` is our product token in lower case, which the head of a page may name.
    """

    response: Response
    attempt: Attempt
    requested_url: str
    token: str

    @cached_property
    def head(self) -> PageHead:
        return read_head(self.response.head, self.token)

    def redirect(self) -> "Reply":
        """As a redirect, if it is a page with a refresh that browsers follow; else itself."""
        if self.response.status != 200:
            return self
        refresh = read_refresh(self.response.headers, self.requested_url, self.head)
        return self if refresh is None else self.to(refresh.target)

    def to(self, target: str) -> "Reply":
        """As a redirect to the target of its refresh."""
        return replace(self, response=replace(self.response, status=302, headers=(("location", target),)))


async def request(
    context: CrawlContext,
    url: str,
    throttle: Throttle,
    headers: Mapping[str, str],
    *,
    requested_url: str | None = None,
    cut_at: int | None = None,
    cookies: Mapping[str, str] = NO_COOKIES,
    is_page: bool = False,
    failed_before: bool = False,
    check: Callable[[Response], None] = lambda _: None,
) -> Reply:
    """The reply of a host, after up to `Limits.attempts` tries. Raises the last `AttemptFailed`.

    A refused page (`REFUSALS`) is not tried again at once. Other pages come first, to see whether they are refused,
    too.

    Failed attempts are logged here for `url`, the reply by the caller. `requested_url` is sent, by default `url`;
    `cut_at` and `cookies` are passed on. `failed_before`: this address gave no page last time, so another failure says
    nothing about its host. `check` may raise `AttemptFailed` for a response, too.
    """
    sent_url = requested_url or url
    number = throttle.count_refusals(url)
    limit = number + context.site.limits.attempts
    while True:
        number += 1
        sent_at = await throttle.wait_for_turn()
        attempt = Attempt(url, number, context.clock())
        began = time.monotonic()
        try:
            response = await context.client.get(sent_url, headers, cut_at=cut_at, cookies=cookies)
            _check_wall(response, context.clock)
            _check_status(response, context.clock, headers)
            check(response)
        except AttemptFailed as error:
            wait_s = draw_backoff_s(number, context.site.limits.backoff_s)
            # A 304 without a condition comes from a confused cache; its next answer may be whole.
            may_retry = error.outcome.is_transient or error.status == 304
            is_last = number >= limit or not may_retry
            # In unclear cases, such as a 500 or a time-out, a page counts once, when it is given up. A whole but
            # useless response, such as a corrupt encoding, is the page's own fault.
            is_of_host = error.outcome in OF_HOST or error.retry_after_s is not None
            is_of_host = is_of_host or (is_last and error.outcome.is_transient and not failed_before)
            is_refusal = error.status in REFUSALS or error.outcome is Outcome.WALL
            if is_refusal:
                is_wall = error.outcome is Outcome.WALL
                error.may_ask_again = throttle.record_refusal(url, sent_at, is_wall=is_wall) and not is_wall
            else:
                throttle.record_failure(is_of_host=is_of_host)
            throttle.pause(error.retry_after_s or 0.0)
            elapsed_ms = int((time.monotonic() - began) * 1000)
            context.log(attempt, error.outcome, status=error.status, elapsed_ms=elapsed_ms, detail=error.detail)
            if throttle.is_left or is_last or (is_refusal and is_page):
                raise
            if error.status == 304:
                headers = {}
            if error.retry_after_s is None and not is_refusal:
                await asyncio.sleep(wait_s)
            continue
        throttle.record_success(response.elapsed_ms / 1000)
        return Reply(response, attempt, sent_url, context.token)


def _check_wall(response: Response, clock: Callable[[], datetime]) -> None:
    """Raises `AttemptFailed` for a wall. Nobody forges a 404 with one."""
    wall = None if response.status in MISSING else find_wall(response)
    if wall is not None:
        raise AttemptFailed(
            Outcome.WALL, wall, status=response.status, retry_after_s=_read_retry_after(response, clock)
        )


def _check_status(response: Response, clock: Callable[[], datetime], conditions: Mapping[str, str]) -> None:
    """Raises `AttemptFailed` for a response with neither a page nor a final answer."""
    status = response.status
    if status == 304 and not conditions:
        raise AttemptFailed(Outcome.PROTOCOL_ERROR, "304 to a request without conditions", status=status)
    if status == 304:
        etag, sent = response.validator("etag"), conditions.get("if-none-match")
        if etag and sent and _VARIANT.sub("", etag) != _VARIANT.sub("", sent):
            # RFC 9111, 4.3.4: it confirms another version of the page.
            raise AttemptFailed(Outcome.PROTOCOL_ERROR, "304 with an ETag that was not sent", status=status)
    wait_s = _read_retry_after(response, clock)
    pause = "" if wait_s is None else f" of {min(wait_s, PAUSE_MAX_S):,.0f} s"
    if status == 429:
        detail = f"the host asks for a pause{pause}"
        raise AttemptFailed(Outcome.THROTTLED, detail, status=status, retry_after_s=wait_s)
    if status >= 500:
        detail = f"the host answers {status}{pause and f' and asks for a pause{pause}'}"
        raise AttemptFailed(Outcome.SERVER_ERROR, detail, status=status, retry_after_s=wait_s)
    if status < 200:
        raise AttemptFailed(Outcome.PROTOCOL_ERROR, f"status {status}", status=status)
    if response.is_success and (part := _PART.fullmatch(response.header("content-range") or "")) is not None:
        first, last, size = part.groups()
        if int(first) > 0 or str(int(last) + 1) != size:
            raise AttemptFailed(Outcome.INCOMPLETE, f"only {part[0]} of the page", status=status)


def _read_retry_after(response: Response, clock: Callable[[], datetime]) -> float | None:
    """The pause that the host asks for, by its own clock: one that runs ahead must not add hours."""
    if response.status != 429 and response.status < 500:
        return None
    try:
        now = parse_http_date(response.header("date") or "")
    except (ValueError, TypeError, IndexError, OverflowError):
        now = clock()
    return parse_retry_after_s(response.header("retry-after"), now)


async def request_following(
    context: CrawlContext, url: str, throttle: Throttle, may_follow: Callable[[str], bool], *, cut_at: int
) -> Reply:
    """The reply for robots.txt or a sitemap, after up to `Limits.redirects` redirects; the body is cut at `cut_at`.

    Raises `AttemptFailed`, also with `redirect_limit`, `out_of_scope` and `protocol_error`; it is logged.
    """
    limit = context.site.limits.redirects
    visited: list[str] = []
    jar = VisitCookies()
    while True:
        visited.append(url)
        reply = await request(context, url, throttle, {}, cut_at=cut_at, cookies=jar.read(url))
        if not reply.response.is_redirect:
            return reply
        try:
            target = read_redirect_target(url, reply.response, may_follow)
            has_new = jar.keep(reply.response.headers, url, target)
            _check_limit(target, len(visited), limit, is_circle=target in visited and not has_new)
        except AttemptFailed as error:
            context.log(reply.attempt, error.outcome, response=reply.response, detail=error.detail)
            raise
        context.log(reply.attempt, Outcome.REDIRECTED, response=reply.response, detail=target)
        url = target


async def request_page(
    context: CrawlContext,
    key: str,
    spellings: Sequence[str],
    before: UrlState,
    throttle: Throttle,
    robots: Robots,
) -> Reply:
    """The reply for a page, requested with its conditions. Raises `AttemptFailed`.

    A redirect that changes only the spelling is followed: `/a` and `/a/` have one key, and robots.txt may forbid one
    of them. Any other is returned: its target is another page. If the host does not know a spelling, the next one is
    tried: links to `/a` may be broken where `/a/` is a page. Cookies live as long as the visit: a page that sets one
    and redirects to itself is asked again with it.
    """
    failed_before = before.url_status is UrlStatus.ABSENT
    waiting, requested = list(spellings), list[str]()
    jar = VisitCookies()
    limit = context.site.limits.redirects
    conditions = before.conditions(context.site.revisit, context.started_at)
    while len(requested) <= limit + len(spellings):
        requested.append(waiting.pop(0))
        sent_url = requested[-1]
        cookies = jar.read(sent_url)
        reply = await request(
            context,
            key,
            throttle,
            conditions,
            requested_url=sent_url,
            cookies=cookies,
            is_page=True,
            failed_before=failed_before,
            check=partial(check_stand_in, context, key, sent_url),
        )
        target = _find_other_spelling(context, key, reply)
        has_new = target is not None and jar.keep(reply.response.headers, requested[-1], target)
        if target is not None and (has_new or target not in requested):
            context.log(reply.attempt, Outcome.REDIRECTED, response=reply.response, detail=target)
            _check_respelled(context, key, target, robots)
            waiting = [target, *(address for address in waiting if address != target)]
        elif reply.response.status in MISSING and waiting:
            context.log(reply.attempt, Outcome.NOT_FOUND, response=reply.response, detail=f"asked for {requested[-1]}")
        else:
            return reply
    context.log(reply.attempt, Outcome.REDIRECT_LIMIT, detail=f"more than {limit} redirects")
    raise AttemptFailed(Outcome.REDIRECT_LIMIT, "redirected between spellings of one address")


MISSING = frozenset({404, 410})


def _find_other_spelling(context: CrawlContext, key: str, reply: Reply) -> str | None:
    """The target of a redirect or refresh to another spelling of a page, else None."""
    response = reply.redirect().response
    if not response.is_redirect:
        return None
    try:
        target = read_redirect_target(reply.requested_url, response)
    except AttemptFailed:
        return None
    return target if context.rules.judge(target).key == key else None


def _check_respelled(context: CrawlContext, key: str, target: str, robots: Robots) -> None:
    """Raises `AttemptFailed` for a spelling that must not be asked for; it is stored, so that none is from now on."""
    outcome, detail = Outcome.ROBOTS_DENIED, ""
    if not robots.allows(target, context.user_agent):
        detail = f"{robots.refusal(target)}: {target}"
    elif context.rules.judge(target).reason is SkipReason.EXCLUDED:
        outcome, detail = Outcome.OUT_OF_SCOPE, f"leads to {target}"
    if detail:
        with context.store.transaction():
            context.log(Attempt(key, 1, context.clock()), outcome, detail=detail)
            frontier.add_spelling(context.store.state, key, target)
        raise AttemptFailed(outcome, detail)


def find_next_hop(context: CrawlContext, reply: Reply, before: UrlState) -> tuple[str, str, int]:
    """The key and the address of the target of a page's redirect, and how many redirects led to it.

    Raises `AttemptFailed` (`out_of_scope`, `redirect_limit`, `protocol_error`); the limit also if redirects of this run
    lead from the target back to the page.
    """
    url, hops = reply.attempt.url, before.hops + 1
    key, address, reason = context.rules.judge(read_redirect_target(reply.requested_url, reply.response))
    if reason is not None:
        target = "a forgotten page" if reason is SkipReason.FORGOTTEN else address
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads to {target}")
    end, passed = key, set[str]()
    while end != url and end in context.redirects and end not in passed:
        passed.add(end)
        end = context.rules.judge(context.redirects[end]).key
    _check_limit(address, hops, context.site.limits.redirects, is_circle=end == url)
    return key, address, hops


def _check_limit(target: str, hops: int, limit: int, *, is_circle: bool) -> None:
    if is_circle:
        raise AttemptFailed(Outcome.REDIRECT_LIMIT, f"redirects in a circle, back to {target}")
    if hops > limit:
        raise AttemptFailed(Outcome.REDIRECT_LIMIT, f"more than {limit} redirects, the last to {target}")


def read_redirect_target(url: str, response: Response, may_follow: Callable[[str], bool] = lambda _: True) -> str:
    """The target of a redirect as a browser would request it.

    Raises `AttemptFailed`: `out_of_scope`, and `protocol_error` for a missing or invalid Location.
    """
    status = response.status
    locations = {value for name, value in response.headers if name == "location"}
    location = locations.pop() if len(locations) == 1 else ""
    if not location.strip():
        raise AttemptFailed(Outcome.PROTOCOL_ERROR, f"{status} without exactly one Location", status=status)
    try:
        target = resolve_address(location, url)
    except (OtherScheme, TooLong) as error:
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads elsewhere: {error}", status=status) from None
    except BadUrl as error:
        raise AttemptFailed(Outcome.PROTOCOL_ERROR, f"leads to no address: {error}", status=status) from None
    if url.startswith("https:") and target.startswith("http:"):
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads from https down to {target}", status=status)
    if not may_follow(target):
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads to {target}", status=status)
    return target
