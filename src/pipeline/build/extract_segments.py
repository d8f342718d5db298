"""From raw segments to record files, on all cores. A job is up to BATCH consecutive snapshots of one segment."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from fetch.model.snapshot import IndexEntry
from pipeline.build.earlier_readings import with_earlier_readings
from pipeline.build.record_files import is_whole, record_file, rows_at, write_records
from pipeline.failure_log import FailureLog
from pipeline.progress import Advance, say
from pipeline.workers.jobs import Job
from pipeline.workers.pool import cores, read_pages
from pipeline.workers.record_rows import RecordRow

BATCH = 64
"""Snapshots per job: some seconds of work at most, so that a pool of any size is kept busy."""


def bring_records_up_to_date(
    index: Sequence[IndexEntry],
    raw: Path,
    records: Path,
    advance: Advance,
    failures: FailureLog,
    *,
    anew: bool = False,
) -> list[Path]:
    """The record file of every segment, in order.

    Reads only segments whose file is missing or damaged, or all of them `anew`. What is not read for a fault of ours
    stays as it was read before. Files of earlier versions are left to be compared with (`pipeline.build.reread`).
    Raises `StoreDamaged` for a record that is not as it was written.
    """
    records.mkdir(parents=True, exist_ok=True)
    entries = by_segment(index)
    wanted = {segment: record_file(records, segment, len(snapshots)) for segment, snapshots in entries.items()}
    whole = {segment for segment, path in wanted.items() if is_whole(path)}
    for segment in wanted.keys() - whole:
        if wanted[segment].exists():
            say(f"{wanted[segment]} is not as it was written; its segment is read again")
    stale = {segment: entries[segment] for segment in wanted if anew or segment not in whole}
    # What was extracted from a record before it was damaged outlives it.
    kept = {
        segment: rows_at(wanted[segment], {entry.location for entry in snapshots if entry.is_lost})
        for segment, snapshots in stale.items()
        if segment in whole
    }
    unread = {segment: [entry for entry in snapshots if not entry.is_lost] for segment, snapshots in stale.items()}
    total = sum(map(len, unread.values()))
    advance(0, total)
    for segment, rows in _whole_segments(jobs_of(raw, unread), unread, advance, total, failures):
        read = with_earlier_readings(rows, records)
        write_records(wanted[segment], _in_order([*read, *kept.get(segment, ())]))
    return list(wanted.values())


def by_segment(index: Iterable[IndexEntry]) -> dict[str, list[IndexEntry]]:
    """The entries of each segment, segments in order."""
    entries: dict[str, list[IndexEntry]] = defaultdict(list)
    for entry in index:
        entries[entry.location.segment].append(entry)
    return dict(sorted(entries.items()))


def jobs_of(raw: Path, entries: Mapping[str, Sequence[IndexEntry]]) -> list[Job]:
    """The entries of each segment in jobs of BATCH; all bytes of a segment are in one file."""
    return [
        (raw / snapshots[0].place.segment, tuple(snapshots[start : start + BATCH]))
        for snapshots in entries.values()
        for start in range(0, len(snapshots), BATCH)
    ]


def _whole_segments(
    jobs: Sequence[Job],
    entries: Mapping[str, Sequence[IndexEntry]],
    advance: Advance,
    total: int,
    failures: FailureLog,
) -> Iterator[tuple[str, list[RecordRow]]]:
    """Each segment's observations, as soon as the last of them is read."""
    yield from ((segment, []) for segment, snapshots in entries.items() if not snapshots)
    rows: dict[str, list[RecordRow]] = defaultdict(list)
    for done, row in enumerate(read_pages(jobs, cores(), failures), start=1):
        rows[row.segment].append(row)
        if len(rows[row.segment]) == len(entries[row.segment]):
            yield row.segment, rows.pop(row.segment)
        advance(done, total)


def _in_order(rows: Iterable[RecordRow]) -> list[RecordRow]:
    return sorted(rows, key=lambda row: row.segment_offset)
