"""Extraction past one machine: each batch is a segment, and its record file becomes an object in the store.

The code per segment is that of one machine (`build.extraction.extract_segments`), and so are the bytes.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

from verdicts.extract.declarations import NOTHING_DECLARED, Declarations
from verdicts.fetch.model.snapshot import IndexEntry
from verdicts.fetch.objects import Objects, download, open_objects, scratch_folder
from verdicts.fetch.store import checksums
from verdicts.pipeline.build.extraction import Segments, extract_segments
from verdicts.pipeline.build.record_files import begin_of, record_file
from verdicts.pipeline.engine.engine import Engine
from verdicts.pipeline.failure_log import Failure, FailureLog
from verdicts.pipeline.progress import Advance
from verdicts.pipeline.scale.shipping import index_entries, index_object, local_root, put_records, segment_of


class Batch(NamedTuple):
    """A segment in a store, its number of snapshots, and its earlier record objects, oldest version first.

    `is_anew` replaces an object of the present version.
    """

    store: str
    segment: str
    snapshots: int
    before: tuple[str, ...]
    is_anew: bool
    declared: Declarations

    def __str__(self) -> str:
        return f"extract {begin_of(self.segment)}"


class Done(NamedTuple):
    """A finished batch, and the failures of this program."""

    batch: Batch
    failures: tuple[Failure, ...]


def extract_at_scale(
    objects: Objects,
    engine: Engine,
    failures: FailureLog,
    advance: Advance,
    *,
    declared: Declarations = NOTHING_DECLARED,
    anew: bool = False,
) -> list[str]:
    """The record object of every indexed segment, in order.

    Reads segments without a present record object, or all with `anew`. If this program fails on a snapshot, its earlier
    reading is kept. Raises `StoreDamaged` for a damaged record, `StorageFailed`, `EngineFailed`.
    """
    segments = dict(sorted(map(segment_of, objects.names("index/"))))
    there = {*objects.names("records/")}
    before = _by_segment(there)
    names = {
        segment: f"records/{record_file(Path(), segment, snapshots, declared).name}"
        for segment, snapshots in segments.items()
    }
    batches = [
        Batch(objects.url, segment, snapshots, before.get(begin_of(segment), ()), anew, declared)
        for segment, snapshots in segments.items()
        if anew or not {names[segment], names[segment] + checksums.SUFFIX} <= there
    ]
    done, total = 0, sum(batch.snapshots for batch in batches)
    advance(0, total)
    for result in engine.run(extract_segment, batches):
        for failure in result.failures:
            failures.add(*failure)
        done += result.batch.snapshots
        advance(done, total)
    return [*names.values()]


def extract_segment(batch: Batch) -> Done:
    """Creates the record object of a segment, if it does not exist.

    Uses one worker process, because an engine runs one batch per core. Raises like `extract_at_scale`.
    """
    objects, failures = open_objects(batch.store), FailureLog(is_logged=False)
    entries = index_entries(objects.read(index_object(batch.segment, batch.snapshots)))
    with scratch_folder() as folder:
        segments = _in_files(objects, batch, entries, folder)
        (written,) = extract_segments(segments, into=folder, workers=1, failures=failures, read=lambda _: None)
        put_records(objects, written, is_anew=batch.is_anew)
    return Done(batch, tuple(failures.failures))


def _in_files(objects: Objects, batch: Batch, entries: Sequence[IndexEntry], folder: Path) -> Segments:
    """The segment in its folder, or downloaded from a bucket."""
    root = local_root(objects)
    if root is None:
        root = folder / "store"
        if not all(entry.is_lost for entry in entries):
            download(objects, f"raw/{batch.segment}", root / "raw" / batch.segment)
        for name in batch.before:
            download(objects, name, root / name)
            # An object is complete. A file counts as complete only with a digest.
            checksums.note(root / name)
    return Segments(root / "raw", root / "records", {batch.segment: entries}, batch.declared)


def _by_segment(records: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The record objects of each segment, oldest version first."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in records:
        if name.endswith(".parquet"):
            found[begin_of(PurePath(name).name)].append(name)
    return {begin: tuple(sorted(names, key=_version)) for begin, names in found.items()}


def _version(name: str) -> tuple[int, ...]:
    """`records/20261101T013000Z-0001-00001.v5-11-1.n20.parquet`: (5, 11, 1)."""
    return tuple(map(int, re.findall(r"\d+", PurePath(name).name.split(".")[1])))
