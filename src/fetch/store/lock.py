"""One process holds the data folder. The kernel releases the lock when the process ends, however it ends.

A process that is stopped keeps its lock: nobody takes the folder over from one that may go on.
"""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from msgspec import ValidationError, convert

from verdicts.corpus.text import BrokenDocument, parse_json
from verdicts.fetch.model.errors import StoreLocked
from verdicts.fetch.store.state import storage_errors

LOCK_FILE = "lock"

_TRIES, _PAUSE_S = 4, 0.02
"""`holder_of` takes the lock for some microseconds, which must not turn a command away."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The command that holds a folder, its process, and since when (UTC, ISO 8601)."""

    pid: int
    command: str
    since: str

    def __str__(self) -> str:
        return f"'verdicts {self.command}' (process {self.pid}, since {self.since})"


@contextmanager
def hold(path: Path, command: str) -> Iterator[None]:
    """Locks the file while the context is open. Raises `StoreLocked`, which names the holder, and `OSError`."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not any(_is_taken(fd, fcntl.LOCK_EX, pause_s) for pause_s in (0, *[_PAUSE_S] * (_TRIES - 1))):
            who = _read(fd) or "another run"
            raise StoreLocked(f"{path.parent} is held by {who}; wait for it to end, or use another --data folder")
        holder = Holder(os.getpid(), command, datetime.now(UTC).isoformat(timespec="seconds"))
        os.ftruncate(fd, 0)
        os.pwrite(fd, json.dumps(asdict(holder)).encode(), 0)
        yield
        with storage_errors(path.parent):
            os.ftruncate(fd, 0)
    finally:
        os.close(fd)


def holder_of(path: Path) -> Holder | None:
    """Who holds the lock now; None where nobody does, whatever name a dead one left. Raises `OSError`."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    try:
        holder = _read(fd)
        return None if holder is None or _is_taken(fd, fcntl.LOCK_SH, 0) else holder
    finally:
        os.close(fd)


def _is_taken(fd: int, kind: int, pause_s: float) -> bool:
    """Takes the lock if nobody has it."""
    time.sleep(pause_s)
    try:
        fcntl.flock(fd, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(fd: int) -> Holder | None:
    """The holder that the file names; None where it names none."""
    try:
        return convert(parse_json(os.pread(fd, 4096, 0), LOCK_FILE), Holder)
    except (BrokenDocument, ValidationError, IsADirectoryError):
        return None


def holder_of_store(data: Path) -> Holder | None:
    """The command that writes to a data folder now; None where none does. Raises `StorageFailed`."""
    with storage_errors(data):
        return holder_of(data / LOCK_FILE)
