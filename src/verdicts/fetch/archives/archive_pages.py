"""Reads pages from WARC and WET files of any origin: Common Crawl, wget, browsers. It keeps only whole ones."""

import hashlib
import logging
import re
from base64 import b32encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias

from fastwarc.warc import WarcRecord, WarcRecordType

from verdicts.fetch.archives.archive_records import END, ArchiveFile, ArchiveRecord, Damage, read_records
from verdicts.fetch.http.content_encoding import GZIP_MAGIC, decode, parse_codings
from verdicts.fetch.model.addresses import (
    LENGTH_LIMIT,
    AddressPattern,
    BadUrl,
    OtherScheme,
    canonicalize,
    resolve_address,
)
from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.snapshot import CLOCKS_DIFFER, Headers, Snapshot, decode_header, parse_media_type, read_header
from verdicts.fetch.parse.content import BLANK, PAGE_TYPES

SIZE_LIMIT = 20_000_000
"""The most bytes of a body, as stored and as decoded."""

FIRST_DATE = datetime(1970, 1, 1, tzinfo=UTC)
"""The date of a clock that was never set. No page is older."""

PAGE_KEY = "WARC-Page-Key"
CRAWL_ID = "WARC-Crawl-ID"
"""Only this fetcher writes these headers."""

DIGESTS = frozenset({"md5", "sha1", "sha256", "sha512"})
"""The digest algorithms that are checked (WARC 1.1, 5.8); `sha-1` is `sha1`. Other digests are ignored."""

_NO_ADDRESS = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd]")
"""Characters that no address holds. FastWARC gives U+FFFD for bytes that are not UTF-8."""

_CHUNK = re.compile(rb"(?:\r?\n)?([0-9a-fA-F]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
"""The line before a chunk with its size, behind the end of the chunk before: `1f8;name=value`."""

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file or record that could not be read. `url` is that of the record, if known."""

    detail: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class RevisitRecord:
    """A record without a body: an address answered as in an earlier record."""

    url: str


ArchiveItem: TypeAlias = Snapshot | Unreadable | RevisitRecord


def read_pages(archive: ArchiveFile, moment: datetime, include: AddressPattern | None = None) -> Iterator[ArchiveItem]:
    """The pages of a file; other record types, images and responses such as 404 are skipped.

    `moment` is now, and the date of records without one. A damaged record is `Unreadable`, and so is a page without an
    address or with an impossible date; reading goes on after it. Only addresses that match `include` are read. Raises
    `OSError` if the file cannot be opened.
    """
    for item in read_records(archive, SIZE_LIMIT):
        url = item.url if isinstance(item, Damage) else (item.header("WARC-Target-URI") or "").strip("<>")
        if include is not None and url and not include.is_in(url):
            continue
        if isinstance(item, Damage):
            yield _make_unreadable(archive, item, item.why, url)
            continue
        assert url is not None
        try:
            snapshot = _read_page(item, url, moment)
        except (OSError, ValueError, AttemptFailed) as error:
            yield _make_unreadable(archive, item, error, url)
        except Exception as error:
            _logger.exception("%s: the record at byte %d cannot be read: a bug", archive, item.offset)
            yield _make_unreadable(archive, item, f"{type(error).__name__}: {error}", url)
        else:
            if snapshot is not None:
                yield snapshot


def _make_unreadable(archive: ArchiveFile, item: ArchiveRecord | Damage, why: object, url: str | None) -> Unreadable:
    try:
        key = None if url is None or _NO_ADDRESS.search(url) else canonicalize(url)
    except BadUrl:
        key = None
    return Unreadable(f"{archive}: the record at byte {item.offset:,}: {why}", key)


def _read_page(record: ArchiveRecord, url: str, moment: datetime) -> Snapshot | RevisitRecord | None:
    """None if the record holds no page. Raises `OSError`, `ValueError`, `AttemptFailed` if it is not whole."""
    if record.type == WarcRecordType.no_type:
        raise ValueError("it has no type")
    if record.type == WarcRecordType.revisit:
        return RevisitRecord(url)
    if not url or _NO_ADDRESS.search(url):
        raise ValueError(f"{url[:80]!r} is not an address" if url else "it has no address")
    parsed = _parse_record(record)
    status, headers = _read_head(parsed)
    if record.is_http and not 100 <= status <= 599:
        # Browsertrix writes `HTTP/1.1 0 No Content` for a page that the browser gave up.
        if record.content.endswith(END):
            return None
        raise ValueError("it holds no HTTP response")
    if not is_page(status, headers):
        return None
    _check_is_whole(record)
    snapshot = make_snapshot(parsed, SIZE_LIMIT, moment)
    # pywb and browsers store a body without its chunks, and leave the header in the head.
    if "chunked" in (snapshot.header("transfer-encoding") or "").lower() and _CHUNK.match(snapshot.body):
        snapshot = replace(snapshot, body=join_chunks(snapshot.body))
    page = canonicalize_page(replace(snapshot, url=url, body=decode_body(snapshot)), moment)
    _check_payload(record, parsed, snapshot.body, page.body)
    return page


def _check_is_whole(record: ArchiveRecord) -> None:
    if record.size > len(record.content):
        raise ValueError(f"it has {record.size:,} bytes, more than {SIZE_LIMIT:,}")
    cut = record.header("WARC-Truncated")
    if cut is not None:
        raise ValueError(f"it was cut short when written (WARC-Truncated: {cut[:40]})")
    if record.header("WARC-Segment-Number") is not None:
        raise ValueError("it is one part of several (WARC-Segment-Number)")
    _check_digest("WARC-Block-Digest", record, [record.content])


def join_chunks(body: bytes) -> bytes:
    """A body without its chunks; FastWARC reads none with extensions or trailers. Raises `ValueError` if one is cut."""
    joined = bytearray()
    position = 0
    while (line := _CHUNK.match(body, position)) is not None:
        size = int(line[1], 16)
        position = line.end() + size
        if size == 0:
            return bytes(joined)
        joined += body[line.end() : position]
    raise ValueError(f"no chunk of its page begins at byte {min(position, len(body)):,} of {len(body):,}")


def is_page(status: int, headers: Headers) -> bool:
    """Whether a response, or a file of status 0, is a page by its head."""
    return status in {0, 200} and parse_media_type(read_header(headers, "content-type")) in PAGE_TYPES


def canonicalize_page(page: Snapshot, moment: datetime) -> Snapshot:
    """The page under its canonical address. Raises `ValueError` for an impossible address or date."""
    try:
        key, address = canonicalize(page.url), resolve_address(page.url)
    except OtherScheme:
        # `urn:uuid:...` and `dns:a.example` stay as they are.
        if len(page.url) > LENGTH_LIMIT:
            raise
        key = address = page.url
    date = page.fetched_at
    if date > moment + CLOCKS_DIFFER:
        # A page from the future would hide all pages read until then.
        raise ValueError(f"its date, {date.date()}, is more than a day ahead of the clock")
    if date < FIRST_DATE:
        raise ValueError(f"its date, {date.date()}, is before 1970")
    return replace(page, url=key, final_url=address)


def decode_body(page: Snapshot) -> bytes:
    """The body without its content encoding. Raises `AttemptFailed`.

    The bytes decide, because some writers decode a body and keep its Content-Encoding, and others drop the header of an
    encoded body.
    """
    encoding = ", ".join(value for name, value in page.headers if name == "content-encoding")
    applied = parse_codings(encoding) or (("gzip",) if page.body.startswith(GZIP_MAGIC) else ())
    if applied[-1:] == ("gzip",) and not page.body.startswith(GZIP_MAGIC):
        return page.body
    try:
        return decode(page.body, ", ".join(applied), SIZE_LIMIT)
    except AttemptFailed:
        if page.body.lstrip(BLANK).startswith(b"<"):
            return page.body
        raise


def _parse_record(record: ArchiveRecord) -> WarcRecord:
    """Parses a copy of the record: FastWARC cannot go on in a file after a broken HTTP head."""
    parsed = WarcRecord()
    parsed.init_headers(record.type)
    # FastWARC gives a new record a date of its own.
    for name, _ in tuple(parsed.headers):
        parsed.headers.remove(name)
    for name, value in record.headers:
        parsed.headers.append(name, value)
    parsed.is_http = record.is_http
    parsed.set_bytes_content(record.content)
    parsed.parse_http(auto_decode="none")
    return parsed


def _read_head(record: WarcRecord) -> tuple[int, Headers]:
    """Status and headers; of a record that is no HTTP response 0, and its media type."""
    if not record.is_http or record.http_headers is None:
        return 0, (("content-type", record.headers.get("Content-Type") or ""),)
    items = record.http_headers.items_bytes()
    headers = tuple((decode_header(name.lower()), decode_header(value)) for name, value in items)
    return int(record.http_headers.status_code or 0), headers


def make_snapshot(record: WarcRecord, limit: int, moment: datetime | None = None) -> Snapshot:
    """A full record as a snapshot; `moment` dates a record without a date.

    Raises `ValueError` for a missing or invalid date, and for a body of more than `limit` bytes.
    """
    warc_headers = record.headers
    final_url = warc_headers["WARC-Target-URI"].strip("<>")
    status, headers = _read_head(record)
    date = warc_headers.get("WARC-Date")
    fetched_at = moment if date is None else parse_moment(date)
    if fetched_at is None:
        raise ValueError(f"the record of {final_url} has no date")
    # FastWARC allocates as many bytes as it is asked to read.
    body = record.reader.read(min(limit, record.content_length) + 1)
    if len(body) > limit:
        raise ValueError(f"the record of {final_url} has more than {limit:,} bytes")
    return Snapshot(
        url=warc_headers.get(PAGE_KEY) or final_url,
        final_url=final_url,
        fetched_at=fetched_at,
        status=status,
        headers=headers,
        body=body,
        crawl_id=warc_headers.get(CRAWL_ID) or "",
    )


def parse_moment(date: str) -> datetime:
    """A WARC-Date. Raises `ValueError`, also for a year outside 1 to 9999 in UTC."""
    try:
        moment = datetime.fromisoformat(date)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"its WARC-Date is not a date: {date[:40]!r}") from None


def _check_payload(record: ArchiveRecord, parsed: WarcRecord, body: bytes, decoded: bytes) -> None:
    """Raises `ValueError` for a wrong digest, and for fewer bytes than the response announces.

    `body` has no transfer encoding, `decoded` no content encoding either. Writers differ on which of the two they
    digest.
    """
    if record.header("WARC-Block-Digest") is None:
        sent = record.content.partition(b"\r\n\r\n")[2] if record.is_http else record.content
        _check_digest("WARC-Payload-Digest", record, [body, decoded, sent])
    if not record.is_http or parsed.http_headers is None:
        return
    headers = {name.lower(): value for name, value in parsed.http_headers.items()}
    announced = headers.get("content-length", "").strip()
    if headers.keys() & {"content-encoding", "transfer-encoding"} or not (announced.isascii() and announced.isdigit()):
        return
    # A writer that decoded the body may keep the length that was sent, which is smaller.
    if int(announced[:20]) > len(body):
        raise ValueError(f"its page has {len(body):,} of {int(announced[:20]):,} bytes")


def _check_digest(name: str, record: ArchiveRecord, forms: Sequence[bytes]) -> None:
    label, _, stated = (record.header(name) or "").strip().partition(":")
    algorithm = label.lower().replace("-", "")
    if algorithm not in DIGESTS:
        return
    for form in forms:
        digest = hashlib.new(algorithm, form, usedforsecurity=False).digest()
        if stated.lower() in {digest.hex(), b32encode(digest).decode().rstrip("=").lower()}:
            return
    raise ValueError(f"its bytes are not those of its {name}")
