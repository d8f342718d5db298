"""A crawl: robots.txt, sitemaps and links fill the frontier, a few workers per host empty it."""

import asyncio
import itertools
import logging
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from ipaddress import ip_address
from random import Random

from verdicts.corpus.rows.runs import CrawlRow
from verdicts.fetch.http.client import Connect, HttpClient, literal_address
from verdicts.fetch.model.errors import ContactMissing
from verdicts.fetch.model.outcome import Outcome, SkipCounter, SkipReason
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.run.context import CrawlContext, Tally, isolated, steady_clock, utc_now
from verdicts.fetch.run.discovery import OpenedHost, add_start_urls, open_host
from verdicts.fetch.run.endings import Left, count_endings, note_endings, pattern_of
from verdicts.fetch.run.leases import LeaseLost, Shared, SharedLeases, leased
from verdicts.fetch.run.process_url import process_url
from verdicts.fetch.store import frontier
from verdicts.fetch.store.store import Store

CONTACT = re.compile(r"https?://\S|[^\s@]@[^\s@.]++\.[^\s.@]")


def check_contact(sites: Sequence[Site], user_agent: str) -> None:
    """Raises `ContactMissing` where a host is not loopback and the User-Agent names neither a page nor a mailbox."""
    is_local = all(_is_loopback(site, host) for site in sites for host in site.hosts)
    if not is_local and not CONTACT.search(user_agent):
        raise ContactMissing(
            f"the user agent {user_agent!r} says nobody to write to; add the address of a page or a mailbox to it"
        )


def _is_loopback(site: Site, host: str) -> bool:
    address = site.resolve[host][0] if host in site.resolve else literal_address(host.strip("[]"))
    return address is not None and ip_address(address).is_loopback


BATCH = 100
"""URLs of a host that are taken from the frontier in one query."""


@dataclass(slots=True)
class WorkQueue:
    """Shared by the workers of one site.

    `active` counts the workers and host set-ups that may still discover URLs. `queued` are the URLs taken from the
    frontier, by host; `in_progress` those that a worker is processing.
    """

    active: int
    pages_left: int
    bytes_left: int
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    queued: dict[str, deque[str]] = field(default_factory=dict)
    in_progress: set[str] = field(default_factory=set)

    def spent(self, site: Site) -> str | None:
        """The budget that is spent, as the config has it; None while none is."""
        if self.pages_left <= 0:
            return f"max_pages = {site.max_pages}"
        return f"max_mb = {site.max_bytes // 1_000_000}" if self.bytes_left <= 0 else None


async def take(context: CrawlContext, queue: WorkQueue, host: str) -> str | None:
    """The next URL of a host; waits while another worker may discover one.

    None once no worker can discover another URL, or the budget of pages or bytes is spent. Every URL taken must be
    given to `release`.
    """
    async with queue.changed:
        while queue.pages_left > 0 and queue.bytes_left > 0:
            urls = queue.queued.setdefault(host, deque())
            if not urls:
                state, crawl_id, due_until = context.store.state, context.crawl_id, context.started_at
                urls.extend(frontier.due_urls(state, host, crawl_id, due_until, BATCH, queue.in_progress))
            if urls:
                url = urls.popleft()
                queue.in_progress.add(url)
                queue.active += 1
                queue.pages_left -= 1
                return url
            if queue.active == 0:
                break
            await queue.changed.wait()
        return None


async def release(queue: WorkQueue, url: str | None = None) -> None:
    """Ends the processing of `url`, or the set-up of a host; waiting workers look again."""
    async with queue.changed:
        queue.active -= 1
        if url is not None:
            queue.in_progress.discard(url)
        queue.changed.notify_all()


LOGGER = logging.getLogger(__name__)

COMMIT_EVERY_S = 0.5
"""Seconds of work that a crash may lose: those pages are requested again."""


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """URLs settled, and URLs due so far; both only grow."""

    done: int
    total: int


async def crawl(
    store: Store,
    sites: Sequence[Site],
    *,
    user_agent: str,
    on_progress: Callable[[CrawlProgress], None] = lambda _: None,
    clock: Callable[[], datetime] = utc_now,
    random: Random | None = None,
    everything: bool = False,
    connect: Connect = HttpClient,
    shared: Shared | None = None,
) -> CrawlRow:
    """One run over all sites: the URLs that are due, or all known ones with `everything`.

    A crawl that was interrupted lately is resumed under its id. `random` makes the jitter of back-offs; it is seeded by
    the system unless given. `connect` opens the client of a site. With a `shared` frontier other fetchers crawl the
    same sites: this one those that it can lease. Raises `ContactMissing`, `StorageFailed`.
    """
    check_contact(sites, user_agent)
    with nullcontext() if shared is None else shared.opened(store) as frontier_of_all:
        return await _crawl(
            store,
            sites,
            frontier_of_all,
            user_agent=user_agent,
            on_progress=on_progress,
            clock=clock,
            random=random,
            everything=everything,
            connect=connect,
        )


async def _crawl(
    store: Store,
    sites: Sequence[Site],
    shared: SharedLeases | None,
    *,
    user_agent: str,
    on_progress: Callable[[CrawlProgress], None],
    clock: Callable[[], datetime],
    random: Random | None,
    everything: bool,
    connect: Connect,
) -> CrawlRow:
    if clock is utc_now:
        clock = steady_clock()
    record = store.begin(new_run_id(clock(), store.newest_run()), "crawl", clock())
    crawl_id, started_at, skips = record.crawl_id, record.started_at, SkipCounter()
    numbers = itertools.count(store.fetch_count(crawl_id) + 1)
    jitter = Random() if random is None else random  # noqa: S311  spreads requests, protects nothing
    if everything and shared is None:
        with store.transaction():
            frontier.make_all_due(store.state, {host for site in sites for host in site.hosts})
    redirects = store.redirects(crawl_id)
    left: dict[str, tuple[Outcome | SkipReason, str | None]] = {}
    tally = Tally(*frontier.settled_and_due(store.state, crawl_id, started_at))

    async def crawl_one(site: Site) -> None:
        async with leased(shared, site, started_at) as lease, connect(site, user_agent) as client:
            if lease is None:
                return
            if everything and shared is not None:
                with store.transaction():
                    frontier.make_all_due(store.state, site.hosts)
            context = CrawlContext(
                store=store,
                site=site,
                client=client,
                crawl_id=crawl_id,
                user_agent=user_agent,
                clock=clock,
                fetch_numbers=numbers,
                tally=tally,
                skips=skips,
                redirects=redirects,
                started_at=started_at,
                random=jitter,
                left=left,
                lease=lease,
            )
            with isolated(context, f"{site.origin(site.hosts[0])}/"):
                await _crawl_site(context, on_progress)

    try:
        async with _committing(store, skips, crawl_id, sites, shared), asyncio.TaskGroup() as tasks:
            for site in sites:
                tasks.create_task(crawl_one(site))
    except BaseExceptionGroup as group:
        raise _first(group) from group
    except asyncio.CancelledError:
        # A signal. Pages that were being fetched are due again.
        _note_endings(store, record, sites, left, SkipReason.INTERRUPTED)
        store.interrupt(crawl_id, clock())
        raise
    _note_endings(store, record, sites, left, Outcome.INTERNAL_ERROR)
    return store.finish(crawl_id, clock())


def _note_endings(
    store: Store, run: CrawlRow, sites: Sequence[Site], left: Left, otherwise: Outcome | SkipReason
) -> None:
    with store.transaction():
        endings = count_endings(store.state, run.crawl_id, run.started_at, sites, left, otherwise)
        note_endings(store.state, run.crawl_id, endings)


@asynccontextmanager
async def _committing(
    store: Store, skips: SkipCounter, crawl_id: str, sites: Sequence[Site], shared: SharedLeases | None
) -> AsyncIterator[None]:
    """Commits every `COMMIT_EVERY_S` seconds while the context is open, and once at its end."""

    def commit() -> None:
        if counted := [replace(skip, detail=pattern_of(skip.example, sites)) for skip in skips.drain()]:
            with store.transaction():
                store.add_skips(crawl_id, counted)
        store.commit()
        # A page is stored here before anybody else takes it for settled.
        if shared is not None:
            shared.give()

    async def commit_regularly() -> None:
        while True:
            await asyncio.sleep(COMMIT_EVERY_S)
            commit()

    with store.grouped():
        # In a group of its own: a commit that fails must end the workers.
        async with asyncio.TaskGroup() as tasks:
            committer = tasks.create_task(commit_regularly())
            yield
            committer.cancel()
        commit()


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of the workers. A full disk is one error to the caller, however many workers met it."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _crawl_site(context: CrawlContext, on_progress: Callable[[CrawlProgress], None]) -> None:
    """Crawls the hosts of a site concurrently; each has its own robots.txt, throttle and workers."""
    add_start_urls(context)
    site = context.site
    queue = WorkQueue(len(site.crawled_hosts), site.max_pages, site.max_bytes)
    async with asyncio.TaskGroup() as tasks:
        for host in site.crawled_hosts:
            tasks.create_task(_crawl_host(context, queue, host, on_progress))


async def _crawl_host(
    context: CrawlContext, queue: WorkQueue, host: str, on_progress: Callable[[CrawlProgress], None]
) -> None:
    with isolated(context, f"{context.site.origin(host)}/"):
        try:
            opened = await open_host(context, host)
        except LeaseLost as lost:
            context.left[host] = (SkipReason.LEASE_LOST, str(lost))
            _count_unsettled(context, host, SkipReason.LEASE_LOST)
            return
        finally:
            await release(queue)
        reason = SkipReason.ROBOTS_UNREAD
        detail: str | None = opened.robots.reason
        if not opened.robots.is_denied:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(context.site.connections):
                    tasks.create_task(_work(context, queue, host, opened, on_progress))
            reason, detail = SkipReason.BUDGET, queue.spent(context.site)
            if opened.throttle.is_tripped:
                reason, detail = SkipReason.HOST_DOWN, f"{context.site.limits.breaker} failures in a row"
                extra = {"event": "host_down", "fields": {"crawl_id": context.crawl_id, "host": host}}
                LOGGER.warning("%s failed too often in a row and is not asked again in this run", host, extra=extra)
        if not context.lease.is_held:
            reason, detail = SkipReason.LEASE_LOST, "another fetcher goes on"
        context.left[host] = (reason, detail)
        _count_unsettled(context, host, reason)


def _count_unsettled(context: CrawlContext, host: str, reason: SkipReason) -> None:
    """Counts the URLs of a host that this crawl has not settled: the due ones for `reason`, the others as not due."""
    due, not_due = frontier.unsettled(context.store.state, host, context.crawl_id, context.started_at)
    for kind, (count, example) in ((reason, due), (SkipReason.NOT_DUE, not_due)):
        if count:
            context.skips.add(kind, example, count)


async def _work(
    context: CrawlContext,
    queue: WorkQueue,
    host: str,
    opened: OpenedHost,
    on_progress: Callable[[CrawlProgress], None],
) -> None:
    while not opened.throttle.is_tripped and (url := await take(context, queue, host)) is not None:
        try:
            with isolated(context, url, is_page=True):
                queue.bytes_left -= await process_url(context, url, opened.throttle, opened.robots)
        except LeaseLost:
            return
        finally:
            await release(queue, url)
        # What leaned on a page that failed is settled twice.
        on_progress(CrawlProgress(context.tally.settled, max(context.tally.settled, context.tally.due)))
