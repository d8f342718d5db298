"""Which parts stay: those that a kept manifest names, and those that a published file reads.

Parts that no manifest names yet are never removed: a build may be writing them. Those of a build that was given up
stay, too.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from verdicts.fetch.objects import Objects
from verdicts.warehouse.manifests.manifest import Manifest, name_of, numbers, read
from verdicts.warehouse.serving.published import copies
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.reachable import named_objects

MANIFESTS_KEPT = 3
"""The newest. They also are what holds the parts of files that other machines serve from folders of their own."""


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


def prune_parts(objects: Objects, serve_dir: Path) -> list[str]:
    """Removes manifests that need not stay, and what only they name; returns the names of all that is gone.

    A published file holds its manifest, whether readers are pointed to it, a rollback leads to it or somebody has it
    open: it is there as long. Builds of one store are published one after the other. Raises `StorageFailed`, and
    WarehouseBroken where a file in `serve_dir` cannot be read: then nothing is removed.
    """
    held = [store for path in copies(serve_dir) if (store := store_of(path)) is not None]
    known = numbers(objects)
    staying = {*known[-MANIFESTS_KEPT:], *(store.manifest for store in held)}
    named = frozenset[str]().union(*(manifest.names for manifest in _read(objects, staying & {*known})))
    removed = []
    for manifest in _read(objects, {*known} - staying):
        # The manifest last: where this is killed, the next finds what is left.
        for name in (*sorted(manifest.names - named), name_of(manifest.number)):
            objects.remove(name)
            removed.append(name)
    return removed


def _read(objects: Objects, wanted: set[int]) -> Iterator[Manifest]:
    return (read(objects, number) for number in sorted(wanted))
