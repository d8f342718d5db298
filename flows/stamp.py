"""What the warehouse was last built from, so that a night without news is not normalized and loaded again."""

import hashlib
import json
from collections.abc import Collection, Sequence
from pathlib import Path

from extract import EXTRACTOR_VERSION
from warehouse.durable import replace_text


def stamp_of(files: Sequence[Path], gone: Collection[str]) -> str:
    """Hex digest of all that a build depends on: record files, named after what is in them, and tombstones."""
    inputs = [EXTRACTOR_VERSION, sorted(file.name for file in files), sorted(gone)]
    return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()


def read_stamp(path: Path) -> str | None:
    """The stamp of the last load; None before the first."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None


def write_stamp(path: Path, stamp: str) -> None:
    """Written after the load. A crash in between costs one load that changes nothing."""
    replace_text(path, stamp + "\n")
