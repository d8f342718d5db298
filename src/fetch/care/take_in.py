"""The records of a segment as rows of the state: index, frontier, log."""

import sqlite3
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from fastwarc.warc import WarcRecord, WarcRecordType

from verdicts.corpus.rows.runs import CrawlRow, FetchRow
from verdicts.fetch.archives.pages import CRAWL_ID, moment_of
from verdicts.fetch.model.addresses.web_address import host_of
from verdicts.fetch.model.errors import StoreDamaged
from verdicts.fetch.model.headers import media_type_of
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Location, Snapshot, has_address
from verdicts.fetch.store.frames import Damage, read_frames
from verdicts.fetch.store.run_log import fetch_row
from verdicts.fetch.store.warc import record_of, snapshot_at

DISCOVERED_FROM = "raw"
"""`urls.discovered_from` of an address that is known because a segment holds its page."""


@dataclass(slots=True)
class TakenIn:
    """What the segments say of each run: its kind, where its first record says so, and its attempts in order."""

    kinds: dict[str, str] = field(default_factory=dict)
    attempts: dict[str, list[FetchRow]] = field(default_factory=dict)
    damages: list[Damage] = field(default_factory=list)
    pages: int = 0

    def runs(self) -> list[CrawlRow]:
        """The runs, as far as their records tell: failures left none."""
        return [_run(crawl_id, self.kinds.get(crawl_id, "crawl"), rows) for crawl_id, rows in self.attempts.items()]


def take_in(state: sqlite3.Connection, path: Path, taken: TakenIn) -> None:
    """Adds the records of a segment to the state and to `taken`; of damaged ones only the damage."""
    size = path.stat().st_size
    state.execute("INSERT INTO segments (segment, size) VALUES (?, ?)", (path.name, size))
    with path.open("rb") as file:
        for frame in read_frames(path, 0, size):
            if isinstance(frame, Damage):
                taken.damages.append(frame)
                continue
            location = Location(path.name, frame.offset)
            try:
                record = record_of(path, frame)
                if record.record_type == WarcRecordType.warcinfo:
                    _note_kind(record, taken)
                elif record.record_type == WarcRecordType.revisit:
                    _add_revisit(state, location, record, taken)
                else:
                    _add_page(state, location, snapshot_at(path, frame), taken)
            except (StoreDamaged, ValueError, KeyError, TypeError) as error:
                damage = error if isinstance(error, StoreDamaged) else StoreDamaged(path, frame.offset, str(error))
                taken.damages.append(Damage(damage, frame.size))
                continue
            file.seek(frame.offset)
            digest = sha256(file.read(frame.size)).hexdigest()
            state.execute(
                "INSERT INTO records (segment, segment_offset, size, sha256) VALUES (?, ?, ?, ?)",
                (*location, frame.size, digest),
            )


def _note_kind(record: WarcRecord, taken: TakenIn) -> None:
    lines = record.reader.read().decode().splitlines()
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    if "description" in fields:
        taken.kinds[fields["isPartOf"]] = fields["description"]


def _add_page(state: sqlite3.Connection, location: Location, page: Snapshot, taken: TakenIn) -> None:
    taken.pages += 1
    state.execute(
        "INSERT INTO snapshots (segment, segment_offset, url, final_url, fetched_at, crawl_id, sha256, media_type)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *location,
            page.url,
            page.final_url,
            page.fetched_at.isoformat(),
            page.crawl_id,
            page.sha256,
            media_type_of(page.header("content-type")),
        ),
    )
    kind = taken.kinds.setdefault(page.crawl_id, "crawl" if page.status else "ingest")
    if kind == "crawl" and has_address(page.url):
        state.execute(
            "INSERT INTO urls (url, host, due_at, fetched_at, unconditional_at, etag, last_modified, sha256,"
            " discovered_in, discovered_from, standing) VALUES (?, ?, ?3, ?3, ?3, ?, ?, ?, ?, ?, 'held')"
            " ON CONFLICT DO UPDATE SET due_at = excluded.due_at, fetched_at = excluded.fetched_at,"
            " unconditional_at = excluded.unconditional_at, etag = excluded.etag,"
            " last_modified = excluded.last_modified, sha256 = excluded.sha256, standing = excluded.standing",
            (
                page.url,
                host_of(page.url),
                page.fetched_at.isoformat(),
                page.header("etag"),
                page.header("last-modified"),
                page.sha256,
                page.crawl_id,
                DISCOVERED_FROM,
            ),
        )
    attempts = taken.attempts.setdefault(page.crawl_id, [])
    attempts.append(
        fetch_row(
            page.crawl_id,
            len(attempts) + 1,
            page.url,
            Outcome.STORED,
            page.fetched_at,
            status_code=page.status or None,
            size=len(page.body),
            sha256=page.sha256,
            location=location,
        )
    )


def _add_revisit(state: sqlite3.Connection, location: Location, record: WarcRecord, taken: TakenIn) -> None:
    headers = record.headers
    url, moment = headers["WARC-Target-URI"], moment_of(headers["WARC-Date"])
    state.execute("UPDATE urls SET fetched_at = ?1, due_at = ?1 WHERE url = ?2", (moment.isoformat(), url))
    crawl_id = headers.get(CRAWL_ID) or ""
    attempts = taken.attempts.setdefault(crawl_id, [])
    attempts.append(
        fetch_row(
            crawl_id,
            len(attempts) + 1,
            url,
            Outcome.UNCHANGED,
            moment,
            status_code=record.http_headers.status_code if record.http_headers is not None else None,
            sha256=(headers.get("WARC-Payload-Digest") or "").removeprefix("sha256:") or None,
            location=location,
        )
    )


def _run(crawl_id: str, kind: str, attempts: list[FetchRow]) -> CrawlRow:
    moments = [attempt.started_at for attempt in attempts]
    return CrawlRow(
        crawl_id=crawl_id,
        kind="ingest" if kind == "ingest" else "crawl",
        started_at=min(moments),
        finished_at=max(moments),
        status="done",
        fetched=sum(attempt.outcome == Outcome.STORED for attempt in attempts),
        unchanged=sum(attempt.outcome == Outcome.UNCHANGED for attempt in attempts),
        failed=0,
        bytes=sum(attempt.bytes for attempt in attempts),
    )
