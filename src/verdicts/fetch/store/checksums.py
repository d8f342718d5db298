"""The digest of a closed file, in a file beside it: `state.sqlite.sha256`, in the format of `sha256sum`.

A file loses its digest before it is written, so a file without one is not damaged: a run is writing it, or was killed.
A log that only grows (`.jsonl`) keeps the digest of its first bytes, with their number.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verdicts.corpus.first_error import ending_with
from verdicts.fetch.given_files import open_file, sync
from verdicts.fetch.model.errors import StoreDamaged

SUFFIX = ".sha256"
APPENDED = ".jsonl"
"""Names of append-only logs end so."""

_LINE_BYTES = 1_000
"""The most bytes of a digest and a name."""


def beside(path: Path) -> Path:
    return path.with_name(path.name + SUFFIX)


def sha256_of(path: Path) -> str:
    """Hex digest of a file, at about 1.5 GB a second."""
    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def line(sha256: str, name: str) -> bytes:
    return f"{sha256}  {name}\n".encode()


def _line_of(path: Path, length: int) -> bytes:
    """The line for a file; for an append-only log, of its first `length` bytes."""
    if path.suffix != APPENDED:
        return line(sha256_of(path), path.name)
    with path.open("rb") as file:
        present = file.read(min(length, path.stat().st_size))
    return line(hashlib.sha256(present).hexdigest(), f"{path.name}  {length}")


def note(path: Path) -> None:
    """Writes the digest of a closed file, atomically.

    A log that no longer matches its old digest keeps it: new lines do not make the old ones sound.
    """
    if path.suffix == APPENDED and is_as_noted(path) is False:
        return
    draft = path.with_name(f".{path.name}{SUFFIX}.tmp")
    with ending_with(lambda: draft.unlink(missing_ok=True)):
        with draft.open("wb") as file:
            file.write(_line_of(path, path.stat().st_size))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(beside(path))


def forget(path: Path) -> None:
    """Removes the digest of a file before a write, and syncs: it must not return after a power cut."""
    try:
        beside(path).unlink()
    except (FileNotFoundError, NotADirectoryError):
        return
    sync(path.parent)


def forget_removed(folder: Path) -> None:
    """Removes the digests of files that no longer exist."""
    for path in folder.glob(f"*{SUFFIX}"):
        if not path.with_name(path.name.removesuffix(SUFFIX)).exists():
            path.unlink()


def noted_in(folder: Path) -> list[Path]:
    """The files of a folder that have a digest, even if they are missing."""
    return sorted(path.with_name(path.name.removesuffix(SUFFIX)) for path in folder.glob(f"*{SUFFIX}"))


@contextmanager
def rewritten(path: Path) -> Iterator[None]:
    """The body opens, writes and closes a file that can be made again.

    Raises `StoreDamaged` first if the file is not as it was closed. If the body fails, it has no digest.
    """
    if path.exists():
        check(path)
    with replaced(path):
        yield


@contextmanager
def replaced(path: Path) -> Iterator[None]:
    """The body writes a file anew, whatever it was before. If the body fails, the file has no digest."""
    forget(path)
    yield
    note(path)


def is_as_noted(path: Path) -> bool | None:
    """Whether a file is as it was closed; None without a digest, or if a run removes it meanwhile."""
    noted = _noted(path)
    if noted is None:
        return None
    *_, length = b"", *noted.split()
    # The number of bytes that a log's digest covers.
    if path.is_file() and noted == _line_of(path, int(length[:12]) if length.isdigit() else 0):
        return True
    return False if _noted(path) == noted else None


def check(path: Path) -> None:
    """Raises `StoreDamaged` for a file that is not as it was closed."""
    if is_as_noted(path) is False:
        raise StoreDamaged(path, None, "it is not as it was written" if path.exists() else "it is missing")


def _noted(path: Path) -> bytes | None:
    try:
        with open_file(beside(path)) as file:
            return file.read(_LINE_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError:
        # As for any wrong digest: the file does not match.
        return b""
