"""Files that a person names, or that lie in a folder of theirs: opened and read so that nothing hangs or has no end.

A pipe keeps whoever opens it until somebody writes, `/dev/zero` never ends, and a link leads out of the folder. What
a name stands for may change before it is opened, so what was opened is looked at again.
"""

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path
from typing import Any, TextIO

from verdicts.corpus.text import SIZE_LIMIT, TOML_LIMIT, parse_json, parse_toml

_KINDS = (
    (stat.S_ISDIR, errno.EISDIR, "is a folder, not a file"),
    (stat.S_ISFIFO, errno.EINVAL, "is a pipe, not a file"),
    (stat.S_ISSOCK, errno.EINVAL, "is a socket, not a file"),
    (stat.S_ISLNK, errno.ELOOP, "is a link, and is not followed"),
)

_PIECE_BYTES = 1 << 20


def no_file(mode: int, path: Path) -> OSError | None:
    """The error of what is no regular file, which says what it is; None for a file. `mode` as `os.stat` has it."""
    if stat.S_ISREG(mode):
        return None
    number, why = next(((number, why) for is_one, number, why in _KINDS if is_one(mode)), (errno.EINVAL, ""))
    return OSError(number, why or "is a device, not a file", str(path))


def open_file(path: Path, *, follows_links: bool = True) -> BufferedReader:
    """A regular file, to be read; a link to one only with `follows_links`. Raises `OSError`, and never waits."""
    if (error := no_file(path.stat(follow_symlinks=follows_links).st_mode, path)) is not None:
        raise error
    follow = 0 if follows_links else os.O_NOFOLLOW
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | follow)
    if (error := no_file(os.fstat(descriptor).st_mode, path)) is not None:
        os.close(descriptor)
        raise error
    return os.fdopen(descriptor, "rb")


def read_file(path: Path, limit: int = SIZE_LIMIT, *, follows_links: bool = True) -> bytes:
    """The bytes of a regular file. Raises `OSError`, also where it has more than `limit`, however fast it grows."""
    with open_file(path, follows_links=follows_links) as file:
        content = bytearray()
        # In pieces: to be asked for 2 GB at once takes the memory before a byte is there.
        while piece := file.read(_PIECE_BYTES):
            content += piece
            if len(content) > limit:
                raise OSError(errno.EFBIG, f"more than {limit:,} bytes", str(path))
    return bytes(content)


def sync(path: Path) -> None:
    """Syncs a file or a folder to the disk: a name outlives a power cut once its folder was written."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file. Raises `BrokenDocument`, `OSError`."""
    return parse_toml(read_file(path, TOML_LIMIT), path)


def read_json(path: Path, limit: int = SIZE_LIMIT, *, follows_links: bool = True) -> Any:  # noqa: ANN401  any JSON value
    """The value in a JSON file of at most `limit` bytes. Raises `BrokenDocument`, `OSError`."""
    return parse_json(read_file(path, limit, follows_links=follows_links), path, limit=limit)


def open_stream(path: str) -> TextIO:
    """Whatever a person named to be read, a pipe too, as UTF-8; one that nobody writes is empty. Raises `OSError`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, encoding="utf-8-sig")


def open_output(path: Path) -> TextIO:
    """A file that is written anew, or a pipe that somebody reads. Raises `OSError`, and never waits for a reader."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "is a pipe that nobody reads", str(path)) from None
        raise
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "w", encoding="utf-8", newline="")
