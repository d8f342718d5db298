"""Redirects, one hop at a time: which are followed at once, and which lead to a URL of its own."""

from collections.abc import Callable
from urllib.parse import urldefrag, urljoin, urlsplit

from fetch.http.throttle import Throttle
from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.errors import AttemptFailed
from fetch.model.outcome import Outcome
from fetch.model.response import Response
from fetch.model.url_state import UrlState
from fetch.run.context import CrawlContext, log
from fetch.run.request import Reply, request


async def request_following(
    context: CrawlContext, url: str, throttle: Throttle, may_follow: Callable[[str], bool]
) -> Reply:
    """The reply for robots.txt or a sitemap, over as many redirects as `Limits.redirects`.

    Raises `AttemptFailed`, also with `redirect_limit` and `out_of_scope`.
    """
    limit = context.site.limits.redirects
    for _ in range(limit + 1):
        reply = await request(context, url, throttle, {})
        if not reply.response.is_redirect:
            return reply
        try:
            target = redirect_target(url, reply.response, may_follow)
        except AttemptFailed as error:
            with context.store.transaction():
                log(context, reply.attempt, error.outcome, response=reply.response, detail=error.detail)
            raise
        with context.store.transaction():
            log(context, reply.attempt, Outcome.REDIRECTED, response=reply.response, detail=target)
        url = target
    raise AttemptFailed(Outcome.REDIRECT_LIMIT, f"more than {limit} redirects")


async def request_page(context: CrawlContext, url: str, throttle: Throttle, before: UrlState) -> Reply:
    """The reply for a page, requested with its conditions. Raises `AttemptFailed`.

    A redirect that changes only the spelling is followed: `/a` and `/a/` have one canonical URL. Any other is returned:
    its target is a URL of its own.
    """
    spellings = [url]
    limit = context.site.limits.redirects
    conditions = before.conditions(context.site.revisit, context.clock())
    for _ in range(limit + 1):
        reply = await request(context, url, throttle, conditions, requested_url=spellings[-1])
        target = _respelled(context, url, reply)
        if target is None or target in spellings:
            return reply
        with context.store.transaction():
            log(context, reply.attempt, Outcome.REDIRECTED, response=reply.response, detail=target)
        spellings.append(target)
    with context.store.transaction():
        log(context, reply.attempt, Outcome.REDIRECT_LIMIT, detail=f"more than {limit} redirects")
    raise AttemptFailed(Outcome.REDIRECT_LIMIT, "redirected from spelling to spelling")


def _respelled(context: CrawlContext, url: str, reply: Reply) -> str | None:
    """The target of a redirect to another spelling of `url`; None for other replies."""
    if not reply.response.is_redirect:
        return None
    try:
        target = redirect_target(reply.requested_url, reply.response)
        return target if context.site.preferred_url(canonicalize(target)) == url else None
    except (AttemptFailed, BadUrl):
        return None


def next_hop(context: CrawlContext, reply: Reply, before: UrlState) -> tuple[str, int]:
    """The canonical target of a page's redirect, and how many redirects led to it.

    Raises `AttemptFailed` (`out_of_scope`, `redirect_limit`).
    """
    limit = context.site.limits.redirects
    hops = before.hops + 1
    try:
        target = context.site.preferred_url(canonicalize(redirect_target(reply.requested_url, reply.response)))
    except BadUrl as error:
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, str(error)) from None
    if not context.site.covers(target):
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads to {target}")
    if hops > limit:
        raise AttemptFailed(Outcome.REDIRECT_LIMIT, f"more than {limit} redirects, the last to {target}")
    return target, hops


def redirect_target(url: str, response: Response, may_follow: Callable[[str], bool] = lambda _: True) -> str:
    """The target of a redirect, as spelled by the host. Raises `AttemptFailed` (`out_of_scope`)."""
    try:
        target = urldefrag(urljoin(url, (response.header("location") or "").strip())).url
        parts = urlsplit(target)
    except ValueError as error:
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads to no address: {error}") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads to {target[:200]!r}, which is no web address")
    if urlsplit(url).scheme == "https" and parts.scheme == "http":
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads from https down to {target}")
    if not may_follow(target):
        raise AttemptFailed(Outcome.OUT_OF_SCOPE, f"leads to {target}")
    return target
