"""One process holds the data folder. The kernel releases the lock when the process ends, however it ends."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from fetch.model.errors import StoreLocked
from fetch.store.storage_errors import storage_errors


@contextmanager
def hold(path: Path, command: str) -> Iterator[None]:
    """Locks the file while the context is open. Raises `StoreLocked`, which names the holder, and `OSError`."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreLocked(_refusal(path, os.pread(fd, 4096, 0))) from None
        holder = {"pid": os.getpid(), "command": command, "since": datetime.now(UTC).isoformat(timespec="seconds")}
        os.ftruncate(fd, 0)
        os.pwrite(fd, json.dumps(holder).encode(), 0)
        yield
        with storage_errors(path.parent):
            os.ftruncate(fd, 0)
    finally:
        os.close(fd)


def _refusal(path: Path, content: bytes) -> str:
    try:
        holder = json.loads(content)
        who = f"'verdicts {holder['command']}' (process {holder['pid']}, since {holder['since']})"
    except (ValueError, KeyError, TypeError):
        who = "another run"
    return f"{path.parent} is held by {who}; wait for it to end, or use another --data folder"
