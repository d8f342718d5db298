"""What the warehouse was last built from: where nothing of it has changed, nothing is built."""

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
"""Bytes of a manifest at most: that of ten million addresses that are gone, moved or held."""


class Tables(NamedTuple):
    """The manifest of tables that a build past one machine has published in a store.

    Of more than `max_rows` rows none were loaded: readers get views of its parts.
    """

    store: str
    number: int
    max_rows: int


@dataclass(frozen=True, slots=True)
class BuildManifest:
    """All that a build depends on: names of record files, which change with what is in them, and what became of URLs.

    `gone` are tombstones, `moved` pairs of a URL and the one that holds its page. `held` are the snapshots that the
    gates hold back, each with its URL. `load_id` is the newest load of the warehouse, `tables` where a build past
    one machine left its rows.
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
    """The manifest of a build from these record files, tombstones, moved URLs, and snapshots that are held back."""
    names = tuple(sorted(file.name for file in files))
    return BuildManifest(names, tuple(sorted(gone)), tuple(sorted(moved.items())), tuple(sorted(held.items())))


def read_manifest(path: Path) -> BuildManifest | None:
    """The manifest of the last load; None before the first, and where it is damaged: then all is built anew."""
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
    """Written after the load. A crash in between costs one load that changes nothing."""
    checksums.forget(path)
    replace_text(path, json.dumps(asdict(manifest)) + "\n")
    checksums.note(path)
