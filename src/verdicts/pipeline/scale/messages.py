"""Messages between stages as objects in a store: a partition writes one object, once.

So a batch may run twice or be repeated elsewhere: the first object stays. An object is a sequence of gzip members:
its contents, then the records for each address. Rows of tables are separate parts.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

import msgspec
from isal import isal_zlib

from verdicts.fetch.archives.archive_records import GZIP_FORMAT
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.objects import Objects, Range, open_objects
from verdicts.fetch.store.warc import MemberDamaged, pack_member
from verdicts.pipeline.scale.batches import Batch, load_plan, name_folder
from verdicts.pipeline.scale.partitions import OUTCOMES, Address, R, Relation, Work
from verdicts.pipeline.scale.stages import STAGES
from verdicts.warehouse.parts import Part, write_part

CONTENTS_BYTES = 16_384
"""Bytes read at first for the contents of an object. With 64 partitions they have some kilobytes."""

OBJECTS_MAX = 4_096
"""Contents cached by a process, whose partitions all read the same objects."""

READERS = 8
"""Objects read in parallel. A bucket answers after about 10 ms, and a partition reads an object of every other."""


class TablePart(msgspec.Struct, frozen=True, array_like=True):
    table: str
    part: Part


TABLE_PARTS = Relation("table_parts", TablePart, "all")

_RELATIONS = {
    relation.name: relation for relation in (*(of for stage in STAGES for of in stage.sends), OUTCOMES, TABLE_PARTS)
}

_ENCODER = msgspec.msgpack.Encoder()
_DECODERS: dict[str, msgspec.msgpack.Decoder[Any]] = {
    name: msgspec.msgpack.Decoder(list[relation.record] if relation.wire is None else relation.wire.form)  # type: ignore[name-defined]
    for name, relation in _RELATIONS.items()
}


@lru_cache(maxsize=4)
def read_shared(store: str, run: str, plan: str, relation: str) -> list[Any]:
    """What every partition of a stage reads: a process reads it once.

    For the run alone, because another run of the same plan may send the same records in another order.
    """
    return read_sent(Batch(store, run, plan, "", 0), _RELATIONS[relation], 0)


def read_sent(batch: Batch, relation: Relation[R], partition: int) -> list[R]:
    """The records of a relation for a partition, from all stages before that of the batch. Raises `StorageFailed`."""
    objects, partitions = open_objects(batch.store), load_plan(batch.store, batch.plan).divisions
    names = [
        name_object(batch.plan, stage.name, number)
        for stage in takewhile(lambda stage: stage.name != batch.stage, STAGES)
        if relation in (*stage.sends, OUTCOMES, TABLE_PARTS)
        for number in range(partitions.count(stage.by))
    ]

    def read_bodies(name: str) -> list[bytes]:
        return objects.read_ranges(
            name, _read_sections(batch.store, batch.run, name).get(Address(relation.name, partition), ())
        )

    records = list[R]()
    with ThreadPoolExecutor(READERS) as pool:
        for name, bodies in zip(names, pool.map(read_bodies, names), strict=True):
            for body in bodies:
                try:
                    decoded = _DECODERS[relation.name].decode(isal_zlib.decompress(body, GZIP_FORMAT))
                except MemberDamaged:
                    raise _describe_damage(objects, name) from None
                records += decoded if relation.wire is None else relation.wire.unpack(decoded)
    return records


def leave(batch: Batch, work: Work, rows: Mapping[str, Sequence[Any]]) -> None:
    """Writes what a finished partition sends, and its rows, one part of each table.

    Raises `ContractBroken`, `StorageFailed`.
    """
    objects = open_objects(batch.store)
    path = f"{name_folder(batch.plan)}rows/{{}}/{batch.stage}-{batch.number:05d}.parquet"
    kept = ((table, path.format(table), new) for table, new in rows.items() if new)
    parts = [TablePart(table, write_part(objects, table, name, new)) for table, name, new in kept]
    # Written last: if it exists, the rows exist.
    put(objects, name_object(batch.plan, batch.stage, batch.number), {**work.sent, Address(TABLE_PARTS.name, 0): parts})


def name_object(plan: str, stage: str, number: int) -> str:
    """The object of a partition of a stage."""
    return f"{name_folder(plan)}{stage}/{number:05d}"


def forget_others(objects: Objects, plan: str) -> None:
    """Removes messages and parts of all other plans: they are done, or were given up."""
    for name in objects.names("messages/"):
        if not name.startswith(name_folder(plan)):
            objects.remove(name)


class _Section(NamedTuple):
    """Begin and length in bytes of the records for one address, behind the contents."""

    relation: str
    partition: int
    begin: int
    length: int


_CONTENTS = msgspec.msgpack.Decoder(list[_Section])


def put(objects: Objects, name: str, sent: Mapping[Address, Sequence[msgspec.Struct]]) -> None:
    """Creates the object. An existing one has the same content."""
    sections, bodies, end = [], [], 0
    for address, records in sorted(sent.items()):
        if records:
            wire = _RELATIONS[address.relation].wire
            body = pack_member(_ENCODER.encode(records if wire is None else wire.pack(records)))
            sections.append(_Section(*address, end, len(body)))
            bodies.append(body)
            end += len(body)
    objects.create(name, b"".join([pack_member(_ENCODER.encode(sections)), *bodies]))


def _describe_damage(objects: Objects, name: str) -> StorageFailed:
    return StorageFailed(f"{objects.url}/{name} is not as it was written; delete it and build again")


@lru_cache(maxsize=OBJECTS_MAX)
def _read_sections(store: str, _run: str, name: str) -> Mapping[Address, Sequence[Range]]:
    objects, size = open_objects(store), CONTENTS_BYTES
    while True:
        (first,) = objects.read_ranges(name, [Range(0, size)])
        member = isal_zlib.decompressobj(GZIP_FORMAT)
        try:
            contents = member.decompress(first)
        except MemberDamaged:
            raise _describe_damage(objects, name) from None
        if member.eof:
            break
        if len(first) < size:
            raise _describe_damage(objects, name)
        size *= 16
    end = len(first) - len(member.unused_data)
    sections: dict[Address, list[Range]] = defaultdict(list)
    for relation, partition, begin, length in _CONTENTS.decode(contents):
        sections[Address(relation, partition)].append(Range(end + begin, length))
    return sections
