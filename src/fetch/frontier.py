"""The frontier: which addresses are known, which this crawl has settled, and what to ask with."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

NIGHTS_TO_TOMBSTONE = 3
"""A 404 on so many nights in a row makes a page gone; a single one is often a mishap of the site."""


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


def discover(state: sqlite3.Connection, urls: Iterable[str], crawl_id: str) -> None:
    """Adds canonical addresses; known ones stay as they are."""
    rows = [(url, urlsplit(url).hostname or "", crawl_id) for url in urls]
    state.executemany("INSERT OR IGNORE INTO urls (url, host, discovered_in) VALUES (?, ?, ?)", rows)


def pending(state: sqlite3.Connection, host: str, crawl_id: str, count: int, taken: Iterable[str]) -> list[str]:
    """Up to `count` addresses of a host that this crawl has not settled, first found first; not the `taken` ones."""
    held = set(taken)
    rows = state.execute(
        "SELECT url FROM urls WHERE host = ? AND handled_in IS NOT ? AND is_gone = 0 ORDER BY rowid LIMIT ?",
        (host, crawl_id, count + len(held)),
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


def settle(state: sqlite3.Connection, url: str, crawl_id: str) -> None:
    """Marks an address as done with in this crawl."""
    state.execute("UPDATE urls SET handled_in = ? WHERE url = ?", (crawl_id, url))


def settle_good(state: sqlite3.Connection, url: str, crawl_id: str, now: Validators) -> None:
    """Settled with a good answer; remembers how to ask next time."""
    state.execute(
        "UPDATE urls SET handled_in = ?, etag = ?, last_modified = ?, sha256 = ?, not_found_nights = 0 WHERE url = ?",
        (crawl_id, now.etag, now.last_modified, now.sha256, url),
    )


def settle_missing(state: sqlite3.Connection, url: str, crawl_id: str, *, is_final: bool) -> None:
    """Settled with a 404, or with a 410 that `is_final`."""
    state.execute(
        "UPDATE urls SET handled_in = ?, not_found_nights = not_found_nights + 1,"
        " is_gone = (? OR not_found_nights + 1 >= ?) WHERE url = ?",
        (crawl_id, is_final, NIGHTS_TO_TOMBSTONE, url),
    )
