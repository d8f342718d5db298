"""Extraction past one machine: each batch is a segment, and its record file becomes an object in the store.

The code per segment is that of one machine (`build.extraction.extract_segments`), and so are the bytes. Segments come
from crawling machines, each with an index of its snapshots, so a build does not need the state of such a machine.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from operator import attrgetter
from pathlib import Path, PurePath
from typing import NamedTuple

import polars as pl

from verdicts.extract.declarations import NOTHING_DECLARED, Declarations
from verdicts.fetch.care.verify import check_segment
from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.fetch.objects import FolderObjects, Objects, download, open_objects, scratch_folder
from verdicts.fetch.store.reader import StoreReader, segments_in
from verdicts.fetch.store.segments import SUFFIX
from verdicts.pipeline.build.extraction import Segments, by_segment, extract_segments
from verdicts.pipeline.build.record_files import begin_of, has_footer, record_file
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import Engine
from verdicts.pipeline.logs import Failure, FailureLog
from verdicts.pipeline.progress import Advance
from verdicts.pipeline.recipes import read_declarations
from verdicts.pipeline.scale.address_changes import send_changes

INDEX_SCHEMA = pl.Schema(
    {
        "segment": pl.String(),
        "segment_offset": pl.Int64(),
        "url": pl.String(),
        "final_url": pl.String(),
        "fetched_at": pl.Datetime("us", "UTC"),
        "crawl_id": pl.String(),
        "sha256": pl.String(),
        "media_type": pl.String(),
        "is_lost": pl.Boolean(),
    }
)


@dataclass(frozen=True, slots=True)
class Shipped:
    """The segments created in the store, their bytes, and the number of indexes created."""

    files: int
    bytes: int
    indexes: int


def local_root(objects: Objects) -> Path | None:
    """The folder of a local store. None for a bucket."""
    return Path(objects.url).resolve() if isinstance(objects, FolderObjects) else None


def ship(store: StoreReader, folder: DataFolder, objects: Objects, advance: Advance) -> Shipped:
    """Copies new segments and indexes, and what the state knows of addresses. Segments of running crawls wait.

    Records are verified on the way. Raises `StoreDamaged` for a damaged record; its segment is copied after 'verdicts
    repair'. Lost records keep their earlier readings. Segments already in the store stay as they are. Raises
    `StorageFailed`.
    """
    running = {crawl.crawl_id for crawl in store.crawls() if crawl.status == "running"}
    closed = {file: size for file, size in segments_in(store.state) if _run_of(file) not in running}
    index = {segment: of for segment, of in by_segment(store.index()).items() if _run_of(segment) not in running}
    indexed = {*objects.names("index/")}
    new = {segment: of for segment, of in index.items() if index_object(segment, len(of)) not in indexed}
    if local_root(objects) == folder.root.resolve():
        repaired = {segment: of for segment, of in index.items() if any(entry.is_lost for entry in of)}
        return Shipped(0, 0, _ship_index(new, objects) + _index_anew(repaired, objects))
    there = {name.removeprefix("raw/") for name in objects.names("raw/")}
    files = {file: size for file, size in closed.items() if file not in there}
    advance(0, len(files))
    for done, (file, size) in enumerate(files.items(), start=1):
        check_segment(store, file, size)
        objects.create(f"raw/{file}", folder.raw / file)
        advance(done, len(files))
    _ship_records_of_lost(new, folder, objects)
    send_changes(store, objects)
    return Shipped(len(files), sum(files.values()), _ship_index(new, objects))


def _run_of(segment: str) -> str:
    return segment.rpartition("-")[0]


def _ship_index(index: Mapping[str, Sequence[IndexEntry]], objects: Objects) -> int:
    """Call it after the segments are copied, because an index promises its segment."""
    return sum(
        objects.create(index_object(segment, len(entries)), index_bytes(entries)) for segment, entries in index.items()
    )


def _index_anew(index: Mapping[str, Sequence[IndexEntry]], objects: Objects) -> int:
    """Replaces indexes in the data folder itself, where a repair may give up records."""
    written = 0
    for segment, entries in index.items():
        name, content = index_object(segment, len(entries)), index_bytes(entries)
        if objects.read(name) != content:
            objects.remove(name)
            written += objects.create(name, content)
    return written


def _ship_records_of_lost(index: Mapping[str, Sequence[IndexEntry]], folder: DataFolder, objects: Objects) -> None:
    """Copies earlier readings of lost records, which cannot be read from the store."""
    declared = read_declarations(folder)
    for segment, entries in index.items():
        path = record_file(folder.records, segment, len(entries), declared)
        if any(entry.is_lost for entry in entries) and has_footer(path):
            put_records(objects, path)


def put_records(objects: Objects, path: Path, *, is_anew: bool = False) -> None:
    """Creates a record file in the store. `is_anew` replaces another file."""
    name = f"records/{path.name}"
    if not objects.create(name, path) and is_anew and objects.read(name) != path.read_bytes():
        objects.remove(name)
        objects.create(name, path)


def index_object(segment: str, snapshots: int) -> str:
    """The object with the index of a segment: names alone show what to do."""
    return f"index/{segment.removesuffix(SUFFIX)}.n{snapshots}.parquet"


def segment_of(name: str) -> tuple[str, int]:
    """The segment of an index object, and its number of snapshots."""
    begin, count, _ = PurePath(name).name.rsplit(".", 2)
    return begin + SUFFIX, int(count.removeprefix("n"))


def index_bytes(entries: Sequence[IndexEntry]) -> bytes:
    """The index of a segment as Parquet. Equal entries give equal bytes."""
    written, others = BytesIO(), attrgetter(*INDEX_SCHEMA.names()[2:])
    rows = [(*entry.location, *others(entry)) for entry in entries]
    pl.DataFrame(rows, schema=INDEX_SCHEMA, orient="row").write_parquet(written, compression="zstd")
    return written.getvalue()


def index_entries(content: bytes) -> list[IndexEntry]:
    """The reverse of `index_bytes`."""
    rows = pl.read_parquet(BytesIO(content)).iter_rows()
    return [IndexEntry(Location(segment, offset), *others) for segment, offset, *others in rows]


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
        if anew or names[segment] not in there
    ]
    done, total = 0, sum(batch.snapshots for batch in batches)
    advance(0, total)
    for snapshots, failed in engine.run(extract_segment, batches):
        for failure in failed:
            failures.add(*failure)
        done += snapshots
        advance(done, total)
    return [*names.values()]


def extract_segment(batch: Batch) -> tuple[int, list[Failure]]:
    """Creates the record object of a segment, if it does not exist. Returns its snapshots, and failures of ours.

    Uses one worker process, because an engine runs one batch per core. Raises like `extract_at_scale`.
    """
    objects, failures = open_objects(batch.store), FailureLog(is_logged=False)
    entries = index_entries(objects.read(index_object(batch.segment, batch.snapshots)))
    with scratch_folder() as folder:
        segments = _in_files(objects, batch, entries, folder)
        (written,) = extract_segments(segments, into=folder, workers=1, failures=failures, read=lambda _: None)
        put_records(objects, written, is_anew=batch.is_anew)
    return batch.snapshots, failures.failures


def _in_files(objects: Objects, batch: Batch, entries: Sequence[IndexEntry], folder: Path) -> Segments:
    """The segment in its folder, or downloaded from a bucket."""
    root = local_root(objects)
    if root is None:
        root = folder / "store"
        if not all(entry.is_lost for entry in entries):
            download(objects, f"raw/{batch.segment}", root / "raw" / batch.segment)
        for name in batch.before:
            download(objects, name, root / name)
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
