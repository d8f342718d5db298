"""Snapshots as WARC 1.1 records, one zstd frame each, so that a record is read by seeking to it."""

import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

from fastwarc.stream_io import ZstdWriter
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from fetch.snapshot import Location, Snapshot, has_address

FINAL_URL = "WARC-Final-URI"
CRAWL_ID = "WARC-Crawl-ID"
REVISIT_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_BODY_HEADERS = frozenset({"content-encoding", "transfer-encoding", "content-length"})
"""Headers that speak of the bytes on the wire; the stored body is decoded, so they are kept under another name."""
ORIGINAL = "x-archive-orig-"

PAGE_TYPES = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion


def response_frame(snapshot: Snapshot) -> bytes:
    """A full record: an answer of the web, or a file handed over."""
    if has_address(snapshot.url) and snapshot.status:
        content = _http_head(snapshot) + snapshot.body
        return _frame(WarcRecordType.response, snapshot, content, is_http=True)
    media_type = snapshot.header("content-type") or "application/octet-stream"
    kind = WarcRecordType.conversion if media_type.startswith("text/plain") else WarcRecordType.resource
    return _frame(kind, snapshot, snapshot.body, content_type=media_type)


def revisit_frame(snapshot: Snapshot, sha256: str) -> bytes:
    """Says that an address still has the bytes it had; `snapshot.body` is left out."""
    headers = {"WARC-Profile": REVISIT_PROFILE, "WARC-Payload-Digest": f"sha256:{sha256}"}
    return _frame(WarcRecordType.revisit, snapshot, _http_head(snapshot), is_http=True, extra=headers)


def info_frame(crawl_id: str, software: str) -> bytes:
    """The first record of every segment."""
    record = WarcRecord()
    record.init_headers(WarcRecordType.warcinfo)
    record.headers["Content-Type"] = "application/warc-fields"
    record.set_bytes_content(
        f"software: {software}\r\nformat: WARC File Format 1.1\r\nisPartOf: {crawl_id}\r\n".encode()
    )
    return _written(record)


def read_segment(path: Path, offsets: Iterable[int]) -> Iterator[tuple[Location, Snapshot]]:
    """The full records of one segment at these offsets. Needs no lock: committed records never change."""
    with path.open("rb") as file:
        for offset in offsets:
            file.seek(offset)
            record = next(iter(ArchiveIterator(file, parse_http=True)))
            yield Location(path.name, offset), _snapshot(record)


def read_archive(path: Path) -> Iterator[Snapshot]:
    """The pages of anyone's WARC or WET file. Records that are no pages are passed over."""
    with path.open("rb") as file:
        for record in ArchiveIterator(file, record_types=PAGE_TYPES, parse_http=True):
            if record.headers.get("WARC-Target-URI"):
                yield _snapshot(record)


def _http_head(snapshot: Snapshot) -> bytes:
    try:
        phrase = HTTPStatus(snapshot.status).phrase
    except ValueError:
        phrase = "Unknown"
    named = ((ORIGINAL + name if name in NOT_BODY_HEADERS else name, value) for name, value in snapshot.headers)
    lines = [f"HTTP/1.1 {snapshot.status} {phrase}", *(f"{name}: {value}" for name, value in named)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", errors="surrogateescape")


def _frame(
    kind: WarcRecordType,
    snapshot: Snapshot,
    content: bytes,
    *,
    is_http: bool = False,
    content_type: str | None = None,
    extra: dict[str, str] | None = None,
) -> bytes:
    record = WarcRecord()
    record.init_headers(kind)
    if is_http:
        record.is_http = True
    if content_type is not None:
        record.headers["Content-Type"] = content_type
    record.headers["WARC-Target-URI"] = snapshot.url
    record.headers["WARC-Date"] = snapshot.fetched_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    record.headers[FINAL_URL] = snapshot.final_url
    record.headers[CRAWL_ID] = snapshot.crawl_id
    for name, value in ({"WARC-Payload-Digest": f"sha256:{snapshot.sha256}"} | (extra or {})).items():
        record.headers[name] = value
    record.set_bytes_content(content)
    return _written(record)


def _written(record: WarcRecord) -> bytes:
    frame = io.BytesIO()
    writer = ZstdWriter(frame)
    record.write(writer, checksum_data=True)
    writer.close()
    return frame.getvalue()


def _snapshot(record: WarcRecord) -> Snapshot:
    names = record.headers
    url = names["WARC-Target-URI"].strip("<>")
    headers: tuple[tuple[str, str], ...]
    if record.is_http and record.http_headers is not None:
        status = int(record.http_headers.status_code or 0)
        headers = tuple((name.lower(), value) for name, value in record.http_headers.items())
    else:
        status = 0
        headers = (("content-type", names.get("Content-Type") or ""),)
    return Snapshot(
        url=url,
        final_url=names.get(FINAL_URL) or url,
        fetched_at=datetime.fromisoformat(names["WARC-Date"]).astimezone(UTC),
        status=status,
        headers=headers,
        body=record.reader.read(),
        crawl_id=names.get(CRAWL_ID) or "",
    )
