"""Objects of a bucket as files that DuckDB reads: those of a list, no others.

DuckDB 2.0 has no extension for buckets; of Python it takes a file system by fsspec.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from io import RawIOBase
from typing import Any, ClassVar

from fsspec import AbstractFileSystem

from fetch.objects.objects import Objects, Range

_UNCHANGING = datetime(2000, 1, 1, tzinfo=UTC)


class ObjectFiles(AbstractFileSystem):
    """The objects of `sizes`, by name, under their store's address. Only for reading."""

    protocol: ClassVar[str] = "s3"
    cachable = False

    def __init__(self, objects: Objects, sizes: Mapping[str, int]) -> None:
        super().__init__()
        self._objects = objects
        self._sizes = {f"{objects.url}/{name}".removeprefix("s3://"): (name, size) for name, size in sizes.items()}

    def _of(self, path: str) -> tuple[str, int]:
        found = self._sizes.get(path.removeprefix("s3://"))
        if found is None:
            raise FileNotFoundError(f"{path} is no object that the manifest names")
        return found

    def open(self, path: str, mode: str = "rb", **_: object) -> "ObjectFile":
        """One of the objects. Raises FileNotFoundError, PermissionError."""
        if mode != "rb":
            raise PermissionError(f"{path} is only read")
        return ObjectFile(self._objects, *self._of(path))

    def info(self, path: str, **_: object) -> dict[str, Any]:
        """Name and size. Raises FileNotFoundError."""
        return {"name": path, "size": self._of(path)[1], "type": "file"}

    def exists(self, path: str, **_: object) -> bool:
        return path.removeprefix("s3://") in self._sizes

    def isfile(self, path: str) -> bool:
        return self.exists(path)

    def glob(self, path: str, **_: object) -> list[str]:
        """A path is no pattern."""
        return [path] if self.exists(path) else []

    def modified(self, path: str) -> datetime:
        """An object is never changed."""
        self._of(path)
        return _UNCHANGING


class ObjectFile(RawIOBase):
    """The bytes of an object, each read a request."""

    def __init__(self, objects: Objects, name: str, size: int) -> None:
        super().__init__()
        self._objects, self._name, self.size = objects, name, size
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = 0) -> int:
        self._place = offset + (0, self._place, self.size)[whence]
        return self._place

    def read(self, size: int = -1) -> bytes:
        """That many bytes, or what there is."""
        length = self.size - self._place if size < 0 else min(size, self.size - self._place)
        if length <= 0:
            return b""
        (body,) = self._objects.read_ranges(self._name, [Range(self._place, length)])
        self._place += len(body)
        return body
