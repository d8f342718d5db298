"""Writes that survive a power cut: a draft is synced, then renamed, by one process at a time."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from verdicts.fetch.given_files import sync
from verdicts.warehouse.storage.errors import WarehouseLocked


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Locks the folder against other writers until the end of the process at the latest. Raises WarehouseLocked."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WarehouseLocked(folder) from None
        yield
    finally:
        os.close(descriptor)


def replace_text(path: Path, text: str) -> None:
    """Replaces the small file at `path` in one step: a reader sees the old text or the new one."""
    draft = path.with_name(f".{path.name}.tmp")
    try:
        draft.write_text(text, encoding="utf-8")
        sync(draft)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    sync(path.parent)
