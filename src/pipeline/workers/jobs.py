"""What the pool and its workers send each other."""

from dataclasses import dataclass
from pathlib import Path

from verdicts.extract.model.records import Extracted, Observation
from verdicts.fetch.model.snapshot import IndexEntry
from verdicts.pipeline.workers.record_rows import RecordRow, record_row

Job = tuple[Path, tuple[IndexEntry, ...]]
"""The path of a segment, and index entries of it in order."""


@dataclass(frozen=True, slots=True)
class ExtractorCrash:
    """An exception that extraction must never raise, a bug: the page that caused it, and the traceback."""

    url: str
    trace: str


def observe(entry: IndexEntry, extracted: Extracted) -> RecordRow:
    """The observation of one snapshot: what was extracted, and where it lies."""
    return record_row(
        Observation(
            url=entry.final_url,
            fetched_at=entry.fetched_at,
            crawl_id=entry.crawl_id,
            location=entry.location,
            sha256=entry.sha256,
            extracted=extracted,
        )
    )
