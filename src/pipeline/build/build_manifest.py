"""What the warehouse was last built from, so that a night normalizes and loads only what it touches."""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fetch.store import checksums
from warehouse.storage.durable import replace_text


@dataclass(frozen=True, slots=True)
class BuildManifest:
    """All that a build depends on: names of record files, which change with what is in them, and tombstones (URLs)."""

    files: tuple[str, ...]
    gone: tuple[str, ...]


def manifest_of(files: Sequence[Path], gone: Collection[str]) -> BuildManifest:
    """The manifest of a build from these record files and tombstones."""
    return BuildManifest(tuple(sorted(file.name for file in files)), tuple(sorted(gone)))


def read_manifest(path: Path) -> BuildManifest | None:
    """The manifest of the last load; None before the first, and where it is damaged: then all is built anew."""
    if checksums.is_as_noted(path) is False:
        return None
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return BuildManifest(tuple(fields["files"]), tuple(fields["gone"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def write_manifest(path: Path, manifest: BuildManifest) -> None:
    """Written after the load. A crash in between costs one load that changes nothing."""
    checksums.forget(path)
    replace_text(path, json.dumps(asdict(manifest)) + "\n")
    checksums.note(path)
