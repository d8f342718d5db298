"""Writes that survive a power cut: a draft is synced, then renamed, by one process at a time."""

from __future__ import annotations

import ctypes
import fcntl
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from verdicts.fetch.input_files import sync
from verdicts.warehouse.storage.warehouse_errors import WarehouseLocked

if TYPE_CHECKING:
    import polars as pl


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


_FROM_HERE, _EXCHANGE = -100, 2
"""AT_FDCWD and RENAME_EXCHANGE of <fcntl.h> and <stdio.h>."""


def exchange(first: Path, second: Path) -> bool:
    """Swaps two folders of one file system in one step. False if the system cannot do it.

    Linux can on ext4, xfs, btrfs and tmpfs; NFS, ZFS and FUSE answer EINVAL. macOS has another call.
    """
    swap = getattr(ctypes.CDLL(None), "renameat2", None)
    names = map(os.fsencode, (first, second))
    return swap is not None and swap(_FROM_HERE, next(names), _FROM_HERE, next(names), _EXCHANGE) == 0


def replace_text(path: Path, text: str) -> None:
    """Replaces the small file at `path` in one step: a reader sees the old text or the new one."""
    replace_bytes(path, text.encode())


def parquet_bytes(
    rows: pl.DataFrame, compression: Literal["lz4", "zstd"], row_group_size: int | None = None
) -> memoryview:
    """The rows as a Parquet file in memory.

    polars itself says of a full disk now and then only `File out of specification: Invalid thrift: transport error`.
    """
    file = io.BytesIO()
    rows.write_parquet(file, compression=compression, row_group_size=row_group_size)
    return file.getbuffer()


def write_bytes(path: Path, content: bytes | memoryview) -> None:
    """Writes a file. Its `OSError` names the file, where Python's has only `No space left on device`."""
    try:
        path.write_bytes(content)
    except OSError as error:
        error.filename = str(path)
        raise


def replace_bytes(path: Path, content: bytes | memoryview) -> None:
    """Replaces the file at `path` in one step."""
    draft = path.with_name(f".{path.name}.tmp")
    try:
        write_bytes(draft, content)
        sync(draft)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    sync(path.parent)
