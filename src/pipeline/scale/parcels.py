"""What the work on one bin sends to others, as one object: a head, and for each address its records."""

import struct
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import zstandard

from fetch.model.errors import StorageFailed
from fetch.objects.objects import Objects, Range
from fetch.objects.opening import open_objects
from normalize.bins.outbox import Address, Inbox
from normalize.state.relation import Relation
from pipeline.scale.wire import DECODERS

LEVEL = 1
"""Of zstd: records are read once, and a higher level takes longer to write than the rest of a stage."""

HEAD_BYTES = 16_384
"""Read at once, before it is known how long the head is: one of 64 bins takes some kilobytes."""

HEADS_MAX = 4_096
"""Heads that a process remembers: it works on several bins of a stage, which all read the same objects."""


READERS = 8
"""Objects that are read at a time: each waits some 10 ms for a bucket, and a bin reads one of every other bin."""


_ENCODER = msgspec.msgpack.Encoder()


class _Section(NamedTuple):
    """Records of a relation for one bin: where they begin in an object, and how long they are, in bytes."""

    relation: str
    begin: int
    length: int


_PREFIX = struct.Struct(">QII")
"""How many bytes the head is long, and the checksums of that number and of the head; sections have their own."""

_HEADS = msgspec.msgpack.Decoder(list[tuple[str, int, str, int, int]])
"""Stage, bin and relation of each address, where its records begin behind the head, and how long they are."""


def put(objects: Objects, name: str, sent: Mapping[Address, Sequence[msgspec.Struct]]) -> None:
    """Creates the object; one that is there was made of the same."""
    sections, bodies, end = [], [], 0
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
    # What goes to one bin stands together.
    for address in sorted(sent):
        body = compressor.compress(_ENCODER.encode(sent[address]))
        sections.append((*address, end, len(body)))
        bodies.append(body)
        end += len(body)
    head = _ENCODER.encode(sections)
    objects.create(name, b"".join([_PREFIX.pack(len(head), crc32(len(head).to_bytes(8)), crc32(head)), head, *bodies]))


class Sender(NamedTuple):
    """Where parcels are read from, and in which run: what is remembered of them is forgotten with it.

    Another run of the same plan may find the same records in another order, and so at other places.
    """

    objects: Objects
    run: str


def fetch(
    sender: Sender, names: Iterable[str], stage: str, number: int, relations: Collection[Relation[Any]] | None = None
) -> Inbox:
    """What a bin of a stage was sent in some objects: of these relations, else of all. Raises `StorageFailed`."""
    objects = sender.objects
    wanted = None if relations is None else {relation.name for relation in relations}

    def read(name: str) -> tuple[str, list[tuple[str, bytes]]]:
        sections = _sections(objects.url, sender.run, name).get((stage, number), ())
        mine = [section for section in sections if wanted is None or section.relation in wanted]
        return name, [*zip((section.relation for section in mine), _bodies(objects, name, mine), strict=True)]

    inbox: dict[str, list[Any]] = defaultdict(list)
    decompressor = zstandard.ZstdDecompressor()
    with ThreadPoolExecutor(READERS) as pool:
        for name, bodies in pool.map(read, names):
            for relation, body in bodies:
                try:
                    inbox[relation] += DECODERS[relation].decode(decompressor.decompress(body))
                except zstandard.ZstdError:
                    raise _damaged(objects, name) from None
    return inbox


def _damaged(objects: Objects, name: str) -> StorageFailed:
    return StorageFailed(f"{objects.url}/{name} is not as it was written; remove it and build again")


@lru_cache(maxsize=HEADS_MAX)
def _sections(store: str, _run: str, name: str) -> Mapping[tuple[str, int], Sequence[_Section]]:
    """Where the records of an object are, by the stage and the bin that they were sent to."""
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
    sections: dict[tuple[str, int], list[_Section]] = defaultdict(list)
    for stage, number, relation, begin, length in _HEADS.decode(head):
        sections[stage, number].append(_Section(relation, end + begin, length))
    return sections


def _bodies(objects: Objects, name: str, sections: Sequence[_Section]) -> list[bytes]:
    """The bytes of sections that go to one bin, read at once: they stand together."""
    if not sections:
        return []
    begin, last = sections[0].begin, sections[-1]
    (together,) = objects.read_ranges(name, [Range(begin, last.begin + last.length - begin)])
    return [together[section.begin - begin :][: section.length] for section in sections]
