"""What goes between the pool and its workers."""

from dataclasses import dataclass
from pathlib import Path

from extract.model.records import Extracted, Observation
from fetch.model.log import IndexEntry

Job = tuple[Path, tuple[IndexEntry, ...]]
"""A segment, and entries of it in order."""


@dataclass(frozen=True, slots=True)
class Bug:
    """An error that extraction must never raise, and the page that made it."""

    url: str
    trace: str


def observe(entry: IndexEntry, extracted: Extracted) -> Observation:
    """What one snapshot yielded."""
    return Observation(
        url=entry.final_url,
        fetched_at=entry.fetched_at,
        crawl_id=entry.crawl_id,
        location=entry.location,
        sha256=entry.sha256,
        extracted=extracted,
    )
