"""The records of a WARC or WET file, one by one; after a damaged record reading goes on at the next.

FastWARC's iterator ends at the first damage. A new one starts at the next possible record: at the magic number of a
compressed member, or at the word `WARC/1.`.
"""

import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from verdicts.fetch.input_files import open_file

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PLAIN = b"WARC/1."
"""The beginning of an uncompressed record."""
GZIP, ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
"""Magic numbers of gzip (RFC 1952, with deflate) and of a zstd frame (RFC 8878). Each record is a member of its own."""

GZIP_FORMAT = 16 + zlib.MAX_WBITS
"""`wbits` for members with the header and checksum of gzip."""

END = b"\r\n\r\n"
"""Ends the headers of a record, and the record."""

CHUNK = 1 << 20

PAGES = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion | WarcRecordType.revisit

HEAD_LIMIT = 32 << 10
"""FastWARC's limit for the bytes of a record's own headers."""

TRIES_MAX = 1_000
"""After this many false record starts in a row, the rest of the file is given up."""

_LF_ALONE = re.compile(r"(?<!\r)\n(?![ \t])")


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """A file that is opened several times. It `follows_links` only if a person named the link.

    `title` names a file that was unpacked from another one.
    """

    path: Path
    follows_links: bool = True
    title: str = ""

    def __str__(self) -> str:
        return self.title or str(self.path)

    def open(self) -> BufferedReader:
        return open_file(self.path, follows_links=self.follows_links)


@dataclass(frozen=True, slots=True)
class ArchiveRecord:
    """A record at byte `offset` of its file; `content` is what follows its `headers`, `size` its bytes.

    `content` is whole, or the beginning of more bytes than the limit.
    """

    offset: int
    type: WarcRecordType
    is_http: bool
    headers: tuple[tuple[str, str], ...]
    content: bytes
    size: int

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes from `offset` to the next record, without a whole record. `url` is the address that they state, if any."""

    offset: int
    why: str
    url: str | None


def read_records(archive: ArchiveFile, limit: int) -> Iterator[ArchiveRecord | Damage]:
    """Every record that may be about a page, and records without a type. Only their first `limit` bytes are read.

    Raises `OSError` if the file cannot be opened.
    """
    with archive.open() as file:
        mark = _read_magic(archive, file)
        start: int | None = 0
        tries = records = 0
        while start is not None and tries < TRIES_MAX:
            latest: ArchiveRecord | None = None
            offset, url = start, None
            file.seek(start)
            try:
                for record in ArchiveIterator(file, parse_http=False):
                    if latest is not None:
                        yield latest
                    latest, tries, records = None, 0, records + 1
                    offset, url = record.stream_pos, None
                    if any(_LF_ALONE.search(value) for _, value in record.headers.items()):
                        # FastWARC takes such lines as one, and the next record's headers as this one's.
                        raise ValueError("its headers end their lines by LF alone")  # noqa: TRY301  reading goes on below
                    url = record.headers.get("WARC-Target-URI")
                    latest = _read_record(record, limit)
            except (OSError, ValueError) as error:
                start = _find_next_start(archive, mark, offset + 1)
                # Either the damage follows the record, or the record states a wrong length.
                if latest is not None and (end := _find_end(archive, mark, latest)) is not None:
                    yield latest
                    offset, url = end, None
                if tries == 0:
                    yield Damage(offset, " ".join(str(error).split()), url)
                tries += 1
            else:
                if latest is not None:
                    yield latest
                end, is_cut = _find_silent_end(archive, offset) if mark == GZIP else (None, False)
                start = None if is_cut else end
                if start is None and tries == records == 0:
                    yield Damage(0, "the file holds no record", None)
                if end is not None and is_cut:
                    yield Damage(end, "the file ends within it", None)


def _read_record(record: WarcRecord, limit: int) -> ArchiveRecord | None:
    """None for a record of another type. Raises `ValueError` for missing bytes."""
    announced = record.content_length
    stated = record.headers.get("Content-Length")
    # Check all types: cut-off headers give FastWARC a record of an unknown type.
    if stated is None or not (stated.isascii() and stated.isdigit()) or int(stated[:20]) != announced:
        raise ValueError(f"its Content-Length is {'missing' if stated is None else repr(stated[:40])}")
    if record.record_type != WarcRecordType.no_type and not record.record_type & PAGES:
        return None
    # FastWARC allocates as many bytes as it is asked to read, and gives the last record of a cut file without the rest.
    content = bytearray()
    size = 0
    while size < announced and (piece := record.reader.read(min(announced - size, CHUNK))):
        size += len(piece)
        content += piece if size <= limit else b""
    if size < announced:
        raise ValueError(f"it has {size:,} of {announced:,} bytes")
    headers = tuple(record.headers.items())
    return ArchiveRecord(record.stream_pos, record.record_type, record.is_http, headers, bytes(content), announced)


def _find_end(archive: ArchiveFile, mark: bytes, record: ArchiveRecord) -> int | None:
    """The start of the next possible record, or the end of the file.

    None if no two line ends close this record: then its Content-Length is wrong. A record above the limit is not
    read again to see that.
    """
    if record.size > len(record.content):
        return _find_next_start(archive, mark, record.offset + 1)
    with archive.open() as file:
        file_end = file.seek(0, os.SEEK_END)
        file.seek(record.offset)
        head, _, behind = _read_member(file, mark, HEAD_LIMIT + len(record.content)).partition(END)
    if not behind[len(record.content) :].startswith(END):
        return None
    if mark == PLAIN:
        return record.offset + len(head) + len(record.content) + 2 * len(END)
    following = _find_next_start(archive, mark, record.offset + 1)
    return file_end if following is None else following


def _read_magic(archive: ArchiveFile, file: BinaryIO) -> bytes:
    start = file.read(len(ZSTD))
    for magic, suffix in ((GZIP, ".gz"), (ZSTD, ".zst")):
        if start.startswith(magic) or (archive.path.name.lower().endswith(suffix) and not start.startswith(b"WARC")):
            return magic
    return PLAIN


def _read_member(file: BinaryIO, mark: bytes, size: int) -> bytes:
    """Up to `size` bytes of a record or to the end of its member: what comes before the damage."""
    if mark == PLAIN:
        return file.read(size)
    member = zlib.decompressobj(GZIP_FORMAT) if mark == GZIP else zstd.ZstdDecompressor()
    read = b""
    with suppress(zlib.error, zstd.ZstdError):
        while not member.eof and len(read) < size and (chunk := file.read(CHUNK)):
            read += member.decompress(chunk)
    return read


def _find_silent_end(archive: ArchiveFile, offset: int) -> tuple[int | None, bool]:
    """Where FastWARC ended before the end of the file without a word, and whether the gzip member there is cut off.

    That is behind an empty member, as bgzip closes a file, or at the unfinished one. Members are followed from
    `offset` on. None if nothing follows, or if it lies within a member: FastWARC reports that case.
    """
    with archive.open() as file:
        file.seek(offset)
        rest = file.read(CHUNK)
        while rest and (rest.startswith(GZIP) or GZIP.startswith(rest)):
            member = zlib.decompressobj(GZIP_FORMAT)
            size, is_empty = 0, True
            while not member.eof:
                if not rest:
                    return offset, True
                try:
                    is_empty = not member.decompress(rest, CHUNK) and is_empty
                except zlib.error:
                    return None, False
                used = len(rest) - len(member.unconsumed_tail) - len(member.unused_data)
                size += used
                rest = member.unused_data if member.eof else member.unconsumed_tail or file.read(CHUNK)
            offset += size
            rest = rest or file.read(CHUNK)
            if is_empty and rest:
                return offset, False
    return None, False


def _find_next_start(archive: ArchiveFile, mark: bytes, start: int) -> int | None:
    """The next byte from `start` on where a record may begin; None if there is none."""
    with archive.open() as file:
        position = start
        file.seek(position)
        window = b""
        while chunk := file.read(CHUNK):
            window += chunk
            start_of_mark = window.find(mark)
            if start_of_mark >= 0:
                return position + start_of_mark
            position += max(0, len(window) - len(mark))
            window = window[-len(mark) :]
    return None
