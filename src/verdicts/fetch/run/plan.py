"""What a crawl would do now: reads robots.txt and sitemaps, requests no pages, writes nothing."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from verdicts.fetch.http.client import HttpClient
from verdicts.fetch.model.outcome import Outcome, SkipReason, SkipRecord
from verdicts.fetch.model.share import WHOLE, Share
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.url_state import UrlState
from verdicts.fetch.parse.robots import Robots
from verdicts.fetch.run.context import CrawlContext, SkipCounter, share_context, utc_now
from verdicts.fetch.run.decision import decide
from verdicts.fetch.run.discovery import add_start_urls, open_host
from verdicts.fetch.run.endings import CrawlReasons, Ending, describe_next_due, find_pattern, note_endings, read_reasons
from verdicts.fetch.store import frontier
from verdicts.fetch.store.store import Store


@dataclass(frozen=True, slots=True)
class Planned:
    """One known address, what a crawl would do with it now, and why. `url` is the key of its page."""

    host: str
    url: str
    address: str
    decision: Literal["fetch"] | Outcome | SkipReason
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
    run = store.begin(f"{now:%Y%m%dT%H%M%SZ}-plan", "crawl", now)
    crawl_id = run.crawl_id
    planned: list[Planned] = []
    addresses: list[Planned] = []
    skips: list[SkipRecord] = []
    our_sites = [site for site in sites if share.has(site.home)]
    shared = share_context(store, run, sites, user_agent=user_agent, clock=clock, skips=SkipCounter(), left={})
    for site in our_sites:
        async with HttpClient(site, user_agent) as client:
            context = shared(site=site, client=client)
            add_start_urls(context)
            budget = iter(range(site.max_pages))
            for host in site.all_hosts:
                with context.isolate(f"{site.origin(host)}/"):
                    opened = await open_host(context, host)
                    host_addresses = list(_decide_host(context, host, opened.robots, budget))
                    addresses += host_addresses
                    planned += [*host_addresses, *_list_skipped(context, host)]
            skips += context.skips.drain()
    is_partial = store.finish(crawl_id, clock()).status == "partial"
    with store.transaction():
        store.add_skips(crawl_id, [replace(skip, detail=find_pattern(skip.example, sites)) for skip in skips])
        note_endings(store.state, crawl_id, _count_endings(store.state, addresses, our_sites))
    return Plan(planned, is_partial, read_reasons(store, crawl_id))


def _count_endings(state: sqlite3.Connection, addresses: Sequence[Planned], sites: Sequence[Site]) -> list[Ending]:
    counts = Counter((item.host, item.decision) for item in addresses)
    endings = [
        Ending(host, decision, counts[host, decision], item.address, item.detail or describe_next_due(state, item.url))
        for (host, decision), item in {(item.host, item.decision): item for item in reversed(addresses)}.items()
    ]
    without = {host for site in sites for host in site.all_hosts} - {ending.host for ending in endings}
    return endings + [Ending(host, SkipReason.NOT_DUE, 0, "", None) for host in without]


def _list_skipped(context: CrawlContext, host: str) -> list[Planned]:
    """Sitemap URLs out of scope are only counted, as they are not in the frontier."""
    skips = context.skips.list_host(host)
    return [Planned(host, skip.example, skip.example, reason) for reason, skip in skips for _ in range(skip.skipped)]


def _decide_host(context: CrawlContext, host: str, robots: Robots, budget: Iterator[int]) -> Iterator[Planned]:
    """The hosts of a site share its `budget`, which has an item for each page that may be asked for."""
    rows = context.store.state.execute(
        "SELECT url, due_at, address, sha256 FROM urls WHERE host = ? ORDER BY due_at, rowid", (host,)
    ).fetchall()
    for url, due_at, address, sha256 in rows:
        spellings = frontier.list_spellings(context.store.state, url, UrlState(address, sha256))
        decision = decide(context.rules, url, spellings, robots)
        is_left_out = isinstance(decision.reason, SkipReason) and decision.reason is not SkipReason.ROBOTS_UNREAD
        if due_at > context.started_at.isoformat() and not is_left_out:
            yield Planned(host, url, address, SkipReason.NOT_DUE)
        elif decision.reason is not None:
            yield Planned(host, url, address, decision.reason, decision.detail)
        elif next(budget, None) is not None:
            yield Planned(host, url, decision.spellings[0], "fetch")
        else:
            yield Planned(host, url, address, SkipReason.BUDGET, f"max_pages = {context.site.max_pages}")
