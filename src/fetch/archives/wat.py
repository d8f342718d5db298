"""WAT files: what a crawl knows of its pages without their content, and where in which WARC file each of them lies.

Each record is `metadata` with JSON: `Container` names file, offset and packed length of the record it is about,
`Envelope` has that record's headers (Common Crawl's form of the Internet Archive's metadata extractor).
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from fastwarc.warc import WarcRecordType

from verdicts.corpus.unicode_text import is_text
from verdicts.fetch.archives.file import ArchiveFile
from verdicts.fetch.archives.records import Damage, read_records
from verdicts.fetch.model.addresses.patterns import AddressPattern

WATS = (".wat", ".wat.gz", ".wat.zst")

RECORD_LIMIT = 20_000_000
"""Bytes of the metadata of a page at most."""


OFFSET_MAX = 2**63 - 1
"""The last byte of a file."""


class NamedPage(NamedTuple):
    """A page that a WAT file names. `at`: the byte of its record there, `end`: of the next one."""

    url: str
    file: str
    """Name of the WARC file, without its folders."""
    offset: int
    length: int
    at: int
    end: int


def read_wat(archive: ArchiveFile, include: AddressPattern | None, begin: int = 0) -> Iterator[NamedPage | Damage]:
    """The responses that a WAT file names whose address has a match of `include`, from byte `begin` on.

    What says not where its page lies is `Damage`. Raises `OSError` where the file cannot be opened.
    """
    for item in read_records(archive, RECORD_LIMIT, begin, WarcRecordType.metadata):
        if isinstance(item, Damage):
            yield item
            continue
        url = (item.header("WARC-Target-URI") or "").strip("<>")
        try:
            known = json.loads(item.content)
            about = known["Envelope"]["WARC-Header-Metadata"]
            if about["WARC-Type"] != "response":
                continue
            url = str(about["WARC-Target-URI"])
            if include is not None and not include.is_in(url):
                continue
            place: dict[str, Any] = known["Container"]
            file = str(place["Filename"]).rpartition("/")[2]
            offset, length = int(place["Offset"]), int(place["Gzip-Metadata"]["Deflate-Length"])
            if is_text(file + url) and 0 <= offset <= OFFSET_MAX and 0 < length <= OFFSET_MAX:
                yield NamedPage(url, file, offset, length, item.offset, item.offset + item.room)
            else:
                yield Damage(item.offset, "no page can lie where it says", _text(url))
        except (ArithmeticError, ValueError, KeyError, TypeError, RecursionError) as error:
            yield Damage(
                item.offset, f"it does not say where its page lies ({type(error).__name__}: {error})", _text(url)
            )


def _text(url: str) -> str | None:
    r"""An address that the log can hold: JSON may spell half of a character, `"\ud800"`."""
    return url if is_text(url) else None
