"""Copies segments and their index from a crawling machine to the store that all machines read.

The index lists the snapshots of a segment, so a build does not need the state of the crawling machine.
`index/20261101T013000Z-0001-00001.n20.parquet` is for the segment of that name with 20 snapshots, so names alone show
what to do.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from operator import attrgetter
from pathlib import Path, PurePath

import polars as pl

from verdicts.fetch.care.verify import check_segment
from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.fetch.objects import FolderObjects, Objects
from verdicts.fetch.store import checksums
from verdicts.fetch.store.reader import StoreReader, segments_in
from verdicts.fetch.store.segments import SUFFIX
from verdicts.pipeline.build.extraction import by_segment
from verdicts.pipeline.build.record_files import is_whole, record_file
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.progress import Advance
from verdicts.pipeline.recipes import read_declarations

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
    """Copies new segments and indexes. Segments of running crawls wait.

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
        if any(entry.is_lost for entry in entries) and is_whole(path):
            put_records(objects, path)


def put_records(objects: Objects, path: Path, *, is_anew: bool = False) -> None:
    """Creates a record file and its digest in the store. If another file was first, the digest is of that file.

    `is_anew` replaces another file.
    """
    name, digest = f"records/{path.name}", f"records/{path.name}{checksums.SUFFIX}"
    is_ours = objects.create(name, path)
    if not is_ours and is_anew and objects.read(name) != path.read_bytes():
        objects.remove(digest)
        objects.remove(name)
        is_ours = objects.create(name, path)
    sha256 = checksums.sha256_of(path) if is_ours else hashlib.sha256(objects.read(name)).hexdigest()
    objects.create(digest, checksums.line(sha256, path.name))


def index_object(segment: str, snapshots: int) -> str:
    """The name of the object with the index of a segment."""
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
