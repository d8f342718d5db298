"""A full WARC record as a snapshot, and the headers of records that are of this fetcher alone."""

from datetime import UTC, datetime

from fastwarc.warc import WarcRecord

from verdicts.fetch.model.headers import Headers, header_text
from verdicts.fetch.model.snapshot import Snapshot

FINAL_URL = "WARC-Final-URI"
CRAWL_ID = "WARC-Crawl-ID"


def snapshot_of(record: WarcRecord, limit: int, moment: datetime | None = None) -> Snapshot:
    """A full record as a snapshot. `moment` is the date of a record without one.

    Raises `ValueError` for a missing or invalid date, and for a body of more than `limit` bytes.
    """
    warc_headers = record.headers
    url = warc_headers["WARC-Target-URI"].strip("<>")
    headers: Headers
    if record.is_http and record.http_headers is not None:
        status = int(record.http_headers.status_code or 0)
        items = record.http_headers.items_bytes()
        headers = tuple((header_text(name.lower()), header_text(value)) for name, value in items)
    else:
        status = 0
        headers = (("content-type", warc_headers.get("Content-Type") or ""),)
    date = warc_headers.get("WARC-Date")
    if date is None and moment is None:
        raise ValueError(f"the record of {url} has no date")
    fetched_at = moment if date is None else moment_of(date)
    assert fetched_at is not None
    # FastWARC allocates as many bytes as it is asked to read.
    body = record.reader.read(min(limit, record.content_length) + 1)
    if len(body) > limit:
        raise ValueError(f"the record of {url} has more than {limit:,} bytes")
    return Snapshot(
        url=url,
        final_url=warc_headers.get(FINAL_URL) or url,
        fetched_at=fetched_at,
        status=status,
        headers=headers,
        body=body,
        crawl_id=warc_headers.get(CRAWL_ID) or "",
    )


def moment_of(date: str) -> datetime:
    """A WARC-Date. Raises `ValueError`, also for one that leaves the years 1 to 9999 in UTC."""
    try:
        moment = datetime.fromisoformat(date)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"its WARC-Date is no date: {date[:40]!r}") from None
