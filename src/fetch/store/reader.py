"""What a store holds: runs, attempts, the index of the raw store. Reading needs no lock."""

import json
import sqlite3
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fetch.model.errors import FAILURES
from fetch.model.log import CrawlRecord, FetchRecord, IndexEntry
from fetch.model.skips import SkipRecord
from fetch.model.snapshot import Location, Snapshot
from fetch.store.storage_errors import storage_errors
from fetch.store.warc import read_segment

COUNTS = Path(__file__).with_name("crawl_counts.sql")


class Holdings:
    """The part of a store that asks and never writes."""

    def __init__(self, data: Path, connection: sqlite3.Connection) -> None:
        self.data = data
        self.raw = data / "raw"
        self.state = connection

    def index(self) -> list[IndexEntry]:
        """Every full record, in the order of crawl, segment and offset."""
        rows = self.state.execute(
            "SELECT segment, segment_offset, url, final_url, fetched_at, crawl_id, sha256, media_type FROM snapshots"
            " ORDER BY crawl_id, segment, segment_offset"
        )
        return [
            IndexEntry(
                Location(segment, offset), url, final_url, datetime.fromisoformat(at), crawl_id, sha256, media_type
            )
            for segment, offset, url, final_url, at, crawl_id, sha256, media_type in rows
        ]

    def read(self, location: Location) -> Snapshot:
        """One snapshot out of the raw store."""
        with storage_errors(self.data):
            return next(snapshot for _, snapshot in read_segment(self.raw / location.segment, [location.offset]))

    def crawls(self) -> list[CrawlRecord]:
        """Every run, oldest first; one that still goes on with what it has so far."""
        rows = self.state.execute(
            "SELECT crawl_id, kind, started_at, finished_at, status, fetched, unchanged, failed, bytes FROM crawls"
            " ORDER BY crawl_id"
        ).fetchall()
        return [_crawl_record(row if row[4] != "running" else (*row[:5], *self.counts(row[0]))) for row in rows]

    def counts(self, crawl_id: str) -> tuple[int, ...]:
        """(fetched, unchanged, failed, bytes) of a run, from its log."""
        names = {"crawl_id": crawl_id, "failures": json.dumps(FAILURES)}
        return tuple(self.state.execute(COUNTS.read_text(encoding="utf-8"), names).fetchone())

    def fetches(self) -> list[FetchRecord]:
        """Every attempt, in order."""
        rows = self.state.execute(
            "SELECT fetch_id, crawl_id, url, outcome, status_code, attempt, started_at, elapsed_ms, bytes, body_sha256,"
            " segment, segment_offset, detail FROM fetches ORDER BY fetch_id"
        )
        return [_fetch_record(row) for row in rows]

    def skips(self, crawl_id: str) -> list[SkipRecord]:
        """What a crawl left alone, by host and reason."""
        rows = self.state.execute(
            "SELECT host, reason, skipped, example FROM skips WHERE crawl_id = ? ORDER BY host, skipped DESC, reason",
            (crawl_id,),
        )
        return [SkipRecord(*row) for row in rows]

    def outcomes(self, crawl_id: str) -> list[SkipRecord]:
        """How often each outcome came up in a crawl, by host, with an example."""
        counts: dict[tuple[str, str], tuple[int, str]] = {}
        rows = self.state.execute("SELECT url, outcome FROM fetches WHERE crawl_id = ? ORDER BY fetch_id", (crawl_id,))
        for url, outcome in rows:
            key = (urlsplit(url).hostname or "", outcome)
            number, example = counts.get(key, (0, url))
            counts[key] = (number + 1, example)
        return [SkipRecord(*key, *found) for key, found in sorted(counts.items())]

    def newest_sha256(self, url: str, content_type: str | None) -> str | None:
        """The digest of the newest snapshot of an address in one media type; None where there is none.

        The same address may be held as HTML and as a text dump; each is compared with its own kind.
        """
        row = self.state.execute(
            "SELECT sha256 FROM snapshots WHERE url = ? AND media_type = ? ORDER BY rowid DESC LIMIT 1",
            (url, media_type_of(content_type)),
        ).fetchone()
        return None if row is None else str(row[0])

    def gone_urls(self) -> frozenset[str]:
        """Addresses that are tombstones: 410 at once, 404 on several nights in a row."""
        return frozenset(url for (url,) in self.state.execute("SELECT url FROM urls WHERE is_gone = 1"))

    def unread(self) -> frozenset[Location]:
        """Snapshots that no build has read the content of."""
        rows = self.state.execute("SELECT segment, segment_offset FROM snapshots WHERE content_sha256 IS NULL")
        return frozenset(Location(segment, offset) for segment, offset in rows)

    def crawl(self, crawl_id: str) -> CrawlRecord:
        """One run."""
        return next(crawl for crawl in self.crawls() if crawl.crawl_id == crawl_id)


def media_type_of(content_type: str | None) -> str:
    """In lower case, without parameters; empty where none is given."""
    return (content_type or "").partition(";")[0].strip().lower()


def _crawl_record(row: tuple[Any, ...]) -> CrawlRecord:
    crawl_id, kind, start, end, status, *counts = row
    ended = None if end is None else datetime.fromisoformat(end)
    return CrawlRecord(crawl_id, kind, datetime.fromisoformat(start), ended, status, *counts)


def _fetch_record(row: tuple[Any, ...]) -> FetchRecord:
    return replace(FetchRecord(*row), started_at=datetime.fromisoformat(row[6]))
