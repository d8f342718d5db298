"""The records of a WARC or WET file, one by one. What is damaged costs itself: reading goes on at the next record.

FastWARC's iterator ends at the first damage, so a new one is begun at the next place where a record may begin: at the
magic number of a compressed member, or at the word `WARC/1.`.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from verdicts.fetch.archives.file import ArchiveFile
from verdicts.fetch.archives.members import END, GZIP, PLAIN, cut_member, mark_of, member_at, next_start

PAGES = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
"""The types of records that may hold a page."""

HEAD_LIMIT = 32 << 10
"""Bytes of a record's own headers at most, as FastWARC has it."""

TRIES_MAX = 1_000
"""Places in a row that look like the beginning of a record and are none; the rest of such a file is given up."""

_LF_ALONE = re.compile(r"(?<!\r)\n(?![ \t])")


@dataclass(frozen=True, slots=True)
class ArchiveRecord:
    """A whole record, which begins at byte `offset` of its file. `content` is all that follows its `headers`.

    `room`: bytes from there to where the next record may begin, packed as they are.
    """

    offset: int
    type: WarcRecordType
    is_http: bool
    headers: tuple[tuple[str, str], ...]
    content: bytes
    room: int = 0

    def header(self, name: str) -> str | None:
        """The first value of a header; None where it is absent."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


@dataclass(frozen=True, slots=True)
class Damage:
    """What is no whole record, from byte `offset` to the next one. `url` is what it says it is about, if anything."""

    offset: int
    why: str
    url: str | None


class NotWhole(ValueError):
    """A record without its bytes, or with more of them than are read."""


def read_records(
    archive: ArchiveFile, limit: int, begin: int = 0, types: WarcRecordType = PAGES
) -> Iterator[ArchiveRecord | Damage]:
    """Every record of these types from byte `begin` on, where a record begins, and those that state no type.

    One of more than `limit` bytes is `Damage`. Raises `OSError` where the file cannot be opened.
    """
    with archive.open() as file:
        mark = mark_of(archive, file)
        start: int | None = begin
        tries = records = 0
        while start is not None and tries < TRIES_MAX:
            held: ArchiveRecord | None = None
            place, url = start, None
            file.seek(start)
            try:
                for record in ArchiveIterator(file, parse_http=False):
                    if held is not None:
                        yield _up_to(held, record.stream_pos)
                    held, tries, records = None, 0, records + 1
                    place, url = record.stream_pos, None
                    _check_lines(record)
                    url = record.headers.get("WARC-Target-URI")
                    held = _read(record, limit, types)
            except (OSError, ValueError) as error:
                start = next_start(archive, mark, place + 1)
                # The damage lies behind the record, or the record ends elsewhere than it says.
                if held is not None and (end := _end(archive, mark, held)) is not None:
                    yield _up_to(held, end)
                    place, url = end, None
                if tries == 0:
                    yield Damage(place, " ".join(str(error).split()), url)
                tries += 1
            else:
                if held is not None:
                    yield _up_to(held, file.seek(0, os.SEEK_END))
                if tries == records == begin == 0:
                    yield Damage(0, "the file holds no record", None)
                if mark == GZIP and (cut := cut_member(archive, place)) is not None:
                    yield Damage(cut, "the file ends within it", None)
                start = None


def _up_to(record: ArchiveRecord, end: int) -> ArchiveRecord:
    return replace(record, room=end - record.offset)


def _check_lines(record: WarcRecord) -> None:
    """FastWARC takes lines without CR as one, and what follows as headers, the next record's included."""
    if any(_LF_ALONE.search(value) for _, value in record.headers.items()):
        raise NotWhole("its headers end their lines by LF alone")


def _read(record: WarcRecord, limit: int, types: WarcRecordType) -> ArchiveRecord | None:
    """None for a record of another type. Raises `NotWhole`."""
    announced = record.content_length
    stated = record.headers.get("Content-Length")
    # Whatever its type: of headers that are cut off FastWARC makes a record of an unknown one.
    if stated is None or not (stated.isascii() and stated.isdigit()) or int(stated[:20]) != announced:
        raise NotWhole(f"its Content-Length is {'missing' if stated is None else repr(stated[:40])}")
    if record.record_type != WarcRecordType.no_type and not record.record_type & types:
        return None
    if announced > limit:
        raise NotWhole(f"it has {announced:,} bytes, more than {limit:,}")
    record.freeze()
    # FastWARC gives the last record of a file cut short without its missing bytes.
    if record.content_length < announced:
        raise NotWhole(f"it has {record.content_length:,} of {announced:,} bytes")
    # FastWARC allocates as many bytes as it is asked to read.
    content = record.reader.read(announced) if announced else b""
    headers = tuple(record.headers.items())
    return ArchiveRecord(record.stream_pos, record.record_type, record.is_http, headers, content)


def _end(archive: ArchiveFile, mark: bytes, record: ArchiveRecord) -> int | None:
    """Where the next record may begin, at the latest where the file ends; None unless two line ends close this one.

    Without them its Content-Length is wrong.
    """
    with archive.open() as file:
        file_end = file.seek(0, os.SEEK_END)
        file.seek(record.offset)
        head, _, behind = member_at(file, mark, HEAD_LIMIT + len(record.content)).partition(END)
    if not behind[len(record.content) :].startswith(END):
        return None
    if mark == PLAIN:
        return record.offset + len(head) + len(record.content) + 2 * len(END)
    following = next_start(archive, mark, record.offset + 1)
    return file_end if following is None else following
