"""Append-only segments. A record counts once its end is committed in the state; what lies behind is cut off."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from fetch.model.snapshot import Location
from fetch.store.warc import info_frame

SEGMENT_BYTES = 256_000_000
"""A segment is closed past this size; it is also the unit of work past one machine."""
SUFFIX = ".warc.zst"
SOFTWARE = "verdicts/0.1"


class SegmentWriter:
    """Writes the segments of one crawl. Nothing is durable before `sync`."""

    def __init__(self, folder: Path, crawl_id: str) -> None:
        self._folder = folder
        self._crawl_id = crawl_id
        self._fd: int | None = None
        self._segment = ""
        self._sizes: dict[str, int] = {}
        self._is_dirty = False

    def append(self, frame: bytes) -> Location:
        """Writes a record."""
        if self._fd is None or self._sizes[self._segment] >= SEGMENT_BYTES:
            self._open_next()
        location = Location(self._segment, self._sizes[self._segment])
        self._write(frame)
        return location

    def sync(self) -> Mapping[str, int]:
        """Makes every record durable; gives the size of each segment, for the caller to commit."""
        if self._fd is not None and self._is_dirty:
            os.fdatasync(self._fd)
            self._is_dirty = False
        return self._sizes

    def close(self) -> None:
        """Ends the present segment; the next record begins another."""
        self.sync()
        self._release()

    def abandon(self) -> None:
        """Ends the present segment after a failure: what it holds without a commit is cut off on the next open."""
        self._sizes.pop(self._segment, None)
        self._release()

    def _release(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _open_next(self) -> None:
        self.close()
        taken = [path.name for path in self._folder.glob(f"{self._crawl_id}-*{SUFFIX}")]
        self._segment = f"{self._crawl_id}-{len(taken) + 1:05d}{SUFFIX}"
        self._fd = os.open(self._folder / self._segment, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        self._sizes[self._segment] = 0
        self._write(info_frame(self._crawl_id, SOFTWARE))
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _write(self, frame: bytes) -> None:
        assert self._fd is not None
        self._is_dirty = True
        view = memoryview(frame)
        while view:
            view = view[os.write(self._fd, view) :]
        self._sizes[self._segment] += len(frame)


def cut_tails(folder: Path, aside: Path, committed: Mapping[str, int], crawls: Collection[str]) -> None:
    """Removes what a crash left behind the last committed record, and the segments of `crawls` without any.

    A segment of a crawl that the state has never heard of is no crash's: the state was lost or put back from a copy. It
    goes to `aside`, from where `verdicts ingest` takes it in again.
    """
    for path in folder.glob(f"*{SUFFIX}"):
        size = committed.get(path.name, 0)
        if size and path.stat().st_size > size:
            os.truncate(path, size)
        elif not size and path.name.rpartition("-")[0] in crawls:
            path.unlink()
        elif not size:
            aside.mkdir(exist_ok=True)
            path.rename(aside / path.name)
