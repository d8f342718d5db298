"""The one primitive that a store of objects has to offer, create if absent, and how what is there is read."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from verdicts.fetch.model.errors import StorageFailed


class ObjectMissing(StorageFailed):
    """There is no object of that name."""


class Range(NamedTuple):
    """A part of an object, in bytes."""

    begin: int
    length: int


class Objects(Protocol):
    """The objects of one store. All of it raises `StorageFailed` once a request was tried often enough."""

    @property
    def url(self) -> str:
        """What `open_objects` opens the same store by: a folder's path, or `s3://bucket/prefix`."""

    def create(self, name: str, body: bytes) -> bool:
        """Creates an object. False where there is one of this name, which stays as it is.

        Durable when it returns. One that is repeated after a lost answer may say False of its own object.
        """

    def create_from(self, name: str, path: Path) -> bool:
        """The same of a file, which need not fit into memory."""

    def read(self, name: str) -> bytes:
        """All bytes of an object. Raises `ObjectMissing`."""

    def read_ranges(self, name: str, ranges: Sequence[Range]) -> list[bytes]:
        """Parts of an object, in the order asked for. Raises `ObjectMissing`."""

    def size(self, name: str) -> int | None:
        """Bytes of an object; None where there is none."""

    def names(self, prefix: str = "") -> Iterator[str]:
        """The names that begin with `prefix`, sorted."""

    def remove(self, name: str) -> None:
        """Removes an object that nothing names any more; one that is not there is no error."""
