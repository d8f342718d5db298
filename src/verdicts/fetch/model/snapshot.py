"""A response of a host, and the snapshot of it that a run keeps."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

from verdicts.corpus.text import in_one_line
from verdicts.fetch.model.charset import convert_to_utf8, find_encoding
from verdicts.fetch.model.html_tokens import count_text
from verdicts.fetch.model.share import WHOLE, Share

Headers: TypeAlias = tuple[tuple[str, str], ...]
"""UTF-8, with a lone surrogate for each other byte (`surrogateescape`): the raw store writes the same bytes.

Other code reads values through `read_header`.
"""

VALIDATOR_LENGTH = 1_000
"""The most characters of an ETag to send back; hosts refuse requests with much longer ones."""


def decode_header(raw: bytes) -> str:
    return raw.decode("utf-8", errors="surrogateescape")


def read_header(headers: Headers, name: str) -> str | None:
    """The first value of a header as one line of text; `name` in lower case."""
    for key, value in headers:
        if key == name:
            return in_one_line(value)
    return None


def is_sendable(validator: str) -> bool:
    """Whether an ETag or a date can be sent back unchanged: visible ASCII only."""
    return validator.isascii() and validator.isprintable() and 0 < len(validator) <= VALIDATOR_LENGTH


def parse_media_type(content_type: str | None) -> str:
    """`text/html` from `Text/HTML; charset=utf-8`; empty for None."""
    return (content_type or "").partition(";")[0].strip().lower()


def parse_charset(content_type: str | None) -> str | None:
    """`utf-8` from `text/html; charset="UTF-8"`: the first parameter of that name."""
    for parameter in (content_type or "").lower().split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset":
            return value.strip(" \t\"'") or None
    return None


REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""Statuses with a Location to follow (https://fetch.spec.whatwg.org/#redirect-status); 300 and 305 are not."""


SEARCHED_BYTES = 4_000_000
"""The most bytes of a page in which tags are searched: more would hold up other hosts."""

TEXT_COUNTED = 1_500
"""The bytes of text that are counted of a page: the most that a wall has (`verdicts.fetch.parse.walls`)."""


@dataclass(frozen=True)
class Response:
    """`body` is decoded and never partial; `wire_bytes` counts its bytes as received."""

    status: int
    headers: Headers
    body: bytes
    elapsed_ms: int
    wire_bytes: int

    def header(self, name: str) -> str | None:
        return read_header(self.headers, name)

    def validator(self, name: str) -> str | None:
        """An ETag or a Last-Modified that can be sent back, else None."""
        value = self.header(name)
        return value if value and is_sendable(value) else None

    @cached_property
    def media_type(self) -> str:
        return parse_media_type(self.header("content-type"))

    @cached_property
    def charset(self) -> str | None:
        return parse_charset(self.header("content-type"))

    @cached_property
    def encoding(self) -> str:
        """The encoding of a page, by WHATWG's name."""
        return find_encoding(self.body[:SEARCHED_BYTES], self.charset).encoding

    @cached_property
    def head(self) -> bytes:
        """The first `SEARCHED_BYTES` of the body in UTF-8, to search for tags."""
        return convert_to_utf8(self.body[:SEARCHED_BYTES], self.charset)

    @cached_property
    def text_bytes(self) -> int:
        """The bytes of the text between its tags, in UTF-8. Counted up to `TEXT_COUNTED`: then a larger number."""
        return count_text(self.head, TEXT_COUNTED)

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx. Only 200 brings a whole page; robots.txt and sitemaps accept any."""
        return 200 <= self.status < 300

    @property
    def is_redirect(self) -> bool:
        return self.status in REDIRECTS


class Location(NamedTuple):
    """The place of a snapshot in the raw store: a segment and the byte offset of its record. Sorts in store order."""

    segment: str
    offset: int


@dataclass(frozen=True)
class Snapshot:
    """One stored response. `body` has no content encoding and is never partial.

    `url` is the key of the page, `final_url` the address that answered. A file without a URL has
    `urn:sha256:<hex of its body>` for both, and status 0. `headers` are in the order sent, names in lower case.
    `fetched_at` is UTC.
    """

    url: str
    final_url: str
    fetched_at: datetime
    status: int
    headers: Headers
    body: bytes
    crawl_id: str

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.body).hexdigest()

    def header(self, name: str) -> str | None:
        return read_header(self.headers, name)


def has_address(url: str) -> bool:
    """Whether a snapshot's `url` is a web address, not the digest of a file."""
    return url.startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One full record of the raw store. `sha256` is the hex digest of its body.

    `is_lost`: it is damaged and cannot be read; earlier extracts from it may still exist.
    """

    location: Location
    url: str
    final_url: str
    fetched_at: datetime
    crawl_id: str
    sha256: str
    media_type: str
    is_lost: bool = False


CLOCKS_DIFFER = timedelta(days=1)
"""How far ahead the date of a page may be: another clock may be ahead, or in another zone."""

_STAMP = "%Y%m%dT%H%M%SZ"
_ID = re.compile(r"(\d{8}T\d{6}Z)-[0-9a-f]{4}")


def new_run_id(moment: datetime, after: str | None = None, share: Share = WHOLE) -> str:
    """`20261101T013000Z-9f3c`: sorts by time, unique within a second. `moment` is in UTC.

    At least a second later than `after`, the newest id: ids keep the order of runs, also of two within a second, and if
    the clock is set back.
    Fetchers of different shares, which start in the same second, never have the same id.
    """
    newest = _parse_start(after or "")
    if newest is not None:
        moment = max(moment, newest + timedelta(seconds=1))
    chance = secrets.randbelow(2**16 // share.total) * share.total + share.number - 1
    return f"{moment:{_STAMP}}-{chance:04x}"


def clamp_to_run(run_id: str, moment: datetime) -> datetime:
    """The moment, or the start of the run by its id if that is later.

    After a night with a fast clock, ids stay ahead of the clock. A page dated before its run's id would count as
    archived, and so as older than the page of the night before.
    """
    began = _parse_start(run_id)
    return moment if began is None else max(moment, began)


@lru_cache(maxsize=10)
def _parse_start(run_id: str) -> datetime | None:
    match = _ID.fullmatch(run_id)
    return None if match is None else datetime.fromisoformat(match[1])
