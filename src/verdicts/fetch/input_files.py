"""Opens and reads files that a person names, or that lie in such a folder, without hanging or endless reads.

A pipe blocks until somebody writes, `/dev/zero` never ends, and a link leads out of the folder. A path may change
before it is opened, so the open file is checked again.
"""

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path
from typing import Any, TextIO

from verdicts.corpus.text import SIZE_LIMIT, parse_json

_KINDS = (
    (stat.S_ISDIR, errno.EISDIR, "is a folder, not a file"),
    (stat.S_ISFIFO, errno.EINVAL, "is a pipe, not a file"),
    (stat.S_ISSOCK, errno.EINVAL, "is a socket, not a file"),
    (stat.S_ISLNK, errno.ELOOP, "is a link, and is not followed"),
)

_PIECE_BYTES = 1 << 20


def explain_no_file(mode: int, path: Path) -> OSError | None:
    """An error that names what the path is, if it is not a regular file. `mode` is from `os.stat`."""
    if stat.S_ISREG(mode):
        return None
    number, why = next(((number, why) for is_one, number, why in _KINDS if is_one(mode)), (errno.EINVAL, ""))
    return OSError(number, why or "is a device, not a file", str(path))


def open_file(path: Path, *, follows_links: bool = True) -> BufferedReader:
    """Opens a regular file for reading; a link only with `follows_links`. Raises `OSError`, and never waits."""
    if (error := explain_no_file(path.stat(follow_symlinks=follows_links).st_mode, path)) is not None:
        raise error
    follow = 0 if follows_links else os.O_NOFOLLOW
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | follow)
    if (error := explain_no_file(os.fstat(descriptor).st_mode, path)) is not None:
        os.close(descriptor)
        raise error
    return os.fdopen(descriptor, "rb")


def read_file(path: Path, limit: int = SIZE_LIMIT, *, follows_links: bool = True) -> bytes:
    """The bytes of a regular file. Raises `OSError`, also for more than `limit` bytes, however fast the file grows."""
    with open_file(path, follows_links=follows_links) as file:
        content = bytearray()
        # In pieces: one read of 2 GB would allocate all of it first.
        while piece := file.read(_PIECE_BYTES):
            content += piece
            if len(content) > limit:
                raise OSError(errno.EFBIG, f"more than {limit:,} bytes", str(path))
    return bytes(content)


def sync(path: Path) -> None:
    """Syncs a file or folder to disk: a name survives a power cut only once its folder is synced."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_json(path: Path, *, follows_links: bool = True) -> Any:  # noqa: ANN401  any JSON value
    """The value in a JSON file. Raises `BrokenDocument`, `OSError`."""
    return parse_json(read_file(path, follows_links=follows_links), path)


def open_stream(path: str) -> TextIO:
    """Opens a file or pipe as UTF-8; a pipe without a writer is empty. Raises `OSError`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, encoding="utf-8-sig")


def open_output(path: Path) -> TextIO:
    """Opens a new file, or a pipe with a reader. Raises `OSError`, and never waits for a reader."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "is a pipe that nobody reads", str(path)) from None
        raise
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "w", encoding="utf-8", newline="")
