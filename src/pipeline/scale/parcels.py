"""What the work on one bin sends to others, as one object: a head, and for each address its records."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import msgspec
import zstandard

from fetch.objects.objects import Objects, Range
from normalize.bins.outbox import Address, Inbox
from normalize.state.relation import Relation
from pipeline.scale.wire import DECODERS

LEVEL = 1
"""Of zstd: records are read once, and a higher level takes longer to write than the rest of a stage."""

HEAD_BYTES = 65_536
"""Read at once, before it is known how long the head is; a small object is read whole with it."""


READERS = 8
"""Objects that are read at a time: each waits some 10 ms for a bucket, and a bin reads one of every other bin."""


_ENCODER = msgspec.msgpack.Encoder()


class _Section(NamedTuple):
    """Where the records of an address stand, in bytes behind the head."""

    stage: str
    bin: int
    relation: str
    begin: int
    length: int


_HEADS = msgspec.msgpack.Decoder(list[_Section])


def put(objects: Objects, name: str, sent: Mapping[Address, Sequence[msgspec.Struct]]) -> None:
    """Creates the object; one that is there was made of the same."""
    sections, bodies, end = [], [], 0
    compressor = zstandard.ZstdCompressor(level=LEVEL)
    # What goes to one bin stands together.
    for address in sorted(sent):
        body = compressor.compress(_ENCODER.encode(sent[address]))
        sections.append(_Section(*address, end, len(body)))
        bodies.append(body)
        end += len(body)
    head = _ENCODER.encode(sections)
    objects.create(name, b"".join([len(head).to_bytes(8), head, *bodies]))


def fetch(
    objects: Objects, names: Iterable[str], stage: str, number: int, relations: Collection[Relation[Any]] | None = None
) -> Inbox:
    """What a bin of a stage was sent in some objects: of these relations, else of all."""
    wanted = None if relations is None else {relation.name for relation in relations}

    def read(name: str) -> list[tuple[str, bytes]]:
        first, head = _head(objects, name)
        mine = [
            section
            for section in head.sections
            if (section.stage, section.bin) == (stage, number) and (wanted is None or section.relation in wanted)
        ]
        return [
            *zip((section.relation for section in mine), _bodies(objects, name, first, head.end, mine), strict=True)
        ]

    inbox: dict[str, list[Any]] = defaultdict(list)
    decompressor = zstandard.ZstdDecompressor()
    with ThreadPoolExecutor(READERS) as pool:
        for bodies in pool.map(read, names):
            for relation, body in bodies:
                inbox[relation] += DECODERS[relation].decode(decompressor.decompress(body))
    return inbox


class _Head(NamedTuple):
    sections: list[_Section]
    end: int


def _head(objects: Objects, name: str) -> tuple[bytes, _Head]:
    """The begin of an object, and its head."""
    (first,) = objects.read_ranges(name, [Range(0, HEAD_BYTES)])
    end = 8 + int.from_bytes(first[:8])
    if end > len(first):
        (first,) = objects.read_ranges(name, [Range(0, end)])
    return first, _Head(_HEADS.decode(first[8:end]), end)


def _bodies(objects: Objects, name: str, first: bytes, begin: int, sections: Sequence[_Section]) -> list[bytes]:
    if not sections:
        return []
    places = [(begin + section.begin, begin + section.begin + section.length) for section in sections]
    if places[-1][1] <= len(first):
        return [first[start:end] for start, end in places]
    start, end = places[0][0], places[-1][1]
    (together,) = objects.read_ranges(name, [Range(start, end - start)])
    return [together[of - start : to - start] for of, to in places]
