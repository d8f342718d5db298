"""When one address replaces another: never before the new one holds the content of the old one.

A page names a canonical address, a refresh sends its reader on, a host redirects. Each is followed; the old address is
kept, or requested every night, until the new one is held (`verdicts.fetch.model.url_state`).
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from verdicts.fetch.model.errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.url_state import UrlState, UrlStatus
from verdicts.fetch.parse.content import is_stub, says_all_of
from verdicts.fetch.parse.page_links import PageLinks
from verdicts.fetch.run.context import CrawlContext, log, log_absent
from verdicts.fetch.run.discovery import discover
from verdicts.fetch.run.request import Reply, as_redirect, next_hop
from verdicts.fetch.store import frontier

Kind: TypeAlias = Literal["canonical", "refresh"]


@dataclass(frozen=True, slots=True)
class OtherAddress:
    """The other address that a page names for itself, and how many redirects led there."""

    kind: Kind
    url: str
    hops: int


def other_address(
    context: CrawlContext, url: str, reply: Reply, links: PageLinks, before: UrlState
) -> OtherAddress | None:
    """The address that the page redirects its readers to, or else names as canonical; None for its own.

    Raises `AttemptFailed` (`redirect_limit`) for a short page that redirects in a circle or too far. A refresh out of
    the site does not count: the page is there to be read.
    """
    refresh = links.refresh
    if refresh is not None and refresh.is_redirect:
        try:
            target, hops = next_hop(context, as_redirect(reply, refresh.target), before)
        except AttemptFailed as error:
            if error.outcome is Outcome.REDIRECT_LIMIT and is_stub(reply.response.body):
                raise
        else:
            return None if target == url else OtherAddress("refresh", target, hops)
    canonical = _credible_canonical(context, url, links)
    return None if canonical is None else OtherAddress("canonical", canonical, 0)


def _credible_canonical(context: CrawlContext, url: str, links: PageLinks) -> str | None:
    """Only a URL in scope, and not the front page, which templates name on every page by mistake."""
    if links.canonical is None:
        return None
    canonical = context.site.page_url(links.canonical)
    if canonical == url or canonical.endswith("/") or not context.site.covers(canonical):
        return None
    return canonical


def give_up(
    context: CrawlContext, url: str, reply: Reply, other: OtherAddress, before: UrlState, *, may_keep: bool
) -> bool:
    """Settles a page under another address, and adds that one to the frontier.

    False if that is not possible yet, or if the page has content of its own: it must be kept, if it may. A short page
    that sends its reader on, or one that may not be kept, is a redirect: then the content held before must not be lost.
    """
    if other.kind == "canonical" and not may_keep:
        return False
    body = reply.response.body
    is_redirect = other.kind == "refresh" and (is_stub(body) or not may_keep)
    replaced_by = _replacement(context, url, other.url, context.store.newest_body(url) if is_redirect else body)
    is_given_up = is_redirect or replaced_by is not None
    if is_given_up:
        is_refresh = other.kind == "refresh"
        outcome = Outcome.REDIRECTED if is_refresh else Outcome.ALIAS
        log(context, reply.attempt, outcome, response=reply.response, detail=other.url)
        if is_refresh:
            context.redirects[url] = other.url
        _point_to(context, url, UrlStatus.MOVED if is_refresh else UrlStatus.ALIAS, other.url, replaced_by)
    _announce(context, url, other, before)
    return is_given_up


def settle_redirect(context: CrawlContext, url: str, reply: Reply, before: UrlState) -> None:
    """Adds the target to the frontier; its robots.txt and IP address are checked later.

    Snapshots of `url` stay in the store. `url` is requested every night until the target has the same content.
    """
    try:
        target, hops = next_hop(context, reply, before)
    except AttemptFailed as error:
        log_absent(context, reply.attempt, error.outcome, response=reply.response, detail=error.detail)
        return
    log(context, reply.attempt, Outcome.REDIRECTED, response=reply.response, detail=target)
    context.redirects[url] = target
    _point_to(context, url, UrlStatus.MOVED, target, _replacement(context, url, target, context.store.newest_body(url)))
    _announce(context, url, OtherAddress("refresh", target, hops), before)


def _replacement(context: CrawlContext, url: str, target: str, says: bytes | None) -> str | None:
    """The address that holds the page of `target`, if it has all the words of `says`; else None."""
    holder = frontier.holder(context.store.state, target)
    if holder is None or holder == url or says is None:
        return None
    held = context.store.newest_body(holder)
    return holder if held is not None and says_all_of(held, says) else None


def announce_change(context: CrawlContext, url: str, body: bytes) -> None:
    """Makes aliases of a page due this night if its new bytes lack old content.

    Addresses that only redirect to it have no content to lose.
    """
    aliases = frontier.aliases(context.store.state, url)
    held = context.store.newest_body(url) if aliases else None
    if held is not None and not says_all_of(body, held):
        frontier.wake(context.store.state, aliases)


def _point_to(context: CrawlContext, url: str, url_status: UrlStatus, target: str, replaced_by: str | None) -> None:
    """Settles a URL by its new status: rarely requested if the other address replaces it, else every night."""
    now, revisit = context.clock(), context.site.revisit
    due_at = now + (revisit.least if replaced_by is None else revisit.most)
    frontier.settle(context.store.state, url, context.crawl_id, now, due_at, url_status, replaced_by or target)


def _announce(context: CrawlContext, url: str, other: OtherAddress, before: UrlState) -> None:
    """Adds the other address to the frontier; one without a page is due again if this link is new."""
    discover(context, [other.url], source=url, hops=other.hops, depth=before.depth)
    if before.alias_of != other.url:
        frontier.wake_absent(context.store.state, other.url)
