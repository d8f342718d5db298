"""Rebuilds the pages of a frontier from raw/ and an older log, which keeps when pages were gone.

All writes are part of the caller's transaction. See `frontier`.
"""

import sqlite3
from collections.abc import Mapping
from datetime import datetime

from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.model.url_state import NEVER_FETCHED, Absence, Absences
from verdicts.fetch.store.frontier import TOMBSTONE_DAYS

FROM_RAW = "raw"
"""`discovered_from` of an address whose page is in a segment."""


def restore_page(state: sqlite3.Connection, page: Snapshot) -> None:
    """Adds or updates an address from a page in a segment; it is due."""
    state.execute(
        "INSERT INTO urls (url, address, host, due_at, fetched_at, unconditional_at, etag, last_modified, sha256,"
        " discovered_in, discovered_from, url_status) VALUES (?, ?, ?, ?4, ?4, ?4, ?, ?, ?, ?, ?, 'held')"
        " ON CONFLICT DO UPDATE SET address = excluded.address, due_at = excluded.due_at,"
        " fetched_at = excluded.fetched_at, unconditional_at = excluded.unconditional_at, etag = excluded.etag,"
        " last_modified = excluded.last_modified, sha256 = excluded.sha256, url_status = excluded.url_status",
        (
            page.url,
            page.final_url,
            find_host(page.url),
            page.fetched_at.isoformat(),
            page.header("etag"),
            page.header("last-modified"),
            page.sha256,
            page.crawl_id,
            FROM_RAW,
        ),
    )


def restore_visit(state: sqlite3.Connection, url: str, moment: datetime) -> None:
    """Records a later visit that found the page unchanged."""
    state.execute("UPDATE urls SET fetched_at = ?1, due_at = ?1 WHERE url = ?2", (moment.isoformat(), url))


def read_absences(state: sqlite3.Connection) -> dict[str, Absences]:
    """When pages were gone, by URL: after one 410, or a 404 on several days in a row, until they answered again.

    Present tombstones are left out if an address that names them holds their page.
    """
    rows = state.execute(
        "SELECT * FROM (SELECT url, since, until FROM absences UNION ALL"
        " SELECT url, coalesce(gone_at, ?), NULL FROM urls WHERE is_gone = 1 AND NOT EXISTS"
        " (SELECT 1 FROM urls AS other WHERE other.alias_of = urls.url AND other.url_status = 'held'))"
        " ORDER BY url, until IS NULL, since",
        (NEVER_FETCHED.isoformat(),),
    )
    by_url: dict[str, Absences] = {}
    for url, since, until in rows:
        ended = None if until is None else datetime.fromisoformat(until)
        by_url[url] = (*by_url.get(url, ()), Absence(datetime.fromisoformat(since), ended))
    return by_url


def restore_absences(state: sqlite3.Connection, gone: Mapping[str, Absences]) -> None:
    """Adds tombstones, and the absences of pages that came back."""
    every = [(url, absence) for url, spell in gone.items() for absence in spell]
    state.executemany(
        "INSERT INTO urls"
        " (url, address, host, due_at, is_gone, gone_at, not_found_nights, discovered_in, discovered_from, url_status)"
        " VALUES (?1, ?1, ?2, ?3, 1, ?6, ?4, '', ?5, 'absent')"
        " ON CONFLICT DO UPDATE SET is_gone = 1, gone_at = ?6, not_found_nights = ?4, url_status = 'absent'",
        [
            (url, find_host(url), NEVER_FETCHED.isoformat(), TOMBSTONE_DAYS, FROM_RAW, absence.since.isoformat())
            for url, absence in every
            if absence.until is None
        ],
    )
    state.executemany(
        "INSERT INTO absences VALUES (?, ?, ?)",
        [(url, spell.since.isoformat(), spell.until.isoformat()) for url, spell in every if spell.until is not None],
    )
