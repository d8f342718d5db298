"""Objects: bytes under a name, created once and never changed, in a folder or a bucket.

The first creator wins, and everybody reads the same bytes. Names are file names in a data folder, with slashes: a
folder of objects is a data folder. A bucket is in `s3`, which needs obstore. Imports only `model`.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple, Protocol

from verdicts.fetch.input_files import open_file, sync
from verdicts.fetch.model.fetch_errors import StorageFailed


class ObjectMissing(StorageFailed):
    """There is no object of that name."""


class Range(NamedTuple):
    begin: int
    length: int


class Objects(Protocol):
    """The objects of one store. Every method raises `StorageFailed` after enough failed tries."""

    @property
    def url(self) -> str:
        """The address for `open_objects`: a folder's path, or `s3://bucket/prefix`."""

    def create(self, name: str, body: bytes | Path) -> bool:
        """Creates a durable object of bytes, or of a file that may be larger than memory.

        False if the name exists; that object stays as it is. A try that is repeated after a lost answer may return
        False for its own object.
        """

    def read(self, name: str) -> bytes:
        """Raises `ObjectMissing`."""

    def read_ranges(self, name: str, ranges: Sequence[Range]) -> list[bytes]:
        """Parts of an object, in the order requested. Raises `ObjectMissing`."""

    def size(self, name: str) -> int | None:
        """Bytes of an object; None if there is none."""

    def names(self, prefix: str = "") -> Iterator[str]:
        """The names that begin with `prefix`, sorted."""

    def remove(self, name: str) -> None:
        """Removes an object, if it exists."""


BUCKET = "s3://"
"""The address of a bucket begins so; any other is a folder."""


def open_objects(url: str) -> Objects:
    """The store at a folder's path, or at `s3://bucket/prefix`. Raises `StorageFailed`."""
    if not url.startswith(BUCKET):
        return FolderObjects(Path(url))
    try:
        from verdicts.fetch.objects.s3 import S3Objects  # noqa: PLC0415  who has no bucket need not have obstore
    except ModuleNotFoundError as error:
        raise StorageFailed(
            f"{url}: a bucket needs the extra 'scale'; in a checkout run 'uv sync --extra scale'"
        ) from error
    return S3Objects(url)


MODE = 0o644
"""Workers on other machines may be other users."""

DRAFT = ".draft-"
"""Files being written begin so; one that a killed process left is no object."""


class FolderObjects:
    """See `Objects`. A file is written aside and linked to its name, which only one process can do."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def url(self) -> str:
        # Other processes may have another working folder.
        return str(self._root.absolute())

    def create(self, name: str, body: bytes | Path) -> bool:
        path = self._root / name
        with open_file(body) if isinstance(body, Path) else BytesIO(body) as source, _errors(name):
            if path.exists():
                return False
            path.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=path.parent, prefix=DRAFT) as draft:
                shutil.copyfileobj(source, draft)
                draft.flush()
                os.fchmod(draft.fileno(), MODE)
                os.fsync(draft.fileno())
                try:
                    os.link(draft.name, path)
                except FileExistsError:
                    return False
            sync(path.parent)
            return True

    def read(self, name: str) -> bytes:
        with _errors(name), open_file(self._root / name) as file:
            return file.read()

    def read_ranges(self, name: str, ranges: Sequence[Range]) -> list[bytes]:
        with _errors(name), open_file(self._root / name) as file:
            return [os.pread(file.fileno(), part.length, part.begin) for part in ranges]

    def size(self, name: str) -> int | None:
        with _errors(name):
            try:
                return (self._root / name).stat().st_size
            except FileNotFoundError:
                return None

    def names(self, prefix: str = "") -> Iterator[str]:
        above = self._root / prefix.rpartition("/")[0]
        with _errors(prefix):
            # A link may lead out of the folder.
            files = [path for path in above.rglob("*") if path.is_file() and not path.is_symlink()]
        names = (path.relative_to(self._root).as_posix() for path in files if not path.name.startswith(DRAFT))
        yield from sorted(name for name in names if name.startswith(prefix))

    def remove(self, name: str) -> None:
        with _errors(name):
            (self._root / name).unlink(missing_ok=True)


@contextmanager
def _errors(name: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise ObjectMissing(f"{name} is not in the store") from error
    except OSError as error:
        raise StorageFailed(f"{name}: {error.strerror or error}") from error


PART_BYTES = 16_000_000
"""Bytes of an object in memory at a time."""


def download(objects: Objects, name: str, path: Path) -> None:
    size = objects.size(name)
    if size is None:
        raise ObjectMissing(f"{name} is not in the store")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for begin in range(0, size, PART_BYTES):
            file.writelines(objects.read_ranges(name, [Range(begin, min(PART_BYTES, size - begin))]))
