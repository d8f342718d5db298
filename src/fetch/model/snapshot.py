"""What a host sent: a response, and the snapshot of it that a run keeps."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple, TypeAlias

from verdicts.corpus.text import in_one_line

Headers: TypeAlias = tuple[tuple[str, str], ...]
"""UTF-8, with a lone surrogate for each byte that is not (`surrogateescape`): the raw store writes the same bytes
again. Everything else reads values through `header_value`."""

VALIDATOR_LENGTH = 1_000
"""Characters of an ETag that is sent back at most; hosts refuse requests with much longer ones."""


def header_text(raw: bytes) -> str:
    """A name or value of a header as it stands in `Headers`."""
    return raw.decode("utf-8", errors="surrogateescape")


def header_value(headers: Headers, name: str) -> str | None:
    """The first value of a header as text in one line, `name` in lower case; None where it is absent."""
    return next((in_one_line(value) for key, value in headers if key == name), None)


def is_sendable(validator: str) -> bool:
    """Whether an ETag or a date can be sent back as it came: visible ASCII. Others would come back as other bytes."""
    return validator.isascii() and validator.isprintable() and 0 < len(validator) <= VALIDATOR_LENGTH


def media_type_of(content_type: str | None) -> str:
    """`text/html` of `Text/HTML; charset=utf-8`; empty where there is none."""
    return (content_type or "").partition(";")[0].strip().lower()


def charset_of(content_type: str | None) -> str | None:
    """`utf-8` of `text/html; charset="UTF-8"`: the first parameter of that name; None where there is none."""
    for parameter in (content_type or "").lower().split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset":
            return value.strip(" \t\"'") or None
    return None


REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""The statuses whose Location is to be followed, https://fetch.spec.whatwg.org/#redirect-status. 300 is a choice, 305 a
proxy."""


@dataclass(frozen=True, slots=True)
class Response:
    """`body` is decoded and never partial; `wire_bytes` counts its bytes as received."""

    status: int
    headers: Headers
    body: bytes
    elapsed_ms: int
    wire_bytes: int

    def header(self, name: str) -> str | None:
        """The first value of a header as text in one line, `name` in lower case; None where it is absent."""
        return header_value(self.headers, name)

    def validator(self, name: str) -> str | None:
        """An ETag or a Last-Modified that can be sent back; None for one that cannot."""
        value = self.header(name)
        return value if value and is_sendable(value) else None

    @property
    def media_type(self) -> str:
        """In lower case, without parameters; empty where none is given."""
        return media_type_of(self.header("content-type"))

    @property
    def charset(self) -> str | None:
        """The charset of its content type; None where none is given."""
        return charset_of(self.header("content-type"))

    @property
    def is_success(self) -> bool:
        """Whether the status is a 2xx. Only 200 brings a whole page; for robots.txt and sitemaps any is good."""
        return 200 <= self.status < 300

    @property
    def is_redirect(self) -> bool:
        """Whether the host answers with another address."""
        return self.status in REDIRECTS


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


CLOCKS_DIFFER = timedelta(days=1)
"""How far the date of a page may lie ahead: the clock of whoever wrote it may be ahead, and have another zone."""

_STAMP = "%Y%m%dT%H%M%SZ"
_ID = re.compile(r"(\d{8}T\d{6}Z)-[0-9a-f]{4}")


def new_run_id(moment: datetime, after: str | None = None) -> str:
    """`20261101T013000Z-9f3c`: sortable by time, distinct within a second. `moment` is in UTC.

    Never of an earlier second than `after`, the newest id there is: runs keep their order when the clock is set back.
    """
    newest = _began(after or "")
    if newest is not None:
        moment = moment if moment >= newest else newest + timedelta(seconds=1)
    return f"{moment:{_STAMP}}-{secrets.token_hex(2)}"


def moment_within(run_id: str, moment: datetime) -> datetime:
    """The moment, or when the run began by its id, if that is later.

    After a night under a clock that was ahead, ids stay ahead of the clock. A page of the next night with a date before
    its run's id would be taken for an archived one, older than the page of the night before.
    """
    began = _began(run_id)
    return moment if began is None else max(moment, began)


def _began(run_id: str) -> datetime | None:
    known = _ID.fullmatch(run_id)
    return None if known is None else datetime.fromisoformat(known[1])
