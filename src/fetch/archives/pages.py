"""Pages out of WARC and WET files of any origin: Common Crawl, wget, this fetcher."""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from fastwarc.warc import WarcRecord, WarcRecordType

from verdicts.fetch.archives.file import ArchiveFile, LocalFile
from verdicts.fetch.archives.records import ArchiveRecord, Damage, read_records
from verdicts.fetch.archives.snapshots import snapshot_of
from verdicts.fetch.archives.whole import check_payload, check_record
from verdicts.fetch.http.content_encoding import GZIP_MAGIC, codings, decode
from verdicts.fetch.model.addresses.patterns import AddressPattern
from verdicts.fetch.model.addresses.web_address import LENGTH_LIMIT, BadUrl, OtherScheme
from verdicts.fetch.model.canonical_url import canonicalize
from verdicts.fetch.model.errors import AttemptFailed
from verdicts.fetch.model.headers import media_type_of
from verdicts.fetch.model.run_id import CLOCKS_DIFFER
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.parse.classify import PAGE_TYPES

ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".wet.zst")
SIZE_LIMIT = 20_000_000
"""Bytes of a body at most, as stored and as decoded."""

PASSED_BYTES = 16 << 20
"""Bytes of an archive after which it is said how far it was read, whether or not pages lie there."""

_NO_ADDRESS = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd]")
"""What FastWARC gives of an address whose bytes are no UTF-8, and what no address holds."""

FIRST_DATE = datetime(1970, 1, 1, tzinfo=UTC)
"""What a clock says that was never set. An earlier date is of no clock: there is no page that could be from then."""

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file or record that could not be read. `url` is that of the record, where it is known."""

    detail: str
    url: str | None = None


def read_archive(
    path: Path, moment: datetime, include: AddressPattern | None = None
) -> Iterator[Snapshot | Unreadable]:
    """The pages of a file; records of other types, images and responses such as 404 are skipped.

    `moment` is now, and the date of records that lack one. What is damaged, states no address, no type or a date that
    cannot be, or cannot be read for any other reason is `Unreadable`, and the next record is read. Records whose
    address has no match of `include` are left out. Raises `OSError` where the file cannot be opened.
    """
    for item in read_pages(LocalFile(path), path, moment, include):
        if not isinstance(item, Passed):
            yield item if isinstance(item, Unreadable) else item.snapshot


class Passed(NamedTuple):
    """Records that gave no page lie before byte `end`, where the next one begins."""

    end: int


class ArchivePage(NamedTuple):
    """A page, and the record that it was read of."""

    record: ArchiveRecord
    snapshot: Snapshot


def read_pages(
    archive: ArchiveFile, address: object, moment: datetime, include: AddressPattern | None, begin: int = 0
) -> Iterator[ArchivePage | Unreadable | Passed]:
    """The same of any archive, with the records, from byte `begin` on.

    `address` is what it is called where one of them is told. Now and then it says how far it came without a page.
    """
    told = begin
    for item in read_records(archive, SIZE_LIMIT, begin):
        if item.offset - told >= PASSED_BYTES:
            told = item.offset
            yield Passed(told)
        url = item.url if isinstance(item, Damage) else (item.header("WARC-Target-URI") or "").strip("<>")
        if include is not None and url and not include.is_in(url):
            continue
        if isinstance(item, Damage):
            yield _unreadable(address, item.offset, item.why, item.url)
            continue
        assert url is not None
        try:
            snapshot = _page(item, url, moment)
        except (OSError, ValueError, AttemptFailed) as error:
            yield _unreadable(address, item.offset, error, url)
        except Exception as error:
            _logger.exception("%s: the record at byte %d cannot be read: a bug", address, item.offset)
            yield _unreadable(address, item.offset, f"{type(error).__name__}: {error}", url)
        else:
            if snapshot is not None:
                yield ArchivePage(item, snapshot)


def _unreadable(address: object, offset: int, why: object, url: str | None) -> Unreadable:
    try:
        known = None if url is None or _NO_ADDRESS.search(url) else canonicalize(url)
    except BadUrl:
        known = None
    return Unreadable(f"{address}: the record at byte {offset:,}: {why}", known)


def _page(record: ArchiveRecord, url: str, moment: datetime) -> Snapshot | None:
    """None for what is no page. Raises `OSError`, `ValueError`, `AttemptFailed` for a record that is not whole."""
    if record.type == WarcRecordType.no_type:
        raise ValueError("it has no type")
    if not url or _NO_ADDRESS.search(url):
        raise ValueError(f"{url[:80]!r} is no address" if url else "it has no address")
    check_record(record)
    parsed = _parsed(record)
    snapshot = snapshot_of(parsed, SIZE_LIMIT, moment)
    if record.is_http and not 100 <= snapshot.status <= 599:
        raise ValueError("it holds no HTTP response")
    media_type = media_type_of(snapshot.header("content-type"))
    if snapshot.status not in {0, 200} or media_type not in PAGE_TYPES:
        return None
    address = _address(url)
    _check_date(snapshot.fetched_at, moment)
    body = snapshot.body
    # Some writers decode a body and keep its Content-Encoding, so the bytes decide.
    encoding = ", ".join(value for name, value in snapshot.headers if name == "content-encoding")
    applied = codings(encoding) or (("gzip",) if body.startswith(GZIP_MAGIC) else ())
    if applied[-1:] != ("gzip",) or body.startswith(GZIP_MAGIC):
        body = decode([body], ", ".join(applied), SIZE_LIMIT)
    check_payload(record, parsed, snapshot.body, body)
    return replace(snapshot, url=address, final_url=address, body=body)


def _address(url: str) -> str:
    """The canonical form of a web address; `urn:uuid:...` and `dns:a.example` as they are. Raises `BadUrl`."""
    try:
        return canonicalize(url)
    except OtherScheme:
        if len(url) > LENGTH_LIMIT:
            raise
        return url


def _check_date(date: datetime, moment: datetime) -> None:
    """Raises `ValueError`: a page from the future would stand before all that is read of it until then."""
    if date > moment + CLOCKS_DIFFER:
        raise ValueError(f"its date, {date.date()}, lies more than a day ahead of the clock")
    if date < FIRST_DATE:
        raise ValueError(f"its date, {date.date()}, is of no clock: it lies before 1970")


def _parsed(record: ArchiveRecord) -> WarcRecord:
    """The record apart from its file: where its HTTP head is broken, FastWARC could not go on in the file."""
    parsed = WarcRecord()
    parsed.init_headers(record.type)
    # FastWARC gives a new record a date of its own.
    for name, _ in tuple(parsed.headers):
        parsed.headers.remove(name)
    for name, value in record.headers:
        parsed.headers.append(name, value)
    parsed.is_http = record.is_http
    parsed.set_bytes_content(record.content)
    parsed.parse_http(auto_decode="transfer")
    return parsed
