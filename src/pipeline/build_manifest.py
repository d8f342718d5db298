"""What the warehouse was last built from, so that a night normalizes and loads only what it touches."""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from warehouse.storage.durable import replace_text


@dataclass(frozen=True, slots=True)
class Stamp:
    """All that a build depends on: record files, named after what is in them and how it was read, and tombstones."""

    files: tuple[str, ...]
    gone: tuple[str, ...]


def stamp_of(files: Sequence[Path], gone: Collection[str]) -> Stamp:
    """The stamp of a build from these files and tombstones."""
    return Stamp(tuple(sorted(file.name for file in files)), tuple(sorted(gone)))


def read_stamp(path: Path) -> Stamp | None:
    """The stamp of the last load; None before the first, and where it cannot be read: then all is built anew."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return Stamp(tuple(said["files"]), tuple(said["gone"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def write_stamp(path: Path, stamp: Stamp) -> None:
    """Written after the load. A crash in between costs one load that changes nothing."""
    replace_text(path, json.dumps(asdict(stamp)) + "\n")
