"""Redirects, one hop at a time: which are followed at once, and which lead to a URL of its own."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from verdicts.fetch.http.throttle import Throttle
from verdicts.fetch.model.addresses.web_address import LENGTH_LIMIT, BadUrl, OtherScheme, TooLong, parse_address
from verdicts.fetch.model.canonical_url import canonicalize
from verdicts.fetch.model.errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.response import Response
from verdicts.fetch.model.url_state import Standing, UrlState
from verdicts.fetch.parse.page_links import read_refresh
from verdicts.fetch.parse.robots import Robots
from verdicts.fetch.run.context import Attempt, CrawlContext, log
from verdicts.fetch.run.request import Reply, request


async def request_following(
    context: CrawlContext, url: str, throttle: Throttle, may_follow: Callable[[str], bool], *, cut_at: int
) -> Reply:
    """The reply for robots.txt or a sitemap, over as many redirects as `Limits.redirects`; of a body `cut_at` bytes.

    Raises `AttemptFailed`, also with `redirect_limit`, `out_of_scope` and `protocol_error`; it is logged.
    """
    limit = context.site.limits.redirects
    visited: list[str] = []
    while True:
        visited.append(url)
        reply = await request(context, url, throttle, {}, cut_at=cut_at)
        if not reply.response.is_redirect:
            return reply
        try:
            target = redirect_target(url, reply.response, may_follow)
            _check_limit(target, len(visited), limit, is_circle=target in visited)
        except AttemptFailed as error:
            with context.store.transaction():
                log(context, reply.attempt, error.outcome, response=reply.response, detail=error.detail)
            raise
        with context.store.transaction():
            log(context, reply.attempt, Outcome.REDIRECTED, response=reply.response, detail=target)
        url = target


async def request_page(context: CrawlContext, url: str, throttle: Throttle, robots: Robots, before: UrlState) -> Reply:
    """The reply for a page, requested with its conditions. Raises `AttemptFailed`.

    A redirect that changes only the spelling is followed: `/a` and `/a/` have one canonical URL, of which robots.txt
    may forbid one. Any other is returned: its target is a URL of its own.
    """
    failed_before = before.standing is Standing.ABSENT
    spellings = [url]
    limit = context.site.limits.redirects
    conditions = before.conditions(context.site.revisit, context.clock())
    for _ in range(limit + 1):
        reply = await request(
            context, url, throttle, conditions, requested_url=spellings[-1], failed_before=failed_before
        )
        target = _respelled(context, url, reply)
        if target is None or target in spellings:
            return reply
        with context.store.transaction():
            log(context, reply.attempt, Outcome.REDIRECTED, response=reply.response, detail=target)
            if is_denied := not robots.allows(target, context.user_agent):
                log(
                    context,
                    Attempt(url, 1, context.clock()),
                    Outcome.ROBOTS_DENIED,
                    detail=f"{robots.refusal(target)}: {target}",
                )
        if is_denied:
            raise AttemptFailed(Outcome.ROBOTS_DENIED, robots.reason)
        spellings.append(target)
    with context.store.transaction():
        log(context, reply.attempt, Outcome.REDIRECT_LIMIT, detail=f"more than {limit} redirects")
    raise AttemptFailed(Outcome.REDIRECT_LIMIT, "redirected from spelling to spelling")


def _respelled(context: CrawlContext, url: str, reply: Reply) -> str | None:
    """The target of a redirect or a refresh to another spelling of `url`; None for other replies."""
    response = reply.response
    if response.status == 200 and (refresh := read_refresh(response, reply.requested_url)) is not None:
        response = as_redirect(reply, refresh.target).response
    if not response.is_redirect:
        return None
    try:
        target = redirect_target(reply.requested_url, response)
        return target if context.site.page_url(canonicalize(target)) == url else None
    except (AttemptFailed, BadUrl):
        return None


def as_redirect(reply: Reply, target: str) -> Reply:
    """A page with a refresh as the redirect that browsers make of it."""
    return replace(reply, response=replace(reply.response, status=302, headers=(("location", target),)))


def next_hop(context: CrawlContext, reply: Reply, before: UrlState) -> tuple[str, int]:
    """The canonical target of a page's redirect, and how many redirects led to it.

    Raises `AttemptFailed` (`out_of_scope`, `redirect_limit`, `protocol_error`): the limit also where the redirects of
    this run lead from the target back to the page.
    """
    url, hops = reply.attempt.url, before.hops + 1
    try:
        target = context.site.page_url(canonicalize(redirect_target(reply.requested_url, reply.response)))
    except BadUrl as error:
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, str(error)) from None
    if not context.site.covers(target):
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads to {target}")
    _check_limit(target, hops, context.site.limits.redirects, is_circle=_leads_back(context.redirects, target, url))
    return target, hops


def _leads_back(redirects: Mapping[str, str], target: str, url: str) -> bool:
    """Whether redirects lead from `target` to `url`."""
    passed: set[str] = set()
    while target != url and target in redirects and target not in passed:
        passed.add(target)
        target = redirects[target]
    return target == url


def _check_limit(target: str, hops: int, limit: int, *, is_circle: bool) -> None:
    if is_circle:
        raise AttemptFailed(Outcome.REDIRECT_LIMIT, f"redirects in a circle, back to {target}")
    if hops > limit:
        raise AttemptFailed(Outcome.REDIRECT_LIMIT, f"more than {limit} redirects, the last to {target}")


def redirect_target(url: str, response: Response, may_follow: Callable[[str], bool] = lambda _: True) -> str:
    """The target of a redirect, path and query as spelled by the host, in ASCII and without a fragment.

    Raises `AttemptFailed`: `out_of_scope`, and `protocol_error` for a Location that is missing or no address.
    """
    status = response.status
    locations = {value for name, value in response.headers if name == "location"}
    location = locations.pop() if len(locations) == 1 else ""
    if not location.strip():
        raise AttemptFailed(Outcome.PROTOCOL_ERROR, f"{status} without one Location", status=status)
    try:
        target = parse_address(location, url).url
    except (OtherScheme, TooLong) as error:
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads elsewhere: {error}", status=status) from None
    except BadUrl as error:
        raise AttemptFailed(Outcome.PROTOCOL_ERROR, f"leads to no address: {error}", status=status) from None
    if len(target) > LENGTH_LIMIT:
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads to {target[:80]!r}..., which is too long", status=status)
    if url.startswith("https:") and target.startswith("http:"):
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads from https down to {target}", status=status)
    if not may_follow(target):
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads to {target}", status=status)
    return target
