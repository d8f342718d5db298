"""From discovered URLs to URLs in the frontier; those out of scope are counted with the reason."""

from collections.abc import Iterable

from verdicts.fetch.model.canonical_url import BadUrl, canonicalize
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.skips import SkipReason
from verdicts.fetch.run.context import Attempt, CrawlContext, log
from verdicts.fetch.run.isolation import isolated
from verdicts.fetch.store import frontier

CACHED_LINKS = 50_000
"""Links whose skip reason is cached: the same navigation is on every page."""


def add_start_urls(context: CrawlContext) -> None:
    """Adds the start URLs, whatever `include` says; one that is on no host of the site is logged and skipped."""
    for start in context.site.start_urls:
        with isolated(context, start), context.store.transaction():
            _add_start_url(context, start)


def _add_start_url(context: CrawlContext, start: str) -> None:
    try:
        url = context.site.page_url(canonicalize(start))
        problem = None if context.site.has_host(url) else "a start address on none of the site's hosts"
    except BadUrl as error:
        url, problem = start, str(error)
    if problem is not None:
        log(context, Attempt(url, 1, context.clock()), Outcome.OUT_OF_SCOPE, detail=problem)
        return
    context.start_urls.add(url)
    context.tally.due += frontier.add(context.store.state, [url], crawl_id=context.crawl_id, source="start")


def discover(context: CrawlContext, urls: Iterable[str], *, source: str, hops: int = 0, depth: int = 0) -> None:
    """Adds the canonical URLs that are in scope to the frontier. Part of the caller's transaction.

    `source` is the URL that names them; `hops` and `depth` as in `UrlState`.
    """
    new: list[str] = []
    for url in urls:
        if url in context.skip_reasons:
            reason = context.skip_reasons[url]
        else:
            preferred = context.site.page_url(url)
            reason = context.site.skip_reason(preferred)
            if reason is None and depth > context.site.max_depth:
                # Not cached: another page may link to it at a smaller depth.
                context.skips.add(SkipReason.TOO_DEEP, url)
                continue
            _cache(context, url, reason)
            if reason is None:
                new.append(preferred)
        if reason is not None:
            context.skips.add(reason, url)
    if new:
        state, crawl_id = context.store.state, context.crawl_id
        context.tally.due += frontier.add(state, new, crawl_id=crawl_id, source=source, hops=hops, depth=depth)


def _cache(context: CrawlContext, url: str, reason: SkipReason | None) -> None:
    if len(context.skip_reasons) >= CACHED_LINKS:
        context.skip_reasons.clear()
    context.skip_reasons[url] = reason
