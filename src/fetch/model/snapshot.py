"""A snapshot: the bytes of one URL at one moment, and where they are stored."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from verdicts.fetch.model.headers import Headers, header_value


class Location(NamedTuple):
    """Where a snapshot lies in the raw store: a segment's file name and the byte offset of its record.

    In the order of the store.
    """

    segment: str
    offset: int


@dataclass(frozen=True)
class Snapshot:
    """One stored response. `body` has no content encoding and is never partial.

    `url` is the canonical URL that was requested, `final_url` the spelling that answered.
    A file without a URL has `urn:sha256:<hex of its body>` for both, and status 0.
    `headers` are in the order sent, names in lower case. `fetched_at` is in UTC.
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
        """Hex digest of the body."""
        return hashlib.sha256(self.body).hexdigest()

    def header(self, name: str) -> str | None:
        """The first value of a header as text in one line, `name` in lower case; None where it is absent."""
        return header_value(self.headers, name)


def has_address(url: str) -> bool:
    """Whether a snapshot's `url` is a web address, not the digest of a file without one."""
    return url.startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One full record of the raw store. `sha256` is the hex digest of its body.

    `is_lost`: it was damaged and cannot be read again; what was extracted from it before may still be there.
    """

    location: Location
    url: str
    final_url: str
    fetched_at: datetime
    crawl_id: str
    sha256: str
    media_type: str
    is_lost: bool = False
