"""What an archive is read from: a file of this machine, or an object of a store."""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from verdicts.fetch.given_files import open_file


class ArchiveFile(Protocol):
    """Bytes that may be opened any number of times. `name` ends as the file's does, which says how it is packed."""

    @property
    def name(self) -> str: ...

    def open(self) -> BinaryIO:
        """Raises `OSError`, or `StorageFailed` for an object."""


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file of this machine. A link is read only where a person named it: then it `follows_links`."""

    path: Path
    follows_links: bool = True

    @property
    def name(self) -> str:
        return self.path.name

    def open(self) -> BinaryIO:
        """See `ArchiveFile.open`."""
        return open_file(self.path, follows_links=self.follows_links)
