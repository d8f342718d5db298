"""The digest of a closed file, in a file beside it: `state.sqlite.sha256`, in the format of `sha256sum`.

A file loses its digest before it is written, so a file without one is not damaged: a run is writing it, or was killed.
Only the state has one: records of the raw store have theirs in the state, and all else is made again.
"""

import hashlib
import os
from pathlib import Path

from verdicts.corpus.error_notes import ending_with
from verdicts.fetch.input_files import open_file, sync

SUFFIX = ".sha256"

_LINE_BYTES = 1_000
"""The most bytes of a digest and a name."""


def find_note(path: Path) -> Path:
    return path.with_name(path.name + SUFFIX)


def hash_file(path: Path) -> str:
    """Hex digest of a file, at about 1.5 GB a second."""
    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def format_line(sha256: str, name: str) -> bytes:
    return f"{sha256}  {name}\n".encode()


def note(path: Path) -> None:
    """Writes the digest of a closed file, atomically."""
    draft = path.with_name(f".{path.name}{SUFFIX}.tmp")
    with ending_with(lambda: draft.unlink(missing_ok=True)):
        with draft.open("wb") as file:
            file.write(format_line(hash_file(path), path.name))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(find_note(path))


def forget(path: Path) -> None:
    """Removes the digest of a file before a write, and syncs: it must not return after a power cut."""
    try:
        find_note(path).unlink()
    except (FileNotFoundError, NotADirectoryError):
        return
    sync(path.parent)


def is_as_noted(path: Path) -> bool | None:
    """Whether a file is as it was closed; None without a digest, or if a run removes it meanwhile."""
    noted = _read_note(path)
    if noted is None:
        return None
    if path.is_file() and noted == format_line(hash_file(path), path.name):
        return True
    return False if _read_note(path) == noted else None


def _read_note(path: Path) -> bytes | None:
    try:
        with open_file(find_note(path)) as file:
            return file.read(_LINE_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError:
        # As for any wrong digest: the file does not match.
        return b""
