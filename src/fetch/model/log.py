"""One row of each table of the store that others read: runs, attempts, index entries."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from fetch.model.outcome import Outcome
from fetch.model.snapshot import Location


@dataclass(frozen=True, slots=True)
class CrawlRecord:
    """One run of a crawl or an ingest.

    `fetched` counts new snapshots, `unchanged` revisits without a change, `failed` the URLs whose last outcome is a
    failure. `bytes` are those on the wire, or of the files of an ingest.
    """

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
    """One attempt: a request, or a file of an ingest. `attempt` counts from 1; `bytes` as in `CrawlRecord`."""

    fetch_id: str
    crawl_id: str
    url: str
    outcome: Outcome
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
    """One full record of the raw store. `sha256` is the hex digest of its body."""

    location: Location
    url: str
    final_url: str
    fetched_at: datetime
    crawl_id: str
    sha256: str
    media_type: str
