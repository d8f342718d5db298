"""From the data folder of a machine that crawls into the store that all machines read: segments, and their index.

The index of a segment says what is known of its snapshots: a build needs no state of the crawling machine.
`index/20261101T013000Z-0001-00001.n20.parquet` is of the segment of that name and 20 snapshots; as in the name of its
record file the number says which work there is, with nothing opened.
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
from verdicts.fetch.store.reader import StoreReader
from verdicts.fetch.store.segments import SUFFIX
from verdicts.pipeline.build.extraction import by_segment
from verdicts.pipeline.build.record_files import is_whole, record_file
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.progress import Advance
from verdicts.pipeline.recipes import read_recipes

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
    """How many segments were created in the store, their bytes, and how many indexes of segments."""

    files: int
    bytes: int
    indexes: int


def local_root(objects: Objects) -> Path | None:
    """The folder of a store that is one; None for a bucket."""
    return Path(objects.url).resolve() if isinstance(objects, FolderObjects) else None


def ship(store: StoreReader, folder: DataFolder, objects: Objects, advance: Advance) -> Shipped:
    """Creates in the store what is not there yet; what a run is still writing waits for its end.

    Records are compared with their digests on the way. Raises `StoreDamaged` for one that is not as it was written: its
    segment is not shipped before 'verdicts repair' has seen to it. A record that is lost stays so, with what was read
    from it before; what is lost later is in the store as it was shipped. Raises `StorageFailed`.
    """
    running = {crawl.crawl_id for crawl in store.crawls() if crawl.status == "running"}
    closed = {file: size for file, size in _files(store) if _run_of(file) not in running}
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
        objects.create_from(f"raw/{file}", folder.raw / file)
        advance(done, len(files))
    _ship_records_of_lost(new, folder, objects)
    return Shipped(len(files), sum(files.values()), _ship_index(new, objects))


def _files(store: StoreReader) -> list[tuple[str, int]]:
    """Segments in order, and their bytes."""
    return store.state.execute("SELECT segment, size FROM segments WHERE size > 0 ORDER BY segment").fetchall()


def _run_of(segment: str) -> str:
    return segment.rpartition("-")[0]


def _ship_index(index: Mapping[str, Sequence[IndexEntry]], objects: Objects) -> int:
    """After the segments: who sees the index of one knows that it is there."""
    return sum(
        objects.create(index_object(segment, len(entries)), index_bytes(entries)) for segment, entries in index.items()
    )


def _index_anew(index: Mapping[str, Sequence[IndexEntry]], objects: Objects) -> int:
    """In the data folder itself a repair gives records up."""
    written = 0
    for segment, entries in index.items():
        name, content = index_object(segment, len(entries)), index_bytes(entries)
        if objects.read(name) != content:
            objects.remove(name)
            written += objects.create(name, content)
    return written


def _ship_records_of_lost(index: Mapping[str, Sequence[IndexEntry]], folder: DataFolder, objects: Objects) -> None:
    """What was read from a record before it was lost cannot be read from the store."""
    recipes = read_recipes(folder.recipes)
    for segment, entries in index.items():
        path = record_file(folder.records, segment, len(entries), recipes)
        if any(entry.is_lost for entry in entries) and is_whole(path):
            put_records(objects, path)


def put_records(objects: Objects, path: Path, *, is_anew: bool = False) -> None:
    """Creates a record file and its digest in the store; where another was first, it is that one's digest.

    `is_anew`: another one is replaced.
    """
    name, digest = f"records/{path.name}", f"records/{path.name}{checksums.SUFFIX}"
    is_ours = objects.create_from(name, path)
    if not is_ours and is_anew and objects.read(name) != path.read_bytes():
        objects.remove(digest)
        objects.remove(name)
        is_ours = objects.create_from(name, path)
    sha256 = checksums.sha256_of(path) if is_ours else hashlib.sha256(objects.read(name)).hexdigest()
    objects.create(digest, checksums.line(sha256, path.name))


def index_object(segment: str, snapshots: int) -> str:
    """The object that has the index of a segment."""
    return f"index/{segment.removesuffix(SUFFIX)}.n{snapshots}.parquet"


def segment_of(name: str) -> tuple[str, int]:
    """The segment whose index an object has, and how many snapshots of it there are."""
    begin, count, _ = PurePath(name).name.rsplit(".", 2)
    return begin + SUFFIX, int(count.removeprefix("n"))


def index_bytes(entries: Sequence[IndexEntry]) -> bytes:
    """The entries of one segment as Parquet, the same bytes for the same entries."""
    written, others = BytesIO(), attrgetter(*INDEX_SCHEMA.names()[2:])
    rows = [(*entry.location, *others(entry)) for entry in entries]
    pl.DataFrame(rows, schema=INDEX_SCHEMA, orient="row").write_parquet(written, compression="zstd")
    return written.getvalue()


def index_entries(content: bytes) -> list[IndexEntry]:
    """The entries again."""
    rows = pl.read_parquet(BytesIO(content)).iter_rows()
    return [IndexEntry(Location(segment, offset), *others) for segment, offset, *others in rows]
