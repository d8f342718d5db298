"""Packs: segments written by a compaction. Records are copied as they are, and keep their names.

A pack begins with a warcinfo record and a metadata record that says which records follow, so that the state can be made
again from it: `{"records": [["<segment>", [[<offset>, <size>], ...]], ...]}`.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from verdicts.corpus.first_error import noted_on
from verdicts.fetch.model.errors import StoreDamaged
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.store.frames import read_frame
from verdicts.fetch.store.segments import SOFTWARE, RecordDigest
from verdicts.fetch.store.warc import index_frame, info_frame, record_of


@dataclass(frozen=True, slots=True)
class Packed:
    """A record to be copied: its name, where its bytes are, their length and digest."""

    name: Location
    place: Location
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as it was written: its own two records, and where each record that was copied now begins."""

    size: int
    own: tuple[RecordDigest, ...]
    offsets: tuple[int, ...]


def write_pack(raw: Path, name: str, records: Sequence[Packed]) -> Pack:
    """Writes a pack, syncs it and reads it again. Raises `StoreDamaged` for a record that is not as it was written.

    Raises `OSError`; nothing of the pack is left then.
    """
    path = raw / name
    heads = (info_frame(name, "pack", SOFTWARE), index_frame(_index(records)))
    own, offset = [], 0
    for head in heads:
        own.append(RecordDigest(name, offset, len(head), hashlib.sha256(head).hexdigest()))
        offset += len(head)
    offsets = []
    try:
        with path.open("xb") as file:
            file.writelines(heads)
            for source, group in groupby(records, key=lambda record: record.place.segment):
                with (raw / source).open("rb") as reading:
                    for record in group:
                        file.write(_read(reading.fileno(), raw / source, record.place.offset, record))
                        offsets.append(offset)
                        offset += record.size
            file.flush()
            os.fsync(file.fileno())
        with path.open("rb") as reading:
            for record, begins in zip(records, offsets, strict=True):
                _read(reading.fileno(), path, begins, record)
    except BaseException as error:
        with noted_on(error):
            path.unlink(missing_ok=True)
        raise
    folder = os.open(raw, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return Pack(offset, tuple(own), tuple(offsets))


def _read(fd: int, path: Path, offset: int, record: Packed) -> bytes:
    content = os.pread(fd, record.size, offset)
    if hashlib.sha256(content).hexdigest() != record.sha256:
        raise StoreDamaged(path, offset, "the record is not as it was written")
    return content


def _index(records: Sequence[Packed]) -> bytes:
    segments = [
        [segment, [[record.name.offset, record.size] for record in group]]
        for segment, group in groupby(records, key=lambda record: record.name.segment)
    ]
    return json.dumps({"records": segments}, separators=(",", ":")).encode()


def names_in_pack(path: Path) -> dict[int, Location]:
    """The names of the records of a pack, by where they begin; none where its own records are damaged."""
    try:
        with path.open("rb") as file:
            info = read_frame(file, path, 0)
            index = read_frame(file, path, info.size)
        record = record_of(index)
        segments = json.loads(record.reader.read())["records"] if record is not None else []
    except (StoreDamaged, ValueError, KeyError):
        return {}
    names, begins = {}, index.offset + index.size
    for segment, records in segments:
        for offset, size in records:
            names[begins] = Location(segment, offset)
            begins += size
    return names
