"""The frontier: known pages by key, how each is spelled, when it is due, and what is known of it.

Only this module and `rebuilt_pages` write `urls`, `absences` and `spellings`. The law and the transitions are in
`verdicts.fetch.model.url_state`. All writes are part of the caller's transaction. One process holds the store by a
kernel lock, so the unfinished work of a dead process is due again. Every operation costs the same for a thousand URLs
and for a million.
"""

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from msgspec import convert

from verdicts.fetch.model.addresses import find_host, is_bare
from verdicts.fetch.model.url_state import (
    NEVER_FETCHED,
    Revisit,
    SitemapTrust,
    UrlState,
    UrlStatus,
    VisitResult,
)
from verdicts.fetch.parse.sitemap import SitemapEntry

TOMBSTONE_DAYS = 3
"""A 404 on this many days in a row makes a page gone; a single one is often a fault of the site."""

_WAKE_WITHHELD = Path(__file__).with_name("wake_withheld.sql")
_DUE_URLS = Path(__file__).with_name("due_urls.sql").read_text(encoding="utf-8")

SPELLINGS_MAX = 10
"""The most other spellings of a page that are stored."""


def add(
    state: sqlite3.Connection,
    pages: Iterable[tuple[str, str]],
    *,
    crawl_id: str,
    source: str,
    hops: int = 0,
    depth: int = 0,
) -> int:
    """Adds pages by key and address; returns the number of new keys. A known page may get another spelling."""
    due = NEVER_FETCHED.isoformat()
    rows = [(key, address, find_host(key), due, crawl_id, source, hops, depth) for key, address in pages]
    added = state.executemany(
        "INSERT INTO urls (url, address, host, due_at, discovered_in, discovered_from, hops, depth)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        rows,
    )
    if added.rowcount < len(rows):
        for key, address, *_ in rows:
            add_spelling(state, key, address)
    return max(added.rowcount, 0)


def add_spelling(state: sqlite3.Connection, key: str, address: str) -> None:
    """Adds another spelling of a page. One with a session or tracking parameter does not count."""
    if is_bare(address, key):
        state.execute(
            "INSERT INTO spellings SELECT url, ?2 FROM urls WHERE url = ?1 AND address <> ?2"
            " AND (SELECT count(*) FROM spellings WHERE spellings.url = ?1) < ?3 ON CONFLICT DO NOTHING",
            (key, address, SPELLINGS_MAX),
        )


def list_spellings(state: sqlite3.Connection, key: str, before: UrlState) -> tuple[str, ...]:
    """The spellings of a page, in the order in which to ask for it.

    First the one that last answered, else the first seen. One with a session or tracking parameter counts only if
    it answered, or if no other is known: `Disallow: /*?utm_` beside clean links refuses no page.
    """
    rows = state.execute("SELECT address FROM spellings WHERE url = ? ORDER BY address", (key,)).fetchall()
    addresses = tuple(dict.fromkeys((before.address, *(address for (address,) in rows))))
    if len(addresses) == 1:
        return addresses
    bare = tuple(address for address in addresses if is_bare(address, key))
    has_answered = before.sha256 is not None and before.address not in bare
    return ((before.address, *bare) if has_answered else bare) or addresses


def record_lastmods(
    state: sqlite3.Connection, pages: Iterable[SitemapEntry], trust: SitemapTrust, now: datetime
) -> None:
    """Stores the lastmod of pages by key; pages changed since their last visit are due, if `trust` allows.

    A lastmod more than a day in the future is ignored.
    """
    latest = now + timedelta(days=1)
    claims = [(page.changed_at.isoformat(), page.url) for page in pages if page.changed_at and page.changed_at < latest]
    state.executemany("UPDATE urls SET lastmod = ? WHERE url = ?", claims)
    if not trust.is_unreliable:
        rows = [(moment, url, moment) for moment, url in claims]
        state.executemany("UPDATE urls SET due_at = min(due_at, ?) WHERE url = ? AND fetched_at < ?", rows)


def recall(state: sqlite3.Connection, host: str, now: datetime, revisit: Revisit) -> None:
    """Makes pages due that are set further ahead than any page may wait.

    Otherwise a host visited once with a clock one year ahead would not be requested for a year.
    """
    latest = now + max(revisit.most, revisit.gone_for)
    state.execute(
        "UPDATE urls SET due_at = ?1, fetched_at = min(fetched_at, ?1), unconditional_at = NULL"
        " WHERE host = ?2 AND due_at > ?3",
        (now.isoformat(), host, latest.isoformat()),
    )


def wake_withheld(state: sqlite3.Connection, host: str) -> None:
    """Makes pages due that were stored in held runs: the host is released when they are read again."""
    state.execute(_WAKE_WITHHELD.read_text(encoding="utf-8"), {"host": host})


def list_due_urls(
    state: sqlite3.Connection, host: str, crawl_id: str, until: datetime, count: int, taken: Collection[str]
) -> list[tuple[str, UrlState]]:
    """Up to `count` URLs of a host with their state: due at `until`, not settled by this crawl, not in `taken`.

    Never fetched URLs come first, then those due for longest: a budget smaller than the site reaches all of it.
    """
    parameters = {"host": host, "until": until.isoformat(), "crawl_id": crawl_id, "count": count + len(taken)}
    rows = state.execute(_DUE_URLS, parameters)
    names = UrlState.__struct_fields__
    states = [(url, dict(zip(names, values, strict=True))) for url, *values in rows if url not in taken]
    return [(url, convert(values, UrlState, strict=False)) for url, values in states[:count]]


def make_all_due(state: sqlite3.Connection, hosts: Iterable[str], now: datetime) -> None:
    """Makes every known URL of these hosts due, even tombstones, and to be requested unconditionally.

    After a clock was set back, the last visit may lie behind `now`.
    """
    state.executemany(
        "UPDATE urls SET due_at = min(coalesce(fetched_at, due_at), ?), unconditional_at = NULL WHERE host = ?",
        [(now.isoformat(), host) for host in hosts],
    )


def count_settled_and_due(state: sqlite3.Connection, crawl_id: str, until: datetime) -> tuple[int, int]:
    """Numbers of URLs: (settled by this crawl, settled by this crawl or due at `until`)."""
    row = state.execute(
        "SELECT count(*) FILTER (WHERE handled_in = ?1), count(*) FILTER (WHERE handled_in = ?1 OR due_at <= ?2)"
        " FROM urls",
        (crawl_id, until.isoformat()),
    ).fetchone()
    return int(row[0]), int(row[1])


def read_sitemap_trust(state: sqlite3.Connection, host: str) -> SitemapTrust:
    row = state.execute("SELECT lastmod_right, lastmod_wrong FROM hosts WHERE host = ?", (host,)).fetchone()
    return SitemapTrust(*row) if row else SitemapTrust()


def score_claim(state: sqlite3.Connection, host: str, *, is_right: bool) -> None:
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
    url_status: UrlStatus = UrlStatus.ABSENT,
    alias_of: str | None = None,
) -> None:
    """Settles a URL without a page of its own, due again at `due_at`.

    `alias_of` is the address it points to by its new status. Addresses that point to it are due at once.
    """
    state.execute(
        "UPDATE urls SET handled_in = ?, fetched_at = ?, due_at = ?, url_status = ?, alias_of = ?5,"
        " moved_to = coalesce(?5, moved_to) WHERE url = ?6",
        (crawl_id, now.isoformat(), due_at.isoformat(), url_status, alias_of, url),
    )
    _wake_pointing(state, url, now)


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
    if visit.address != before.address:
        state.execute("UPDATE urls SET address = ? WHERE url = ?", (visit.address, url))
        add_spelling(state, url, before.address)
    interval = revisit.after_change(before.interval)
    if visit.is_changed is False:
        interval = revisit.after_unchanged(before.interval)
        if before.lastmod is not None and read_sitemap_trust(state, find_host(url)).is_silence_trusted:
            interval = revisit.most
        if before.claim is not None:
            score_claim(state, find_host(url), is_right=before.claim == "same")
    due_at = now + interval
    if visit.not_after is not None and visit.not_after > now:
        due_at = min(due_at, visit.not_after)
    unconditional_at = now if visit.is_unconditional else before.unconditional_at
    state.execute(
        "INSERT INTO absences SELECT url, gone_at, ? FROM urls WHERE url = ? AND gone_at IS NOT NULL",
        (now.isoformat(), url),
    )
    state.execute(
        "UPDATE urls SET handled_in = ?, fetched_at = ?, due_at = ?, interval_s = ?, unconditional_at = ?, claim = ?,"
        " is_content_unverified = ?, etag = ?, last_modified = ?, is_etag_wrong = ?, sha256 = ?, not_found_nights = 0,"
        " is_gone = 0, gone_in = NULL, gone_at = NULL, url_status = 'held', moved_to = NULL, alias_of = ?,"
        # The page counts its next redirect from here, however many led to it once.
        " hops = 0 WHERE url = ?",
        (
            crawl_id,
            now.isoformat(),
            due_at.isoformat(),
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
    """Settles a URL with a 404, or a final 410. Several runs on one day count once."""
    day = now.date().isoformat()
    row = state.execute(
        "UPDATE urls SET not_found_nights = not_found_nights + (not_found_on IS NOT ?), not_found_on = ? WHERE url = ?"
        " RETURNING not_found_nights, is_gone",
        (day, day, url),
    ).fetchone()
    is_gone = is_final or (row is not None and (row[0] >= TOMBSTONE_DAYS or bool(row[1])))
    settle(state, url, crawl_id, now, now + (revisit.gone_for if is_gone else revisit.least))
    if is_gone:
        state.execute(
            "UPDATE urls SET is_gone = 1, gone_in = coalesce(gone_in, ?), gone_at = coalesce(gone_at, ?) WHERE url = ?",
            (crawl_id, now.isoformat(), url),
        )


CHAIN_MAX = 10
"""The longest chain of addresses to the one that holds the page."""


def find_page_holder(state: sqlite3.Connection, url: str) -> str | None:
    """The address that holds the page of `url`: itself, or the end of its chain, or None."""
    return _follow_chain(state, url, is_past=False)


def read_moved_urls(state: sqlite3.Connection) -> Mapping[str, str]:
    """Addresses that point to another one, each with the end of its chain that holds, or last held, the page.

    A moved page stays the same page even if its new address fails tonight or is gone, or the redirect ends: until the
    old address has a page of its own again.
    """
    urls = state.execute(
        "SELECT url FROM urls WHERE moved_to IS NOT NULL AND url_status IN ('alias', 'moved', 'absent')"
    ).fetchall()
    ends = {url: _follow_chain(state, url, is_past=True) for (url,) in urls}
    return {url: end for url, end in ends.items() if end is not None and end != url}


def _follow_chain(state: sqlite3.Connection, url: str, *, is_past: bool) -> str | None:
    """Follows `moved_to` to a held page; with `is_past` also over addresses that fail tonight, to one held once."""
    for _ in range(CHAIN_MAX):
        row = state.execute("SELECT url_status, moved_to, sha256 FROM urls WHERE url = ?", (url,)).fetchone()
        if row is None:
            return None
        url_status, moved_to, sha256 = row
        is_held = url_status == UrlStatus.HELD
        if is_held or moved_to is None:
            return url if sha256 is not None and (is_held or is_past) else None
        if url_status == UrlStatus.ABSENT and not is_past:
            return None
        url = moved_to
    return None


def list_aliases(state: sqlite3.Connection, url: str) -> list[str]:
    """Addresses whose page is held under `url`, which they name."""
    rows = state.execute("SELECT url FROM urls WHERE alias_of = ? AND url_status = 'alias'", (url,))
    return [alias for (alias,) in rows]


def wake(state: sqlite3.Connection, urls: Iterable[str]) -> None:
    """Makes addresses due this very night, visited or not."""
    due_at = NEVER_FETCHED.isoformat()
    state.executemany("UPDATE urls SET due_at = ?, handled_in = NULL WHERE url = ?", [(due_at, url) for url in urls])


def wake_absent(state: sqlite3.Connection, url: str) -> None:
    """Makes an address without a page due, because another address now names it."""
    state.execute(
        "UPDATE urls SET due_at = min(due_at, coalesce(fetched_at, due_at)) WHERE url = ? AND url_status = 'absent'",
        (url,),
    )


def _wake_pointing(state: sqlite3.Connection, url: str, now: datetime) -> None:
    """Wakes addresses that point to an address which lost its page.

    Those due within a day are left: they come anyway.
    """
    state.execute(
        "UPDATE urls SET due_at = ?, handled_in = NULL"
        " WHERE alias_of = ? AND url_status IN ('alias', 'moved') AND due_at > ?",
        (NEVER_FETCHED.isoformat(), url, (now + timedelta(days=1)).isoformat()),
    )


def forget_page(state: sqlite3.Connection, url: str) -> bool:
    """Makes an address due as if never fetched: its page is lost. False if it is unknown."""
    updated = state.execute(
        "UPDATE urls SET due_at = ?, fetched_at = NULL, unconditional_at = NULL, sha256 = NULL, etag = NULL,"
        " last_modified = NULL, handled_in = NULL, url_status = 'new' WHERE url = ?",
        (NEVER_FETCHED.isoformat(), url),
    )
    _wake_pointing(state, url, NEVER_FETCHED)
    return updated.rowcount > 0


class LastVisit(NamedTuple):
    """The last visit that found a page, and the digest of its bytes."""

    at: datetime
    sha256: str


def read_last_visit(state: sqlite3.Connection, url: str) -> LastVisit | None:
    """The last visit to a page; None if no crawl found it."""
    row = state.execute("SELECT fetched_at, sha256 FROM urls WHERE url = ?", (url,)).fetchone()
    return None if row is None or None in row else LastVisit(datetime.fromisoformat(row[0]), row[1])


def verify_changes(state: sqlite3.Connection, host: str, revisit: Revisit) -> None:
    """Corrects pages of a host that counted as changed, once the build has read them.

    If the content is the same, the page gets the interval of an unchanged one, and its ETag counts as right. The
    sitemap's claim is scored.
    """
    unverified = state.execute(
        "SELECT url, sha256, claim, fetched_at, interval_s FROM urls WHERE host = ? AND is_content_unverified = 1",
        (host,),
    ).fetchall()
    for url, sha256, claim, fetched_at, interval_s in unverified:
        newest = state.execute(
            "SELECT content_sha256, sha256 FROM snapshots WHERE url = ? ORDER BY rowid DESC LIMIT 2", (url,)
        ).fetchall()
        if len(newest) < 2 or newest[0][1] != sha256 or None in {newest[0][0], newest[1][0]}:
            continue
        is_same = newest[0][0] == newest[1][0]
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
