"""One address: asked with retries, judged, stored. Every attempt leaves a row in the log."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from fetch import frontier
from fetch.canonical import BadUrl, canonicalize
from fetch.client import Answer, Client
from fetch.errors import FetchError, Outcome, Permanent, Transient
from fetch.links import find_links
from fetch.log import FetchRecord
from fetch.pace import Pace, retry_after_s
from fetch.robots import Robots
from fetch.site import Site
from fetch.snapshot import Location, Snapshot
from fetch.store import Store

PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain", ""})


@dataclass(slots=True)
class Run:
    """What the workers of one site share."""

    store: Store
    site: Site
    client: Client
    crawl_id: str
    user_agent: str
    clock: Callable[[], datetime]
    fetch_number: list[int]
    """The number of the last logged attempt; shared by the sites of a crawl."""
    pages_left: int
    bytes_left: int


async def visit(run: Run, url: str, pace: Pace, robots: Robots) -> None:
    """Settles one address. Never raises for what a host does."""
    state = run.store.state
    if not robots.allows(url, run.user_agent):
        with state:
            log(run, url, "robots_denied", detail=robots.reason)
            frontier.settle(state, url, run.crawl_id)
        return
    known = frontier.validators(state, url)
    answer = await ask(run, url, pace, known.headers)
    if answer is None:
        with state:
            frontier.settle(state, url, run.crawl_id)
        return
    run.pages_left -= 1
    run.bytes_left -= answer.wire_bytes
    with state:
        _keep(run, url, answer, known)


async def ask(run: Run, url: str, pace: Pace, headers: Mapping[str, str]) -> Answer | None:
    """The answer of a host, after as many attempts as the limits allow; None where all failed. Failures are logged."""
    limits = run.site.limits
    for attempt in range(1, limits.attempts + 1):
        await pace.turn()
        try:
            answer = await run.client.get(url, headers)
            _check_status(answer, run.clock())
        except FetchError as error:
            pace.failed(error.retry_after_s)
            with run.store.state:
                log(run, url, error.outcome, status=error.status, attempt=attempt, detail=error.detail)
            if isinstance(error, Permanent) or pace.is_broken:
                return None
            if attempt < limits.attempts and error.retry_after_s is None:
                await asyncio.sleep(limits.backoff_s * 2 ** (attempt - 1))
            continue
        pace.answered(answer.elapsed_ms / 1000)
        return answer
    return None


def _check_status(answer: Answer, now: datetime) -> None:
    """Raises `Transient` for what another try may mend."""
    wait = retry_after_s(answer.header("retry-after"), now)
    if answer.status == 429:
        raise Transient("throttled", "the host asks for a pause", status=429, retry_after_s=wait)
    if answer.status >= 500:
        raise Transient("server_error", f"the host answers {answer.status}", status=answer.status, retry_after_s=wait)
    if not 200 <= answer.status < 600:
        raise Permanent("protocol_error", f"status {answer.status}", status=answer.status)


def _keep(run: Run, url: str, answer: Answer, known: frontier.Validators) -> None:
    """Judges a whole answer and stores what it brought."""
    state = run.store.state
    if 300 <= answer.status < 400 and answer.status != 304:
        _redirect(run, url, answer)
    elif answer.status in {404, 410}:
        log_answer(run, url, "gone" if answer.status == 410 else "not_found", answer)
        frontier.settle_missing(state, url, run.crawl_id, is_final=answer.status == 410)
    elif answer.status >= 400:
        log_answer(run, url, "client_error", answer, detail=f"the host answers {answer.status}")
        frontier.settle(state, url, run.crawl_id)
    elif answer.status == 304:
        if known.sha256 is None:
            log_answer(run, url, "protocol_error", answer, detail="304 to a request without conditions")
            frontier.settle(state, url, run.crawl_id)
        else:
            _unchanged(run, url, answer, known, known.sha256)
    elif not answer.body.strip():
        log_answer(run, url, "empty", answer, detail="the page has no content")
        frontier.settle(state, url, run.crawl_id)
    elif _media_type(answer) not in PAGE_TYPES:
        log_answer(run, url, "not_a_page", answer, detail=_media_type(answer))
        frontier.settle(state, url, run.crawl_id)
    else:
        _page(run, url, answer, known)


def _page(run: Run, url: str, answer: Answer, known: frontier.Validators) -> None:
    snapshot = _snapshot(run, url, answer)
    if snapshot.sha256 == known.sha256:
        _unchanged(run, url, answer, known, snapshot.sha256)
        return
    location = run.store.keep(snapshot)
    log_answer(run, url, "stored", answer, sha256=snapshot.sha256, location=location)
    now = frontier.Validators(answer.header("etag"), answer.header("last-modified"), snapshot.sha256)
    frontier.settle_good(run.store.state, url, run.crawl_id, now)
    if _media_type(answer) != "text/plain":
        links = [link for link in find_links(answer.body, url) if run.site.covers(link)]
        frontier.discover(run.store.state, links, run.crawl_id)


def _unchanged(run: Run, url: str, answer: Answer, known: frontier.Validators, sha256: str) -> None:
    location = run.store.keep_revisit(_snapshot(run, url, answer), sha256)
    log_answer(run, url, "unchanged", answer, sha256=sha256, location=location)
    etag, modified = answer.header("etag") or known.etag, answer.header("last-modified") or known.last_modified
    frontier.settle_good(run.store.state, url, run.crawl_id, frontier.Validators(etag, modified, sha256))


def _redirect(run: Run, url: str, answer: Answer) -> None:
    """A redirect's target is an address like any other: scope, robots and peer are checked when its turn comes."""
    target = answer.header("location") or ""
    try:
        there = canonicalize(target, url)
    except BadUrl as error:
        log_answer(run, url, "out_of_scope", answer, detail=str(error))
    else:
        if run.site.covers(there):
            log_answer(run, url, "redirected", answer, detail=there)
            frontier.discover(run.store.state, [there], run.crawl_id)
        else:
            log_answer(run, url, "out_of_scope", answer, detail=f"leads to {there}")
    frontier.settle(run.store.state, url, run.crawl_id)


def _snapshot(run: Run, url: str, answer: Answer) -> Snapshot:
    return Snapshot(url, url, run.clock(), answer.status, answer.headers, answer.body, run.crawl_id)


def _media_type(answer: Answer) -> str:
    return (answer.header("content-type") or "").partition(";")[0].strip().lower()


def log_answer(
    run: Run,
    url: str,
    outcome: Outcome,
    answer: Answer,
    *,
    sha256: str | None = None,
    location: Location | None = None,
    detail: str | None = None,
) -> None:
    """Logs an attempt that was answered."""
    log(
        run, url, outcome, status=answer.status, elapsed_ms=answer.elapsed_ms, size=answer.wire_bytes, sha256=sha256,
        location=location, detail=detail,
    )  # fmt: skip


def log(
    run: Run,
    url: str,
    outcome: Outcome,
    *,
    status: int | None = None,
    attempt: int = 1,
    elapsed_ms: int = 0,
    size: int = 0,
    sha256: str | None = None,
    location: Location | None = None,
    detail: str | None = None,
) -> None:
    """Adds an attempt to the log. Part of the caller's transaction."""
    run.fetch_number[0] += 1
    run.store.log(
        FetchRecord(
            fetch_id=f"{run.crawl_id}.{run.fetch_number[0]:07d}",
            crawl_id=run.crawl_id,
            url=url,
            outcome=outcome,
            status_code=status,
            attempt=attempt,
            started_at=run.clock(),
            elapsed_ms=elapsed_ms,
            bytes=size,
            body_sha256=sha256,
            segment=None if location is None else location.segment,
            segment_offset=None if location is None else location.offset,
            detail=detail,
        )
    )


def origin(url: str) -> str:
    """Scheme and host of an address: what a robots.txt speaks for."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
