"""The published copies: `corpus-<load_id>.duckdb`, and the pointer `current` that names the one to read.

Names and pointers alone; no copy is opened here.
"""

import re
import stat
from pathlib import Path

from verdicts.warehouse.storage.durable import replace_text
from verdicts.warehouse.storage.errors import NothingPublished

_POINTER = "current"
WITHDRAWN = "withdrawn"
"""Names of the copies that were rolled back from, one a line: no later rollback leads to them."""

_NAME = re.compile(r"corpus-(?P<load_id>[\w-]+)(?:\.(?P<number>\d+))?\.duckdb", re.ASCII)
_NAME_CHARS = 200
"""Characters of the pointer that are read; a name has 40."""


def published(serve_dir: Path) -> Path:
    """The copy to read, a file of the folder: the pointer leads nowhere else. Raises NothingPublished."""
    pointer = serve_dir / _POINTER
    try:
        is_file = stat.S_ISREG(pointer.lstat().st_mode)
    except FileNotFoundError as error:
        raise NothingPublished("nothing is published yet; run 'verdicts run' first") from error
    if not is_file:
        raise NothingPublished(f"{pointer} is no file of its own; remove it, then run 'verdicts publish'")
    with pointer.open(encoding="utf-8", errors="replace") as file:
        name = file.read(_NAME_CHARS).strip()
    if not _NAME.fullmatch(name):
        raise NothingPublished(f"{pointer} names {name!r}, which is no copy beside it; run 'verdicts publish'")
    if not _is_copy(serve_dir / name):
        raise NothingPublished(f"the published copy {name!r} is missing; run 'verdicts publish'")
    return serve_dir / name


def point_to(copy: Path) -> None:
    """Points readers to `copy`, in one step."""
    replace_text(copy.parent / _POINTER, copy.name + "\n")


def names_copies(path: Path) -> bool:
    """Whether the pointer, or the list of withdrawn copies, holds names of copies beside it and nothing else.

    It is sound then, even where an older version of the program wrote it and noted no digest.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
    names = text.splitlines()
    is_whole = text == "".join(f"{name}\n" for name in names) and (len(names) == 1 or path.name == WITHDRAWN)
    return is_whole and all(_is_copy(path.parent / name) for name in names)


def copy_of(serve_dir: Path, load_id: str) -> Path:
    """The newest copy of a load, which may be named by the first characters of its id. Raises NothingPublished."""
    newest = {_age(path)[0]: path for path in copies(serve_dir)}
    matches = [load for load in newest if load.startswith(load_id)]
    if len(matches) == 1:
        return newest[matches[0]]
    if matches:
        raise NothingPublished(f"several published loads begin {load_id!r}: {', '.join(matches)}")
    kept = ", ".join(newest) or "none"
    raise NothingPublished(f"no published copy is of load {load_id!r}; there are copies of {kept}")


def rollback(serve_dir: Path) -> Path:
    """Points readers to the copy before the present one, and returns it. The copy that is left stays withdrawn.

    Raises NothingPublished when there is none to go back to.
    """
    present, earlier = published(serve_dir), copy_before(serve_dir)
    withdrawn = {*_withdrawn(serve_dir), present.name}
    point_to(earlier)
    replace_text(serve_dir / WITHDRAWN, "".join(f"{name}\n" for name in sorted(withdrawn)))
    return earlier


def copy_before(serve_dir: Path) -> Path:
    """The copy that a rollback leads to. Raises NothingPublished."""
    present = published(serve_dir)
    earlier = [path for path in copies_to_point_to(serve_dir) if _age(path) < _age(present)]
    if not earlier:
        raise NothingPublished(f"there is no copy before {present.name} to go back to")
    return earlier[-1]


def copies_to_point_to(serve_dir: Path) -> list[Path]:
    """All copies that were not rolled back from, oldest first."""
    withdrawn = _withdrawn(serve_dir)
    return [path for path in copies(serve_dir) if path.name not in withdrawn]


def copies(serve_dir: Path) -> list[Path]:
    """All copies in the folder, oldest first."""
    return sorted(filter(_is_copy, serve_dir.glob("corpus-*")), key=_age)


def unused_path(serve_dir: Path, load_id: str) -> Path:
    """A path for a new copy of a load; the second of one load is `corpus-<load_id>.2.duckdb`."""
    numbers = [number for path in copies(serve_dir) for name, number in [_age(path)] if name == load_id]
    return serve_dir / (f"corpus-{load_id}.{max(numbers) + 1}.duckdb" if numbers else f"corpus-{load_id}.duckdb")


def _is_copy(path: Path) -> bool:
    """A link would lead readers, and the removal of old copies, out of the folder."""
    return _NAME.fullmatch(path.name) is not None and path.is_file() and not path.is_symlink()


def _withdrawn(serve_dir: Path) -> set[str]:
    path = serve_dir / WITHDRAWN
    return set(path.read_text(encoding="utf-8", errors="replace").split()) if path.exists() else set()


def _age(path: Path) -> tuple[str, int]:
    """What copies are ordered by: the load, whose id begins with its time, then the number of the copy."""
    match = _NAME.fullmatch(path.name)
    return (match["load_id"], int(match["number"] or 1)) if match else ("", 0)
