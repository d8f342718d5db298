"""Append-only WARC segments. A record counts once the state holds its end; bytes after that are cut off on opening."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from verdicts.fetch.input_files import sync
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.store.warc import pack_info

SEGMENT_BYTES = 256_000_000
"""A segment is closed at this size."""
SUFFIX = ".warc.gz"
SOFTWARE = "verdicts/0.1"


class SegmentWriter:
    """Writes the segments of one run. Nothing is durable before `sync`."""

    def __init__(self, folder: Path, crawl_id: str, kind: str, written: int = 0) -> None:
        """`written`: how many segments the run has; some may be missing in the folder."""
        self._written = written
        self._folder = folder
        self._crawl_id = crawl_id
        self._kind = kind
        self._fd: int | None = None
        self._segment = ""
        self._first_record = 0
        self._sizes: dict[str, int] = {}
        self._is_dirty = False

    def append(self, record: bytes) -> Location:
        """Writes a record and returns its location."""
        if self._fd is None or self._sizes[self._segment] >= SEGMENT_BYTES:
            self._open_next()
        location = Location(self._segment, self._sizes[self._segment])
        self._write(record)
        return location

    @property
    def end(self) -> Location:
        """Where the next record of the current segment begins; without a segment, byte 0 of an empty name."""
        return Location(self._segment, self._sizes.get(self._segment, 0))

    def cut_to(self, end: Location) -> None:
        """Removes the records after `end`: the whole current segment if it is newer."""
        if self._fd is None:
            return
        size = end.offset if end.segment == self._segment else self._first_record
        os.ftruncate(self._fd, size)
        os.lseek(self._fd, size, os.SEEK_SET)
        self._sizes[self._segment] = size

    def sync(self) -> Mapping[str, int]:
        """Makes every record durable; returns each segment's size in bytes, to commit."""
        if self._fd is not None and self._is_dirty:
            os.fdatasync(self._fd)
            self._is_dirty = False
        return self._sizes

    def close(self) -> None:
        """Syncs and closes the current segment; the next record opens another."""
        self.sync()
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def abandon(self) -> None:
        """Closes the current segment without a sync after a failure; uncommitted records are cut off later."""
        self._sizes.pop(self._segment, None)
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _open_next(self) -> None:
        self.close()
        taken = [path.name for path in self._folder.glob(f"{self._crawl_id}-*{SUFFIX}")]
        self._written = max(self._written, len(taken)) + 1
        self._segment = f"{self._crawl_id}-{self._written:05d}{SUFFIX}"
        self._fd = os.open(self._folder / self._segment, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        self._sizes[self._segment] = 0
        self._write(pack_info(self._crawl_id, self._kind, SOFTWARE))
        self._first_record = self._sizes[self._segment]
        sync(self._folder)

    def _write(self, record: bytes) -> None:
        assert self._fd is not None
        self._is_dirty = True
        view = memoryview(record)
        while view:
            view = view[os.write(self._fd, view) :]
        self._sizes[self._segment] += len(record)


def cut_tails(folder: Path, committed: Mapping[str, int], crawls: Collection[str]) -> None:
    """Removes what a crash left after the last committed record, and segments of `crawls` without records.

    A segment of another crawl stays: the state was lost or restored from a copy, and `verdicts repair` adds it.
    """
    for path in folder.glob(f"*{SUFFIX}"):
        size = committed.get(path.name, 0)
        if size and path.stat().st_size > size:
            os.truncate(path, size)
        elif not size and path.name.rpartition("-")[0] in crawls:
            path.unlink()


def check_index(path: Path, folder: Path) -> None:
    """Raises `StoreDamaged` if the state is missing but its segments exist."""
    if not path.exists() and (segments := [*folder.glob(f"*{SUFFIX}")]):
        raise StoreDamaged(path, None, f"it is missing, but {folder} has {len(segments):,} segments of it")
