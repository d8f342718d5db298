"""One address: asked, judged, stored, settled."""

from collections.abc import Iterable

from fetch import frontier
from fetch.attempts import Attempt, Reply, Run, ask, log, redirect_target
from fetch.canonical import BadUrl, canonicalize
from fetch.errors import FetchError, Permanent
from fetch.judge import judge
from fetch.links import find_links
from fetch.pace import Pace
from fetch.robots import Robots
from fetch.snapshot import Snapshot


async def visit(run: Run, url: str, pace: Pace, robots: Robots) -> int:
    """Settles one address; gives the bytes it took. Never raises for what a host does."""
    state = run.store.state
    if not robots.allows(url, run.user_agent):
        with run.store.transaction():
            log(run, Attempt(url, 1, run.clock()), "robots_denied", detail=robots.reason)
            frontier.settle(state, url, run.crawl_id, run.clock())
        return 0
    known = frontier.validators(state, url)
    try:
        reply = await _ask_as_spelled(run, url, pace, known)
    except FetchError:
        with run.store.transaction():
            frontier.settle(state, url, run.crawl_id, run.clock())
        return 0
    with run.store.transaction():
        _keep(run, url, reply, known)
    return reply.answer.wire_bytes


async def _ask_as_spelled(run: Run, url: str, pace: Pace, known: frontier.Validators) -> Reply:
    """The reply, followed to where only the spelling differs: `/a` to `/a/` is one canonical address.

    Any other redirect is handed back: its target is an address of its own.
    """
    asked: list[str] = [url]
    for _ in range(run.site.limits.redirects + 1):
        reply = await ask(run, url, pace, known.headers, asked=asked[-1])
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
        return target if run.site.secured(canonicalize(target)) == url else None
    except (Permanent, BadUrl):
        return None


def _keep(run: Run, url: str, reply: Reply, known: frontier.Validators) -> None:
    """Judges a whole answer and stores what it brought."""
    state, answer, now = run.store.state, reply.answer, run.clock()
    if answer.is_redirect:
        _redirect(run, url, reply)
        frontier.settle(state, url, run.crawl_id, now)
        return
    if answer.status == 304:
        if known.sha256 is None:
            log(run, reply.attempt, "protocol_error", answer=answer, detail="304 to a request without conditions")
            frontier.settle(state, url, run.crawl_id, now)
        else:
            _unchanged(run, url, reply, known, known.sha256)
        return
    outcome, why = judge(answer)
    if outcome == "stored":
        _page(run, url, reply, known)
        return
    log(run, reply.attempt, outcome, answer=answer, detail=why)
    if outcome in {"gone", "not_found", "soft_404"}:
        frontier.settle_missing(state, url, run.crawl_id, now, is_final=outcome == "gone")
    else:
        frontier.settle(state, url, run.crawl_id, now)


def _page(run: Run, url: str, reply: Reply, known: frontier.Validators) -> None:
    answer = reply.answer
    snapshot = _snapshot(run, url, reply)
    if snapshot.sha256 == known.sha256:
        _unchanged(run, url, reply, known, snapshot.sha256)
    else:
        location = run.store.keep(snapshot)
        log(run, reply.attempt, "stored", answer=answer, sha256=snapshot.sha256, location=location)
        now = frontier.Validators(answer.header("etag"), answer.header("last-modified"), snapshot.sha256)
        frontier.settle_good(run.store.state, url, run.crawl_id, run.clock(), now)
    if answer.media_type != "text/plain":
        discover(run, find_links(answer.body, reply.asked), source=url)


def _unchanged(run: Run, url: str, reply: Reply, known: frontier.Validators, sha256: str) -> None:
    answer = reply.answer
    location = run.store.keep_revisit(_snapshot(run, url, reply), sha256)
    log(run, reply.attempt, "unchanged", answer=answer, sha256=sha256, location=location)
    etag, modified = answer.header("etag") or known.etag, answer.header("last-modified") or known.last_modified
    now = frontier.Validators(etag, modified, sha256)
    frontier.settle_good(run.store.state, url, run.crawl_id, run.clock(), now)


def _redirect(run: Run, url: str, reply: Reply) -> None:
    """A redirect's target is an address like any other: robots and peer are checked when its turn comes."""
    try:
        there, hops = _next_hop(run, url, reply)
    except Permanent as error:
        log(run, reply.attempt, error.outcome, answer=reply.answer, detail=error.detail)
    else:
        log(run, reply.attempt, "redirected", answer=reply.answer, detail=there)
        discover(run, [there], source=url, hops=hops)


def _next_hop(run: Run, url: str, reply: Reply) -> tuple[str, int]:
    """The target in scope, and how many redirects led to it. Raises `Permanent`."""
    limit = run.site.limits.redirects
    hops = frontier.hops(run.store.state, url) + 1
    try:
        there = run.site.secured(canonicalize(redirect_target(reply.asked, reply.answer)))
    except BadUrl as error:
        raise Permanent("out_of_scope", str(error)) from None
    if not run.site.covers(there):
        raise Permanent("out_of_scope", f"leads to {there}")
    if hops > limit:
        raise Permanent("redirect_limit", f"more than {limit} redirects, the last to {there}")
    return there, hops


def discover(run: Run, urls: Iterable[str], *, source: str, hops: int = 0) -> None:
    """Adds the canonical addresses in scope to the frontier. Part of the caller's transaction."""
    found = (run.site.secured(url) for url in urls)
    in_scope = [url for url in found if run.site.covers(url)]
    frontier.discover(run.store.state, in_scope, crawl_id=run.crawl_id, source=source, hops=hops)


def _snapshot(run: Run, url: str, reply: Reply) -> Snapshot:
    answer = reply.answer
    return Snapshot(url, reply.asked, run.clock(), answer.status, answer.headers, answer.body, run.crawl_id)
