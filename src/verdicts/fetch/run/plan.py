"""What a crawl would do now: reads robots.txt and sitemaps, requests no pages, writes nothing."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from typing import Literal, TypeAlias

from verdicts.fetch.http.client import HttpClient
from verdicts.fetch.model.outcome import SkipReason, SkipRecord
from verdicts.fetch.model.share import WHOLE, Share
from verdicts.fetch.model.site import Site
from verdicts.fetch.parse.robots import Robots
from verdicts.fetch.run.context import CrawlContext, utc_now
from verdicts.fetch.run.discovery import add_start_urls, open_host
from verdicts.fetch.run.endings import CrawlReasons, Ending, next_due, note_endings, pattern_of, read_reasons
from verdicts.fetch.store.store import Store

Decision: TypeAlias = Literal["fetch", "robots_denied"] | SkipReason


@dataclass(frozen=True, slots=True)
class Planned:
    """One known URL, what a crawl would do with it now, and why."""

    host: str
    url: str
    decision: Decision
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a crawl would do. `is_partial`: a robots.txt or a sitemap could not be read, so the plan has gaps.

    `reasons` are those of the hosts, as in a crawl.
    """

    urls: list[Planned]
    is_partial: bool
    reasons: CrawlReasons


async def plan(
    store: Store,
    sites: Sequence[Site],
    *,
    user_agent: str,
    clock: Callable[[], datetime] = utc_now,
    share: Share = WHOLE,
) -> Plan:
    """All known URLs, and those in the hosts' sitemaps, in the order of the crawl.

    `store` comes from `open_scratch`.
    """
    now = clock()
    crawl_id = store.begin(f"{now:%Y%m%dT%H%M%SZ}-plan", "crawl", now).crawl_id
    planned: list[Planned] = []
    known: list[Planned] = []
    skips: list[SkipRecord] = []
    own = [site for site in sites if share.has(site.home)]
    numbers = count(1)
    by_host = {host: site for site in sites for host in site.hosts}
    for site in own:
        async with HttpClient(site, user_agent) as client:
            context = CrawlContext(
                store=store,
                site=site,
                sites=by_host,
                client=client,
                crawl_id=crawl_id,
                user_agent=user_agent,
                clock=clock,
                started_at=now,
                fetch_numbers=numbers,
            )
            add_start_urls(context)
            for host in site.crawled_hosts:
                with context.isolated(f"{site.origin(host)}/"):
                    opened = await open_host(context, host)
                    of_host = list(_decisions(context, host, opened.robots))
                    known += of_host
                    planned += [*of_host, *_out_of_scope(context, host)]
            skips += context.skips.drain()
    is_partial = store.finish(crawl_id, clock()).status == "partial"
    with store.transaction():
        store.add_skips(crawl_id, [replace(skip, detail=pattern_of(skip.example, sites)) for skip in skips])
        note_endings(store.state, crawl_id, _endings(store.state, known, own))
    return Plan(planned, is_partial, read_reasons(store, crawl_id))


def _endings(state: sqlite3.Connection, known: Sequence[Planned], sites: Sequence[Site]) -> list[Ending]:
    counts = Counter((item.host, item.decision) for item in known)
    endings = [
        Ending(host, decision, counts[host, decision], item.url, item.detail or next_due(state, item.url))
        for (host, decision), item in {(item.host, item.decision): item for item in reversed(known)}.items()
    ]
    without = {host for site in sites for host in site.crawled_hosts} - {ending.host for ending in endings}
    return endings + [Ending(host, SkipReason.NOT_DUE, 0, "", None) for host in without]


def _out_of_scope(context: CrawlContext, host: str) -> list[Planned]:
    """Sitemap URLs out of scope are only counted, as they are not in the frontier."""
    skips = context.skips.of_host(host)
    return [Planned(host, skip.example, reason) for reason, skip in skips for _ in range(skip.skipped)]


def _decisions(context: CrawlContext, host: str, robots: Robots) -> Iterator[Planned]:
    pages_left = context.site.max_pages
    rows = context.store.state.execute("SELECT url, due_at FROM urls WHERE host = ? ORDER BY due_at, rowid", (host,))
    for url, due_at in rows:
        reason = None if url in context.start_urls else context.site.skip_reason(url)
        decision: Decision
        detail = None
        if reason is not None:
            decision, detail = reason, context.site.deciding_pattern(url)
        elif due_at > context.started_at.isoformat():
            decision = SkipReason.NOT_DUE
        elif robots.is_denied:
            decision, detail = SkipReason.ROBOTS_UNREAD, robots.reason
        elif not robots.allows(url, context.user_agent):
            decision, detail = "robots_denied", robots.refusal(url)
        else:
            decision = "fetch" if pages_left > 0 else SkipReason.BUDGET
            detail = None if pages_left > 0 else f"max_pages = {context.site.max_pages}"
            pages_left -= 1
        yield Planned(host, url, decision, detail)
