"""Queries on a store: runs, attempts, snapshots. Reading needs no lock."""

import json
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from verdicts.corpus.rows.runs import CrawlRow, FetchRow
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.model.outcome import FAILURES, Outcome, SkipRecord
from verdicts.fetch.model.snapshot import IndexEntry, Location, Snapshot, parse_media_type
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.parse.rights import Rights
from verdicts.fetch.store.forgotten import read_forgotten
from verdicts.fetch.store.frontier import read_moved_urls
from verdicts.fetch.store.page_rights import read_all_rights
from verdicts.fetch.store.rebuilt_pages import read_absences
from verdicts.fetch.store.run_log import read_rows
from verdicts.fetch.store.state import storage_errors
from verdicts.fetch.store.warc import read_segment

COUNTS = Path(__file__).with_name("crawl_counts.sql")
COUNTED = ("fetched", "unchanged", "failed", "bytes")

_IS_LOST = (
    "EXISTS (SELECT 1 FROM lost WHERE lost.segment = snapshots.segment AND snapshots.segment_offset"
    " BETWEEN lost.segment_offset AND lost.segment_offset + lost.size - 1)"
)


class Stored(NamedTuple):
    """A full record: where it is, the digest of its body, and the newest capture that has the same bytes."""

    location: Location
    sha256: str
    seen_at: datetime


class StoreReader:
    def __init__(self, data: Path, connection: sqlite3.Connection) -> None:
        self.data = data
        self.raw = data / "raw"
        self.state = connection
        self.forgotten = read_forgotten(data)
        """What must not be stored again."""

    def index(self) -> list[IndexEntry]:
        """Every full record, ordered by crawl, segment and offset."""
        rows = self.state.execute(
            "SELECT segment, segment_offset, url, final_url, fetched_at, crawl_id, sha256, media_type,"  # noqa: S608  ours
            f" {_IS_LOST} FROM snapshots ORDER BY crawl_id, segment, segment_offset"
        )
        return [
            IndexEntry(
                Location(segment, offset), url, final, datetime.fromisoformat(moment), run, sha256, kind, is_lost == 1
            )
            for segment, offset, url, final, moment, run, sha256, kind, is_lost in rows
        ]

    def read(self, location: Location) -> Snapshot:
        """Raises `StoreDamaged`, which names file and offset, and `StorageFailed`."""
        with storage_errors(self.data):
            return next(read_segment(self.raw / location.segment, [location.offset]))

    def read_crawls(self) -> list[CrawlRow]:
        """Every run, oldest first; a running one with its counts so far."""
        crawls = read_rows(self.state, CrawlRow, "SELECT * FROM crawls ORDER BY crawl_id")
        return [
            replace(crawl, **dict(zip(COUNTED, self.count_outcomes(crawl.crawl_id), strict=True)))
            if crawl.status == "running"
            else crawl
            for crawl in crawls
        ]

    def count_outcomes(self, crawl_id: str) -> tuple[int, ...]:
        """`COUNTED` of a run, from its log."""
        parameters = {"crawl_id": crawl_id, "failures": json.dumps(FAILURES)}
        return tuple(self.state.execute(COUNTS.read_text(encoding="utf-8"), parameters).fetchone())

    def read_fetches(self) -> list[FetchRow]:
        return read_rows(self.state, FetchRow, "SELECT * FROM fetches ORDER BY fetch_id")

    def read_skips(self, crawl_id: str) -> list[SkipRecord]:
        """What a crawl skipped, by host and reason."""
        rows = self.state.execute(
            "SELECT host, reason, skipped, example, detail FROM skips WHERE crawl_id = ?"
            " ORDER BY host, skipped DESC, reason",
            (crawl_id,),
        )
        return [SkipRecord(*row) for row in rows]

    def read_redirects(self, crawl_id: str) -> dict[str, str]:
        """URLs that redirected in a crawl so far, and their targets."""
        rows = self.state.execute(
            "SELECT url, detail FROM fetches WHERE crawl_id = ? AND outcome = ? ORDER BY fetch_id",
            (crawl_id, Outcome.REDIRECTED),
        )
        return dict(rows.fetchall())

    def list_unreadable(self, crawl_id: str, most: int) -> list[str]:
        """The first files, records and lines that a run could not read: where each is, and why."""
        rows = self.state.execute(
            "SELECT detail FROM fetches WHERE crawl_id = ? AND outcome = ? ORDER BY fetch_id LIMIT ?",
            (crawl_id, Outcome.UNREADABLE, most),
        )
        return [str(detail) for (detail,) in rows]

    def find_newest_until(self, url: str, content_type: str | None, moment: datetime) -> Stored | None:
        """A URL's newest snapshot in one media type until a moment; None if there is none, or it is lost.

        The same URL may be stored as HTML and as a text dump; each is compared with its own kind.
        """
        row = self.state.execute(
            f"SELECT segment, segment_offset, sha256, coalesce(seen_at, fetched_at), {_IS_LOST}"  # noqa: S608  ours
            " FROM snapshots WHERE url = ? AND media_type = ? AND fetched_at <= ?"
            " ORDER BY fetched_at DESC, rowid DESC LIMIT 1",
            (url, parse_media_type(content_type), moment.isoformat()),
        ).fetchone()
        if row is None or row[4]:
            return None
        return Stored(Location(*row[:2]), row[2], datetime.fromisoformat(row[3]))

    def read_newest_body(self, url: str) -> bytes | None:
        """The body of a URL's newest snapshot; None if there is none, or it is damaged."""
        snapshot = self.read_newest_snapshot(url)
        return None if snapshot is None else snapshot.body

    def read_newest_snapshot(self, url: str) -> Snapshot | None:
        """A URL's newest snapshot; None if there is none, or it is damaged."""
        row = self.state.execute(
            "SELECT segment, segment_offset FROM snapshots WHERE url = ? ORDER BY fetched_at DESC, rowid DESC LIMIT 1",
            (url,),
        ).fetchone()
        try:
            return None if row is None else self.read(Location(*row))
        except StoreDamaged:
            return None

    def read_moved_urls(self) -> Mapping[str, str]:
        """Addresses whose page is held under another one, and that one."""
        return read_moved_urls(self.state)

    def read_absences(self) -> Mapping[str, Absences]:
        """When pages were gone, by URL (`verdicts.fetch.store.rebuilt_pages.absences`)."""
        return read_absences(self.state)

    def read_all_rights(self, now: datetime) -> Mapping[str, Rights]:
        """What stored pages and their hosts state about rights, by URL."""
        return read_all_rights(self.state, now)

    def read_tombstones(self) -> dict[str, str]:
        """Tombstones to the run that made each; none for those of a rebuilt state."""
        rows = self.state.execute("SELECT url, gone_in FROM urls WHERE is_gone = 1 AND gone_in IS NOT NULL")
        return dict(rows.fetchall())

    def list_unread(self) -> frozenset[Location]:
        """Snapshots that no build has read yet."""
        rows = self.state.execute("SELECT segment, segment_offset FROM snapshots WHERE content_sha256 IS NULL")
        return frozenset(Location(segment, offset) for segment, offset in rows)

    def count_fetches(self, crawl_id: str) -> int:
        (count,) = self.state.execute("SELECT count(*) FROM fetches WHERE crawl_id = ?", (crawl_id,)).fetchone()
        return int(count)

    def find_newest_run(self) -> str | None:
        """The id of the last run, if any."""
        newest: str | None = self.state.execute("SELECT max(crawl_id) FROM crawls").fetchone()[0]
        return newest

    def read_crawl(self, crawl_id: str) -> CrawlRow:
        return next(crawl for crawl in self.read_crawls() if crawl.crawl_id == crawl_id)


def list_segments(state: sqlite3.Connection) -> list[tuple[str, int]]:
    """The segments with committed records, in order: name and committed bytes."""
    return state.execute("SELECT segment, size FROM segments WHERE size > 0 ORDER BY segment").fetchall()


def read_lost(state: sqlite3.Connection) -> frozenset[tuple[str, int, int]]:
    """Damage that was given up: segment, offset and size in bytes."""
    return frozenset(state.execute("SELECT segment, segment_offset, size FROM lost"))
