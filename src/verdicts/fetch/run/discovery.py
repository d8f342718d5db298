"""Adds addresses to the frontier: start URLs, robots.txt and sitemaps of a host, links of pages."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from verdicts.corpus.text import escape_unstorable
from verdicts.fetch.http.pace import PAUSE_MAX_S, Throttle
from verdicts.fetch.model.addresses import BadUrl, canonicalize, find_host, resolve_address
from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome, SkipReason
from verdicts.fetch.parse.robots import ALLOWED, Robots, deny_all, parse_robots
from verdicts.fetch.parse.robots import SIZE_LIMIT as ROBOTS_BYTES
from verdicts.fetch.parse.sitemap import SIZE_LIMIT as SITEMAP_BYTES
from verdicts.fetch.parse.sitemap import SitemapEntry, read_sitemap
from verdicts.fetch.parse.tdm import FILE as TDM_FILE
from verdicts.fetch.parse.tdm import parse_tdm_file
from verdicts.fetch.run.context import Attempt, CrawlContext
from verdicts.fetch.run.request import Reply, request_following
from verdicts.fetch.store import frontier, host_pace, host_robots, page_rights

SITEMAPS_MAX = 500
DEPTH_MAX = 5
ENTRIES_MAX = 2_000_000
"""Per host and run: sitemaps read, nesting of indexes, entries read. Indexes can name billions of pages."""

TDM_FILE_EVERY, TDM_FILE_BYTES = timedelta(days=7), 1_000_000
"""How often `tdmrep.json` is asked for, and its most bytes; a longer one states nothing."""

ENTRIES_AT_ONCE = 500
"""Entries in one turn: a file of 50,000 must not hold up the other hosts."""


def add_start_urls(context: CrawlContext) -> None:
    """Adds the start URLs whatever `include` says; one on no host of the site is logged and skipped."""
    for start in context.site.start_urls:
        with context.isolate(start), context.store.transaction():
            _add_start_url(context, start)


def _add_start_url(context: CrawlContext, start: str) -> None:
    try:
        address = context.site.prefer_address(resolve_address(start))
        key = canonicalize(address)
        if context.store.forgotten.has_page(key):
            return
        problem = None if context.site.has_host(address) else "a start address on another host than the site's"
    except BadUrl as error:
        key, problem = start, str(error)
    if problem is not None:
        context.log(Attempt(key, 1, context.clock()), Outcome.OUT_OF_SCOPE, detail=problem)
        return
    context.tally.due += frontier.add(context.store.state, [(key, address)], crawl_id=context.crawl_id, source="start")


def discover(context: CrawlContext, addresses: Iterable[str], *, source: str, hops: int = 0, depth: int = 0) -> None:
    """Adds the pages of addresses in scope to the frontier. Part of the caller's transaction.

    `source` is the URL that names them; `hops` and `depth` as in `UrlState`.
    """
    new: list[tuple[str, str]] = []
    for written in addresses:
        is_new = written not in context.scopes
        key, address, reason = context.scope(written)
        if is_new and reason is None and depth > context.site.max_depth:
            # Another page may link to it at a smaller depth.
            del context.scopes[written]
            reason = SkipReason.TOO_DEEP
        if reason is SkipReason.FORGOTTEN:
            # The log must not name it again.
            continue
        if reason is not None:
            context.skips.add(reason, written)
        elif is_new:
            new.append((key, address))
    if new:
        state, crawl_id = context.store.state, context.crawl_id
        context.tally.due += frontier.add(state, new, crawl_id=crawl_id, source=source, hops=hops, depth=depth)


@dataclass(frozen=True, slots=True)
class OpenedHost:
    """A host's rules and pace in this run."""

    robots: Robots
    throttle: Throttle


async def open_host(context: CrawlContext, host: str) -> OpenedHost:
    """Reads what a host publishes for crawlers, and adds the pages of its sitemaps to the frontier.

    An error of this program costs only that file: an unreadable robots.txt forbids the host for this run.
    """
    site, origin = context.site, context.site.origin(host)
    throttle = Throttle(site.delay_s, site.limits)
    if (until := host_pace.read_pause_end(context.store.state, host)) is not None:
        wait_s = (until - context.clock()).total_seconds()
        # A clock that was a year ahead must not close the host for a year.
        throttle.pause(wait_s if wait_s <= PAUSE_MAX_S else 0.0)
    with context.isolate(f"{origin}/"), context.store.transaction():
        frontier.verify_changes(context.store.state, host, site.revisit)
        frontier.recall(context.store.state, host, context.started_at, site.revisit)
        frontier.wake_withheld(context.store.state, host)
    robots = deny_all("this program failed on it")
    with context.isolate(f"{origin}/robots.txt"):
        robots = await read_robots(context, origin, throttle)
        throttle.raise_delay_to(robots.crawl_delay_s(context.user_agent))
    # With a longer Crawl-delay one request is all there is in a run: it is a page's.
    if not robots.is_denied and robots.crawl_delay_s(context.user_agent) <= site.limits.longest_wait_s:
        await read_sitemaps(context, origin, throttle, robots)
    return OpenedHost(robots, throttle)


async def read_robots(context: CrawlContext, origin: str, throttle: Throttle) -> Robots:
    """The rules of a host for this run, after retries and up to five redirects, also to other hosts (2.3.1.2)."""
    try:
        # One byte more shows that the file goes on.
        reply = await request_following(
            context, f"{origin}/robots.txt", throttle, lambda _: True, cut_at=ROBOTS_BYTES + 1
        )
    except AttemptFailed as error:
        if error.outcome is Outcome.REDIRECT_LIMIT:
            return ALLOWED
        with context.store.transaction():
            host_robots.note_failure(
                context.store.state, find_host(origin), escape_unstorable(error.detail), context.clock()
            )
        return deny_all(error.detail)
    _log_support(context, reply)
    robots, state = parse_robots(reply.response, user_agent=context.user_agent), context.store.state
    with context.store.transaction():
        host_robots.note_robots(state, find_host(origin), reply.response, context.clock())
        if not robots.is_denied:
            page_rights.note_signals(state, find_host(origin), robots.signals)
    return robots


async def read_tdm_file(context: CrawlContext, host: str, opened: OpenedHost) -> None:
    """Reads the `tdmrep.json` of a host with stored pages once in `TDM_FILE_EVERY`, if its robots.txt allows it.

    The file decides about texts, not about requests, so a host without pages is not asked.
    """
    store, url, now = context.store, f"{context.site.origin(host)}{TDM_FILE}", context.clock()
    read_at = page_rights.read_tdm_moment(store.state, host)
    is_due = read_at is None or not timedelta() <= now - read_at < TDM_FILE_EVERY
    has_pages = store.state.execute("SELECT 1 FROM urls WHERE host = ? AND sha256 NOT NULL LIMIT 1", (host,)).fetchone()
    if not (is_due and has_pages and opened.robots.allows(url, context.user_agent)):
        return
    with context.isolate(url):
        try:
            reply = await request_following(
                context, url, opened.throttle, context.site.has_host, cut_at=TDM_FILE_BYTES + 1
            )
        except AttemptFailed:
            return
        _log_support(context, reply)
        rules = parse_tdm_file(reply.response.body) if reply.response.is_success else ()
        with store.transaction():
            page_rights.note_tdm_file(store.state, host, rules, now)


async def read_sitemaps(context: CrawlContext, origin: str, throttle: Throttle, robots: Robots) -> None:
    """Adds the pages of a host's sitemaps to the frontier: those of the config, on any host, else of robots.txt.

    A host that names none is asked for /sitemap.xml. Sitemaps in an index are read, too. Each is requested as written:
    `/sitemap/?page=1&lang=de` may have no other spelling.
    """
    first = context.site.sitemaps or robots.sitemaps or (f"{origin}/sitemap.xml",)
    waiting = deque((url, 0) for url in _resolve_sitemaps(context, first, origin))
    # sitemaps.org lets a sitemap be on another host: the operator's config is as good as robots.txt.
    sitemap_hosts = {find_host(url) for url, _ in waiting} if context.site.sitemaps else set()
    throttles = {
        host: Throttle(context.site.delay_s, context.site.limits) for host in sitemap_hosts - {*context.site.hosts}
    }
    visited: set[str] = set()
    entry_count = 0
    while waiting and len(visited) < SITEMAPS_MAX and entry_count < ENTRIES_MAX and not throttle.is_left:
        url, depth = waiting.popleft()
        if url in visited:
            continue
        visited.add(url)
        if not context.site.has_host(url) and find_host(url) not in throttles:
            context.skips.add(context.rules.outside(url), url)
            continue
        with context.isolate(url):
            async for batch in _read_sitemap(context, url, throttles.get(find_host(url), throttle), throttles):
                entry_count += len(batch)
                _add_pages(context, [entry for entry in batch if entry.kind == "page"], source=url)
                if depth < DEPTH_MAX:
                    nested = (entry.url for entry in batch if entry.kind == "sitemap")
                    waiting += [(sitemap, depth + 1) for sitemap in _resolve_sitemaps(context, nested, url)]


async def _read_sitemap(
    context: CrawlContext, url: str, throttle: Throttle, sitemap_hosts: Collection[str]
) -> AsyncIterator[list[SitemapEntry]]:
    """The entries of one file, piece by piece; none if it cannot be fetched. Redirects may lead to `others`, too."""

    def may_follow(target: str) -> bool:
        return context.site.has_host(target) or find_host(target) in sitemap_hosts

    try:
        reply = await request_following(context, url, throttle, may_follow, cut_at=SITEMAP_BYTES)
    except AttemptFailed:
        return
    _log_support(context, reply)
    for entries in read_sitemap(reply.response.body if reply.response.is_success else b""):
        for start in range(0, len(entries), ENTRIES_AT_ONCE) or (0,):
            yield entries[start : start + ENTRIES_AT_ONCE]
            await asyncio.sleep(0)


def _add_pages(context: CrawlContext, entries: list[SitemapEntry], *, source: str) -> None:
    pages: dict[str, SitemapEntry] = {}
    for entry in entries:
        with suppress(BadUrl):
            pages[resolve_address(entry.url, source)] = entry
    state = context.store.state
    with context.store.transaction():
        discover(context, pages, source=source)
        keyed = [replace(entry, url=context.scope(address).key) for address, entry in pages.items()]
        trust = frontier.read_sitemap_trust(state, find_host(source))
        frontier.record_lastmods(state, keyed, trust, context.clock())


def _log_support(context: CrawlContext, reply: Reply) -> None:
    status = reply.response.status
    outcome = Outcome.CLIENT_ERROR
    if reply.response.is_success:
        outcome = Outcome.SUPPORT
    elif status < 400:
        outcome = Outcome.UNEXPECTED_STATUS
    elif status in {404, 410}:
        outcome = Outcome.NOT_FOUND
    context.log(reply.attempt, outcome, response=reply.response)


def _resolve_sitemaps(context: CrawlContext, urls: Iterable[str], base: str) -> list[str]:
    """Addresses of sitemaps; `Sitemap: /map.xml` is relative to the host."""
    written = []
    for url in urls:
        with suppress(BadUrl):
            written.append(context.site.prefer_address(resolve_address(url, base)))
    return written
