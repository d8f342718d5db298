"""Extracts raw segments into record files, on all cores for many pages.

If this program fails on a snapshot, its earlier reading is kept, so that no bug or busy machine removes rows.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from verdicts.extract.declarations import NOTHING_DECLARED, Declarations
from verdicts.extract.model.records import FAILURES, Comparison, Reject
from verdicts.extract.panel.profile import Profiles
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.pipeline.build.record_files import (
    files_with,
    has_footer,
    read_at,
    read_observations,
    record_file,
    write_records,
)
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.progress import Advance, say
from verdicts.pipeline.workers.pool import count_cores, read_pages
from verdicts.pipeline.workers.record_rows import RecordRow, make_record_row

PAGES_A_WORKER = 256
"""A further worker for so many pages: one takes 0.7 s of a core to start, and 0.004 s for a page."""


@dataclass(frozen=True, slots=True)
class Segments:
    """A batch of extraction: segments, the folders of their bytes and earlier records, and what is declared."""

    raw: Path
    records: Path
    entries: Mapping[str, Sequence[IndexEntry]]
    declared: Declarations

    @property
    def pages(self) -> int:
        return sum(not entry.is_lost for snapshots in self.entries.values() for entry in snapshots)


def bring_records_up_to_date(
    index: Sequence[IndexEntry],
    raw: Path,
    records: Path,
    advance: Advance,
    failures: FailureLog,
    *,
    declared: Declarations = NOTHING_DECLARED,
    anew: bool = False,
) -> list[Path]:
    """The record file of every segment, in order.

    Reads segments whose file is missing or damaged, or all of them with `anew`. If this program fails on a snapshot,
    its earlier reading is kept. Files of earlier versions stay for comparison (`reread.check_reread`). Raises
    `StoreDamaged` for a damaged record.
    """
    records.mkdir(parents=True, exist_ok=True)
    entries = by_segment(index)
    paths = {segment: record_file(records, segment, len(snapshots), declared) for segment, snapshots in entries.items()}
    whole = {segment for segment, path in paths.items() if has_footer(path)}
    for segment in paths.keys() - whole:
        if paths[segment].exists():
            say(f"{paths[segment]} cannot be read; its segment is read again")
    unread = {segment: entries[segment] for segment in paths if anew or segment not in whole}
    stale = Segments(raw, records, unread, declared)
    advance(0, stale.pages)
    workers = min(count_cores(), 1 + stale.pages // PAGES_A_WORKER)
    # One batch, so that the jobs of all segments keep the cores busy.
    extract_segments(
        stale, into=records, workers=workers, failures=failures, read=lambda done: advance(done, stale.pages)
    )
    return list(paths.values())


def extract_segments(
    batch: Segments,
    *,
    into: Path,
    workers: int,
    failures: FailureLog,
    read: Callable[[int], None],
) -> list[Path]:
    """Writes the record file of each segment into `into` when its last page is read.

    Calls `read` with the number of pages after each page. Raises `StoreDamaged` for a damaged record.
    """
    written = []
    for segment, rows in _read_whole_segments(batch, workers, failures, read):
        snapshots = batch.entries[segment]
        before = record_file(batch.records, segment, len(snapshots), batch.declared)
        # Keep what was extracted from a record before it was damaged.
        lost = {entry.location for entry in snapshots if entry.is_lost}
        readings = read_at([before], lost) if lost and has_footer(before) else ()
        before_damage = [make_record_row(item, batch.declared.profiles) for item in readings]
        path = record_file(into, segment, len(snapshots), batch.declared)
        together = [*with_earlier_readings(rows, batch.records, batch.declared.profiles), *before_damage]
        write_records(path, sorted(together, key=lambda row: row.stored.location))
        written.append(path)
    return written


def by_segment(index: Iterable[IndexEntry]) -> dict[str, list[IndexEntry]]:
    entries: dict[str, list[IndexEntry]] = defaultdict(list)
    for entry in index:
        entries[entry.location.segment].append(entry)
    return dict(sorted(entries.items()))


def _read_whole_segments(
    batch: Segments,
    workers: int,
    failures: FailureLog,
    read: Callable[[int], None],
) -> Iterator[tuple[str, list[RecordRow]]]:
    unread = {
        segment: [entry for entry in snapshots if not entry.is_lost] for segment, snapshots in batch.entries.items()
    }
    yield from ((segment, []) for segment, snapshots in unread.items() if not snapshots)
    rows: dict[str, list[RecordRow]] = defaultdict(list)
    pages = [(batch.raw / segment, entry) for segment, entries in unread.items() for entry in entries]
    for done, row in enumerate(read_pages(pages, workers, failures, batch.declared), start=1):
        segment = row.stored.segment
        rows[segment].append(row)
        if len(rows[segment]) == len(unread[segment]):
            yield segment, rows.pop(segment)
        read(done)


def with_earlier_readings(rows: Sequence[RecordRow], records: Path, profiles: Profiles) -> list[RecordRow]:
    """The rows of a segment. Failed ones are replaced by their earlier readings in `records`, if any.

    An earlier reading counts only if its profile is still declared.
    """
    rejects = [row.observation for row in rows if row.kind == "reject"]
    failed = {
        item.location: item.extracted
        for item in rejects
        if isinstance(item.extracted, Reject) and item.extracted.reason in FAILURES
    }
    if not failed:
        return [*rows]
    earlier = _find_earlier_readings(sorted(files_with(records.glob("*.parquet"), failed)), failed, profiles)
    return [earlier.get(row.stored.location, row) for row in rows]


def _find_earlier_readings(
    files: Sequence[Path], failed: Mapping[Location, Reject], profiles: Profiles
) -> dict[Location, RecordRow]:
    """The newest file wins. Files may be damaged, or have the form of an earlier version."""
    earlier: dict[Location, RecordRow] = {}
    for file in sorted(files, key=lambda file: file.stat().st_mtime_ns):
        with suppress(StoreDamaged, msgspec.MsgspecError):
            read = [stored.observation for stored in read_observations(file) if stored.kind != "reject"]
            for observation in read:
                failure, extracted = failed.get(observation.location), observation.extracted
                is_known = not isinstance(extracted, Comparison) or extracted.profile in profiles
                if failure is not None and is_known:
                    earlier[observation.location] = make_record_row(replace(observation, failure=failure), profiles)
    return earlier
