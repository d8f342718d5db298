"""Manifests: `tables/manifest-000017.json` names the objects with the tables of one build. Numbers ascend.

A part is one Parquet object with rows of a table. A build exists when its manifest exists. Parts stay while a kept
manifest names them or a published file reads them. Parts without a manifest are never removed, because a build may
still be writing them; parts of an abandoned build therefore stay, too.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects import Objects
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.errors import NothingPublished, WarehouseError
from verdicts.warehouse.storage.reachable import named_objects

PREFIX = "tables/manifest-"

MANIFESTS_KEPT = 3
"""The newest manifests are kept. They also keep the parts of files that other machines serve from their own folders."""

_NUMBERED = re.compile(rf"{PREFIX}(\d{{6,}})\.json")


class Part(Struct, frozen=True):
    """An object with rows of one table, with its size in bytes and its checksum."""

    name: str
    rows: int
    bytes: int
    sha256: str


class Manifest(Struct, frozen=True):
    """The tables of one build: each table with rows, to its parts."""

    number: int
    build_id: str
    created_at: datetime
    extractor_version: str
    normalizer_version: str
    tables: Mapping[str, tuple[Part, ...]]

    @property
    def rows(self) -> int:
        """Number of rows of the corpus. A row in two parts counts twice."""
        return sum(part.rows for table in CORPUS_TABLES for part in self.tables.get(table, ()))

    @property
    def names(self) -> frozenset[str]:
        return frozenset(part.name for parts in self.tables.values() for part in parts)


class ManifestMissing(NothingPublished):
    """There is no manifest with this number."""


def name_of(number: int) -> str:
    """The object name of a manifest."""
    return f"{PREFIX}{number:06}.json"


def publish_manifest(objects: Objects, made: Manifest) -> Manifest:
    """Writes a manifest with the next free number. Two builds that publish at once get different numbers.

    From now on its parts are the corpus. Raises `StorageFailed`, and WarehouseError for tables that are not declared.
    """
    if strange := made.tables.keys() - TABLES.keys():
        raise WarehouseError(f"no table is called {min(strange)}; a manifest names those of the corpus")
    of_tables = ((table, made.tables.get(table, ())) for table in TABLES)
    tables = {table: tuple(sorted(parts, key=lambda part: part.name)) for table, parts in of_tables if parts}
    number = max(numbers(objects), default=0) + 1
    while True:
        manifest = replace(made, number=number, tables=tables)
        body = msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"
        # If an answer got lost, the object there is our own.
        if objects.create(name_of(number), body) or objects.read(name_of(number)) == body:
            return manifest
        number += 1


def numbers(objects: Objects) -> list[int]:
    """The numbers of all manifests, oldest first."""
    found = (_NUMBERED.fullmatch(name) for name in objects.names(PREFIX))
    return sorted(int(match[1]) for match in found if match)


def newest(objects: Objects) -> Manifest | None:
    """The manifest with the greatest number, None before the first one. Raises like `read`."""
    known = numbers(objects)
    return read(objects, known[-1]) if known else None


def read(objects: Objects, number: int) -> Manifest:
    """Raises ManifestMissing, `StorageFailed`."""
    if objects.size(name_of(number)) is None:
        raise ManifestMissing(f"{objects.url} has no manifest {number}; retention removed it, or no build published it")
    try:
        return msgspec.json.decode(objects.read(name_of(number)), type=Manifest)
    except msgspec.DecodeError as error:
        raise StorageFailed(f"{name_of(number)}: is not a manifest of verdicts ({error})") from error


class Store(NamedTuple):
    """The store that a file of views reads."""

    url: str
    manifest: int
    load_id: str


def store_of(path: Path) -> Store | None:
    """The store with the rows of a published file; None for a copy, which has its own rows. Raises like `opened`."""
    with opened(path, is_read_only=True) as connection:
        if not named_objects(connection):
            return None
        ((url, manifest),) = connection.execute("FROM objects.store").fetchall()
        ((load_id,),) = connection.execute("SELECT max(load_id) FROM ops.loads").fetchall()
    return Store(url, manifest, load_id)


def prune_parts(objects: Objects, published: Iterable[Path]) -> list[str]:
    """Removes superfluous manifests and the parts that only they name. Returns the names of all removed objects.

    Each of the `published` files keeps its manifest. Builds of one store must be published one after the other. Raises
    `StorageFailed`, and WarehouseBroken if a file cannot be read: then nothing is removed.
    """
    held = [store.manifest for path in published if (store := store_of(path)) is not None]
    known = numbers(objects)
    staying = {*known[-MANIFESTS_KEPT:], *held}
    named = {name for number in staying.intersection(known) for name in read(objects, number).names}
    removed = []
    for number in sorted({*known} - staying):
        manifest = read(objects, number)
        # The manifest goes last: if this is killed, the next run finds the remaining parts.
        for name in (*sorted(manifest.names - named), name_of(manifest.number)):
            objects.remove(name)
            removed.append(name)
    return removed
