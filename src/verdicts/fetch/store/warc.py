"""Snapshots as WARC 1.1 records, one gzip member each, so that any reader of web archives can seek to a record.

A member has a checksum of its content, so a changed byte is an error and never other words. Of the 45,168 flips
of one bit in a record of 20 KB, 45,100 were detected, and 68 left its content unchanged.
"""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from isal import isal_zlib

from verdicts.fetch.archives.archive_pages import CRAWL_ID, PAGE_KEY, make_snapshot
from verdicts.fetch.archives.archive_records import GZIP, GZIP_FORMAT, PLAIN
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.model.snapshot import Snapshot, has_address

LEVEL = 2
"""ISA-L's default. A page of 20 KB takes 35 µs and 27 % of its bytes; level 3 takes half as long again for 3 % less."""

MemberDamaged: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # in its stub it is no class

_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Member:
    """One record: its position and length in bytes in the segment, and its decoded content."""

    offset: int
    size: int
    content: bytes


def pack_member(content: bytes) -> bytes:
    return isal_zlib.compress(content, LEVEL, GZIP_FORMAT)


def read_member(file: BinaryIO, path: Path, offset: int) -> Member:
    """The record at a byte of a segment. Raises `StoreDamaged` if no whole record begins there."""
    file.seek(offset)
    decoder = isal_zlib.decompressobj(GZIP_FORMAT)
    content: list[bytes] = []
    taken = 0
    try:
        while not decoder.eof:
            chunk = file.read(_CHUNK)
            if not chunk:
                raise StoreDamaged(path, offset, "the file ends before the end of the record")
            taken += len(chunk)
            content.append(decoder.decompress(chunk))
    except MemberDamaged as error:
        raise StoreDamaged(path, offset, "the record is damaged") from error
    member = Member(offset, taken - len(decoder.unused_data), b"".join(content))
    if not member.content.startswith(PLAIN):
        raise StoreDamaged(path, offset, "no record begins there")
    return member


def read_members(path: Path, end: int) -> Iterator[Member | StoreDamaged]:
    """The records of a segment up to byte `end`, in order; bytes between whole records, and missing ones, are damage.

    Raises `OSError`.
    """
    if end and not path.exists():
        yield StoreDamaged(path, 0, "the segment is missing", end)
    if not path.exists():
        return
    with path.open("rb") as file:
        offset = 0
        while offset < end:
            try:
                member = read_member(file, path, offset)
            except StoreDamaged as error:
                following = _find_next_record(file, path, offset + 1, end)
                yield StoreDamaged(path, offset, error.why, following - offset)
                offset = following
            else:
                yield member
                offset += member.size


def _find_next_record(file: BinaryIO, path: Path, start: int, end: int) -> int:
    """The start of the next whole record from a byte on; `end` if there is none."""
    file.seek(start)
    data = file.read(end - start)
    position = data.find(GZIP)
    while position >= 0:
        try:
            return read_member(file, path, start + position).offset
        except StoreDamaged:
            position = data.find(GZIP, position + 1)
    return end


SAME_BYTES = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
WIRE_HEADERS = frozenset({"content-encoding", "transfer-encoding", "content-length"})
"""Headers about the bytes on the wire; the stored body is decoded, so they get the prefix `ORIGINAL`."""
ORIGINAL = "x-archive-orig-"
DROPPED = b"x-archive-dropped"
HEAD_BYTES = 30_000
"""The most bytes of a record's headers. FastWARC refuses 32 KiB and more: `Maximum header length exceeded`."""

FULL_RECORDS = (WarcRecordType.response, WarcRecordType.resource, WarcRecordType.conversion)
"""Records with a body; the others of a segment are its warcinfo and revisits."""

BODY_LIMIT = 1_000_000_000
"""Far more bytes than the fetcher stores: a record of this store is always read whole."""


def pack_response(snapshot: Snapshot) -> bytes:
    """A full record: an HTTP response, or an ingested file."""
    if has_address(snapshot.url) and snapshot.status:
        headers = {"Content-Type": "application/http; msgtype=response"} | _make_page_headers(snapshot, snapshot.sha256)
        return _pack("response", headers, _make_http_head(snapshot), snapshot.body)
    media_type = snapshot.header("content-type") or "application/octet-stream"
    kind = "conversion" if media_type.startswith("text/plain") else "resource"
    return _pack(kind, {"Content-Type": media_type} | _make_page_headers(snapshot, snapshot.sha256), snapshot.body)


def pack_revisit(snapshot: Snapshot, sha256: str, stored_at: datetime | None) -> bytes:
    """A revisit record without a body: the URL still has the body `sha256`, stored at `stored_at`."""
    headers = {
        "Content-Type": "application/http; msgtype=response",
        "WARC-Profile": NOT_MODIFIED if snapshot.status == 304 else SAME_BYTES,
        "WARC-Refers-To-Target-URI": snapshot.url,
    }
    if stored_at is not None:
        headers["WARC-Refers-To-Date"] = _format_date(stored_at)
    return _pack("revisit", headers | _make_page_headers(snapshot, sha256), _make_http_head(snapshot))


def pack_info(crawl_id: str, kind: str, software: str) -> bytes:
    """The warcinfo record, the first of every segment. `kind` is that of the run: crawl, ingest."""
    fields = f"software: {software}\r\nformat: WARC File Format 1.1\r\nisPartOf: {crawl_id}\r\ndescription: {kind}\r\n"
    headers = {"Content-Type": "application/warc-fields", "WARC-Date": _format_date(datetime.now(UTC))}
    return _pack("warcinfo", headers, fields.encode())


def read_segment(path: Path, offsets: Iterable[int]) -> Iterator[Snapshot]:
    """The full records of one segment at these offsets. Needs no lock: committed records never change.

    Raises `StoreDamaged` if a record is not whole, `OSError` if the file cannot be read.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise StoreDamaged(path, None, "the segment is missing") from None
    with file:
        for offset in offsets:
            yield make_stored_snapshot(path, read_member(file, path, offset))


def make_stored_snapshot(path: Path, member: Member) -> Snapshot:
    """The snapshot of a full record of this store. Raises `StoreDamaged` for any other record."""
    record = parse_record(path, member)
    if record.record_type not in FULL_RECORDS:
        raise StoreDamaged(path, member.offset, "no page is stored there")
    try:
        return make_snapshot(record, BODY_LIMIT)
    except (ValueError, KeyError) as error:
        raise StoreDamaged(path, member.offset, f"the record cannot be read ({error})") from error


def parse_record(path: Path, member: Member) -> WarcRecord:
    """Raises `StoreDamaged`."""
    for record in ArchiveIterator(io.BytesIO(member.content), parse_http=True):
        return record
    raise StoreDamaged(path, member.offset, "no record begins there")


def _make_http_head(snapshot: Snapshot) -> bytes:
    try:
        phrase = HTTPStatus(snapshot.status).phrase
    except ValueError:
        phrase = "Unknown"
    headers = ((ORIGINAL + name if name in WIRE_HEADERS else name, value) for name, value in snapshot.headers)
    lines = [f"{name}: {value}".encode("utf-8", errors="surrogateescape") for name, value in headers]
    kept = _keep_readable(lines)
    if len(kept) < len(lines):
        kept.append(b"%s: %d headers, too long to be kept" % (DROPPED, len(lines) - len(kept)))
    return b"\r\n".join([f"HTTP/1.1 {snapshot.status} {phrase}".encode(), *kept]) + b"\r\n\r\n"


def _keep_readable(lines: list[bytes]) -> list[bytes]:
    """The headers that FastWARC can read again, in order: the shortest that fit into `HEAD_BYTES`."""
    if sum(map(len, lines)) + 2 * len(lines) <= HEAD_BYTES:
        return lines
    shortest_first = sorted(range(len(lines)), key=lambda number: len(lines[number]))
    sizes = accumulate(len(lines[number]) + 2 for number in shortest_first)
    fitting = {number for number, size in zip(shortest_first, sizes, strict=True) if size <= HEAD_BYTES}
    return [line for number, line in enumerate(lines) if number in fitting]


def _make_page_headers(snapshot: Snapshot, sha256: str) -> dict[str, str]:
    return {
        "WARC-Target-URI": snapshot.final_url,
        "WARC-Date": _format_date(snapshot.fetched_at),
        PAGE_KEY: snapshot.url,
        CRAWL_ID: snapshot.crawl_id,
        "WARC-Payload-Digest": f"sha256:{sha256}",
    }


def _format_date(moment: datetime) -> str:
    # strftime writes the year 999 with three digits, which no reader accepts.
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _pack(kind: str, headers: dict[str, str], *content: bytes) -> bytes:
    return pack_member(b"".join((_make_record_head(kind, headers, sum(map(len, content))), *content, b"\r\n\r\n")))


def _make_record_head(kind: str, headers: dict[str, str], size: int) -> bytes:
    first = {"WARC-Type": kind, "WARC-Record-ID": f"<{uuid4().urn}>", "Content-Length": str(size)}
    lines = (f"{name}: {value}\r\n" for name, value in (first | headers).items())
    return f"WARC/1.1\r\n{''.join(lines)}\r\n".encode("utf-8", errors="surrogateescape")
