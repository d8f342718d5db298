"""One URL from the frontier: requested, classified, stored, settled."""

from dataclasses import replace

from verdicts.fetch.http.pace import Throttle
from verdicts.fetch.model.errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome, SkipReason
from verdicts.fetch.model.snapshot import Snapshot, moment_within
from verdicts.fetch.model.url_state import UrlState, VisitResult
from verdicts.fetch.parse.content import classify
from verdicts.fetch.parse.page_head import header_directives
from verdicts.fetch.parse.page_links import PageLinks, read_header_links, read_page_links, read_refresh
from verdicts.fetch.parse.robots import Robots
from verdicts.fetch.run.context import Attempt, CrawlContext, isolated, log, log_absent
from verdicts.fetch.run.discovery import discover
from verdicts.fetch.run.replacement import announce_change, give_up, other_address, settle_redirect
from verdicts.fetch.run.request import Reply, as_redirect, request_page
from verdicts.fetch.store import frontier


async def process_url(context: CrawlContext, url: str, throttle: Throttle, robots: Robots) -> int:
    """Settles one URL and returns its bytes on the wire. Never raises for what a host does."""
    context.tally.settled += 1
    # The config may have been narrowed since the URL was discovered.
    if url not in context.start_urls and (reason := context.site.skip_reason(url)) is not None:
        with context.store.transaction():
            context.skips.add(reason, url)
            context.settle_absent(url)
        return 0
    if not robots.allows(url, context.user_agent):
        with context.store.transaction():
            attempt = Attempt(url, 1, context.clock())
            log_absent(context, attempt, Outcome.ROBOTS_DENIED, detail=robots.refusal(url))
        return 0
    before = frontier.url_state(context.store.state, url)
    try:
        reply = await request_page(context, url, throttle, robots, before)
    except AttemptFailed:
        with context.store.transaction():
            context.settle_absent(url)
        return 0
    attempt, response = reply.attempt, reply.response
    with isolated(context, url, attempt=attempt, response=response, is_page=True), context.store.transaction():
        _process_reply(context, url, reply, before)
    return reply.response.wire_bytes


def _process_reply(context: CrawlContext, url: str, reply: Reply, before: UrlState) -> None:
    response = reply.response
    if response.is_redirect:
        settle_redirect(context, url, reply, before)
        return
    if response.status == 304 and before.sha256 is not None:
        # Its headers are newer than the stored ones (RFC 9111, 4.3.4).
        if header_directives(response.headers, context.token).is_noindex:
            log_absent(context, reply.attempt, Outcome.NOINDEX, response=response)
            return
        _keep_unchanged(context, url, reply, before, before.sha256, names=before.alias_of)
        return
    outcome, detail = classify(response)
    if outcome is Outcome.STORED:
        _process_page(context, url, reply, before)
        return
    is_blank = outcome is Outcome.EMPTY and response.status == 200
    if is_blank and (refresh := read_refresh(response, reply.requested_url)) is not None:
        # Browsers follow it: an empty page has nothing else to say.
        settle_redirect(context, url, as_redirect(reply, refresh.target), before)
        return
    if outcome in {Outcome.GONE, Outcome.NOT_FOUND, Outcome.SOFT_404}:
        log(context, reply.attempt, outcome, response=response, detail=detail)
        state, now, revisit = context.store.state, context.clock(), context.site.revisit
        frontier.settle_missing(state, url, context.crawl_id, now, revisit, is_final=outcome is Outcome.GONE)
    else:
        log_absent(context, reply.attempt, outcome, response=response, detail=detail)


def _process_page(context: CrawlContext, url: str, reply: Reply, before: UrlState) -> None:
    links = _read_links(context, reply)
    _keep_or_give_up(context, url, reply, links, before)
    if links.is_cut:
        context.skips.add(SkipReason.TOO_MANY, url)
    if links.directives.is_nofollow:
        context.skips.add(SkipReason.NOFOLLOW, url, links.nofollow + len(links.links))
        return
    if links.nofollow:
        context.skips.add(SkipReason.NOFOLLOW, url, links.nofollow)
    discover(context, links.links, source=url, depth=before.depth + 1)


def _read_links(context: CrawlContext, reply: Reply) -> PageLinks:
    response, url = reply.response, reply.requested_url
    if response.media_type == "text/plain":
        links = read_header_links(url, response.headers)
    else:
        links = read_page_links(
            response.body, url, charset=response.charset, token=context.token, headers=response.headers
        )
    return replace(links, directives=links.directives | header_directives(response.headers, context.token))


def _keep_or_give_up(context: CrawlContext, url: str, reply: Reply, links: PageLinks, before: UrlState) -> None:
    try:
        other = other_address(context, url, reply, links, before)
    except AttemptFailed as error:
        log_absent(context, reply.attempt, error.outcome, response=reply.response, detail=error.detail)
        return
    may_keep = not links.directives.is_noindex
    if other is not None and give_up(context, url, reply, other, before, may_keep=may_keep):
        return
    if may_keep:
        _keep_page(context, url, reply, before, names=None if other is None else other.url)
    else:
        log_absent(context, reply.attempt, Outcome.NOINDEX, response=reply.response)


def _keep_page(context: CrawlContext, url: str, reply: Reply, before: UrlState, *, names: str | None) -> None:
    response = reply.response
    snapshot = _snapshot(context, url, reply)
    sha256 = snapshot.sha256
    # The frontier does not know pages from ingested files.
    known = before.sha256 or context.store.newest_sha256(url, snapshot.header("content-type"))
    if sha256 == known:
        _keep_unchanged(context, url, reply, before, sha256, names=names)
        return
    if known is not None:
        announce_change(context, url, response.body)
    location = context.store.keep(snapshot)
    etag = response.validator("etag")
    is_first = before.sha256 is None
    is_etag_wrong = etag is not None and etag == before.etag and not is_first
    detail = "the ETag is that of other bytes; it is not sent again" if is_etag_wrong else None
    log(context, reply.attempt, Outcome.STORED, response=response, sha256=sha256, location=location, detail=detail)
    visit = VisitResult(
        sha256=sha256,
        etag=etag,
        last_modified=response.validator("last-modified"),
        is_changed=None if is_first else True,
        is_unconditional=True,
        is_etag_wrong=is_etag_wrong,
        names=names,
    )
    frontier.settle_fetched(
        context.store.state, url, context.crawl_id, context.clock(), before, visit, context.site.revisit
    )


def _keep_unchanged(
    context: CrawlContext, url: str, reply: Reply, before: UrlState, sha256: str, *, names: str | None
) -> None:
    response = reply.response
    location = context.store.keep_revisit(_snapshot(context, url, reply), sha256)
    log(context, reply.attempt, Outcome.UNCHANGED, response=response, sha256=sha256, location=location)
    visit = VisitResult(
        sha256=sha256,
        etag=response.validator("etag") or before.etag,
        last_modified=response.validator("last-modified") or before.last_modified,
        is_changed=False,
        is_unconditional=response.status != 304,
        names=names,
    )
    frontier.settle_fetched(
        context.store.state, url, context.crawl_id, context.clock(), before, visit, context.site.revisit
    )


def _snapshot(context: CrawlContext, url: str, reply: Reply) -> Snapshot:
    response = reply.response
    return Snapshot(
        url=url,
        final_url=reply.requested_url,
        fetched_at=moment_within(context.crawl_id, context.clock()),
        status=response.status,
        headers=response.headers,
        body=response.body,
        crawl_id=context.crawl_id,
    )
