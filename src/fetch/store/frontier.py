"""The frontier: which addresses are known, when each is due, and what to ask with.

No leases: one process holds the store by the kernel's lock, so what it has in hand dies with it and is due again.
Every operation costs the same with a thousand addresses and with a million.
"""

import sqlite3
from collections.abc import Iterable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from fetch.model.revisit import NEVER_ASKED, Revisit, Trust
from fetch.model.url_state import Known, Visited
from fetch.parse.sitemap import Listed

NIGHTS_TO_TOMBSTONE = 3
"""A 404 on so many days in a row makes a page gone; a single one is often a mishap of the site."""

_FIELDS = "sha256, etag, last_modified, is_etag_wrong, fetched_at, whole_at, interval_s, lastmod, alias_of, hops, depth"


def discover(
    state: sqlite3.Connection, urls: Iterable[str], *, crawl_id: str, source: str, hops: int = 0, depth: int = 0
) -> int:
    """Adds canonical addresses; known ones stay as they are. Returns how many are new."""
    due = NEVER_ASKED.isoformat()
    rows = [(url, urlsplit(url).hostname or "", due, crawl_id, source, hops, depth) for url in urls]
    added = state.executemany(
        "INSERT INTO urls (url, host, due_at, discovered_in, discovered_from, hops, depth)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        rows,
    )
    return max(added.rowcount, 0)


def note_changes(state: sqlite3.Connection, pages: Iterable[Listed], trust: Trust, now: datetime) -> None:
    """Remembers when pages are said to have changed, by canonical address; such a page is due unless the host lies.

    A lastmod more than a day ahead is no date of a change.
    """
    latest = now + timedelta(days=1)
    claims = [(page.changed_at.isoformat(), page.url) for page in pages if page.changed_at and page.changed_at < latest]
    state.executemany("UPDATE urls SET lastmod = ? WHERE url = ?", claims)
    if not trust.is_liar:
        rows = [(moment, url, moment) for moment, url in claims]
        state.executemany("UPDATE urls SET due_at = min(due_at, ?) WHERE url = ? AND fetched_at < ?", rows)


def pending(
    state: sqlite3.Connection, host: str, crawl_id: str, until: datetime, count: int, taken: Iterable[str]
) -> list[str]:
    """Up to `count` addresses of a host that are due and that this crawl has not settled; not the `taken` ones.

    Longest due first, those never asked for before all: a budget smaller than the site goes around all of it.
    """
    held = set(taken)
    rows = state.execute(
        "SELECT url FROM urls WHERE host = ? AND due_at <= ? AND handled_in IS NOT ? ORDER BY due_at, rowid LIMIT ?",
        (host, until.isoformat(), crawl_id, count + len(held)),
    )
    return [url for (url,) in rows if url not in held][:count]


def make_all_due(state: sqlite3.Connection, hosts: Iterable[str]) -> None:
    """Every known address of these hosts is due, those with a tombstone too, and is asked for without conditions."""
    state.executemany(
        "UPDATE urls SET due_at = coalesce(fetched_at, due_at), whole_at = NULL WHERE host = ?",
        [(host,) for host in hosts],
    )


def counts(state: sqlite3.Connection, crawl_id: str, until: datetime) -> tuple[int, int]:
    """(settled in this crawl, settled or due)."""
    row = state.execute(
        "SELECT count(*) FILTER (WHERE handled_in = ?1), count(*) FILTER (WHERE handled_in = ?1 OR due_at <= ?2)"
        " FROM urls",
        (crawl_id, until.isoformat()),
    ).fetchone()
    return int(row[0]), int(row[1])


def left(
    state: sqlite3.Connection, host: str, crawl_id: str, until: datetime
) -> tuple[tuple[int, str], tuple[int, str]]:
    """Of a host, how many are due and not settled by this crawl, and how many are not due; each with an example."""
    row = state.execute(
        "SELECT count(*) FILTER (WHERE due_at <= ?1), min(url) FILTER (WHERE due_at <= ?1),"
        " count(*) FILTER (WHERE due_at > ?1), min(url) FILTER (WHERE due_at > ?1)"
        " FROM urls WHERE host = ?2 AND handled_in IS NOT ?3",
        (until.isoformat(), host, crawl_id),
    ).fetchone()
    return (row[0], row[1] or ""), (row[2], row[3] or "")


def known(state: sqlite3.Connection, url: str) -> Known:
    """What is known of an address; nothing for one never seen."""
    row = state.execute(f"SELECT {_FIELDS} FROM urls WHERE url = ?", (url,)).fetchone()  # noqa: S608  names of ours
    if row is None:
        return Known()
    sha256, etag, last_modified, is_wrong, fetched_at, whole_at, interval_s, lastmod, *rest = row
    interval = timedelta(seconds=interval_s)
    moments = (_moment(fetched_at), _moment(whole_at), interval, _moment(lastmod))
    return Known(sha256, etag, last_modified, bool(is_wrong), *moments, *rest)


def trust(state: sqlite3.Connection, host: str) -> Trust:
    """How the sitemap of a host fared so far."""
    row = state.execute("SELECT lastmod_right, lastmod_wrong FROM hosts WHERE host = ?", (host,)).fetchone()
    return Trust(*row) if row else Trust()


def score_claim(state: sqlite3.Connection, host: str, *, is_right: bool) -> None:
    """Counts a claim of a sitemap that a visit proved right or wrong."""
    state.execute(
        "INSERT INTO hosts (host, lastmod_right, lastmod_wrong) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET"
        " lastmod_right = lastmod_right + excluded.lastmod_right,"
        " lastmod_wrong = lastmod_wrong + excluded.lastmod_wrong",
        (host, int(is_right), int(not is_right)),
    )


def settle(state: sqlite3.Connection, url: str, crawl_id: str, now: datetime, due_at: datetime) -> None:
    """Marks an address as done with in this crawl, without a good answer."""
    state.execute(
        "UPDATE urls SET handled_in = ?, fetched_at = ?, due_at = ? WHERE url = ?",
        (crawl_id, now.isoformat(), due_at.isoformat(), url),
    )


def settle_good(
    state: sqlite3.Connection, url: str, crawl_id: str, now: datetime, known: Known, found: Visited, revisit: Revisit
) -> None:
    """Settled with a good answer; remembers how to ask next time, and when."""
    host = urlsplit(url).hostname or ""
    if found.is_changed is False:
        interval = revisit.after_same(known.interval)
        if known.lastmod is not None and trust(state, host).is_believed_silent:
            interval = revisit.most
    else:
        interval = revisit.after_change(known.interval)
    if found.is_changed is False and known.claim is not None:
        score_claim(state, host, is_right=known.claim == "same")
    whole_at = now if found.is_whole else known.whole_at
    state.execute(
        "UPDATE urls SET handled_in = ?, fetched_at = ?, due_at = ?, interval_s = ?, whole_at = ?, claim = ?,"
        " is_unjudged = ?, etag = ?, last_modified = ?, is_etag_wrong = ?, sha256 = ?, not_found_nights = 0,"
        " is_gone = 0, alias_of = NULL WHERE url = ?",
        (
            crawl_id,
            now.isoformat(),
            (now + interval).isoformat(),
            int(interval.total_seconds()),
            None if whole_at is None else whole_at.isoformat(),
            known.claim if found.is_changed else None,
            bool(found.is_changed),
            found.etag,
            found.last_modified,
            known.is_etag_wrong or found.is_etag_wrong,
            found.sha256,
            url,
        ),
    )


def settle_alias(
    state: sqlite3.Connection, url: str, crawl_id: str, now: datetime, alias_of: str, revisit: Revisit
) -> None:
    """Settled as another name of a page; what was stored under it before stays."""
    settle(state, url, crawl_id, now, now + revisit.most)
    state.execute("UPDATE urls SET alias_of = ? WHERE url = ?", (alias_of, url))


def settle_missing(
    state: sqlite3.Connection, url: str, crawl_id: str, now: datetime, revisit: Revisit, *, is_final: bool
) -> None:
    """Settled with a 404, or with a 410 that `is_final`. Several runs on one day count as one night."""
    day = now.date().isoformat()
    row = state.execute(
        "UPDATE urls SET not_found_nights = not_found_nights + (not_found_on IS NOT ?), not_found_on = ? WHERE url = ?"
        " RETURNING not_found_nights",
        (day, day, url),
    ).fetchone()
    is_gone = is_final or (row is not None and row[0] >= NIGHTS_TO_TOMBSTONE)
    settle(state, url, crawl_id, now, now + (revisit.gone_for if is_gone else revisit.least))
    state.execute("UPDATE urls SET is_gone = ? WHERE url = ?", (is_gone, url))


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
