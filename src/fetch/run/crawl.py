"""A crawl: robots, sitemaps and links feed the frontier, a few workers a host empty it."""

import asyncio
import itertools
import re
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address

from fetch.http.client import HttpClient
from fetch.http.peer_guard import literal_address
from fetch.http.throttle import Pace
from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.errors import ContactMissing
from fetch.model.log import CrawlRecord
from fetch.model.site import Site
from fetch.model.skips import SkipReason, Skips
from fetch.parse.robots import Robots
from fetch.run.context import Attempt, Run, Tally, log
from fetch.run.host_setup import read_robots, read_sitemaps
from fetch.run.process_url import visit
from fetch.run.work_queue import Crowd, settle, take
from fetch.store import frontier
from fetch.store.change_feedback import judge_changes
from fetch.store.store import Store

CONTACT = re.compile(r"https?://\S+|\S+@\S+\.\S+")

COMMIT_EVERY_S = 0.5
"""What a crash may cost: half a second of pages, which are then asked for again."""


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """Addresses settled, and due so far; both grow."""

    done: int
    total: int


def utc_now() -> datetime:
    """The fetcher's clock."""
    return datetime.now(UTC)


def new_crawl_id(moment: datetime) -> str:
    """Sortable by time."""
    return f"{moment:%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"


async def crawl(
    store: Store,
    sites: Sequence[Site],
    *,
    user_agent: str,
    on_progress: Callable[[CrawlProgress], None] = lambda _: None,
    clock: Callable[[], datetime] = utc_now,
    everything: bool = False,
) -> CrawlRecord:
    """One run over all sites: what is due, or `everything` known. A run that a crash cut short goes on under its id.

    Raises `ContactMissing`.
    """
    check_contact(sites, user_agent)
    record = store.begin(new_crawl_id(clock()), "crawl", clock())
    crawl_id, started_at, skips = record.crawl_id, record.started_at, Skips()
    numbers = itertools.count(store.next_fetch_number(crawl_id) + 1)
    if everything:
        with store.transaction():
            frontier.make_all_due(store.state, {host for site in sites for host in site.hosts})
    tally = Tally(*frontier.counts(store.state, crawl_id, started_at))

    async def one(site: Site) -> None:
        async with HttpClient(site, user_agent) as client:
            run = Run(store, site, client, crawl_id, user_agent, clock, numbers, tally, skips, started_at)
            await _crawl_site(run, on_progress)

    try:
        async with _committing(store, skips, crawl_id), asyncio.TaskGroup() as tasks:
            for site in sites:
                tasks.create_task(one(site))
    except BaseExceptionGroup as group:
        raise _first(group) from group
    return store.finish(crawl_id, clock())


@asynccontextmanager
async def _committing(store: Store, skips: Skips, crawl_id: str) -> AsyncIterator[None]:
    """Commits now and then while the context is open, and once at its end."""

    def commit() -> None:
        if skips.counts:
            with store.transaction():
                skips.write(store.state, crawl_id)
        store.commit()

    async def go_on() -> None:
        while True:
            await asyncio.sleep(COMMIT_EVERY_S)
            commit()

    with store.grouped():
        # In a group of its own: a commit that fails must end the workers.
        async with asyncio.TaskGroup() as tasks:
            committer = tasks.create_task(go_on())
            yield
            committer.cancel()
        commit()


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error that ended the workers. A full disk is one error to the caller, however many workers met it."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def check_contact(sites: Sequence[Site], user_agent: str) -> None:
    """Raises `ContactMissing` where a host that is not loopback would be asked by nobody in particular."""
    is_local = all(_is_loopback(site, host) for site in sites for host in site.hosts)
    if not is_local and not CONTACT.search(user_agent):
        raise ContactMissing(
            f"the user agent {user_agent!r} says nobody to write to; add the address of a page or a mailbox to it"
        )


def _is_loopback(site: Site, host: str) -> bool:
    address = site.resolve[host][0] if host in site.resolve else literal_address(host.strip("[]"))
    return address is not None and ip_address(address).is_loopback


async def _crawl_site(run: Run, on_progress: Callable[[CrawlProgress], None]) -> None:
    """Hosts of a site side by side; each has its own robots.txt, pace and workers."""
    add_starts(run)
    hosts = list(dict.fromkeys(run.site.main_host(host.lower()) for host in run.site.hosts))
    crowd = Crowd(len(hosts), run.site.max_pages, run.site.max_bytes)
    async with asyncio.TaskGroup() as tasks:
        for host in hosts:
            tasks.create_task(_crawl_host(run, crowd, host, on_progress))


def add_starts(run: Run) -> None:
    """The start addresses are fetched whatever `include` says; one on no host of the site is logged and left."""
    with run.store.transaction():
        for start in run.site.start_urls:
            try:
                url = run.site.own(canonicalize(start))
                why = None if run.site.has_host(url) else "a start address on none of the site's hosts"
            except BadUrl as error:
                url, why = start, str(error)
            if why is None:
                run.starts.add(url)
                run.tally.due += frontier.discover(run.store.state, [url], crawl_id=run.crawl_id, source="start")
            else:
                log(run, Attempt(url, 1, run.clock()), "out_of_scope", detail=why)


async def _crawl_host(run: Run, crowd: Crowd, host: str, on_progress: Callable[[CrawlProgress], None]) -> None:
    with run.store.transaction():
        judge_changes(run.store.state, host, run.site.revisit)
    origin = run.site.origin(host)
    pace = Pace(run.site.delay_s, run.site.limits)
    try:
        robots = await read_robots(run, origin, pace)
        if not robots.is_denied:
            pace.slow_to(robots.crawl_delay_s(run.user_agent))
            await read_sitemaps(run, origin, pace, robots)
    finally:
        await settle(crowd)
    if not robots.is_denied:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(run.site.connections):
                tasks.create_task(_work(run, crowd, host, pace, robots, on_progress))
    _count_what_is_left(run, host, "robots_unread" if robots.is_denied else "host_down" if pace.is_broken else "budget")


def _count_what_is_left(run: Run, host: str, reason: SkipReason) -> None:
    left, not_due = frontier.left(run.store.state, host, run.crawl_id, run.started_at)
    for why, (count, example) in ((reason, left), ("not_due", not_due)):
        if count:
            run.skips.add(why, example, count)


async def _work(
    run: Run, crowd: Crowd, host: str, pace: Pace, robots: Robots, on_progress: Callable[[CrawlProgress], None]
) -> None:
    while not pace.is_broken and (url := await take(run, crowd, host)) is not None:
        try:
            crowd.bytes_left -= await visit(run, url, pace, robots)
        finally:
            await settle(crowd, url)
        on_progress(CrawlProgress(run.tally.settled, run.tally.due))
