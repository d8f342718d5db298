"""A crawl: robots, sitemaps and links feed the frontier, a few workers a host empty it."""

import asyncio
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from urllib.parse import urlsplit

from fetch import frontier
from fetch.canonical import BadUrl, canonicalize
from fetch.client import Answer, HttpClient
from fetch.errors import ContactMissing
from fetch.log import CrawlRecord
from fetch.pace import Pace
from fetch.robots import Robots, read_robots
from fetch.site import Site
from fetch.sitemap import read_sitemap
from fetch.store import Store
from fetch.visit import Run, ask, log, log_answer, origin, visit

SITEMAPS_MAX = 500
"""Sitemaps read a site and run; an index of indexes can name millions."""

CONTACT = re.compile(r"https?://\S+|\S+@\S+\.\S+")


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """Addresses settled, and known so far; both grow."""

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
) -> CrawlRecord:
    """One run over all sites. A run that a crash cut short goes on under its id. Raises `ContactMissing`."""
    _check_contact(sites, user_agent)
    crawl_id = store.begin(new_crawl_id(clock()), "crawl", clock())
    numbers = [store.next_fetch_number(crawl_id)]

    async def one(site: Site) -> None:
        async with HttpClient(site, user_agent) as client:
            run = Run(store, site, client, crawl_id, user_agent, clock, numbers, site.max_pages, site.max_bytes)
            await _crawl_site(run, on_progress)

    try:
        async with asyncio.TaskGroup() as tasks:
            for site in sites:
                tasks.create_task(one(site))
    except BaseExceptionGroup as group:
        raise _first(group) from group
    return store.finish(crawl_id, clock())


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error that ended the workers. A full disk is one error to the caller, however many workers met it."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _check_contact(sites: Sequence[Site], user_agent: str) -> None:
    hosts = [(host, site) for site in sites for host in site.hosts]
    is_local = all(host in site.resolve and ip_address(site.resolve[host][0]).is_loopback for host, site in hosts)
    if not is_local and not CONTACT.search(user_agent):
        raise ContactMissing(
            f"the user agent {user_agent!r} says nobody to write to; add the address of a page or a mailbox to it"
        )


async def _crawl_site(run: Run, on_progress: Callable[[CrawlProgress], None]) -> None:
    """Hosts of a site side by side; each has its own robots.txt, pace and workers."""
    starts = _canonical(run.site.start_urls)
    with run.store.state:
        frontier.discover(run.store.state, [url for url in starts if run.site.covers(url)], run.crawl_id)
    async with asyncio.TaskGroup() as tasks:
        for host in run.site.hosts:
            base = next((origin(url) for url in starts if urlsplit(url).hostname == host), f"https://{host}")
            tasks.create_task(_crawl_host(run, host, base, on_progress))


def _canonical(urls: Sequence[str]) -> list[str]:
    found = []
    for url in urls:
        try:
            found.append(canonicalize(url))
        except BadUrl:
            continue
    return found


async def _crawl_host(run: Run, host: str, base: str, on_progress: Callable[[CrawlProgress], None]) -> None:
    robots, answer = await read_robots(run.client, base)
    with run.store.state:
        if isinstance(answer, Answer):
            log_answer(run, f"{base}/robots.txt", "server_error" if robots.is_denied else "support", answer)
        else:
            log(run, f"{base}/robots.txt", answer.outcome, status=answer.status, detail=answer.detail)
    if robots.is_denied:
        return
    pace = Pace(max(run.site.delay_s, robots.crawl_delay_s(run.user_agent)), run.site.limits)
    await _read_sitemaps(run, base, pace, robots)
    taken: set[str] = set()
    async with asyncio.TaskGroup() as tasks:
        for _ in range(run.site.connections):
            tasks.create_task(_work(run, host, pace, robots, taken, on_progress))


async def _read_sitemaps(run: Run, base: str, pace: Pace, robots: Robots) -> None:
    """Feeds the frontier from the sitemaps that the config, else robots.txt names."""
    waiting = _canonical(run.site.sitemaps or robots.sitemaps or (f"{base}/sitemap.xml",))
    seen: set[str] = set()
    while waiting and len(seen) < SITEMAPS_MAX:
        url = waiting.pop(0)
        if url in seen or urlsplit(url).hostname not in run.site.hosts:
            continue
        seen.add(url)
        answer = await ask(run, url, pace, {})
        if answer is None:
            continue
        found = read_sitemap(answer.body if answer.status == 200 else b"")
        waiting += _canonical(found.sitemaps)
        with run.store.state:
            log_answer(run, url, "support" if answer.status == 200 else "not_found", answer)
            pages = [page for page in _canonical(found.pages) if run.site.covers(page)]
            frontier.discover(run.store.state, pages, run.crawl_id)


async def _work(
    run: Run,
    host: str,
    pace: Pace,
    robots: Robots,
    taken: set[str],
    on_progress: Callable[[CrawlProgress], None],
) -> None:
    """Takes addresses until none is left and no other worker can still find one."""
    while run.pages_left > 0 and run.bytes_left > 0 and not pace.is_broken:
        found = frontier.pending(run.store.state, host, run.crawl_id, 1, taken)
        if not found:
            if not taken:
                return
            await asyncio.sleep(0.005)
            continue
        url = found[0]
        taken.add(url)
        try:
            await visit(run, url, pace, robots)
        finally:
            taken.discard(url)
        on_progress(CrawlProgress(*frontier.counts(run.store.state, run.crawl_id)))
