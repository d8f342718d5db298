"""When an address is given up for another one: never before that one holds what it says.

A page names another address as its canonical one, a refresh sends its reader on, a host redirects. Each is followed;
the address itself is kept, or asked for every night, until the other one is held (`verdicts.fetch.model.url_state`).
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
    """The address that a page is to be found under by its own words, and how many redirects led there."""

    kind: Kind
    url: str
    hops: int


def other_address(
    context: CrawlContext, url: str, reply: Reply, links: PageLinks, before: UrlState
) -> OtherAddress | None:
    """The address that the page sends its readers to, or else names as its canonical one; None where it is its own.

    Raises `AttemptFailed` (`redirect_limit`) for a page of a few words that sends them in a circle or too far. A
    refresh that leads out of the site is none: the page is there to be read.
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
    """Settles a page that can be found under another address, and adds that one to the frontier.

    False where it cannot yet, or has something of its own to say: it must be kept, if it may. One that sends its reader
    on in a few words, or may not be kept, is a redirect: then it is what was held before that must not be lost.
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
    """Adds the target to the frontier: robots.txt and IP address are checked when its turn comes.

    What was held under `url` stays in the store. `url` is asked for every night until the target says what that says.
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
    """The address that holds the page of `target`, if what it holds says all of `says`; None where there is none."""
    holder = frontier.holder(context.store.state, target)
    if holder is None or holder == url or says is None:
        return None
    held = context.store.newest_body(holder)
    return holder if held is not None and says_all_of(held, says) else None


def announce_change(context: CrawlContext, url: str, body: bytes) -> None:
    """A page brings new bytes. If it no longer says what it said, its aliases are due this very night: they may.

    Not the addresses that only redirect to it, which say nothing.
    """
    aliases = frontier.aliases(context.store.state, url)
    held = context.store.newest_body(url) if aliases else None
    if held is not None and not says_all_of(body, held):
        frontier.wake(context.store.state, aliases)


def _point_to(context: CrawlContext, url: str, url_status: UrlStatus, target: str, replaced_by: str | None) -> None:
    """Settles a URL by its new status: rarely asked for where the other address replaces it, else every night."""
    now, revisit = context.clock(), context.site.revisit
    due_at = now + (revisit.least if replaced_by is None else revisit.most)
    frontier.settle(context.store.state, url, context.crawl_id, now, due_at, url_status, replaced_by or target)


def _announce(context: CrawlContext, url: str, other: OtherAddress, before: UrlState) -> None:
    """Adds the other address to the frontier; one without a page is due again, where that it is named is new."""
    discover(context, [other.url], source=url, hops=other.hops, depth=before.depth)
    if before.alias_of != other.url:
        frontier.wake_absent(context.store.state, other.url)
