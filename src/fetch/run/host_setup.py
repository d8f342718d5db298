"""What a host offers before its pages: robots.txt and sitemaps. Logged, not kept."""

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from urllib.parse import urlsplit

from fetch.http.throttle import Pace
from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.errors import FetchError, Outcome
from fetch.parse.robots import ALLOWED, Robots, denied, robots_of
from fetch.parse.sitemap import Listed, read_sitemap
from fetch.run.context import Reply, Run, ask_following, log
from fetch.run.discovery import discover
from fetch.store import frontier

SITEMAPS_MAX = 500
DEPTH_MAX = 5
LISTED_MAX = 2_000_000
"""Sitemaps read a host and run, how deep an index may nest, and addresses taken: indexes can name billions."""

ENTRIES_AT_ONCE = 1_000


async def read_robots(run: Run, origin: str, pace: Pace) -> Robots:
    """The rules of a host for this run, after retries and up to five redirects, to other hosts too (2.3.1.2)."""
    try:
        reply = await ask_following(run, f"{origin}/robots.txt", pace, lambda _: True)
    except FetchError as error:
        return ALLOWED if error.outcome == "redirect_limit" else denied(error.detail)
    _log_support(run, reply)
    return robots_of(reply.answer)


async def read_sitemaps(run: Run, origin: str, pace: Pace, robots: Robots) -> None:
    """Feeds the frontier from the sitemaps that the config, else robots.txt names. An index may name further ones."""
    waiting = deque(
        (url, 0) for url in _canonical(run, run.site.sitemaps or robots.sitemaps or (f"{origin}/sitemap.xml",))
    )
    seen: set[str] = set()
    listed = 0
    while waiting and len(seen) < SITEMAPS_MAX and listed < LISTED_MAX and not pace.is_broken:
        url, depth = waiting.popleft()
        if url in seen or not run.site.has_host(url):
            continue
        seen.add(url)
        try:
            reply = await ask_following(run, url, pace, run.site.has_host)
        except FetchError:
            continue
        _log_support(run, reply)
        entries = read_sitemap(reply.answer.body if reply.answer.status == 200 else b"")
        while batch := list(islice(entries, ENTRIES_AT_ONCE)):
            listed += len(batch)
            _add_pages(run, [entry for entry in batch if entry.kind == "page"], source=url)
            if depth < DEPTH_MAX:
                names = (entry.url for entry in batch if entry.kind == "sitemap")
                waiting += [(name, depth + 1) for name in _canonical(run, names)]
            # Others are served between two batches of a file that lists 50,000.
            await asyncio.sleep(0)


def _add_pages(run: Run, entries: list[Listed], *, source: str) -> None:
    pages = [replace(entry, url=page) for entry in entries for page in _canonical(run, (entry.url,))]
    state = run.store.state
    with run.store.transaction():
        discover(run, (page.url for page in pages), source=source)
        host = urlsplit(source).hostname or ""
        frontier.note_changes(state, pages, frontier.trust(state, host), run.clock())


def _log_support(run: Run, reply: Reply) -> None:
    status = reply.answer.status
    outcome: Outcome = "support" if status < 400 else "not_found" if status in {404, 410} else "client_error"
    with run.store.transaction():
        log(run, reply.attempt, outcome, answer=reply.answer)


def _canonical(run: Run, urls: Iterable[str]) -> list[str]:
    found = []
    for url in urls:
        try:
            found.append(run.site.own(canonicalize(url)))
        except BadUrl:
            continue
    return found
