"""What a host offers before its pages: robots.txt and sitemaps. Logged, not kept."""

from collections.abc import Iterable

from fetch import frontier
from fetch.attempts import Reply, Run, ask_following, log
from fetch.canonical import BadUrl, canonicalize
from fetch.errors import FetchError, Outcome
from fetch.pace import Pace
from fetch.robots import ALLOWED, Robots, denied, robots_of
from fetch.sitemap import Listed, read_sitemap
from fetch.visit import discover

SITEMAPS_MAX = 500
"""Sitemaps read a site and run; an index of indexes can name millions."""


async def read_robots(run: Run, origin: str, pace: Pace) -> Robots:
    """The rules of a host for this run, after retries and up to five redirects, to other hosts too (2.3.1.2)."""
    try:
        reply = await ask_following(run, f"{origin}/robots.txt", pace, lambda _: True)
    except FetchError as error:
        return ALLOWED if error.outcome == "redirect_limit" else denied(error.detail)
    _log_support(run, reply)
    return robots_of(reply.answer)


async def read_sitemaps(run: Run, origin: str, pace: Pace, robots: Robots) -> None:
    """Feeds the frontier from the sitemaps that the config, else robots.txt names."""
    waiting = list(_canonical(run, run.site.sitemaps or robots.sitemaps or (f"{origin}/sitemap.xml",)))
    seen: set[str] = set()
    while waiting and len(seen) < SITEMAPS_MAX and not pace.is_broken:
        url = waiting.pop(0)
        if url in seen or not run.site.has_host(url):
            continue
        seen.add(url)
        try:
            reply = await ask_following(run, url, pace, run.site.has_host)
        except FetchError:
            continue
        _log_support(run, reply)
        found = read_sitemap(reply.answer.body if reply.answer.status == 200 else b"")
        waiting += _canonical(run, found.sitemaps)
        pages = [Listed(page, item.changed_at) for item in found.pages for page in _canonical(run, (item.url,))]
        with run.store.transaction():
            discover(run, (page.url for page in pages), source=url)
            frontier.note_changes(run.store.state, pages)


def _log_support(run: Run, reply: Reply) -> None:
    status = reply.answer.status
    outcome: Outcome = "support" if status < 400 else "not_found" if status in {404, 410} else "client_error"
    with run.store.transaction():
        log(run, reply.attempt, outcome, answer=reply.answer)


def _canonical(run: Run, urls: Iterable[str]) -> list[str]:
    found = []
    for url in urls:
        try:
            found.append(run.site.secured(canonicalize(url)))
        except BadUrl:
            continue
    return found
