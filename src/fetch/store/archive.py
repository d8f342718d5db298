"""Pages out of WARC and WET files of any origin: Common Crawl, wget, this fetcher."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from fetch.http.content_encoding import GZIP_MAGIC, codings, decode
from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.errors import AttemptFailed
from fetch.model.headers import media_type_of
from fetch.model.snapshot import Snapshot, has_address
from fetch.parse.classify import PAGE_TYPES
from fetch.store.warc import snapshot_of

ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".wet.zst")
RECORD_TYPES = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
SIZE_LIMIT = 20_000_000
"""Bytes of a body at most, as stored and as decoded."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file or record that could not be read. `url` is that of the record, where it is known."""

    detail: str
    url: str | None = None


def read_archive(path: Path, moment: datetime) -> Iterator[Snapshot | Unreadable]:
    """The pages of a file; records of other types, images and responses such as 404 are skipped.

    `moment` is the date of records that lack one. A damaged record is `Unreadable` and the next is read; a damaged file
    ends at its damage. Raises `OSError` where the file cannot be opened.
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
            except (OSError, ValueError, AttemptFailed) as error:
                yield Unreadable(f"{path}: {error}", url)
                continue
            if snapshot is not None:
                yield snapshot


def _page(record: WarcRecord, url: str, moment: datetime) -> Snapshot | None:
    """None for what is no page. Raises `OSError`, `ValueError`, `AttemptFailed` for a record that is not whole."""
    announced = record.content_length
    if announced > SIZE_LIMIT:
        raise ValueError(f"the record of {url} has {announced:,} bytes, more than {SIZE_LIMIT:,}")
    record.freeze()
    # FastWARC gives the last record of a file cut short without its missing bytes.
    if record.content_length < announced:
        raise ValueError(f"the record of {url} has {record.content_length:,} of {announced:,} bytes")
    record.parse_http(auto_decode="transfer")
    snapshot = snapshot_of(record, SIZE_LIMIT, moment)
    media_type = media_type_of(snapshot.header("content-type"))
    if snapshot.status not in {0, 200} or media_type not in PAGE_TYPES:
        return None
    body = snapshot.body
    # Some writers decode a body and keep its Content-Encoding, so the bytes decide.
    encoding = ", ".join(value for name, value in snapshot.headers if name == "content-encoding")
    applied = codings(encoding) or (("gzip",) if body.startswith(GZIP_MAGIC) else ())
    if applied[-1:] != ("gzip",) or body.startswith(GZIP_MAGIC):
        body = decode([body], ", ".join(applied), SIZE_LIMIT)
    try:
        address = canonicalize(url) if has_address(url) else url
    except BadUrl as error:
        raise ValueError(str(error)) from None
    return replace(snapshot, url=address, final_url=address, body=body)
