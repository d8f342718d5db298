"""Where the records of an archive begin and end: the magic numbers of its members, or the words of plain records."""

import errno
import os
import zlib
from contextlib import suppress
from typing import BinaryIO

from zstandard import ZstdDecompressor, ZstdError

from verdicts.fetch.archives.file import ArchiveFile

PLAIN = b"WARC/1."
"""The beginning of a record that is not compressed."""
GZIP, ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
"""Magic numbers of gzip (RFC 1952, with deflate) and of a zstd frame (RFC 8878): each record is a member of its own."""

END = b"\r\n\r\n"
"""What ends the headers of a record, and the record."""

CHUNK = 1 << 20


def mark_of(archive: ArchiveFile, file: BinaryIO) -> bytes:
    """How a record of the file begins."""
    start = file.read(len(ZSTD))
    for magic, suffix in ((GZIP, ".gz"), (ZSTD, ".zst")):
        if start.startswith(magic) or (archive.name.lower().endswith(suffix) and not start.startswith(b"WARC")):
            return magic
    return PLAIN


def member_at(file: BinaryIO, mark: bytes, size: int) -> bytes:
    """Up to `size` bytes of a record, or to the end of its member; what stands before a damage."""
    if mark == PLAIN:
        return file.read(size)
    member = zlib.decompressobj(wbits=31) if mark == GZIP else ZstdDecompressor().decompressobj()
    read = b""
    with suppress(zlib.error, ZstdError):
        while not member.eof and len(read) < size and (chunk := file.read(CHUNK)):
            read += member.decompress(chunk)
    return read


def cut_member(archive: ArchiveFile, place: int) -> int | None:
    """Where the gzip member begins that the file ends in, from the one at `place` on; FastWARC says nothing of it.

    None where the last member is whole, and where `place` lies within one: FastWARC tells then.
    """
    with archive.open() as file:
        file.seek(place)
        rest = file.read(CHUNK)
        while rest and (rest.startswith(GZIP) or GZIP.startswith(rest)):
            member = zlib.decompressobj(wbits=31)
            size = 0
            while not member.eof:
                if not rest:
                    return place
                try:
                    member.decompress(rest, CHUNK)
                except zlib.error:
                    return None
                used = len(rest) - len(member.unconsumed_tail) - len(member.unused_data)
                size += used
                rest = member.unused_data if member.eof else member.unconsumed_tail or file.read(CHUNK)
            place += size
            rest = rest or file.read(CHUNK)
    return None


def next_start(archive: ArchiveFile, mark: bytes, start: int) -> int | None:
    """The next byte from `start` on at which a record may begin; None where there is none."""
    with archive.open() as file:
        place = start
        file.seek(place)
        window = b""
        while chunk := file.read(CHUNK):
            window += chunk
            found = window.find(mark)
            if found >= 0:
                return place + found
            place += max(0, len(window) - len(mark))
            window = window[-len(mark) :]
            if not chunk.strip(b"\0") and (behind := _behind_hole(file)) > place + len(window):
                file.seek(behind)
                place, window = behind, b""
    return None


def _behind_hole(file: BinaryIO) -> int:
    """Where the bytes of a file go on, which may have holes: a terabyte of zeros takes no room, and hours to read.

    The place that the file is at where it has none, or has no holes as it is an object.
    """
    place = file.tell()
    try:
        here = os.lseek(file.fileno(), 0, os.SEEK_CUR)
        try:
            return os.lseek(file.fileno(), place, os.SEEK_DATA)
        finally:
            # `file` reads ahead, and takes for granted that its descriptor stands where it left it.
            os.lseek(file.fileno(), here, os.SEEK_SET)
    except OSError as error:
        return file.seek(0, os.SEEK_END) if error.errno == errno.ENXIO else place
