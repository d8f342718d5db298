"""A manifest: which parts are the tables of one build. Objects `tables/manifest-000017.json`, numbered as they came."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
from msgspec import Struct

from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects import Objects
from verdicts.warehouse.storage.errors import NothingPublished, WarehouseError

PREFIX = "tables/manifest-"

_NUMBERED = re.compile(rf"{PREFIX}(\d{{6,}})\.json")


class Part(Struct, frozen=True):
    """Some rows of one table, in an object of that name. `sha256` is that of its `bytes` bytes."""

    name: str
    rows: int
    bytes: int
    sha256: str


class Manifest(Struct, frozen=True):
    """The tables of one build. `tables` has each that has rows, to its parts."""

    number: int
    build_id: str
    created_at: datetime
    extractor_version: str
    normalizer_version: str
    tables: Mapping[str, tuple[Part, ...]]

    @property
    def rows(self) -> int:
        """Of the corpus; a row that stands in two parts is counted twice."""
        return sum(part.rows for table in CORPUS_TABLES for part in self.tables.get(table, ()))

    @property
    def names(self) -> frozenset[str]:
        """Of all objects that it names."""
        return frozenset(part.name for parts in self.tables.values() for part in parts)


class ManifestMissing(NothingPublished):
    """There is no manifest, or none of that number."""


def name_of(number: int) -> str:
    """The object of a manifest."""
    return f"{PREFIX}{number:06}.json"


def publish_manifest(
    objects: Objects,
    *,
    build_id: str,
    created_at: datetime,
    extractor_version: str,
    normalizer_version: str,
    tables: Mapping[str, Sequence[Part]],
) -> Manifest:
    """Gives a build the next free number; two that publish at once have two numbers, none is lost or replaced.

    From here on the parts are the corpus. Raises `StorageFailed`, and WarehouseError for tables that are not declared.
    """
    if strange := tables.keys() - TABLES.keys():
        raise WarehouseError(f"no table is called {min(strange)}; a manifest names those of the corpus")
    parts = {table: tuple(sorted(tables[table], key=lambda part: part.name)) for table in TABLES if tables.get(table)}
    number = max(numbers(objects), default=0) + 1
    while True:
        manifest = Manifest(number, build_id, created_at, extractor_version, normalizer_version, parts)
        body = msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"
        # After a lost answer what is there is our own.
        if objects.create(name_of(number), body) or objects.read(name_of(number)) == body:
            return manifest
        number += 1


def numbers(objects: Objects) -> list[int]:
    """Of all manifests, the oldest first."""
    found = (_NUMBERED.fullmatch(name) for name in objects.names(PREFIX))
    return sorted(int(match[1]) for match in found if match)


def newest(objects: Objects) -> Manifest | None:
    """The manifest with the greatest number; None where nothing was published. Raises as `read`."""
    known = numbers(objects)
    return read(objects, known[-1]) if known else None


def read(objects: Objects, number: int) -> Manifest:
    """Raises ManifestMissing, `StorageFailed`."""
    if objects.size(name_of(number)) is None:
        raise ManifestMissing(f"{objects.url} has no manifest {number}; retention removed it, or no build published it")
    try:
        return msgspec.json.decode(objects.read(name_of(number)), type=Manifest)
    except msgspec.DecodeError as error:
        raise StorageFailed(f"{name_of(number)}: is no manifest of ours ({error})") from error
