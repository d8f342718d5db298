"""The pages of anyone's WARC and WET files: Common Crawl's, wget's, our own."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from fetch.http.content_encoding import GZIP_MAGIC, decode
from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.errors import FetchError
from fetch.model.snapshot import Snapshot, has_address
from fetch.parse.classify import PAGE_TYPES
from fetch.store.warc import snapshot_of

ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".wet.zst")
RECORD_TYPES = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
SIZE_LIMIT = 20_000_000
"""Bytes of a body, as stored and as decoded."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What could not be taken in, and why; `url` where it is known."""

    why: str
    url: str | None = None


def read_archive(path: Path, moment: datetime) -> Iterator[Snapshot | Unreadable]:
    """Pages only: other kinds of records, images and answers like 404 are passed over.

    `moment` stands in for a date that a record lacks. A damaged record costs itself; a damaged file what lies behind.
    """
    with path.open("rb") as file:
        records = iter(ArchiveIterator(file, record_types=RECORD_TYPES, parse_http=False))
        while True:
            try:
                record = next(records, None)
            except (OSError, ValueError) as error:
                yield Unreadable(f"{path}: {error}")
                return
            if record is None:
                return
            url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
            if not url:
                continue
            try:
                snapshot = _page(record, url, moment)
            except (OSError, ValueError, FetchError) as error:
                yield Unreadable(f"{path}: {error}", url)
                continue
            if snapshot is not None:
                yield snapshot


def _page(record: WarcRecord, url: str, moment: datetime) -> Snapshot | None:
    """Raises `ValueError`, `FetchError` for a record that cannot be read whole."""
    announced = record.content_length
    if announced > SIZE_LIMIT:
        raise ValueError(f"the record of {url} has {announced:,} bytes, more than {SIZE_LIMIT:,}")
    record.freeze()
    # A file cut short ends in a record that FastWARC hands over with what there is of it.
    if record.content_length < announced:
        raise ValueError(f"the record of {url} has {record.content_length:,} of {announced:,} bytes")
    record.parse_http(auto_decode="transfer")
    found = snapshot_of(record, SIZE_LIMIT, moment)
    media_type = (found.header("content-type") or "").partition(";")[0].strip().lower()
    if found.status not in {0, 200} or media_type not in PAGE_TYPES:
        return None
    body = found.body
    # Some writers decode a body and leave its header, so the bytes decide.
    if body.startswith(GZIP_MAGIC):
        body = decode([body], "gzip", SIZE_LIMIT)
    elif (encoding := found.header("content-encoding")) not in {None, "gzip", "x-gzip"}:
        body = decode([body], encoding, SIZE_LIMIT)
    try:
        address = canonicalize(url) if has_address(url) else url
    except BadUrl as error:
        raise ValueError(str(error)) from None
    return replace(found, url=address, final_url=address, body=body)
