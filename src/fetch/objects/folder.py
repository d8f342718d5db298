"""Objects as files of a folder."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from verdicts.fetch.given_files import open_file
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects.objects import ObjectMissing, Range

MODE = 0o644
"""Workers on other machines may be other users."""

DRAFT = ".draft-"
"""Begins the names of files that are being written; one that a killed process left is no object."""


class FolderObjects:
    """See `Objects`. A file is written aside and linked to its name, which one process alone can do."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def url(self) -> str:
        # Others may have another working folder.
        return str(self._root.absolute())

    def create(self, name: str, body: bytes) -> bool:
        """See `Objects.create`."""
        return self._create(name, lambda file: file.write(body))

    def create_from(self, name: str, path: Path) -> bool:
        """See `Objects.create_from`."""
        with open_file(path) as source:
            return self._create(name, lambda file: shutil.copyfileobj(source, file))

    def _create(self, name: str, write: Callable[[IO[bytes]], object]) -> bool:
        path = self._root / name
        with _errors(name):
            if path.exists():
                return False
            path.parent.mkdir(parents=True, exist_ok=True)
            with _draft(path.parent) as (file, link):
                write(file)
                file.flush()
                os.fsync(file.fileno())
                try:
                    link(path)
                except FileExistsError:
                    return False
            _sync(path.parent)
            return True

    def read(self, name: str) -> bytes:
        """See `Objects.read`."""
        with _errors(name), open_file(self._root / name) as file:
            return file.read()

    def read_ranges(self, name: str, ranges: Sequence[Range]) -> list[bytes]:
        """See `Objects.read_ranges`."""
        with _errors(name), open_file(self._root / name) as file:
            return [os.pread(file.fileno(), part.length, part.begin) for part in ranges]

    def size(self, name: str) -> int | None:
        """See `Objects.size`."""
        with _errors(name):
            try:
                return (self._root / name).stat().st_size
            except FileNotFoundError:
                return None

    def names(self, prefix: str = "") -> Iterator[str]:
        """See `Objects.names`."""
        above = self._root / prefix.rpartition("/")[0]
        with _errors(prefix):
            # A link may lead anywhere; nobody named it.
            files = [path for path in above.rglob("*") if path.is_file() and not path.is_symlink()]
        found = (path.relative_to(self._root).as_posix() for path in files if not path.name.startswith(DRAFT))
        yield from sorted(name for name in found if name.startswith(prefix))

    def remove(self, name: str) -> None:
        """See `Objects.remove`."""
        with _errors(name):
            (self._root / name).unlink(missing_ok=True)


@contextmanager
def _draft(folder: Path) -> Iterator[tuple[IO[bytes], Callable[[Path], None]]]:
    """A file without a name, and what gives it one: a killed process leaves nothing.

    Where the file system has none (NFS), one with a name of its own.
    """
    try:
        fd = os.open(folder, os.O_TMPFILE | os.O_WRONLY, MODE)
    except (AttributeError, IsADirectoryError, OSError) as error:
        if isinstance(error, OSError) and error.errno not in {errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL}:
            raise
        with NamedTemporaryFile(dir=folder, prefix=DRAFT) as draft:
            os.fchmod(draft.fileno(), MODE)
            yield draft.file, lambda path: os.link(draft.name, path)
        return
    with os.fdopen(fd, "wb") as file:
        # Python follows the link to the file only where it is given a folder too; the paths are absolute.
        yield file, lambda path: os.link(f"/proc/self/fd/{fd}", path.resolve(), src_dir_fd=fd)


def _sync(folder: Path) -> None:
    """A name outlives a power cut once its folder was written."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextmanager
def _errors(name: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise ObjectMissing(f"{name} is not in the store") from error
    except OSError as error:
        raise StorageFailed(f"{name}: {error.strerror or error}") from error
