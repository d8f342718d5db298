"""The records of a segment as rows of the state: index, frontier, log."""

import sqlite3
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fastwarc.warc import WarcRecord, WarcRecordType

from verdicts.corpus.rows.runs import CrawlRow, FetchRow
from verdicts.fetch.archives.references import Reference, reference_in
from verdicts.fetch.archives.snapshots import CRAWL_ID, moment_of
from verdicts.fetch.care.packs import names_in_pack
from verdicts.fetch.model.addresses.web_address import host_of
from verdicts.fetch.model.errors import StoreDamaged
from verdicts.fetch.model.headers import media_type_of
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Location, Snapshot, has_address
from verdicts.fetch.store.frames import Damage, Frame, read_frames
from verdicts.fetch.store.segments import PACK
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
    """Adds the records of a segment to the state, and to what is `taken`; damaged ones are collected alone.

    Those of a pack keep the names that they had.
    """
    size = path.stat().st_size
    names = names_in_pack(path) if PACK.search(path.name) else {}
    state.execute("INSERT INTO segments (segment, size) VALUES (?, ?)", (path.name, size))
    with path.open("rb") as file:
        for found in read_frames(path, 0, size):
            offset = found.error.offset if isinstance(found, Damage) else found.offset
            name = names.get(offset or 0, Location(path.name, offset or 0))
            if _is_known(state, name):
                # A compaction was killed before the file that it merged came to the trash.
                continue
            damage = found if isinstance(found, Damage) else _take_in(state, path, found, name, taken)
            if damage is not None:
                taken.damages.append(damage)
                continue
            assert isinstance(found, Frame)
            file.seek(found.offset)
            digest = sha256(file.read(found.size)).hexdigest()
            state.execute(
                "INSERT INTO records (segment, segment_offset, size, sha256, pack, pack_offset)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    name.segment,
                    name.offset,
                    found.size,
                    digest,
                    *((path.name, found.offset) if found.offset in names else (None, None)),
                ),
            )


def _is_known(state: sqlite3.Connection, name: Location) -> bool:
    row = state.execute(
        "SELECT 1 FROM records WHERE segment = ? AND segment_offset = ?", (name.segment, name.offset)
    ).fetchone()
    return row is not None


def _take_in(state: sqlite3.Connection, path: Path, frame: Frame, name: Location, taken: TakenIn) -> Damage | None:
    record = record_of(frame)
    if record is None:
        return Damage(StoreDamaged(path, frame.offset, "no record begins there"), frame.size)
    if record.record_type == WarcRecordType.metadata:
        return None
    if record.record_type == WarcRecordType.warcinfo:
        fields = dict(line.split(": ", 1) for line in record.reader.read().decode().splitlines() if ": " in line)
        if "description" in fields:
            taken.kinds[fields["isPartOf"]] = fields["description"]
        return None
    try:
        if record.record_type == WarcRecordType.revisit:
            _take_revisit(state, name, record, taken)
            return None
        reference = reference_in(record)
        page = _page_of(snapshot_at(path, frame)) if reference is None else _referred(reference)
    except (StoreDamaged, ValueError, KeyError, TypeError) as error:
        damage = error if isinstance(error, StoreDamaged) else StoreDamaged(path, frame.offset, str(error))
        return Damage(damage, frame.size)
    _take_page(state, name, page, taken)
    return None


class _Page(NamedTuple):
    """What the state keeps of a page, wherever its bytes lie."""

    url: str
    final_url: str
    fetched_at: datetime
    crawl_id: str
    sha256: str
    bytes: int
    media_type: str
    status: int
    etag: str | None
    last_modified: str | None


def _page_of(snapshot: Snapshot) -> _Page:
    return _Page(
        url=snapshot.url,
        final_url=snapshot.final_url,
        fetched_at=snapshot.fetched_at,
        crawl_id=snapshot.crawl_id,
        sha256=snapshot.sha256,
        bytes=len(snapshot.body),
        media_type=media_type_of(snapshot.header("content-type")),
        status=snapshot.status,
        etag=snapshot.header("etag"),
        last_modified=snapshot.header("last-modified"),
    )


def _referred(reference: Reference) -> _Page:
    """Whatever run took it in, it was an ingest."""
    return _Page(
        url=reference.url,
        final_url=reference.final_url,
        fetched_at=reference.fetched_at,
        crawl_id=reference.crawl_id,
        sha256=reference.sha256,
        bytes=reference.bytes,
        media_type=media_type_of(reference.content_type),
        status=0,
        etag=None,
        last_modified=None,
    )


def _take_page(state: sqlite3.Connection, name: Location, page: _Page, taken: TakenIn) -> None:
    taken.pages += 1
    state.execute(
        "INSERT INTO snapshots (segment, segment_offset, url, final_url, fetched_at, crawl_id, sha256, media_type)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            name.segment,
            name.offset,
            page.url,
            page.final_url,
            page.fetched_at.isoformat(),
            page.crawl_id,
            page.sha256,
            page.media_type,
        ),
    )
    is_crawled = taken.kinds.get(page.crawl_id, "crawl" if page.status else "ingest") == "crawl"
    taken.kinds.setdefault(page.crawl_id, "crawl" if is_crawled else "ingest")
    if is_crawled and has_address(page.url):
        moment = page.fetched_at.isoformat()
        state.execute(
            "INSERT INTO urls (url, host, due_at, fetched_at, unconditional_at, etag, last_modified, sha256,"
            " discovered_in, discovered_from, standing) VALUES (?, ?, ?3, ?3, ?3, ?, ?, ?, ?, ?, 'held')"
            " ON CONFLICT DO UPDATE SET due_at = excluded.due_at, fetched_at = excluded.fetched_at,"
            " unconditional_at = excluded.unconditional_at, etag = excluded.etag,"
            " last_modified = excluded.last_modified, sha256 = excluded.sha256, standing = excluded.standing",
            (
                page.url,
                host_of(page.url),
                moment,
                page.etag,
                page.last_modified,
                page.sha256,
                page.crawl_id,
                DISCOVERED_FROM,
            ),
        )
    _add_attempt(
        taken,
        name,
        page.crawl_id,
        url=page.url,
        outcome=Outcome.STORED,
        status_code=page.status or None,
        started_at=page.fetched_at,
        size=page.bytes,
        body_sha256=page.sha256,
    )


def _take_revisit(state: sqlite3.Connection, name: Location, record: WarcRecord, taken: TakenIn) -> None:
    headers = record.headers
    url, moment = headers["WARC-Target-URI"], moment_of(headers["WARC-Date"])
    state.execute("UPDATE urls SET fetched_at = ?1, due_at = ?1 WHERE url = ?2", (moment.isoformat(), url))
    status = record.http_headers.status_code if record.http_headers is not None else None
    _add_attempt(
        taken,
        name,
        headers.get(CRAWL_ID) or "",
        url=url,
        outcome=Outcome.UNCHANGED,
        status_code=status,
        started_at=moment,
        size=0,
        body_sha256=(headers.get("WARC-Payload-Digest") or "").removeprefix("sha256:") or None,
    )


def _add_attempt(
    taken: TakenIn,
    name: Location,
    crawl_id: str,
    *,
    url: str,
    outcome: Outcome,
    status_code: int | None,
    started_at: datetime,
    size: int,
    body_sha256: str | None,
) -> None:
    attempts = taken.attempts.setdefault(crawl_id, [])
    attempts.append(
        FetchRow(
            fetch_id=f"{crawl_id}.{len(attempts) + 1:07d}",
            crawl_id=crawl_id,
            url=url,
            outcome=outcome,
            status_code=status_code,
            attempt=1,
            started_at=started_at,
            elapsed_ms=0,
            bytes=size,
            body_sha256=body_sha256,
            segment=name.segment,
            segment_offset=name.offset,
            detail=None,
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
