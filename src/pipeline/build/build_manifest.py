"""The inputs of the last build. If they are unchanged, nothing is built."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from verdicts.fetch.given_files import read_json
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.store import checksums
from verdicts.warehouse.storage.durable import replace_text

_MANIFEST_BYTES = 2_000_000_000
"""Largest manifest in bytes: ten million gone, moved or held addresses."""


class Tables(NamedTuple):
    """The manifest of tables that a build published in a store.

    Tables with more than `max_rows` rows are not loaded. Readers get views of their parts.
    """

    store: str
    number: int
    max_rows: int


@dataclass(frozen=True, slots=True)
class BuildManifest:
    """All inputs of a build. The names of record files change with their content.

    `gone` are tombstones. `moved` are pairs of a URL and the one that has its page now. `held` are held snapshots with
    their URLs. `load_id` is the newest load of the warehouse. `tables` says where a build past one machine left its
    rows.
    """

    files: tuple[str, ...]
    gone: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]
    held: tuple[tuple[Location, str], ...] = ()
    load_id: str = field(default="", compare=False)
    tables: Tables | None = field(default=None, compare=False)


def manifest_of(
    files: Sequence[Path],
    gone: Collection[str],
    moved: Mapping[str, str] = MappingProxyType({}),
    held: Mapping[Location, str] = MappingProxyType({}),
) -> BuildManifest:
    names = tuple(sorted(file.name for file in files))
    return BuildManifest(names, tuple(sorted(gone)), tuple(sorted(moved.items())), tuple(sorted(held.items())))


def read_manifest(path: Path) -> BuildManifest | None:
    """The manifest of the last load. None if it is missing or damaged, so that all is built again."""
    if checksums.is_as_noted(path) is False:
        return None
    try:
        fields = read_json(path, _MANIFEST_BYTES)
        moved = tuple((url, target) for url, target in fields["moved"])
        held = tuple((Location(*place), url) for place, url in fields["held"])
        load_id = str(fields["load_id"])
        tables = None if fields["tables"] is None else Tables(*fields["tables"])
        return BuildManifest(tuple(fields["files"]), tuple(fields["gone"]), moved, held, load_id, tables)
    except (FileNotFoundError, ValueError, KeyError, TypeError):  # `BrokenDocument` is a ValueError
        return None


def write_manifest(path: Path, manifest: BuildManifest) -> None:
    """Writes the manifest after the load. A crash before it costs one load without changes."""
    checksums.forget(path)
    replace_text(path, json.dumps(asdict(manifest)) + "\n")
    checksums.note(path)
