"""A snapshot: what one address answered at one moment, as bytes."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Location:
    """Where a snapshot lies in the raw store: a segment's file name and the byte offset of its record."""

    segment: str
    offset: int


@dataclass(frozen=True)
class Snapshot:
    """One stored answer. `body` is free of any content-encoding and never partial.

    `url` is the canonical address that was asked for, `final_url` the one that answered after redirects.
    A file without an address has `urn:sha256:<hex of its body>` for both.
    `headers` are in the order sent, names in lower case. `fetched_at` is in UTC.
    """

    url: str
    final_url: str
    fetched_at: datetime
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    crawl_id: str

    @cached_property
    def sha256(self) -> str:
        """Hex digest of the body."""
        return hashlib.sha256(self.body).hexdigest()

    def header(self, name: str) -> str | None:
        """The first value of a header, `name` in lower case."""
        return next((value for key, value in self.headers if key == name), None)


def has_address(url: str) -> bool:
    """Whether a snapshot's url is a web address, not the digest of a file that came without one."""
    return url.startswith(("http://", "https://"))
