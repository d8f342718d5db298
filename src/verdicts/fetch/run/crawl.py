"""A crawl: robots.txt, sitemaps and links fill the frontier, a few workers per host empty it."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any, TypeAlias

from verdicts.corpus.rows.runs import CrawlRow
from verdicts.fetch.http.client import Connect, HttpClient
from verdicts.fetch.http.identity import open_identity
from verdicts.fetch.http.pace import PAUSE_MAX_S
from verdicts.fetch.model.outcome import OF_HOSTS, Left, Outcome, SkipReason, SkipRecord
from verdicts.fetch.model.share import WHOLE, Share
from verdicts.fetch.model.site import Site, check_contact
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.model.url_state import UrlState
from verdicts.fetch.run.context import CrawlContext, SkipCounter, make_steady_clock, share_context, utc_now
from verdicts.fetch.run.decision import decide
from verdicts.fetch.run.discovery import OpenedHost, add_start_urls, open_host, read_tdm_file
from verdicts.fetch.run.endings import count_endings, find_pattern, note_endings, read_reasons
from verdicts.fetch.run.process_url import leave_page, process_url
from verdicts.fetch.run.varying import describe_varying
from verdicts.fetch.run.why import has_brought_nothing
from verdicts.fetch.store import frontier, host_pace
from verdicts.fetch.store.store import Store

LOGGER = logging.getLogger(__name__)

COMMIT_EVERY_S = 0.5
"""A crash loses this much work: those pages are requested again."""

BATCH = 100
"""URLs of a host per query on the frontier."""


OnProgress = Callable[[int, int], None]
"""Takes URLs settled and URLs due so far; both only grow."""


SitePart: TypeAlias = Callable[[Site], Coroutine[Any, Any, None]]
"""Crawls one site, as its part of the crawl that is under way."""

CrawlSite: TypeAlias = Callable[[Site, SitePart], Coroutine[Any, Any, None]]


async def await_part(site: Site, part: SitePart) -> None:
    """Awaits the part of a site, without a record of its own."""
    await part(site)


async def crawl(
    store: Store,
    sites: Sequence[Site],
    *,
    user_agent: str,
    on_progress: OnProgress = lambda *_: None,
    clock: Callable[[], datetime] = utc_now,
    everything: bool = False,
    connect: Connect = HttpClient,
    share: Share = WHOLE,
    crawl_site: CrawlSite = await_part,
) -> CrawlRow:
    """One run over all sites: the URLs that are due, or all known ones with `everything`.

    A recently interrupted crawl is resumed under its id. `connect` opens the client of a site. Sites of other
    fetchers, by `share`, are not requested. `crawl_site` is called for every site at once, in this event loop, and
    awaits its part of the crawl: a scheduler records it.
    Raises `ContactMissing`, `SettingUnusable`, `StorageFailed`.
    """
    check_contact(sites, user_agent)
    for site in sites:
        if share.has(site.home):
            open_identity(site)
    clock = make_steady_clock() if clock is utc_now else clock
    run = store.begin(new_run_id(clock(), store.find_newest_run(), share), "crawl", clock())
    crawl_id, skips = run.crawl_id, SkipCounter()
    left: Left = {}
    our_sites = [site for site in sites if share.has(site.home)]
    if everything:
        with store.transaction():
            frontier.make_all_due(store.state, {host for site in our_sites for host in site.hosts}, run.started_at)
    shared = share_context(store, run, sites, user_agent=user_agent, clock=clock, skips=skips, left=left)

    async def crawl_one(site: Site) -> None:
        async with connect(site, user_agent) as client:
            context = shared(site=site, client=client)
            with context.isolate(f"{site.origin(site.hosts[0])}/"):
                await _SiteCrawl(context, on_progress).run()

    try:
        async with _commit_regularly(store, skips, crawl_id, sites), asyncio.TaskGroup() as tasks:
            for site in our_sites:
                tasks.create_task(crawl_site(site, crawl_one))
    except BaseExceptionGroup as group:
        raise _find_first(group) from group
    except asyncio.CancelledError:
        # A signal. Unfinished pages are due again.
        _note_endings(store, run, sites, share, left, SkipReason.INTERRUPTED)
        store.interrupt(crawl_id, clock())
        raise
    _note_endings(store, run, sites, share, left, Outcome.INTERNAL_ERROR, is_over=True)
    is_partial = any(map(has_brought_nothing, read_reasons(store, crawl_id).hosts))
    return store.finish(crawl_id, clock(), is_partial=is_partial)


def _note_endings(
    store: Store,
    run: CrawlRow,
    sites: Sequence[Site],
    share: Share,
    left: Left,
    otherwise: Outcome | SkipReason,
    *,
    is_over: bool = False,
) -> None:
    """Stores how each host's addresses ended. If the crawl `is_over`, also as skips, because no addresses are left."""
    with store.transaction():
        endings = count_endings(store.state, run.crawl_id, run.started_at, sites, share, left, otherwise)
        note_endings(store.state, run.crawl_id, endings)
        if is_over:
            skips = [item for item in endings if item.ending in OF_HOSTS and item.addresses]
            skipped = [SkipRecord(item.host, item.ending, item.addresses, item.example) for item in skips]
            store.add_skips(run.crawl_id, skipped)


@asynccontextmanager
async def _commit_regularly(
    store: Store, skips: SkipCounter, crawl_id: str, sites: Sequence[Site]
) -> AsyncIterator[None]:
    def commit() -> None:
        if counted := [replace(skip, detail=find_pattern(skip.example, sites)) for skip in skips.drain()]:
            with store.transaction():
                store.add_skips(crawl_id, counted)
        store.commit()

    async def commit_regularly() -> None:
        while True:
            await asyncio.sleep(COMMIT_EVERY_S)
            commit()

    with store.group_commits():
        # In its own group: a failed commit must end the workers.
        async with asyncio.TaskGroup() as tasks:
            committer = tasks.create_task(commit_regularly())
            yield
            committer.cancel()
        commit()


def _find_first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of the workers: a full disk is one error, however many workers met it."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def find_next_moment(time_of_day: time, after: datetime) -> datetime:
    """The first moment after `after` at a time of day, in UTC if it names no zone."""
    at = time_of_day if time_of_day.tzinfo is not None else time_of_day.replace(tzinfo=UTC)
    moment = datetime.combine(after.astimezone(at.tzinfo), at)
    return moment if moment > after else moment + timedelta(days=1)


class _SiteCrawl:
    """The hosts of a site, crawled concurrently: each has its own robots.txt, throttle and workers."""

    def __init__(self, context: CrawlContext, on_progress: OnProgress) -> None:
        self._context = context
        self._site = context.site
        self._on_progress = on_progress
        self._pages_left = self._site.max_pages
        self._bytes_left = self._site.max_bytes
        self._ends_at = None if self._site.ends_at is None else find_next_moment(self._site.ends_at, context.clock())
        self._active = len(self._site.all_hosts)
        """Workers and host set-ups that may still discover URLs."""
        self._changed = asyncio.Event()
        self._queued: dict[str, deque[tuple[str, UrlState]]] = {host: deque() for host in self._site.all_hosts}
        self._in_progress: set[str] = set()

    async def run(self) -> None:
        add_start_urls(self._context)
        async with asyncio.TaskGroup() as tasks:
            for host in self._site.all_hosts:
                tasks.create_task(self._crawl_host(host))

    async def _crawl_host(self, host: str) -> None:
        context, site = self._context, self._site
        with context.isolate(f"{site.origin(host)}/"):
            try:
                opened = await open_host(context, host)
            finally:
                self._release()
            reason = SkipReason.ROBOTS_UNREAD
            detail: str | None = opened.robots.reason
            if not opened.robots.is_denied:
                async with asyncio.TaskGroup() as tasks:
                    for _ in range(site.connections):
                        tasks.create_task(self._work(host, opened))
                context.first_stubs.settle(host)
                if site.reads_tdm_file and not opened.throttle.is_left:
                    await read_tdm_file(context, host, opened)
                reason, detail = SkipReason.BUDGET, self._find_spent_budget
                if detail is not None and (varying := describe_varying(context.store.state, host)) is not None:
                    detail = f"{detail} ({varying})"
                if opened.throttle.is_tripped:
                    reason, detail = SkipReason.HOST_DOWN, f"{site.limits.breaker} failures in a row"
                    extra = {"event": "host_down", "fields": {"crawl_id": context.crawl_id, "host": host}}
                    LOGGER.warning("%s failed too often in a row and is not asked again in this run", host, extra=extra)
                if opened.throttle.slowest_s:
                    with context.store.transaction():
                        host_pace.note_slowdown(context.store.state, host, context.crawl_id, opened.throttle.slowest_s)
            if opened.throttle.left_for_s is not None:
                reason, detail = SkipReason.PAUSED, self._note_pause(host, opened)
            context.left[host] = (reason, detail)

    def _note_pause(self, host: str, opened: OpenedHost) -> str:
        """Why the host is left; a pause by Retry-After is stored, so that the next run keeps it, too."""
        context, delay_s = self._context, opened.robots.crawl_delay_s(self._context.user_agent)
        if delay_s > self._site.limits.longest_wait_s:
            return f"its robots.txt asks for {delay_s:,.0f} s between two requests (Crawl-delay)"
        until = context.clock() + timedelta(seconds=min(opened.throttle.left_for_s or 0.0, PAUSE_MAX_S))
        with context.store.transaction():
            host_pace.note_pause(context.store.state, host, until)
        return f"it asks for a pause until {until:%Y-%m-%d %H:%M} UTC (Retry-After)"

    async def _work(self, host: str, opened: OpenedHost) -> None:
        context, tally = self._context, self._context.tally
        throttle, robots = opened.throttle, opened.robots
        while not throttle.is_left and (taken := await self._take(host)) is not None:
            url, before = taken
            try:
                with context.isolate(url, is_page=True):
                    spellings = frontier.list_spellings(context.store.state, url, before)
                    decision = decide(context.rules, url, spellings, robots, context.scopes)
                    if decision.reason is not None:
                        leave_page(context, url, before, decision)
                    else:
                        self._pages_left -= 1
                        received = await process_url(context, url, before, spellings, throttle, robots)
                        self._bytes_left -= received or 0
                        self._pages_left += received is None
            finally:
                self._release(url)
            # An address that pointed to a failed page is settled twice.
            self._on_progress(tally.settled, max(tally.settled, tally.due))

    @property
    def _find_spent_budget(self) -> str | None:
        """The spent budget by its name in the config, or None."""
        if self._pages_left <= 0:
            return f"max_pages = {self._site.max_pages}"
        if self._bytes_left <= 0:
            return f"max_mb = {self._site.max_bytes // 1_000_000}"
        is_over = self._ends_at is not None and self._context.clock() >= self._ends_at
        return f"ends_at = {self._site.ends_at:%H:%M}" if is_over else None

    async def _take(self, host: str) -> tuple[str, UrlState] | None:
        """The next URL of a host, and what is known of it; waits while another worker may discover one.

        None once no worker can discover another URL, or a budget is spent. The URL is passed to `_release` later.
        """
        context, urls = self._context, self._queued[host]
        while self._find_spent_budget is None:
            if not urls:
                state, crawl_id, due_until = context.store.state, context.crawl_id, context.started_at
                taken = self._in_progress | context.first_stubs.urls
                urls.extend(frontier.list_due_urls(state, host, crawl_id, due_until, BATCH, taken))
            if urls:
                url, before = urls.popleft()
                self._in_progress.add(url)
                self._active += 1
                return url, before
            if self._active == 0:
                break
            self._changed.clear()
            await self._changed.wait()
        return None

    def _release(self, url: str | None = None) -> None:
        """Ends the work on `url`, or the set-up of a host; waiting workers look again."""
        self._active -= 1
        if url is not None:
            self._in_progress.discard(url)
        self._changed.set()
