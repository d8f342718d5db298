"""What a crawl would do now: robots.txt and sitemaps are read, pages are not requested, nothing is written."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from random import Random
from typing import Literal, TypeAlias

from fetch.http.client import HttpClient
from fetch.model.site import Site
from fetch.model.skips import SkipCounter, SkipReason
from fetch.parse.robots import Robots
from fetch.run.contact import check_contact
from fetch.run.context import CrawlContext, Tally, utc_now
from fetch.run.discovery import add_start_urls
from fetch.run.host_setup import open_host
from fetch.run.isolation import isolated
from fetch.store.store import Store

Decision: TypeAlias = Literal["fetch", "robots_denied"] | SkipReason


@dataclass(frozen=True, slots=True)
class Planned:
    """One known URL, and what a crawl would do with it now."""

    host: str
    url: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class Plan:
    """What a crawl would do. `is_partial`: a robots.txt or a sitemap could not be read, so that it is not all."""

    urls: list[Planned]
    is_partial: bool


async def plan(
    store: Store, sites: Sequence[Site], *, user_agent: str, clock: Callable[[], datetime] = utc_now
) -> Plan:
    """All known URLs, and those in the hosts' sitemaps, in the order of the crawl. Raises `ContactMissing`.

    `store` is made by `open_scratch`.
    """
    check_contact(sites, user_agent)
    now = clock()
    crawl_id = store.begin(f"{now:%Y%m%dT%H%M%SZ}-plan", "crawl", now).crawl_id
    planned: list[Planned] = []
    for site in sites:
        async with HttpClient(site, user_agent) as client:
            context = CrawlContext(
                store=store,
                site=site,
                client=client,
                crawl_id=crawl_id,
                user_agent=user_agent,
                clock=clock,
                fetch_numbers=count(1),
                tally=Tally(0, 0),
                skips=SkipCounter(),
                redirects={},
                started_at=now,
                random=Random(),  # noqa: S311  spreads requests, protects nothing
            )
            add_start_urls(context)
            for host in site.crawled_hosts:
                with isolated(context, f"{site.origin(host)}/"):
                    planned += await _plan_host(context, host)
    return Plan(planned, is_partial=store.finish(crawl_id, clock()).status == "partial")


async def _plan_host(context: CrawlContext, host: str) -> list[Planned]:
    opened = await open_host(context, host)
    # URLs of the sitemap that are out of scope are not in the frontier, only counted.
    out_of_scope = [
        Planned(host, skip.example, reason) for reason, skip in context.skips.of_host(host) for _ in range(skip.skipped)
    ]
    return [*_decisions(context, host, opened.robots), *out_of_scope]


def _decisions(context: CrawlContext, host: str, robots: Robots) -> Iterator[Planned]:
    pages_left = context.site.max_pages
    rows = context.store.state.execute("SELECT url, due_at FROM urls WHERE host = ? ORDER BY due_at, rowid", (host,))
    for url, due_at in rows:
        reason = None if url in context.start_urls else context.site.skip_reason(url)
        decision: Decision
        if reason is not None:
            decision = reason
        elif due_at > context.started_at.isoformat():
            decision = SkipReason.NOT_DUE
        elif robots.is_denied:
            decision = SkipReason.ROBOTS_UNREAD
        elif not robots.allows(url, context.user_agent):
            decision = "robots_denied"
        else:
            decision = "fetch" if pages_left > 0 else SkipReason.BUDGET
            pages_left -= 1
        yield Planned(host, url, decision)
