"""The frontier: which URLs are known, when each is due, and what is known of each.

There are no leases: one process holds the store by a kernel lock, so what it was working on when it died is due again.
Every operation costs the same with a thousand URLs and with a million.
"""

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.model.url_state import NEVER_FETCHED, Revisit, SitemapTrust, Standing, UrlState, VisitResult
from verdicts.fetch.parse.sitemap import SitemapEntry

TOMBSTONE_DAYS = 3
"""A 404 on this many days in a row makes a page gone; a single one is often a fault of the site."""

_COLUMNS = (
    "sha256, etag, last_modified, is_etag_wrong, fetched_at, unconditional_at, interval_s, lastmod,"
    " alias_of, hops, depth, standing"
)


def add(
    state: sqlite3.Connection, urls: Iterable[str], *, crawl_id: str, source: str, hops: int = 0, depth: int = 0
) -> int:
    """Adds canonical URLs; known ones stay as they are. Returns how many are new."""
    due = NEVER_FETCHED.isoformat()
    rows = [(url, host_of(url), due, crawl_id, source, hops, depth) for url in urls]
    added = state.executemany(
        "INSERT INTO urls (url, host, due_at, discovered_in, discovered_from, hops, depth)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        rows,
    )
    return max(added.rowcount, 0)


def record_lastmods(
    state: sqlite3.Connection, pages: Iterable[SitemapEntry], trust: SitemapTrust, now: datetime
) -> None:
    """Stores the lastmod of pages by canonical URL; a page changed since its last visit is due, where `trust` allows.

    A lastmod more than a day in the future is ignored.
    """
    latest = now + timedelta(days=1)
    claims = [(page.changed_at.isoformat(), page.url) for page in pages if page.changed_at and page.changed_at < latest]
    state.executemany("UPDATE urls SET lastmod = ? WHERE url = ?", claims)
    if not trust.is_unreliable:
        rows = [(moment, url, moment) for moment, url in claims]
        state.executemany("UPDATE urls SET due_at = min(due_at, ?) WHERE url = ? AND fetched_at < ?", rows)


def recall(state: sqlite3.Connection, host: str, now: datetime, revisit: Revisit) -> None:
    """Makes due what is not due for longer than any page may wait: it was visited under a clock that was ahead.

    Left alone, a host that was visited once under a clock one year ahead would not be asked for a year.
    """
    latest = now + max(revisit.most, revisit.gone_for)
    state.execute(
        "UPDATE urls SET due_at = ?1, fetched_at = min(fetched_at, ?1), unconditional_at = NULL"
        " WHERE host = ?2 AND due_at > ?3",
        (now.isoformat(), host, latest.isoformat()),
    )


def due_urls(
    state: sqlite3.Connection, host: str, crawl_id: str, until: datetime, count: int, taken: Collection[str]
) -> list[str]:
    """Up to `count` URLs of a host that are due at `until`, not settled by this crawl and not among `taken`.

    Those due for longest come first, before them those never fetched: a budget smaller than the site gets around to
    all of it.
    """
    rows = state.execute(
        "SELECT url FROM urls WHERE host = ? AND due_at <= ? AND handled_in IS NOT ? ORDER BY due_at, rowid LIMIT ?",
        (host, until.isoformat(), crawl_id, count + len(taken)),
    )
    return [url for (url,) in rows if url not in taken][:count]


def make_all_due(state: sqlite3.Connection, hosts: Iterable[str]) -> None:
    """Makes every known URL of these hosts due, tombstones too, and to be requested unconditionally."""
    state.executemany(
        "UPDATE urls SET due_at = coalesce(fetched_at, due_at), unconditional_at = NULL WHERE host = ?",
        [(host,) for host in hosts],
    )


def settled_and_due(state: sqlite3.Connection, crawl_id: str, until: datetime) -> tuple[int, int]:
    """Numbers of URLs: (settled by this crawl, settled by this crawl or due at `until`)."""
    row = state.execute(
        "SELECT count(*) FILTER (WHERE handled_in = ?1), count(*) FILTER (WHERE handled_in = ?1 OR due_at <= ?2)"
        " FROM urls",
        (crawl_id, until.isoformat()),
    ).fetchone()
    return int(row[0]), int(row[1])


def unsettled(
    state: sqlite3.Connection, host: str, crawl_id: str, until: datetime
) -> tuple[tuple[int, str], tuple[int, str]]:
    """(due, not due) at `until`: number and example of the URLs of a host that this crawl has not settled."""
    row = state.execute(
        "SELECT count(*) FILTER (WHERE due_at <= ?1), min(url) FILTER (WHERE due_at <= ?1),"
        " count(*) FILTER (WHERE due_at > ?1), min(url) FILTER (WHERE due_at > ?1)"
        " FROM urls WHERE host = ?2 AND handled_in IS NOT ?3",
        (until.isoformat(), host, crawl_id),
    ).fetchone()
    return (row[0], row[1] or ""), (row[2], row[3] or "")


def url_state(state: sqlite3.Connection, url: str) -> UrlState:
    """What is known of a URL; an empty `UrlState` for an unknown one."""
    row = state.execute(f"SELECT {_COLUMNS} FROM urls WHERE url = ?", (url,)).fetchone()  # noqa: S608  constant names
    if row is None:
        return UrlState()
    sha256, etag, last_modified, is_etag_wrong, fetched_at, unconditional_at, interval_s, lastmod, *rest = row
    alias_of, hops, depth, standing = rest
    return UrlState(
        sha256=sha256,
        etag=etag,
        last_modified=last_modified,
        is_etag_wrong=bool(is_etag_wrong),
        fetched_at=_moment(fetched_at),
        unconditional_at=_moment(unconditional_at),
        interval=timedelta(seconds=interval_s),
        lastmod=_moment(lastmod),
        alias_of=alias_of,
        hops=hops,
        depth=depth,
        standing=Standing(standing),
    )


def sitemap_trust(state: sqlite3.Connection, host: str) -> SitemapTrust:
    """How many claims of a host's sitemap proved right and wrong so far."""
    row = state.execute("SELECT lastmod_right, lastmod_wrong FROM hosts WHERE host = ?", (host,)).fetchone()
    return SitemapTrust(*row) if row else SitemapTrust()


def score_claim(state: sqlite3.Connection, host: str, *, is_right: bool) -> None:
    """Counts a claim of a host's sitemap that a visit proved right or wrong."""
    state.execute(
        "INSERT INTO hosts (host, lastmod_right, lastmod_wrong) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET"
        " lastmod_right = lastmod_right + excluded.lastmod_right,"
        " lastmod_wrong = lastmod_wrong + excluded.lastmod_wrong",
        (host, int(is_right), int(not is_right)),
    )


def settle(
    state: sqlite3.Connection,
    url: str,
    crawl_id: str,
    now: datetime,
    due_at: datetime,
    standing: Standing = Standing.ABSENT,
    alias_of: str | None = None,
    interval: timedelta = timedelta(),
) -> None:
    """Marks a URL as settled by this crawl without a page of its own, and due again at `due_at`.

    `interval` is kept for its next visit, unless it is zero. `alias_of` is the address that it leans on by its new
    standing. What leans on it is due at once.
    """
    state.execute(
        "UPDATE urls SET handled_in = ?, fetched_at = ?, due_at = ?, standing = ?, alias_of = ?5,"
        " moved_to = coalesce(?5, moved_to), interval_s = iif(?6, ?6, interval_s) WHERE url = ?7",
        (crawl_id, now.isoformat(), due_at.isoformat(), standing, alias_of, int(interval.total_seconds()), url),
    )
    wake_leaning(state, url, now)


def settle_fetched(
    state: sqlite3.Connection,
    url: str,
    crawl_id: str,
    now: datetime,
    before: UrlState,
    visit: VisitResult,
    revisit: Revisit,
) -> None:
    """Settles a URL with a good response: stores what the next request needs, and when it is due."""
    host = host_of(url)
    if visit.is_changed is False:
        interval = revisit.after_unchanged(before.interval)
        if before.lastmod is not None and sitemap_trust(state, host).is_silence_trusted:
            interval = revisit.most
    else:
        interval = revisit.after_change(before.interval)
    if visit.is_changed is False and before.claim is not None:
        score_claim(state, host, is_right=before.claim == "same")
    unconditional_at = now if visit.is_unconditional else before.unconditional_at
    state.execute(
        "UPDATE urls SET handled_in = ?, fetched_at = ?, due_at = ?, interval_s = ?, unconditional_at = ?, claim = ?,"
        " is_content_unverified = ?, etag = ?, last_modified = ?, is_etag_wrong = ?, sha256 = ?, not_found_nights = 0,"
        " is_gone = 0, gone_in = NULL, standing = 'held', moved_to = NULL, alias_of = ?,"
        # A page in its own right: where it moves next is one redirect away, however many led to it once.
        " hops = 0 WHERE url = ?",
        (
            crawl_id,
            now.isoformat(),
            (now + interval).isoformat(),
            int(interval.total_seconds()),
            None if unconditional_at is None else unconditional_at.isoformat(),
            before.claim if visit.is_changed else None,
            bool(visit.is_changed),
            visit.etag,
            visit.last_modified,
            before.is_etag_wrong or visit.is_etag_wrong,
            visit.sha256,
            visit.names,
            url,
        ),
    )


def settle_missing(
    state: sqlite3.Connection, url: str, crawl_id: str, now: datetime, revisit: Revisit, *, is_final: bool
) -> None:
    """Settles a URL with a 404, or with a 410, which `is_final`. Several runs on one day count once."""
    day = now.date().isoformat()
    row = state.execute(
        "UPDATE urls SET not_found_nights = not_found_nights + (not_found_on IS NOT ?), not_found_on = ? WHERE url = ?"
        " RETURNING not_found_nights",
        (day, day, url),
    ).fetchone()
    is_gone = is_final or (row is not None and row[0] >= TOMBSTONE_DAYS)
    settle(state, url, crawl_id, now, now + (revisit.gone_for if is_gone else revisit.least))
    state.execute(
        "UPDATE urls SET is_gone = ?1, gone_in = iif(?1, coalesce(gone_in, ?2), NULL) WHERE url = ?3",
        (is_gone, crawl_id, url),
    )


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


CHAIN_MAX = 10
"""Addresses that lean one on the next, at most, on the way to the one that holds the page."""


def holder(state: sqlite3.Connection, url: str) -> str | None:
    """The address that holds the page of `url`: itself, or the end of what it leans on. None where none does."""
    for _ in range(CHAIN_MAX):
        row = state.execute("SELECT standing, alias_of, sha256 FROM urls WHERE url = ?", (url,)).fetchone()
        if row is None:
            return None
        standing, alias_of, sha256 = row
        if standing == Standing.HELD:
            return None if sha256 is None else url
        if not Standing(standing).leans or alias_of is None:
            return None
        url = alias_of
    return None


def wake_leaning(state: sqlite3.Connection, url: str, now: datetime) -> None:
    """What leans on an address is due this very night, visited or not: the address holds its page no more.

    What is due within a day comes anyway: redirects that lead to no page.
    """
    state.execute(
        "UPDATE urls SET due_at = ?, handled_in = NULL"
        " WHERE alias_of = ? AND standing IN ('alias', 'moved') AND due_at > ?",
        (NEVER_FETCHED.isoformat(), url, (now + timedelta(days=1)).isoformat()),
    )


def aliases(state: sqlite3.Connection, url: str) -> list[str]:
    """Addresses whose page is held under `url`, which they name."""
    rows = state.execute("SELECT url FROM urls WHERE alias_of = ? AND standing = 'alias'", (url,))
    return [alias for (alias,) in rows]


def wake_again(state: sqlite3.Connection, urls: Iterable[str]) -> None:
    """Addresses are due this very night, visited or not."""
    due_at = NEVER_FETCHED.isoformat()
    state.executemany("UPDATE urls SET due_at = ?, handled_in = NULL WHERE url = ?", [(due_at, url) for url in urls])


def wake(state: sqlite3.Connection, url: str) -> None:
    """An address without a page is due: another one names it from now on, which is news of it."""
    state.execute(
        "UPDATE urls SET due_at = min(due_at, coalesce(fetched_at, due_at)) WHERE url = ? AND standing = 'absent'",
        (url,),
    )


def moved_urls(state: sqlite3.Connection) -> Mapping[str, str]:
    """Addresses that lean on another one, and the one in the end that holds the page, or was the last to hold it.

    A page that moved stays one page with what it was, though its new address fails tonight, or is gone, or though
    the redirect is: until the old address has a page of its own again.
    """
    rows = state.execute("SELECT url FROM urls WHERE moved_to IS NOT NULL AND standing IN ('alias', 'moved', 'absent')")
    ends = {url: _last_holder(state, url) for (url,) in rows.fetchall()}
    return {url: end for url, end in ends.items() if end is not None and end != url}


def _last_holder(state: sqlite3.Connection, url: str) -> str | None:
    """The end of what an address leans on, or leant on last, if a page was ever held there."""
    for _ in range(CHAIN_MAX):
        row = state.execute("SELECT standing, moved_to, sha256 FROM urls WHERE url = ?", (url,)).fetchone()
        if row is None:
            return None
        standing, moved_to, sha256 = row
        if standing == Standing.HELD or moved_to is None:
            return None if sha256 is None else url
        url = moved_to
    return None


def record_content_digests(state: sqlite3.Connection, digests: Mapping[Location, str]) -> None:
    """Stores the digest of what was extracted from each snapshot. Part of the caller's transaction."""
    state.executemany(
        "UPDATE snapshots SET content_sha256 = ? WHERE segment = ? AND segment_offset = ?",
        [(digest, location.segment, location.offset) for location, digest in digests.items()],
    )


def verify_changes(state: sqlite3.Connection, host: str, revisit: Revisit) -> None:
    """Corrects the pages of a host that were counted as changed, where the build has read them since.

    Where the content is the same, the page gets the interval of an unchanged one, and its ETag counts as right. What
    the sitemap claimed is scored. Part of the caller's transaction.
    """
    unverified = state.execute(
        "SELECT url, sha256, claim, fetched_at, interval_s FROM urls WHERE host = ? AND is_content_unverified = 1",
        (host,),
    ).fetchall()
    for url, sha256, claim, fetched_at, interval_s in unverified:
        is_same = _is_content_same(state, url, sha256)
        if is_same is None:
            continue
        if claim is not None:
            score_claim(state, host, is_right=(claim == "same") == is_same)
        state.execute("UPDATE urls SET is_content_unverified = 0, claim = NULL WHERE url = ?", (url,))
        if is_same:
            interval = revisit.after_false_change(timedelta(seconds=interval_s))
            due_at = datetime.fromisoformat(fetched_at) + interval
            state.execute(
                "UPDATE urls SET interval_s = ?, due_at = ?, is_etag_wrong = 0 WHERE url = ?",
                (int(interval.total_seconds()), due_at.isoformat(), url),
            )


def _is_content_same(state: sqlite3.Connection, url: str, sha256: str) -> bool | None:
    """Whether the two newest snapshots of a page have the same content; None until the build has read both."""
    rows = state.execute(
        "SELECT content_sha256, sha256 FROM snapshots WHERE url = ? ORDER BY rowid DESC LIMIT 2", (url,)
    ).fetchall()
    if len(rows) < 2 or rows[0][1] != sha256 or None in {rows[0][0], rows[1][0]}:
        return None
    return bool(rows[0][0] == rows[1][0])
