"""Extracts raw segments into record files on all cores, in jobs of JOB consecutive snapshots of a segment.

If this program fails on a snapshot, its earlier reading is kept, so that no bug or busy machine removes rows.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path

import msgspec
from msgspec import structs

from verdicts.extract.declarations import NOTHING_DECLARED, Declarations
from verdicts.extract.model.records import FAILURES, Comparison, Observation, Reject
from verdicts.extract.panel.profile import Profiles
from verdicts.fetch.model.errors import StoreDamaged
from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.build_manifest import read_manifest, write_manifest
from verdicts.pipeline.build.record_files import (
    files_with,
    has_footer,
    observed_in,
    read_at,
    read_records,
    record_file,
    write_records,
)
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.progress import Advance, say, step
from verdicts.pipeline.recipes import read_declarations
from verdicts.pipeline.workers.pool import Job, RecordRow, cores, read_pages, record_row

JOB = 64
"""Some seconds of work at most, which keeps a pool of any size busy."""


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
    wanted = {
        segment: record_file(records, segment, len(snapshots), declared) for segment, snapshots in entries.items()
    }
    whole = {segment for segment, path in wanted.items() if has_footer(path)}
    for segment in wanted.keys() - whole:
        if wanted[segment].exists():
            say(f"{wanted[segment]} cannot be read; its segment is read again")
    unread = {segment: entries[segment] for segment in wanted if anew or segment not in whole}
    stale = Segments(raw, records, unread, declared)
    advance(0, stale.pages)
    # One batch, so that the jobs of all segments keep the cores busy.
    extract_segments(
        stale, into=records, workers=cores(), failures=failures, read=lambda done: advance(done, stale.pages)
    )
    return list(wanted.values())


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
    for segment, rows in _whole_segments(batch, workers, failures, read):
        snapshots = batch.entries[segment]
        before = record_file(batch.records, segment, len(snapshots), batch.declared)
        # Keep what was extracted from a record before it was damaged.
        lost = {entry.location for entry in snapshots if entry.is_lost}
        kept = read_at([before], lost) if lost and has_footer(before) else ()
        held = [record_row(item, batch.declared.profiles) for item in kept]
        path = record_file(into, segment, len(snapshots), batch.declared)
        together = [*with_earlier_readings(rows, batch.records, batch.declared.profiles), *held]
        write_records(path, sorted(together, key=lambda row: row.segment_offset))
        written.append(path)
    return written


def by_segment(index: Iterable[IndexEntry]) -> dict[str, list[IndexEntry]]:
    entries: dict[str, list[IndexEntry]] = defaultdict(list)
    for entry in index:
        entries[entry.location.segment].append(entry)
    return dict(sorted(entries.items()))


def jobs_of(raw: Path, entries: Mapping[str, Sequence[IndexEntry]]) -> list[Job]:
    return [
        (raw / snapshots[0].location.segment, tuple(snapshots[start : start + JOB]))
        for snapshots in entries.values()
        for start in range(0, len(snapshots), JOB)
    ]


def _whole_segments(
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
    jobs = jobs_of(batch.raw, unread)
    for done, row in enumerate(read_pages(jobs, workers, failures, batch.declared), start=1):
        rows[row.segment].append(row)
        if len(rows[row.segment]) == len(unread[row.segment]):
            yield row.segment, rows.pop(row.segment)
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
    earlier = _earlier(sorted(files_with(records.glob("*.parquet"), failed)), failed, profiles)
    return [earlier.get(Location(row.segment, row.segment_offset), row) for row in rows]


def _earlier(files: Sequence[Path], failed: Mapping[Location, Reject], profiles: Profiles) -> dict[Location, RecordRow]:
    """The newest file wins. Files may be damaged, or have the form of an earlier version."""
    found: dict[Location, RecordRow] = {}
    for file in sorted(files, key=lambda file: file.stat().st_mtime_ns):
        with suppress(StoreDamaged, msgspec.MsgspecError):
            read = [stored.observation for stored in observed_in(file) if stored.kind != "reject"]
            for observation in read:
                failure, extracted = failed.get(observation.location), observation.extracted
                is_known = not isinstance(extracted, Comparison) or extracted.profile in profiles
                if failure is not None and is_known:
                    found[observation.location] = record_row(replace(observation, failure=failure), profiles)
    return found


@dataclass(frozen=True, slots=True)
class Replayed:
    """A reject that was read again. `before` is its reason, `now` is `comparison`, `document` or a reason."""

    url: str
    location: Location
    before: str
    now: str

    @property
    def is_changed(self) -> bool:
        return self.before != self.now


def replay(store: Store, folder: DataFolder, *, keep: bool) -> list[Replayed]:
    """Reads every reject again, from the raw store.

    With `keep`, writes the new readings to the record files, which the next build reviews as new. A crash in between
    costs one build without changes.
    """
    files = sorted(folder.records.glob("*.parquet"))
    observed = read_records(files)
    rejects = {item.location: item for item in observed if item.failure or isinstance(item.extracted, Reject)}
    entries = [entry for entry in store.index() if entry.location in rejects and not entry.is_lost]
    declared = read_declarations(folder)
    jobs = jobs_of(folder.raw, by_segment(entries))
    observations: dict[Location, Observation] = {}
    with step("replay", "rejects") as advance:
        advance(0, len(entries))
        for done, row in enumerate(read_pages(jobs, cores(), FailureLog(), declared), start=1):
            observation = row.observation
            observations[observation.location] = observation
            advance(done, len(entries))
    replayed = [
        Replayed(rejects[location].url, location, _outcome(rejects[location]), _outcome(observation))
        for location, observation in sorted(observations.items(), key=itemgetter(0))
    ]
    changed = {item.location: observations[item.location] for item in replayed if item.is_changed}
    if keep and changed:
        _keep(folder, files, changed, declared.profiles)
    return replayed


def count_outcomes(replayed: Sequence[Replayed]) -> list[tuple[str, str, int, str]]:
    """Rows of reason before, outcome now, count, and one address. The most frequent come first."""
    counts = Counter((item.before, item.now) for item in replayed)
    examples = {(item.before, item.now): item.url for item in reversed(replayed)}
    return [(*outcomes, count, examples[outcomes]) for outcomes, count in counts.most_common()]


def _outcome(observation: Observation) -> str:
    extracted = observation.failure or observation.extracted
    return extracted.reason if isinstance(extracted, Reject) else type(extracted).__name__.lower()


def _keep(folder: DataFolder, files: Sequence[Path], changed: dict[Location, Observation], profiles: Profiles) -> None:
    records = {file: list(read_records([file])) for file in files_with(files, changed)}
    manifest = read_manifest(folder.build_manifest)
    if manifest is not None:
        # First of all: the build ignores files that change under a name in the manifest.
        rewritten = {file.name for file in records}
        kept = tuple(name for name in manifest.inputs.files if name not in rewritten)
        inputs = structs.replace(manifest.inputs, files=kept)
        write_manifest(folder.build_manifest, structs.replace(manifest, inputs=inputs))
    for file, observations in records.items():
        rows = [record_row(changed.get(item.location, item), profiles) for item in observations]
        write_records(file, with_earlier_readings(rows, file.parent, profiles))
