"""Manifests: each says which objects are the tables of one build. `tables/manifest-000017.json`, numbered as they came.

A part is some rows of a table as one Parquet object. A build exists when its manifest does. What stays: parts that a
kept manifest names, and those that a published file reads. Parts that no manifest names yet are never removed: a build
may be writing them. Those of a build that was given up stay, too.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects import Objects
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.errors import NothingPublished, WarehouseError
from verdicts.warehouse.storage.reachable import named_objects

PREFIX = "tables/manifest-"

MANIFESTS_KEPT = 3
"""The newest. They also are what holds the parts of files that other machines serve from folders of their own."""

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


class Store(NamedTuple):
    """What a file of views says of its store."""

    url: str
    manifest: int
    load_id: str


def store_of(path: Path) -> Store | None:
    """Where the rows of a published file are; None of a copy, which has its own. Raises as `opened` does."""
    with opened(path, is_read_only=True) as connection:
        if not named_objects(connection):
            return None
        ((url, manifest),) = connection.execute("FROM objects.store").fetchall()
        ((load_id,),) = connection.execute("SELECT max(load_id) FROM loads").fetchall()
    return Store(url, manifest, load_id)


def prune_parts(objects: Objects, published: Iterable[Path]) -> list[str]:
    """Removes manifests that need not stay, and what only they name; returns the names of all that is gone.

    Each of the `published` files holds its manifest, whether readers are pointed to it, a rollback leads to it or
    somebody has it open. Builds of one store are published one after the other. Raises `StorageFailed`, and
    WarehouseBroken where one of the files cannot be read: then nothing is removed.
    """
    held = [store.manifest for path in published if (store := store_of(path)) is not None]
    known = numbers(objects)
    staying = {*known[-MANIFESTS_KEPT:], *held}
    named = {name for number in staying.intersection(known) for name in read(objects, number).names}
    removed = []
    for number in sorted({*known} - staying):
        manifest = read(objects, number)
        # The manifest last: where this is killed, the next finds what is left.
        for name in (*sorted(manifest.names - named), name_of(manifest.number)):
            objects.remove(name)
            removed.append(name)
    return removed
