"""What a worker process makes of snapshots: observations in the form of record files, ready to be written."""

import gc
import resource
import traceback
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple, TypeAlias

from verdicts.extract.declarations import Declarations
from verdicts.extract.model.records import Extracted, Observation, Reject
from verdicts.extract.model.stored import StoredObservation, encoded, stored
from verdicts.extract.page import extract
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.model.snapshot import IndexEntry, Snapshot
from verdicts.fetch.store.warc import read_segment
from verdicts.normalize.identity.sightings import tool_keys
from verdicts.pipeline.gates.measures import amounts, places_of, tool_amounts
from verdicts.pipeline.terminal import guard_streams

Job: TypeAlias = tuple[Path, tuple[IndexEntry, ...]]
"""The path of a segment, and some of its index entries in order."""


@dataclass(frozen=True, slots=True)
class ExtractorCrash:
    """A bug: extraction raised on this page. With the traceback."""

    url: str
    trace: str


class RecordRow(NamedTuple):
    """An observation, the amounts it shows, and its tools (`tool_keys`)."""

    url: str
    fetched_at: datetime
    crawl_id: str
    segment: str
    segment_offset: int
    sha256: str
    kind: str
    record: str
    tools: tuple[int, ...]
    amounts: tuple[float | None, ...]
    """How much it shows of each measure (`verdicts.pipeline.gates.measures`)."""
    tool_amounts: tuple[float | None, ...]
    """The same for each tool, one after the other."""
    failure: str | None = None

    @property
    def observation(self) -> Observation:
        failure = None if self.failure is None else self.failure.encode()
        return StoredObservation(*self[:7], self.record.encode(), failure).observation


def record_row(observation: Observation, profiles: Profiles = SHIPPED) -> RecordRow:
    """The row of an observation, with valid Unicode. `profiles`: those it was read with."""
    observation, record = encoded(observation)
    kept = stored(observation, record)
    places = places_of(observation.extracted, profiles)
    return RecordRow(
        kept.url,
        kept.fetched_at,
        kept.crawl_id,
        kept.segment,
        kept.segment_offset,
        kept.sha256,
        kept.kind,
        record.decode(),
        tools=tool_keys(observation, profiles),
        amounts=amounts(places),
        tool_amounts=tool_amounts(observation.extracted, places),
        failure=None if kept.failure is None else kept.failure.decode(),
    )


def observe(entry: IndexEntry, extracted: Extracted, profiles: Profiles = SHIPPED) -> RecordRow:
    """The observation of a snapshot."""
    return record_row(
        Observation(
            url=entry.final_url,
            fetched_at=entry.fetched_at,
            crawl_id=entry.crawl_id,
            location=entry.location,
            sha256=entry.sha256,
            extracted=extracted,
        ),
        profiles,
    )


def read_jobs(connection: Connection, memory_bytes: int, declared: Declarations) -> None:
    """Runs in a worker process, which may hold this much data: jobs in, page by page a `RecordRow` out.

    Sends an `ExtractorCrash` for a page, or the `StorageFailed` or `OSError` that ends the job.
    """
    guard_streams()
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    while True:
        segment, entries = connection.recv()
        snapshots = read_segment(segment, [entry.location.offset for entry in entries])
        try:
            for entry, snapshot in zip(entries, snapshots, strict=True):
                connection.send(read_page(entry, snapshot, declared))
        except ConnectionError:
            raise
        except (StorageFailed, OSError) as failure:
            connection.send(failure)


def read_page(entry: IndexEntry, snapshot: Snapshot, declared: Declarations) -> RecordRow | ExtractorCrash:
    """What extraction gives for a snapshot."""
    try:
        return observe(entry, extract(snapshot, declared.profiles, declared.recipes), declared.profiles)
    except MemoryError:
        gc.collect()
        return observe(entry, Reject("too_much_memory", "the page takes more memory to read than a worker may have"))
    except Exception:
        return ExtractorCrash(snapshot.url, traceback.format_exc())
