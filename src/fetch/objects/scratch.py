"""A folder for a batch that reads files, which a bucket does not have."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from verdicts.fetch.objects.objects import ObjectMissing, Objects, Range

PREFIX = "verdicts-batch-"

PART_BYTES = 16_000_000
"""Bytes of an object that are in memory at a time."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for as long as the context is open. Those of processes that were killed are removed first."""
    for left in Path(gettempdir()).glob(f"{PREFIX}*"):
        pid = left.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdecimal() and not _is_alive(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    with TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-") as folder:
        yield Path(folder)


def download(objects: Objects, name: str, path: Path) -> None:
    """An object as a file."""
    size = objects.size(name)
    if size is None:
        raise ObjectMissing(f"{name} is not in the store")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for begin in range(0, size, PART_BYTES):
            file.writelines(objects.read_ranges(name, [Range(begin, min(PART_BYTES, size - begin))]))


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
