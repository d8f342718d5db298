"""Listed objects of a bucket as files for DuckDB.

DuckDB 2.0 has no extension for buckets; it accepts an fsspec file system from Python.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from io import RawIOBase
from typing import Any, ClassVar, NamedTuple

from fsspec import AbstractFileSystem

from verdicts.fetch.objects import Objects, Range

_UNCHANGING = datetime(2000, 1, 1, tzinfo=UTC)


class Known(NamedTuple):
    """An object and its size in bytes."""

    objects: Objects
    name: str
    size: int


class ObjectFiles(AbstractFileSystem):
    """Objects by their addresses, `s3://bucket/prefix/name`. Only for reading."""

    protocol: ClassVar[str] = "s3"
    cachable = False

    def __init__(self, known: Mapping[str, Known]) -> None:
        super().__init__()
        self._known = {_without_protocol(path): one for path, one in known.items()}

    def _of(self, path: str) -> Known:
        found = self._known.get(_without_protocol(path))
        if found is None:
            raise FileNotFoundError(f"{path} is not an object of the manifest")
        return found

    def open(self, path: str, mode: str = "rb", **_: object) -> "ObjectFile":
        """One of the objects. Raises FileNotFoundError, PermissionError."""
        if mode != "rb":
            raise PermissionError(f"{path} is only read")
        return ObjectFile(self._of(path))

    def info(self, path: str, **_: object) -> dict[str, Any]:
        """Name and size. Raises FileNotFoundError."""
        return {"name": path, "size": self._of(path).size, "type": "file"}

    def exists(self, path: str, **_: object) -> bool:
        return _without_protocol(path) in self._known

    def isfile(self, path: str) -> bool:
        return self.exists(path)

    def glob(self, path: str, **_: object) -> list[str]:
        return [path] if self.exists(path) else []

    def modified(self, path: str) -> datetime:
        self._of(path)
        return _UNCHANGING


class ObjectFile(RawIOBase):
    """The bytes of an object. Each read is a request."""

    def __init__(self, known: Known) -> None:
        super().__init__()
        self._known = known
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = 0) -> int:
        self._place = offset + (0, self._place, self._known.size)[whence]
        return self._place

    def read(self, size: int = -1) -> bytes:
        left = self._known.size - self._place
        length = left if size < 0 else min(size, left)
        if length <= 0:
            return b""
        (body,) = self._known.objects.read_ranges(self._known.name, [Range(self._place, length)])
        self._place += len(body)
        return body


def _without_protocol(path: str) -> str:
    return path.removeprefix(f"{ObjectFiles.protocol}://")
