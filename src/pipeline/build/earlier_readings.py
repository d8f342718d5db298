"""What was read from a snapshot before a try that failed: a bug or a busy machine takes no rows away."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec
import polars as pl

from verdicts.extract.model.records import FAILURES, Reject
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.store import checksums
from verdicts.pipeline.build.record_files import files_with, observed_in
from verdicts.pipeline.workers.record_rows import RecordRow, record_row


def failures_among(rows: Iterable[RecordRow]) -> dict[Location, Reject]:
    """The snapshots that could not be read, and may be by another try, with the reason."""
    rejects = [row.observation for row in rows if row.kind == "reject"]
    return {
        item.location: item.extracted
        for item in rejects
        if isinstance(item.extracted, Reject) and item.extracted.reason in FAILURES
    }


def with_earlier_readings(rows: Sequence[RecordRow], records: Path) -> list[RecordRow]:
    """The rows of a segment; one that failed is as the record files in `records` have it, where they do."""
    failed = failures_among(rows)
    if not failed:
        return [*rows]
    earlier = _earlier(sorted(files_with(records.glob("*.parquet"), failed)), failed)
    return [earlier.get(Location(row.segment, row.segment_offset), row) for row in rows]


def _earlier(files: Sequence[Path], failed: Mapping[Location, Reject]) -> dict[Location, RecordRow]:
    """Of several files the newest one's. A file may be damaged, and one of an earlier version in another form."""
    found: dict[Location, RecordRow] = {}
    for file in sorted(files, key=lambda file: file.stat().st_mtime_ns):
        if checksums.is_as_noted(file) is False:
            continue
        with suppress(pl.exceptions.PolarsError, msgspec.MsgspecError):
            read = [stored.observation for stored in observed_in(file) if stored.kind != "reject"]
            for observation in read:
                if (failure := failed.get(observation.location)) is not None:
                    found[observation.location] = record_row(replace(observation, failure=failure))
    return found
