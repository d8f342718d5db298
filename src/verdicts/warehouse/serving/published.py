"""The published files: `corpus-<load_id>.duckdb`, the pointer `current` to the present one, and `corpus.duckdb`.

A published file is never changed, so readers never wait and never see half a night. This program opens each copy by its
own path, because DuckDB gives a process the old rows again while it has a path open. Other programs are set up once:
they open `corpus.duckdb`, a second link of the present copy.
"""

import fcntl
import filecmp
import os
import re
import shutil
import stat
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from verdicts.fetch.input_files import sync
from verdicts.fetch.model.fetch_errors import NOTHING_YET
from verdicts.warehouse.storage.durable import replace_text, sole_writer
from verdicts.warehouse.storage.warehouse_errors import NothingPublished

_POINTER = "current"
CORPUS = "corpus.duckdb"
"""The path and the catalog name that stay. DuckDB would resolve a symbolic link and name the catalog after the copy."""

WITHDRAWN = "withdrawn"
"""Names of copies that a rollback left, one in each line. No later rollback leads to them."""

_NAME = re.compile(r"corpus-(?P<load_id>[\w-]+)(?:\.(?P<number>\d+))?\.duckdb", re.ASCII)
_NAME_CHARS = 200
"""Most characters of the pointer; a name has 40."""

LATEST_KEPT = 3
"""The newest copies are always kept, so that two rollbacks are possible."""

_DAY = re.compile(r"corpus-(\d{4})(\d{2})(\d{2})T")
_READ_ONLY = 0o444


def find_published(serve_dir: Path) -> Path:
    """The copy to read, always a file in the folder. Raises NothingPublished."""
    pointer = serve_dir / _POINTER
    try:
        is_file = stat.S_ISREG(pointer.lstat().st_mode)
    except FileNotFoundError as error:
        raise NothingPublished(NOTHING_YET.format(serve_dir.parent)) from error
    if not is_file:
        raise NothingPublished(f"{pointer} is not a file; remove it, then run 'verdicts publish'")
    with pointer.open(encoding="utf-8", errors="replace") as file:
        name = file.read(_NAME_CHARS).strip()
    if not _NAME.fullmatch(name):
        raise NothingPublished(f"{pointer} names {name!r}, but there is no such copy; run 'verdicts publish'")
    if not _is_copy(serve_dir / name):
        raise NothingPublished(f"the published copy {name!r} is missing; run 'verdicts publish'")
    return serve_dir / name


def path_for_clients(serve_dir: Path) -> Path:
    """The path by which other programs open the present copy, whichever it is. Raises NothingPublished."""
    find_published(serve_dir)
    path = serve_dir / CORPUS
    if not path.is_file():
        raise NothingPublished(f"{path} is missing; run 'verdicts publish'")
    return path


def is_for_clients(copy: Path) -> bool:
    """Whether other programs open `copy`. Links, and copies with their time, are compared without reading them."""
    path = copy.with_name(CORPUS)
    return path.is_file() and filecmp.cmp(path, copy)


def point_to(copy: Path) -> None:
    """Points readers to `copy`: other programs, then this one, each in one step.

    A publication or rollback that ends between the two steps counts as none, and the next one makes up for it.
    """
    link_for_clients(copy)
    replace_text(copy.parent / _POINTER, copy.name + "\n")


def link_for_clients(copy: Path) -> None:
    """Makes `copy` the file that other programs open. It takes space only on a file system without hard links."""
    draft = copy.with_name(f".{CORPUS}.tmp")
    draft.unlink(missing_ok=True)
    try:
        try:
            os.link(copy, draft)
        except OSError:
            # EPERM on exFAT and for a file of another user, ENOTSUP or EIO on FUSE. Another fault ends the copy, too.
            shutil.copy2(copy, draft)
            sync(draft)
        # Left by a client that wrote as root and was killed. DuckDB would add its rows to the new copy.
        copy.with_name(f"{CORPUS}.wal").unlink(missing_ok=True)
        draft.replace(copy.with_name(CORPUS))
    finally:
        # Renaming does nothing if both names are links of one file already.
        draft.unlink(missing_ok=True)


def find_copy(serve_dir: Path, load_id: str) -> Path:
    """The newest copy of a load, by its id or the beginning of its id. Raises NothingPublished."""
    newest = {_age(path)[0]: path for path in copies(serve_dir)}
    matches = [load for load in newest if load.startswith(load_id)]
    if len(matches) == 1:
        return newest[matches[0]]
    if matches:
        raise NothingPublished(f"several published loads begin {load_id!r}: {', '.join(matches)}")
    kept = ", ".join(newest) or "none"
    raise NothingPublished(f"no published copy is of load {load_id!r}; there are copies of {kept}")


def rollback(serve_dir: Path) -> Path:
    """Points readers to the copy before the present one, and returns it. The present copy becomes withdrawn.

    Raises WarehouseLocked, and NothingPublished if there is no earlier copy.
    """
    with sole_writer(serve_dir):
        present, earlier = find_published(serve_dir), copy_before(serve_dir)
        withdrawn = {*read_withdrawn(serve_dir), present.name}
        point_to(earlier)
        replace_text(serve_dir / WITHDRAWN, "".join(f"{name}\n" for name in sorted(withdrawn)))
    return earlier


def copy_before(serve_dir: Path) -> Path:
    """The copy that a rollback leads to. Raises NothingPublished."""
    present = find_published(serve_dir)
    earlier = [path for path in copies_to_point_to(serve_dir) if _age(path) < _age(present)]
    if not earlier:
        raise NothingPublished(f"there is no copy before {present.name} to go back to")
    return earlier[-1]


def copies_to_point_to(serve_dir: Path) -> list[Path]:
    """All copies that are not withdrawn, oldest first."""
    withdrawn = read_withdrawn(serve_dir)
    return [path for path in copies(serve_dir) if path.name not in withdrawn]


def copies(serve_dir: Path) -> list[Path]:
    """All copies in the folder, oldest first."""
    return sorted(filter(_is_copy, serve_dir.glob("corpus-*")), key=_age)


def make_copy_path(serve_dir: Path, load_id: str) -> Path:
    """A path for a new copy of a load; the second copy is `corpus-<load_id>.2.duckdb`."""
    numbers = [number for path in copies(serve_dir) for name, number in [_age(path)] if name == load_id]
    return serve_dir / (f"corpus-{load_id}.{max(numbers) + 1}.duckdb" if numbers else f"corpus-{load_id}.duckdb")


def _is_copy(path: Path) -> bool:
    # A link would lead readers, and the removal of old copies, out of the folder.
    return _NAME.fullmatch(path.name) is not None and path.is_file() and not path.is_symlink()


def read_withdrawn(serve_dir: Path) -> set[str]:
    """The names of copies that a rollback left."""
    path = serve_dir / WITHDRAWN
    return set(path.read_text(encoding="utf-8", errors="replace").split()) if path.exists() else set()


def read_load_id(copy: Path) -> str:
    """The id of the load in a copy."""
    return _age(copy)[0]


def _age(path: Path) -> tuple[str, int]:
    """Sort key: the id of the load, which begins with its time, then the number of the copy."""
    match = _NAME.fullmatch(path.name)
    return (match["load_id"], int(match["number"] or 1)) if match else ("", 0)


class Keep(NamedTuple):
    """For how many days, weeks and months the newest copy is kept."""

    daily: int = 7
    weekly: int = 4
    monthly: int = 12


def choose_kept(copies: Sequence[Path], keep: Keep) -> set[Path]:
    """The copies to keep, of those that are not withdrawn, oldest first."""
    days = {path: _day(path) for path in copies}
    periods: tuple[tuple[int, Callable[[date], Hashable]], ...] = (
        (keep.daily, lambda day: day),
        (keep.weekly, lambda day: day.isocalendar()[:2]),
        (keep.monthly, lambda day: (day.year, day.month)),
    )
    staying = set(copies[-LATEST_KEPT:])
    for count, period_of in periods:
        newest = {period_of(days[path]): path for path in copies}
        staying |= set(list(newest.values())[-count:] if count else [])
    return staying


def _day(path: Path) -> date:
    """The day in the id of its load, else the day of the file."""
    if (match := _DAY.match(path.name)) is not None:
        return date(int(match[1]), int(match[2]), int(match[3]))
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).date()


def publish(serve_dir: Path, make: Callable[[Path], str], keep: Keep | None = None) -> Path:
    """Publishes the file that `make` writes to the given path, and returns its final path.

    `make` returns the id of its load, which names the file. The pointer is replaced last, in one step: after a failure
    readers keep what they have, and the next publication cleans up. Older copies are removed by `keep`, except those
    that a process has open. Raises WarehouseLocked.
    """
    serve_dir.mkdir(parents=True, exist_ok=True)
    with sole_writer(serve_dir):
        _clear(serve_dir)
        # Its own name: another process may still write to an earlier draft.
        draft = serve_dir / f".corpus-{os.getpid()}.duckdb.tmp"
        try:
            load_id = make(draft)
            draft.chmod(_READ_ONLY)
            sync(draft)
            path = make_copy_path(serve_dir, load_id)
            draft.replace(path)
        finally:
            _clear(serve_dir)
        point_to(path)
        _remove_superfluous(serve_dir, keep or Keep())
    return path


def _remove_superfluous(serve_dir: Path, keep: Keep) -> None:
    """Removes what `keep` does not keep, but never the present copy, the target of a rollback, or an open one."""
    staying = {find_published(serve_dir), *choose_kept(copies_to_point_to(serve_dir), keep)}
    with suppress(NothingPublished):
        staying.add(copy_before(serve_dir))
    for path in copies(serve_dir):
        if path not in staying and not _is_open(path):
            path.unlink()


def remove_earlier(copy: Path) -> None:
    """Removes all other copies, open or not, so that nobody can roll back to them. A reader keeps its open file."""
    for path in copies(copy.parent):
        if path != copy:
            path.unlink()
    (copy.parent / WITHDRAWN).unlink(missing_ok=True)


def _clear(serve_dir: Path) -> None:
    """Removes drafts, with files that DuckDB left beside a failed one (`.corpus-1.duckdb.tmp.wal`)."""
    for path in serve_dir.glob(".*.tmp*"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _is_open(copy: Path) -> bool:
    """Whether a process has the copy open: DuckDB holds a shared lock on a file that it reads."""
    copy.chmod(_READ_ONLY | stat.S_IWUSR)
    try:
        with copy.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        copy.chmod(_READ_ONLY)
    return False
