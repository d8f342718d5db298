"""Extraction past one machine: each batch is a segment, and its record file becomes an object in the store.

The code per segment is that of one machine (`build.extraction.extract_segments`), and so are the bytes. Segments come
from crawling machines, each with an index of its snapshots, so a build does not need the state of such a machine.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
from isal import isal_zlib

from verdicts.extract.declarations import NOTHING_DECLARED, Declarations
from verdicts.fetch.archives.archive_records import GZIP_FORMAT
from verdicts.fetch.care.store_verification import check_segment
from verdicts.fetch.model.snapshot import IndexEntry
from verdicts.fetch.objects import FolderObjects, Objects, download, open_objects
from verdicts.fetch.store.reader import StoreReader, list_segments
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.warc import pack_member
from verdicts.pipeline.build.extraction import Segments, by_segment, extract_segments
from verdicts.pipeline.build.record_files import cut_suffixes, has_footer, record_file
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.declaration_files import read_declarations
from verdicts.pipeline.engine.engine import Engine
from verdicts.pipeline.logs import Failure, FailureLog
from verdicts.pipeline.progress import Advance, say
from verdicts.pipeline.scale.address_changes import send_changes


def find_local_root(objects: Objects) -> Path | None:
    """The folder of a local store. None for a bucket."""
    return Path(objects.url).resolve() if isinstance(objects, FolderObjects) else None


def ship(store: StoreReader, folder: DataFolder, objects: Objects, advance: Advance) -> int:
    """Copies new segments with their indexes, and what the state knows of addresses. Returns the number of segments.

    Segments of running crawls wait. Records are verified on the way. Raises `StoreDamaged` for a damaged record; its
    segment is copied after 'verdicts repair'. Lost records keep their earlier readings. Segments already in the store
    stay as they are. Raises `StorageFailed`.
    """
    running = tuple(f"{crawl.crawl_id}-" for crawl in store.read_crawls() if crawl.status == "running")
    index = {segment: of for segment, of in by_segment(store.index()).items() if not segment.startswith(running)}
    is_own = find_local_root(objects) == folder.root.resolve()
    there = {name.removeprefix("raw/") for name in objects.names("raw/")}
    closed = (entry for entry in list_segments(store.state) if not entry[0].startswith(running))
    files = {} if is_own else {file: size for file, size in closed if file not in there}
    advance(0, len(files))
    for done, (file, size) in enumerate(files.items(), start=1):
        check_segment(store, file, size)
        objects.create(f"raw/{file}", folder.raw / file)
        advance(done, len(files))
    indexed = {*objects.names("index/")}
    new = {segment: of for segment, of in index.items() if name_index_object(segment, len(of)) not in indexed}
    if not is_own:
        _ship_lost_records(new, folder, objects)
        send_changes(store, objects)
    # Last, because an index promises its segment. In the data folder itself, a repair may give up records later.
    for segment, entries in index.items():
        if segment in new or (is_own and any(entry.is_lost for entry in entries)):
            put_object(objects, name_index_object(segment, len(entries)), pack_index(entries), is_anew=is_own)
    if files:
        say(f"{len(files):,} segments of {sum(files.values()):,} bytes are in {objects.url} now")
    return len(files)


def _ship_lost_records(index: Mapping[str, Sequence[IndexEntry]], folder: DataFolder, objects: Objects) -> None:
    """Copies earlier readings of lost records, which cannot be read from the store."""
    declared = read_declarations(folder)
    for segment, entries in index.items():
        path = record_file(folder.records, segment, len(entries), declared)
        if any(entry.is_lost for entry in entries) and has_footer(path):
            objects.create(f"records/{path.name}", path)


def put_object(objects: Objects, name: str, content: bytes, *, is_anew: bool) -> None:
    """Creates an object. `is_anew` replaces another one of this name."""
    if not objects.create(name, content) and is_anew and objects.read(name) != content:
        objects.remove(name)
        objects.create(name, content)


def name_index_object(segment: str, snapshots: int) -> str:
    """The object with the index of a segment: names alone show what to do."""
    return f"index/{segment.removesuffix(SUFFIX)}.n{snapshots}.json.gz"


def parse_index_name(name: str) -> tuple[str, int]:
    """The segment of an index object, and its number of snapshots."""
    begin, _, count = PurePath(name).name.removesuffix(".json.gz").rpartition(".n")
    return begin + SUFFIX, int(count)


def pack_index(entries: Sequence[IndexEntry]) -> bytes:
    """The index of a segment. Equal entries give equal bytes."""
    return pack_member(msgspec.json.encode(entries))


def read_index(content: bytes) -> list[IndexEntry]:
    return msgspec.json.decode(isal_zlib.decompress(content, GZIP_FORMAT), type=list[IndexEntry])


class Batch(NamedTuple):
    """A segment in a store, and its number of snapshots. `is_anew` replaces its record object of this version."""

    store: str
    segment: str
    snapshots: int
    is_anew: bool
    declared: Declarations

    def __str__(self) -> str:
        return f"extract {cut_suffixes(self.segment)}"


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
    segments = dict(sorted(map(parse_index_name, objects.names("index/"))))
    there = {*objects.names("records/")}
    names = {
        segment: f"records/{record_file(Path(), segment, snapshots, declared).name}"
        for segment, snapshots in segments.items()
    }
    batches = [
        Batch(objects.url, segment, snapshots, anew, declared)
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
    entries = read_index(objects.read(name_index_object(batch.segment, batch.snapshots)))
    with TemporaryDirectory(prefix="verdicts-batch-") as name:
        folder = Path(name)
        segments = _download_segment(objects, batch, entries, folder)
        (written,) = extract_segments(segments, into=folder, workers=1, failures=failures, read=lambda _: None)
        put_object(objects, f"records/{written.name}", written.read_bytes(), is_anew=batch.is_anew)
    return batch.snapshots, failures.failures


def _download_segment(objects: Objects, batch: Batch, entries: Sequence[IndexEntry], folder: Path) -> Segments:
    """The segment in its folder, or downloaded from a bucket."""
    root = find_local_root(objects)
    if root is None:
        root = folder / "store"
        if not all(entry.is_lost for entry in entries):
            download(objects, f"raw/{batch.segment}", root / "raw" / batch.segment)
        for name in objects.names(f"records/{cut_suffixes(batch.segment)}."):
            download(objects, name, root / name)
    return Segments(root / "raw", root / "records", {batch.segment: entries}, batch.declared)
