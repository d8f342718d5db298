"""From raw segments to record files, on all cores. A job is up to BATCH consecutive snapshots of one segment."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from fetch.model.snapshot import IndexEntry
from pipeline.build.record_files import record_file, write_records
from pipeline.progress import Advance
from pipeline.workers.jobs import Job
from pipeline.workers.pool import cores, read_pages
from pipeline.workers.record_rows import RecordRow

BATCH = 64
"""Snapshots per job: some seconds of work at most, so that a pool of any size is kept busy."""


def bring_records_up_to_date(
    index: Sequence[IndexEntry], raw: Path, records: Path, advance: Advance, *, anew: bool = False
) -> list[Path]:
    """The record file of every segment, in order; reads only segments whose file is missing, or all of them `anew`.

    Files of earlier extractor versions are removed once their successors are there.
    """
    records.mkdir(parents=True, exist_ok=True)
    entries = by_segment(index)
    wanted = {segment: record_file(records, segment, len(snapshots)) for segment, snapshots in entries.items()}
    stale = {segment: entries[segment] for segment, path in wanted.items() if anew or not path.exists()}
    total = sum(map(len, stale.values()))
    advance(0, total)
    for segment, rows in _whole_segments(jobs_of(raw, stale), stale, advance, total):
        write_records(wanted[segment], rows)
    for path in set(records.iterdir()) - set(wanted.values()):
        path.unlink()
    return list(wanted.values())


def by_segment(index: Iterable[IndexEntry]) -> dict[str, list[IndexEntry]]:
    """The entries of each segment, segments in order."""
    entries: dict[str, list[IndexEntry]] = defaultdict(list)
    for entry in index:
        entries[entry.location.segment].append(entry)
    return dict(sorted(entries.items()))


def jobs_of(raw: Path, entries: Mapping[str, Sequence[IndexEntry]]) -> list[Job]:
    """The entries of each segment in jobs of BATCH."""
    return [
        (raw / segment, tuple(snapshots[start : start + BATCH]))
        for segment, snapshots in entries.items()
        for start in range(0, len(snapshots), BATCH)
    ]


def _whole_segments(
    jobs: Sequence[Job], entries: Mapping[str, Sequence[IndexEntry]], advance: Advance, total: int
) -> Iterator[tuple[str, list[RecordRow]]]:
    """Each segment's observations in the order of their records, as soon as the last of them is read."""
    rows: dict[str, list[RecordRow]] = defaultdict(list)
    for done, row in enumerate(read_pages(jobs, cores()), start=1):
        rows[row.segment].append(row)
        if len(rows[row.segment]) == len(entries[row.segment]):
            yield row.segment, sorted(rows.pop(row.segment), key=lambda row: row.segment_offset)
        advance(done, total)
