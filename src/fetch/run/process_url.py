"""One address: asked, judged, stored, settled."""

from datetime import timedelta

from fetch.http.throttle import Pace
from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.errors import FetchError, Permanent
from fetch.model.snapshot import Snapshot
from fetch.model.url_state import Known, Visited
from fetch.parse.classify import judge
from fetch.parse.page_links import Leads, read_leads
from fetch.parse.robots import Robots
from fetch.parse.robots_directives import header_directives
from fetch.run.context import Attempt, Reply, Run, ask, log, redirect_target
from fetch.run.discovery import discover
from fetch.store import frontier


async def visit(run: Run, url: str, pace: Pace, robots: Robots) -> int:
    """Settles one address; gives the bytes it took. Never raises for what a host does."""
    run.tally.settled += 1
    # The config may have been narrowed since the address was found.
    is_judged = url in run.starts or run.judged.get(url, "") is None
    if not is_judged and (reason := run.site.left_out(url)) is not None:
        with run.store.transaction():
            run.skips.add(reason, url)
            _settle(run, url)
        return 0
    if not robots.allows(url, run.user_agent):
        with run.store.transaction():
            log(run, Attempt(url, 1, run.clock()), "robots_denied", detail=robots.reason)
            _settle(run, url)
        return 0
    known = frontier.known(run.store.state, url)
    try:
        reply = await _ask_as_spelled(run, url, pace, known)
    except FetchError:
        with run.store.transaction():
            _settle(run, url)
        return 0
    with run.store.transaction():
        _keep(run, url, reply, known)
    return reply.answer.wire_bytes


async def _ask_as_spelled(run: Run, url: str, pace: Pace, known: Known) -> Reply:
    """The reply, followed to where only the spelling differs: `/a` to `/a/` is one canonical address.

    Any other redirect is handed back: its target is an address of its own.
    """
    asked: list[str] = [url]
    conditions = known.conditions(run.site.revisit, run.clock())
    for _ in range(run.site.limits.redirects + 1):
        reply = await ask(run, url, pace, conditions, asked=asked[-1])
        target = _respelled(run, url, reply)
        if target is None or target in asked:
            return reply
        with run.store.transaction():
            log(run, reply.attempt, "redirected", answer=reply.answer, detail=target)
        asked.append(target)
    with run.store.transaction():
        log(run, reply.attempt, "redirect_limit", detail=f"more than {run.site.limits.redirects} redirects")
    raise Permanent("redirect_limit", "redirected from spelling to spelling")


def _respelled(run: Run, url: str, reply: Reply) -> str | None:
    if not reply.answer.is_redirect:
        return None
    try:
        target = redirect_target(reply.asked, reply.answer)
        return target if run.site.own(canonicalize(target)) == url else None
    except (Permanent, BadUrl):
        return None


def _settle(run: Run, url: str, wait: timedelta | None = None) -> None:
    """Settled without a page; due again the next night unless told."""
    now = run.clock()
    due_at = now + (run.site.revisit.least if wait is None else wait)
    frontier.settle(run.store.state, url, run.crawl_id, now, due_at)


def _keep(run: Run, url: str, reply: Reply, known: Known) -> None:
    """Judges a whole answer and stores what it brought."""
    answer = reply.answer
    if answer.is_redirect:
        _redirect(run, url, reply, known)
        _settle(run, url)
        return
    if answer.status == 304 and known.sha256 is not None:
        _unchanged(run, url, reply, known, known.sha256)
        return
    outcome, why = judge(answer)
    if outcome == "stored":
        _page(run, url, reply, known)
        return
    log(run, reply.attempt, outcome, answer=answer, detail=why)
    if outcome in {"gone", "not_found", "soft_404"}:
        revisit, is_final = run.site.revisit, outcome == "gone"
        frontier.settle_missing(run.store.state, url, run.crawl_id, run.clock(), revisit, is_final=is_final)
    else:
        _settle(run, url)


def _page(run: Run, url: str, reply: Reply, known: Known) -> None:
    answer = reply.answer
    leads: Leads | None = None
    directives = header_directives(answer.headers, run.token)
    if answer.media_type != "text/plain":
        leads = read_leads(answer.body, reply.asked, charset=answer.charset, token=run.token)
        directives |= leads.directives
    if directives.is_noindex:
        log(run, reply.attempt, "noindex", answer=answer)
        _settle(run, url)
    elif (other := _other_address(run, url, leads)) is not None:
        log(run, reply.attempt, "alias", answer=answer, detail=other)
        frontier.settle_alias(run.store.state, url, run.crawl_id, run.clock(), other, run.site.revisit)
        discover(run, [other], source=url, depth=known.depth)
    else:
        _store(run, url, reply, known)
    if leads is None:
        return
    if directives.is_nofollow:
        run.skips.add("nofollow", url, leads.nofollow + len(leads.links))
        return
    if leads.nofollow:
        run.skips.add("nofollow", url, leads.nofollow)
    discover(run, leads.links, source=url, depth=known.depth + 1)


def _other_address(run: Run, url: str, leads: Leads | None) -> str | None:
    """The address that the page gives as its own, where that can be believed.

    Only an address in scope. Not the front page, which templates name on every page by mistake; not one that was asked
    for without success, nor one that is itself an alias.
    """
    if leads is None or leads.canonical is None:
        return None
    other = run.site.own(leads.canonical)
    if other == url or other.endswith("/") or not run.site.covers(other):
        return None
    there = frontier.known(run.store.state, other)
    has_failed = there.fetched_at is not None and there.sha256 is None
    return None if has_failed or there.alias_of is not None else other


def _store(run: Run, url: str, reply: Reply, known: Known) -> None:
    answer = reply.answer
    snapshot = _snapshot(run, url, reply)
    sha256 = snapshot.sha256
    if sha256 == known.sha256:
        _unchanged(run, url, reply, known, sha256)
        return
    location = run.store.keep(snapshot)
    etag = answer.header("etag")
    is_etag_wrong = etag is not None and etag == known.etag and known.sha256 is not None
    detail = "the ETag is that of other bytes; it is not asked with again" if is_etag_wrong else None
    log(run, reply.attempt, "stored", answer=answer, sha256=sha256, location=location, detail=detail)
    is_changed = None if known.sha256 is None else True
    modified = answer.header("last-modified")
    found = Visited(sha256, etag, modified, is_changed, is_whole=True, is_etag_wrong=is_etag_wrong)
    frontier.settle_good(run.store.state, url, run.crawl_id, run.clock(), known, found, run.site.revisit)


def _unchanged(run: Run, url: str, reply: Reply, known: Known, sha256: str) -> None:
    answer = reply.answer
    location = run.store.keep_revisit(_snapshot(run, url, reply), sha256)
    log(run, reply.attempt, "unchanged", answer=answer, sha256=sha256, location=location)
    etag, modified = answer.header("etag") or known.etag, answer.header("last-modified") or known.last_modified
    found = Visited(sha256, etag, modified, is_changed=False, is_whole=answer.status != 304)
    frontier.settle_good(run.store.state, url, run.crawl_id, run.clock(), known, found, run.site.revisit)


def _redirect(run: Run, url: str, reply: Reply, known: Known) -> None:
    """A redirect's target is an address like any other: robots and peer are checked when its turn comes."""
    try:
        there, hops = _next_hop(run, reply, known)
    except Permanent as error:
        log(run, reply.attempt, error.outcome, answer=reply.answer, detail=error.detail)
    else:
        log(run, reply.attempt, "redirected", answer=reply.answer, detail=there)
        discover(run, [there], source=url, hops=hops, depth=known.depth)


def _next_hop(run: Run, reply: Reply, known: Known) -> tuple[str, int]:
    """The target in scope, and how many redirects led to it. Raises `Permanent`."""
    limit = run.site.limits.redirects
    hops = known.hops + 1
    try:
        there = run.site.own(canonicalize(redirect_target(reply.asked, reply.answer)))
    except BadUrl as error:
        raise Permanent("out_of_scope", str(error)) from None
    if not run.site.covers(there):
        raise Permanent("out_of_scope", f"leads to {there}")
    if hops > limit:
        raise Permanent("redirect_limit", f"more than {limit} redirects, the last to {there}")
    return there, hops


def _snapshot(run: Run, url: str, reply: Reply) -> Snapshot:
    answer = reply.answer
    return Snapshot(url, reply.asked, run.clock(), answer.status, answer.headers, answer.body, run.crawl_id)
