"""Append-only segments. A record counts once its end is committed in the state; what lies behind is cut off."""

import os
from collections.abc import Mapping
from pathlib import Path

from fetch.snapshot import Location
from fetch.warc import info_frame

SEGMENT_BYTES = 256_000_000
"""A segment is closed past this size; it is also the unit of work past one machine."""
SUFFIX = ".warc.zst"
SOFTWARE = "verdicts/0.1"


class SegmentWriter:
    """Writes the segments of one crawl. `committed` says how many bytes of each the state vouches for."""

    def __init__(self, folder: Path, crawl_id: str) -> None:
        self._folder = folder
        self._crawl_id = crawl_id
        self._fd: int | None = None
        self._size = 0
        self.segment = ""

    def append(self, frame: bytes) -> Location:
        """Writes a record and makes it durable; the caller commits its location after that."""
        if self._fd is None or self._size >= SEGMENT_BYTES:
            self._open_next()
        location = Location(self.segment, self._size)
        self._write(frame)
        return location

    @property
    def size(self) -> int:
        """Bytes of the present segment."""
        return self._size

    def close(self) -> None:
        """Ends the present segment."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _open_next(self) -> None:
        self.close()
        taken = [path.name for path in self._folder.glob(f"{self._crawl_id}-*{SUFFIX}")]
        self.segment = f"{self._crawl_id}-{len(taken) + 1:05d}{SUFFIX}"
        self._fd = os.open(self._folder / self.segment, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        self._size = 0
        self._write(info_frame(self._crawl_id, SOFTWARE))
        folder = os.open(self._folder, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def _write(self, frame: bytes) -> None:
        assert self._fd is not None
        view = memoryview(frame)
        while view:
            written = os.write(self._fd, view)
            view = view[written:]
        os.fdatasync(self._fd)
        self._size += len(frame)


def cut_tails(folder: Path, committed: Mapping[str, int]) -> None:
    """Removes what a crash left behind the last committed record, and segments without any."""
    for path in folder.glob(f"*{SUFFIX}"):
        size = committed.get(path.name, 0)
        if size == 0:
            path.unlink()
        elif path.stat().st_size > size:
            os.truncate(path, size)
