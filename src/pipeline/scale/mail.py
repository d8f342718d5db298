"""Mail in a store of objects: what the work on a partition leaves is one object, created once.

So a batch may be worked on twice, or begun again elsewhere: the first object of a name stays. An object has a head, and
behind it for each address the records that were sent there, compressed. Rows of tables are parts of their own.
"""

import struct
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from io import BytesIO
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import zstandard

from verdicts.extract.model.stored import StoredObservation
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects import Objects, Range, open_objects
from verdicts.normalize.corpus import STAGES
from verdicts.normalize.stages.relations import OBSERVED
from verdicts.normalize.work import Address, R, Relation, Rows, Stage, Work, due
from verdicts.pipeline.build.record_files import observed_in
from verdicts.pipeline.scale.plan import Plan, left_by, plan_of
from verdicts.warehouse.manifests import Part
from verdicts.warehouse.parts import write_part

LEVEL = 1
"""Of zstd: records are read once, and a higher level takes longer to write than the rest of a stage."""

HEAD_BYTES = 16_384
"""Read at once, before it is known how long the head is: one of 64 partitions takes some kilobytes."""

HEADS_MAX = 4_096
"""Heads that a process remembers: it works on several partitions of a stage, which all read the same objects."""

READERS = 8
"""Objects that are read at a time: each waits some 10 ms for a bucket, and a partition reads one of every other."""


class TablePart(msgspec.Struct, frozen=True, array_like=True):
    """A part, and the table that it belongs to."""

    table: str
    part: Part


TABLE_PARTS = Relation("table_parts", TablePart, "all")

_RELATIONS = {relation.name: relation for relation in (*(of for stage in STAGES for of in stage.writes), TABLE_PARTS)}
_SHARED = {of.name for stage in STAGES if stage.by != "all" for of in stage.reads if of.by == "all"}
"""What every partition of some stage reads: it is read once in a process."""

_ENCODER = msgspec.msgpack.Encoder()
_DECODERS: dict[str, msgspec.msgpack.Decoder[Any]] = {
    name: msgspec.msgpack.Decoder(list[relation.record] if relation.wire is None else relation.wire.form)  # type: ignore[name-defined]
    for name, relation in _RELATIONS.items()
}


class StoreMail:
    """See `verdicts.normalize.work.Mail`. `run` is another one whenever a plan is worked on.

    What is remembered of objects is forgotten with the run: another run of the same plan may find the same records in
    another order, and so at other places.
    """

    def __init__(self, objects: Objects, run: str, plan: Plan) -> None:
        self.objects, self.run, self.plan, self.known = objects, run, plan, plan.known
        self._held = frozenset(plan.held)

    def read(self, relation: Relation[R], partition: int) -> Sequence[R]:
        """Raises `StorageFailed`."""
        if relation is OBSERVED:
            return self._observed(partition)  # type: ignore[return-value]  # OBSERVED is of these
        if relation.name in _SHARED:
            return _for_all(self.objects.url, self.run, self.plan.name, relation.name)
        return self.sent(relation, partition)

    def sent(self, relation: Relation[R], partition: int) -> list[R]:
        """The records of a relation for a partition, of all objects that may have any."""
        names = [
            left_by(self.plan.name, stage.name, number)
            for stage, numbers in due(STAGES, self.known)
            if relation in stage.writes or relation is TABLE_PARTS
            for number in numbers
        ]
        decompressor, found = zstandard.ZstdDecompressor(), list[R]()
        with ThreadPoolExecutor(READERS) as pool:
            for name, bodies in pool.map(lambda name: self._bodies(name, Address(relation.name, partition)), names):
                for body in bodies:
                    try:
                        found += _decoded(relation, decompressor.decompress(body))
                    except zstandard.ZstdError:
                        raise _damaged(self.objects, name) from None
        return found

    def leave(self, stage: Stage, work: Work, rows: Rows) -> None:
        """Raises ContractBroken, `StorageFailed`."""
        name = f"{self.plan.name}-{stage.name}-{work.number:05d}"
        parts = [
            TablePart(table, write_part(self.objects, table, name, of_table))
            for table, of_table in rows.items()
            if of_table
        ]
        # Written last: who sees it knows that the rows are there.
        put(
            self.objects,
            left_by(self.plan.name, stage.name, work.number),
            {**work.sent, Address(TABLE_PARTS.name, 0): parts},
        )

    def _observed(self, number: int) -> list[StoredObservation]:
        if not self.plan.records:
            return []
        content = BytesIO(self.objects.read(self.plan.records[number]))
        return [item for item in observed_in(content) if tuple(item.location) not in self._held]

    def _bodies(self, name: str, address: Address) -> tuple[str, list[bytes]]:
        sections = _sections(self.objects.url, self.run, name).get(address, ())
        return name, self.objects.read_ranges(name, [Range(begin, length) for begin, length in sections])


@lru_cache(maxsize=len(_SHARED))
def _for_all(store: str, run: str, plan: str, relation: str) -> Sequence[Any]:
    mail = StoreMail(open_objects(store), run, plan_of(store, plan))
    return mail.sent(_RELATIONS[relation], 0)


class _Section(NamedTuple):
    """Records for one address: where they begin in an object, and how long they are, in bytes."""

    begin: int
    length: int


_PREFIX = struct.Struct(">QII")
"""How many bytes the head is long, and the checksums of that number and of the head; sections have their own."""

_HEADS = msgspec.msgpack.Decoder(list[tuple[str, int, int, int]])
"""Relation and partition of each address, where its records begin behind the head, and how long they are."""


def put(objects: Objects, name: str, sent: Mapping[Address, Sequence[msgspec.Struct]]) -> None:
    """Creates the object; one that is there was made of the same."""
    sections, bodies, end = [], [], 0
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
    for address, records in sorted(sent.items()):
        if records:
            wire = _RELATIONS[address.relation].wire
            body = compressor.compress(_ENCODER.encode(records if wire is None else wire.packed(records)))
            sections.append((*address, end, len(body)))
            bodies.append(body)
            end += len(body)
    head = _ENCODER.encode(sections)
    objects.create(name, b"".join([_PREFIX.pack(len(head), crc32(len(head).to_bytes(8)), crc32(head)), head, *bodies]))


def _decoded(relation: Relation[R], body: bytes) -> Iterable[R]:
    decoded = _DECODERS[relation.name].decode(body)
    return decoded if relation.wire is None else relation.wire.unpacked(decoded)


def _damaged(objects: Objects, name: str) -> StorageFailed:
    return StorageFailed(f"{objects.url}/{name} is not as it was written; remove it and build again")


@lru_cache(maxsize=HEADS_MAX)
def _sections(store: str, _run: str, name: str) -> Mapping[Address, Sequence[_Section]]:
    """Where the records of an object are, by the address that they were sent to."""
    objects = open_objects(store)
    (first,) = objects.read_ranges(name, [Range(0, HEAD_BYTES)])
    if len(first) < _PREFIX.size:
        raise _damaged(objects, name)
    length, of_length, of_head = _PREFIX.unpack_from(first)
    if crc32(length.to_bytes(8)) != of_length:
        raise _damaged(objects, name)
    end = _PREFIX.size + length
    if end > len(first):
        (first,) = objects.read_ranges(name, [Range(0, end)])
    head = first[_PREFIX.size : end]
    if crc32(head) != of_head:
        raise _damaged(objects, name)
    sections: dict[Address, list[_Section]] = defaultdict(list)
    for relation, partition, begin, length in _HEADS.decode(head):
        sections[Address(relation, partition)].append(_Section(end + begin, length))
    return sections
