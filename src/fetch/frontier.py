"""The frontier: which addresses are known, which this crawl has settled, and what to ask with.

No leases: one process holds the store by the kernel's lock, so what it has in hand dies with it and is pending again.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from fetch.sitemap import Listed

NIGHTS_TO_TOMBSTONE = 3
"""A 404 on so many days in a row makes a page gone; a single one is often a mishap of the site."""

GONE_FOR = timedelta(days=30)
"""A tombstone is looked at again after so long: pages come back."""


@dataclass(frozen=True, slots=True)
class Validators:
    """What the host gave the last time, to be asked with: has it changed? `sha256` is of the stored body."""

    etag: str | None
    last_modified: str | None
    sha256: str | None

    @property
    def headers(self) -> dict[str, str]:
        """Conditional headers; none where nothing is stored that a 304 could stand for."""
        if self.sha256 is None:
            return {}
        named = (("if-none-match", self.etag), ("if-modified-since", self.last_modified))
        return {name: value for name, value in named if value}


def discover(state: sqlite3.Connection, urls: Iterable[str], *, crawl_id: str, source: str, hops: int = 0) -> None:
    """Adds canonical addresses; known ones stay as they are. `hops` counts the redirects that led here."""
    rows = [(url, urlsplit(url).hostname or "", crawl_id, source, hops) for url in urls]
    state.executemany(
        "INSERT OR IGNORE INTO urls (url, host, discovered_in, discovered_from, hops) VALUES (?, ?, ?, ?, ?)", rows
    )


def note_changes(state: sqlite3.Connection, pages: Iterable[Listed]) -> None:
    """Remembers when pages are said to have changed, by canonical address."""
    rows = [(page.changed_at.isoformat(), page.url) for page in pages if page.changed_at is not None]
    state.executemany("UPDATE urls SET lastmod = ? WHERE url = ?", rows)


def pending(
    state: sqlite3.Connection, host: str, crawl_id: str, now: datetime, count: int, taken: Iterable[str]
) -> list[str]:
    """Up to `count` addresses of a host that this crawl has not settled; not the `taken` ones.

    First those never asked for and those said to have changed since, then the longest unseen: a budget smaller than the
    site then still goes around all of it, night after night.
    """
    held = set(taken)
    rows = state.execute(
        "SELECT url FROM urls WHERE host = ? AND handled_in IS NOT ? AND (is_gone = 0 OR fetched_at < ?)"
        " ORDER BY fetched_at IS NOT NULL AND NOT coalesce(lastmod > fetched_at AND lastmod < ?, 0), fetched_at, rowid"
        " LIMIT ?",
        (host, crawl_id, (now - GONE_FOR).isoformat(), now.isoformat(), count + len(held)),
    )
    return [url for (url,) in rows if url not in held][:count]


def counts(state: sqlite3.Connection, crawl_id: str) -> tuple[int, int]:
    """(settled in this crawl, known in all)."""
    row = state.execute("SELECT count(*) FILTER (WHERE handled_in = ?), count(*) FROM urls", (crawl_id,)).fetchone()
    return int(row[0]), int(row[1])


def validators(state: sqlite3.Connection, url: str) -> Validators:
    """What is known of an address's last good answer."""
    row = state.execute("SELECT etag, last_modified, sha256 FROM urls WHERE url = ?", (url,)).fetchone()
    return Validators(*row) if row else Validators(None, None, None)


def hops(state: sqlite3.Connection, url: str) -> int:
    """How many redirects led to an address."""
    row = state.execute("SELECT hops FROM urls WHERE url = ?", (url,)).fetchone()
    return int(row[0]) if row else 0


def settle(state: sqlite3.Connection, url: str, crawl_id: str, now: datetime) -> None:
    """Marks an address as done with in this crawl."""
    state.execute("UPDATE urls SET handled_in = ?, fetched_at = ? WHERE url = ?", (crawl_id, now.isoformat(), url))


def settle_good(state: sqlite3.Connection, url: str, crawl_id: str, now: datetime, answer: Validators) -> None:
    """Settled with a good answer; remembers how to ask next time."""
    state.execute(
        "UPDATE urls SET handled_in = ?, fetched_at = ?, etag = ?, last_modified = ?, sha256 = ?, not_found_nights = 0,"
        " is_gone = 0 WHERE url = ?",
        (crawl_id, now.isoformat(), answer.etag, answer.last_modified, answer.sha256, url),
    )


def settle_missing(state: sqlite3.Connection, url: str, crawl_id: str, now: datetime, *, is_final: bool) -> None:
    """Settled with a 404, or with a 410 that `is_final`. Several runs on one day count as one night."""
    day = now.date().isoformat()
    state.execute(
        "UPDATE urls SET not_found_nights = not_found_nights + (not_found_on IS NOT ?), not_found_on = ? WHERE url = ?",
        (day, day, url),
    )
    state.execute(
        "UPDATE urls SET handled_in = ?, fetched_at = ?, is_gone = (? OR not_found_nights >= ?) WHERE url = ?",
        (crawl_id, now.isoformat(), is_final, NIGHTS_TO_TOMBSTONE, url),
    )
