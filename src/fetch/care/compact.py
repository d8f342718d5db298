"""Compaction of the raw store: small segments become one pack, and what may be dropped is left out.

A record keeps its name, segment and byte, which rows of the corpus, published copies and datasets refer to; only the
state knows where its bytes are now. Steps, each of which a crash may follow: the pack is begun (a row of size 0),
written and read again, the records are moved to it in one transaction that marks the old files, these go to the trash.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from verdicts.fetch.care.packs import Packed, write_pack
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.store.segments import PACK, SEGMENT_BYTES, SUFFIX, to_trash
from verdicts.fetch.store.storage_errors import storage_errors
from verdicts.fetch.store.store import Store

SMALL_BYTES = SEGMENT_BYTES // 4
"""Segments below this are merged."""

WORTH_SHARE = 0.1
"""A larger segment is written anew where at least this share of it is dropped."""


@dataclass(frozen=True, slots=True)
class PackPlan:
    """Files that become one pack: their bytes, the records that go into it, and those that are dropped."""

    name: str
    files: tuple[str, ...]
    bytes: int
    records: tuple[Packed, ...]
    dropped: tuple[Packed, ...]

    @property
    def freed(self) -> int:
        """Bytes of the records that are left out."""
        return self.bytes - sum(record.size for record in self.records)


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    size: int
    records: tuple[Packed, ...]
    dropped: tuple[Packed, ...]

    @property
    def is_worth_it(self) -> bool:
        return self.size < SMALL_BYTES or sum(item.size for item in self.dropped) >= WORTH_SHARE * self.size


def plan_packs(store: Store, droppable: Collection[Location]) -> list[PackPlan]:
    """What a compaction would write. Only files next to each other are merged: their order is that of time."""
    plans: list[PackPlan] = []
    group: list[_File] = []
    taken = {name for (name,) in store.state.execute("SELECT segment FROM segments")}
    files = [name for name, size in sorted(store.state.execute("SELECT segment, size FROM segments")) if size > 0]
    for name in [*files, None]:
        file = None if name is None else _file(store, name, droppable)
        size = sum(item.size for item in group) + (file.size if file is not None else 0)
        if group and (file is None or not file.is_worth_it or size > SEGMENT_BYTES):
            if len(group) > 1 or group[0].dropped:
                plans.append(_plan(group, taken))
            group = []
        if file is not None and file.is_worth_it:
            group.append(file)
    return plans


def _file(store: Store, name: str, droppable: Collection[Location]) -> _File | None:
    """None for a file of an earlier version, of whose records not all have digests yet."""
    (size,) = store.state.execute("SELECT size FROM segments WHERE segment = ?", (name,)).fetchone()
    rows = store.state.execute(
        "SELECT segment, segment_offset, coalesce(pack_offset, segment_offset) AS begins, size, sha256, is_lost"
        " FROM records WHERE segment = ?1 AND pack IS NULL UNION ALL"
        " SELECT segment, segment_offset, pack_offset, size, sha256, is_lost FROM records WHERE pack = ?1"
        " ORDER BY begins",
        (name,),
    ).fetchall()
    if sum(row[3] for row in rows) < size:
        return None
    whole = [
        Packed(Location(segment, offset), Location(name, begins), length, sha256)
        for segment, offset, begins, length, sha256, is_lost in rows
        if not is_lost and not (PACK.search(name) and segment == name)
    ]
    kept = tuple(item for item in whole if item.name not in droppable)
    return _File(name, size, kept, tuple(item for item in whole if item.name in droppable))


def _plan(group: Sequence[_File], taken: set[str]) -> PackPlan:
    stem = PACK.sub("", group[0].name).removesuffix(SUFFIX)
    number = 1
    while (name := f"{stem}-p{number}{SUFFIX}") in taken:
        number += 1
    return PackPlan(
        name,
        tuple(file.name for file in group),
        sum(file.size for file in group),
        tuple(record for file in group for record in file.records),
        tuple(record for file in group for record in file.dropped),
    )


def write_planned(store: Store, plan: PackPlan) -> None:
    """Does what was planned. Raises `StoreDamaged` for a record that is not as it was written, `StorageFailed`."""
    with store.transaction():
        store.state.execute("INSERT OR REPLACE INTO segments VALUES (?, 0)", (plan.name,))
    with storage_errors(store.data):
        pack = write_pack(store.raw, plan.name, plan.records)
    with store.transaction():
        store.state.executemany(
            "INSERT OR REPLACE INTO records (segment, segment_offset, size, sha256) VALUES (?, ?, ?, ?)", pack.own
        )
        store.state.executemany(
            "UPDATE records SET pack = ?, pack_offset = ? WHERE segment = ? AND segment_offset = ?",
            [
                (plan.name, offset, record.name.segment, record.name.offset)
                for record, offset in zip(plan.records, pack.offsets, strict=True)
            ],
        )
        dropped = [(record.name.segment, record.name.offset) for record in plan.dropped]
        store.state.executemany(
            "UPDATE records SET is_lost = 1, is_dropped = 1, pack = NULL, pack_offset = NULL"
            " WHERE segment = ? AND segment_offset = ?",
            dropped,
        )
        if dropped:
            store.state.execute(
                "UPDATE fetches SET segment = NULL, segment_offset = NULL WHERE (segment, segment_offset) IN"
                " (SELECT segment, segment_offset FROM records WHERE is_dropped = 1)"
            )
        former = [(name,) for name in plan.files]
        packs = [(name,) for name in plan.files if PACK.search(name)]
        store.state.executemany("DELETE FROM records WHERE segment = ? AND pack IS NULL AND is_dropped = 0", packs)
        store.state.executemany("UPDATE segments SET size = -1 WHERE segment = ?", former)
        store.state.execute("UPDATE segments SET size = ? WHERE segment = ?", (pack.size, plan.name))
    with storage_errors(store.data):
        to_trash(store.data, store.state)
