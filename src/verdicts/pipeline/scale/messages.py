"""Messages between stages as objects in a store: a partition writes one object, once.

So a batch may run twice or be repeated elsewhere: the first object stays. An object is a sequence of gzip members:
its contents, then the records for each address. Rows of tables are separate parts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from isal import isal_zlib

from verdicts.extract.model.stored import StoredObservation
from verdicts.fetch.archives.records import GZIP_FORMAT
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects import Objects, Range, open_objects
from verdicts.fetch.store.warc import MemberDamaged, pack_member
from verdicts.pipeline.scale.partitions import Address, Partitions, R, Relation, Stage, Work, list_work
from verdicts.pipeline.scale.relations import OBSERVED
from verdicts.pipeline.scale.stages import STAGES
from verdicts.warehouse.manifests import Part
from verdicts.warehouse.parts import write_part

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

_RELATIONS = {relation.name: relation for relation in (*(of for stage in STAGES for of in stage.sends), TABLE_PARTS)}
_SHARED = {of.name for stage in STAGES if stage.by != "all" for of in stage.reads if of.by == "all"}
"""Relations that every partition of a stage reads. A process reads them once."""

_ENCODER = msgspec.msgpack.Encoder()
_DECODERS: dict[str, msgspec.msgpack.Decoder[Any]] = {
    name: msgspec.msgpack.Decoder(list[relation.record] if relation.wire is None else relation.wire.form)  # type: ignore[name-defined]
    for name, relation in _RELATIONS.items()
}


@lru_cache(maxsize=2)
def _shared(_store: str, _run: str) -> dict[str, Sequence[Any]]:
    """A cache of the shared relations."""
    return {}


class StoredMessages:
    """Implements `verdicts.pipeline.scale.partitions.Mail` for a run of a plan. `observed` reads a segment.

    Caches belong to the run: another run of the same plan may send the same records in another order.
    """

    def __init__(
        self,
        objects: Objects,
        run: str,
        plan: str,
        partitions: Partitions,
        observed: Callable[[int], list[StoredObservation]] = lambda _: [],
    ) -> None:
        self._objects, self._run, self._plan, self._partitions = objects, run, plan, partitions
        self._observed = observed
        self._rows: dict[str, list[Any]] = defaultdict(list)

    def read(self, relation: Relation[R], partition: int) -> Sequence[R]:
        """Raises `StorageFailed`."""
        if relation is OBSERVED:
            return self._observed(partition)  # type: ignore[return-value]  # OBSERVED is of these
        if relation.name not in _SHARED:
            return self.sent(relation, partition)
        shared = _shared(self._objects.url, self._run)
        if relation.name not in shared:
            shared[relation.name] = self.sent(relation, 0)
        return shared[relation.name]

    def sent(self, relation: Relation[R], partition: int) -> list[R]:
        """The records of a relation for a partition, from all objects."""
        names = [
            left_by(self._plan, stage.name, number)
            for stage, numbers in list_work(STAGES, self._partitions)
            if relation in stage.sends or relation is TABLE_PARTS
            for number in numbers
        ]
        found = list[R]()
        with ThreadPoolExecutor(READERS) as pool:
            for name, bodies in pool.map(lambda name: self._bodies(name, Address(relation.name, partition)), names):
                for body in bodies:
                    try:
                        decoded = _DECODERS[relation.name].decode(isal_zlib.decompress(body, GZIP_FORMAT))
                    except MemberDamaged:
                        raise _damaged(self._objects, name) from None
                    found += decoded if relation.wire is None else relation.wire.unpack(decoded)
        return found

    def keep(self, table: str, rows: Sequence[Any]) -> None:
        """Rows of the partition that is worked on: one part of each table."""
        self._rows[table] += rows

    def leave(self, stage: Stage, work: Work) -> None:
        """Raises `ContractBroken`, `StorageFailed`."""
        name = f"{self._plan}-{stage.name}-{work.number:05d}"
        parts = [
            TablePart(table, write_part(self._objects, table, name, of_table))
            for table, of_table in self._rows.items()
            if of_table
        ]
        # Written last: if it exists, the rows exist.
        put(
            self._objects,
            left_by(self._plan, stage.name, work.number),
            {**work.sent, Address(TABLE_PARTS.name, 0): parts},
        )

    def _bodies(self, name: str, address: Address) -> tuple[str, list[bytes]]:
        sections = _sections(self._objects.url, self._run, name).get(address, ())
        return name, self._objects.read_ranges(name, sections)


def folder_of(plan: str) -> str:
    """The folder of a plan and the objects of its batches."""
    return f"messages/{plan}/"


def left_by(plan: str, stage: str, number: int) -> str:
    """The object of a partition of a stage."""
    return f"{folder_of(plan)}{stage}/{number:05d}"


def forget_messages(objects: Objects, plans: Iterable[str]) -> None:
    """Removes the messages of finished plans."""
    for plan in plans:
        for name in objects.names(folder_of(plan)):
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


def _damaged(objects: Objects, name: str) -> StorageFailed:
    return StorageFailed(f"{objects.url}/{name} is not as it was written; delete it and build again")


@lru_cache(maxsize=OBJECTS_MAX)
def _sections(store: str, _run: str, name: str) -> Mapping[Address, Sequence[Range]]:
    objects, size = open_objects(store), CONTENTS_BYTES
    while True:
        (first,) = objects.read_ranges(name, [Range(0, size)])
        member = isal_zlib.decompressobj(GZIP_FORMAT)
        try:
            contents = member.decompress(first)
        except MemberDamaged:
            raise _damaged(objects, name) from None
        if member.eof:
            break
        if len(first) < size:
            raise _damaged(objects, name)
        size *= 16
    end = len(first) - len(member.unused_data)
    sections: dict[Address, list[Range]] = defaultdict(list)
    for relation, partition, begin, length in _CONTENTS.decode(contents):
        sections[Address(relation, partition)].append(Range(end + begin, length))
    return sections
