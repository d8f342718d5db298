"""What a crawl would do now, without doing it: robots.txt and sitemaps are read, pages are not, nothing is written."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Literal, TypeAlias

from fetch.http.client import HttpClient
from fetch.http.throttle import Pace
from fetch.model.site import Site
from fetch.model.skips import SkipReason, Skips
from fetch.parse.robots import Robots
from fetch.run.context import Run, Tally
from fetch.run.crawl import add_starts, check_contact, utc_now
from fetch.run.host_setup import read_robots, read_sitemaps
from fetch.store.change_feedback import judge_changes
from fetch.store.store import Store

Decision: TypeAlias = Literal["fetch", "robots_denied"] | SkipReason


@dataclass(frozen=True, slots=True)
class Planned:
    """One known address and what tonight's crawl would do with it. In the order of the crawl."""

    host: str
    url: str
    decision: Decision


async def plan(
    store: Store, sites: Sequence[Site], *, user_agent: str, clock: Callable[[], datetime] = utc_now
) -> list[Planned]:
    """All known addresses, those in robots.txt's sitemaps included. `store` is a scratch copy, see `open_scratch`.

    Raises `ContactMissing`.
    """
    check_contact(sites, user_agent)
    now = clock()
    crawl_id = store.begin(f"{now:%Y%m%dT%H%M%SZ}-plan", "crawl", now).crawl_id
    found: list[Planned] = []
    for site in sites:
        async with HttpClient(site, user_agent) as client:
            run = Run(store, site, client, crawl_id, user_agent, clock, count(1), Tally(0, 0), Skips(), now)
            add_starts(run)
            for host in dict.fromkeys(site.main_host(host) for host in site.hosts):
                found += await _plan_host(run, host)
    return found


async def _plan_host(run: Run, host: str) -> list[Planned]:
    judge_changes(run.store.state, host, run.site.revisit)
    origin, pace = run.site.origin(host), Pace(run.site.delay_s, run.site.limits)
    robots = await read_robots(run, origin, pace)
    if not robots.is_denied:
        await read_sitemaps(run, origin, pace, robots)
    # What the sitemap lists out of scope never gets as far as the frontier.
    listed = [
        Planned(host, example, reason)
        for (of, reason), (number, example) in run.skips.counts.items()
        if of == host
        for _ in range(number)
    ]
    return [*_decided(run, host, robots), *listed]


def _decided(run: Run, host: str, robots: Robots) -> Iterator[Planned]:
    left = run.site.max_pages
    rows = run.store.state.execute("SELECT url, due_at FROM urls WHERE host = ? ORDER BY due_at, rowid", (host,))
    for url, due_at in rows:
        reason = None if url in run.starts else run.site.left_out(url)
        decision: Decision
        if reason is not None:
            decision = reason
        elif due_at > run.started_at.isoformat():
            decision = "not_due"
        elif robots.is_denied:
            decision = "robots_unread"
        elif not robots.allows(url, run.user_agent):
            decision = "robots_denied"
        else:
            decision = "fetch" if left > 0 else "budget"
            left -= 1
        yield Planned(host, url, decision)
