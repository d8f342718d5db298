"""Parameters that change nothing on a host are learned while it is crawled, dropped from then on, and kept under watch.

Each page proves it for itself by two addresses that are stored; further ones are not requested, as long as the page
without the parameter is held. The two are visited again like any page, and each night some of the others are requested
(`SAMPLES_A_NIGHT`). One that says something else than the page without the parameter ends it: the parameter is never
dropped again on that host, and every page of the host is read again, as its links with the parameter had been left out.
"""

import logging

from verdicts.fetch.model.addresses.web_address import host_of
from verdicts.fetch.model.skips import SkipReason
from verdicts.fetch.model.url_state import Standing, UrlState
from verdicts.fetch.parse.page_text import text_sha256
from verdicts.fetch.parse.parameters import Lessons, parameters_of, without
from verdicts.fetch.run.context import CrawlContext
from verdicts.fetch.run.discovery import discover
from verdicts.fetch.store import frontier, standings

LOGGER = logging.getLogger(__name__)


def settle_without_request(context: CrawlContext, url: str, before: UrlState) -> bool:
    """Settles an address with a dropped parameter that proves nothing, where the page without it is held."""
    if url in context.start_urls:
        return False
    bare = context.without_dropped(url)
    if bare == url or not standings.is_proven(context.store.state, bare, without=url):
        return False
    if before.sha256 is not None and before.alias_of != bare:
        return False
    if before.sha256 is None and context.is_sample(url):
        return False
    context.skips.add(SkipReason.PARAMETER, url)
    _lean(context, url, bare, before)
    return True


def learn(context: CrawlContext, url: str, body: bytes, before: UrlState) -> bool:
    """Compares a page with those that differ from it in a parameter. True where it was settled as one of them."""
    host = host_of(url)
    lessons = context.lessons.setdefault(host, Lessons())
    decided = context.decided(host)
    with_it = {name: value for name, value in parameters_of(url).items() if decided.get(name) is not False}
    without_it = lessons.names(url).copy()
    if not with_it and not without_it:
        return False
    digest = text_sha256(body)
    for name, value in with_it.items():
        bare = without(url, name)
        is_same = lessons.note(bare, name, digest, url, value)
        if is_same and lessons.lacks_bare(bare, name):
            is_same = _compare_with_bare(context, lessons, bare, name, url, before)
        _conclude(context, lessons, host, name, url, is_same=is_same)
    for name in without_it:
        _conclude(context, lessons, host, name, url, is_same=lessons.note(url, name, digest))
    return _lean_on_same(context, url, digest, before)


def _compare_with_bare(
    context: CrawlContext, lessons: Lessons, bare: str, name: str, url: str, before: UrlState
) -> bool:
    """Compares with what is held of the page without the parameter. False where that says something else.

    One that was not visited in this run, and says something else or is not known, is visited now.
    """
    held = context.store.newest_body(bare)
    known = frontier.url_state(context.store.state, bare)
    is_of_tonight = known.fetched_at is not None and known.fetched_at >= context.started_at
    if known.standing is Standing.HELD and held is not None:
        digest = text_sha256(held)
        if is_of_tonight or lessons.shows(bare, name, digest):
            return lessons.note(bare, name, digest)
        standings.make_due(context.store.state, bare)
    elif known.standing is Standing.NEW:
        discover(context, [bare], source=url, depth=before.depth)
    return True


def _conclude(context: CrawlContext, lessons: Lessons, host: str, name: str, url: str, *, is_same: bool) -> None:
    if not is_same:
        _keep_apart(context, host, name)
    elif same := lessons.same(name):
        _drop(context, host, name, {alias: bare for alias, bare in same.items() if alias != url})


def _drop(context: CrawlContext, host: str, name: str, same: dict[str, str]) -> None:
    """Drops a parameter where enough addresses showed the same without it: they are aliases from now on."""
    state = context.store.state
    if not context.decided(host).get(name):
        context.decide(host, name, is_dropped=True)
        example = next(iter(same))
        LOGGER.warning("%s: parameter %r changes nothing and is left out from now on, as in %s", host, name, example)
    standings.lean_on_bare(state, same)


def _keep_apart(context: CrawlContext, host: str, name: str) -> None:
    """Two addresses that differ in a parameter alone say different things."""
    was_dropped = context.decided(host).get(name)
    context.decide(host, name, is_dropped=False)
    if was_dropped:
        frontier.make_all_due(context.store.state, [host])
        LOGGER.warning("%s: parameter %r changes a page after all; every page of the host is read again", host, name)


def _lean_on_same(context: CrawlContext, url: str, digest: str, before: UrlState) -> bool:
    """Settles a page with a dropped parameter as an alias, if the page without it is held and says the same.

    False where it must be stored: as a proof for its page, or as that says something else. Then that may be older: it
    is due, and compared when its turn comes.
    """
    state, bare = context.store.state, context.without_dropped(url)
    if bare == url or url in context.start_urls:
        return False
    if before.sha256 is None and not standings.is_proven(state, bare):
        return False
    held = context.store.newest_body(bare)
    if held is None or standings.holder(state, bare) != bare:
        return False
    if text_sha256(held) != digest:
        standings.make_due(state, bare)
        return False
    _lean(context, url, bare, before)
    return True


def _lean(context: CrawlContext, url: str, bare: str, before: UrlState) -> None:
    """Settles an address as an alias, to be looked at again like a page that did not change."""
    now, interval = context.clock(), context.site.revisit.after_unchanged(before.interval)
    state = context.store.state
    frontier.settle(state, url, context.crawl_id, now, now + interval, Standing.ALIAS, bare, interval)
