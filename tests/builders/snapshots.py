"""Snapshots and observations made by hand."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

from verdicts.extract.model.records import Observation
from verdicts.extract.page import extract
from verdicts.fetch.model.snapshot import Location, Snapshot

NIGHT = datetime(2026, 11, 1, 2, 0, tzinfo=UTC)


def snapshot(body: str | bytes, url: str | None = None, *, media_type: str = "text/plain", night: int = 1) -> Snapshot:
    data = body.encode() if isinstance(body, str) else body
    address = url or f"urn:sha256:{sha256(data).hexdigest()}"
    moment = NIGHT + timedelta(days=night)
    crawl_id = f"{moment:%Y%m%dT%H%M%SZ}-0000"
    return Snapshot(address, address, moment, 200, (("content-type", media_type),), data, crawl_id)


def html(body: str | bytes, url: str | None = None, *, night: int = 1) -> Snapshot:
    return snapshot(body, url, media_type="text/html; charset=utf-8", night=night)


def observe(*snapshots: Snapshot) -> list[Observation]:
    """What extraction makes of snapshots, each at a place of its own in the raw store."""
    return [
        Observation(
            url=item.final_url,
            fetched_at=item.fetched_at,
            crawl_id=item.crawl_id,
            location=Location(f"{item.crawl_id}-00001.warc.zst", int(item.sha256[:8], 16) + number),
            sha256=item.sha256,
            extracted=extract(item),
        )
        for number, item in enumerate(snapshots)
    ]
