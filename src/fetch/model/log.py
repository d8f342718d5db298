"""The fetcher's bookkeeping as records: runs, attempts, index entries."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from fetch.model.snapshot import Location


@dataclass(frozen=True, slots=True)
class CrawlRecord:
    """A run. `fetched` counts new snapshots, `bytes` what came over the network."""

    crawl_id: str
    kind: Literal["crawl", "ingest"]
    started_at: datetime
    finished_at: datetime | None
    status: Literal["running", "done", "partial", "failed"]
    fetched: int
    unchanged: int
    failed: int
    bytes: int


@dataclass(frozen=True, slots=True)
class FetchRecord:
    """An attempt. `outcome` is one of `fetch.model.errors.MEANINGS`."""

    fetch_id: str
    crawl_id: str
    url: str
    outcome: str
    status_code: int | None
    attempt: int
    started_at: datetime
    elapsed_ms: int
    bytes: int
    body_sha256: str | None
    segment: str | None
    segment_offset: int | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A full record of the raw store."""

    location: Location
    url: str
    final_url: str
    fetched_at: datetime
    crawl_id: str
    sha256: str
    media_type: str
