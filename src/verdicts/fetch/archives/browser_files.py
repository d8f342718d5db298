"""Pages that a browser saved: HAR (its log of the network, with bodies) and MHTML (a page as a MIME message)."""

import email.policy
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from hashlib import sha256

import msgspec

from verdicts.fetch.archives.archive_pages import Unreadable, canonicalize_page, decode_body, is_page, parse_moment
from verdicts.fetch.model.addresses import AddressPattern
from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.snapshot import Headers, Snapshot, has_address, parse_media_type

HAR_LIMIT = 500_000_000
"""The most bytes of a HAR file, which is read whole. With pictures a visit has some megabytes."""


class _Header(msgspec.Struct):
    name: str
    value: str


class _Content(msgspec.Struct, rename="camel"):
    text: str | None = None
    encoding: str | None = None
    mime_type: str | None = None


class _Request(msgspec.Struct):
    url: str
    method: str = "GET"


class _Response(msgspec.Struct):
    status: int
    headers: list[_Header] = []
    content: _Content = msgspec.field(default_factory=_Content)


class _Entry(msgspec.Struct, rename="camel"):
    request: _Request
    response: _Response
    started_date_time: str | None = None


class _Log(msgspec.Struct):
    entries: list[msgspec.Raw] = []


class _Har(msgspec.Struct):
    log: _Log


def read_har(
    content: bytes, moment: datetime, include: AddressPattern | None = None
) -> Iterator[Snapshot | Unreadable]:
    """The pages of a HAR file: answers with 200 to GET. `moment` is now, and the date of entries without one.

    Other entries, such as pictures and unfinished requests, are skipped.
    """
    try:
        entries = msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"), type=_Har).log.entries
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        yield Unreadable(f"it is not a complete HAR file: {error}")
        return
    for number, raw in enumerate(entries, start=1):
        url = None
        try:
            entry = msgspec.json.decode(raw, type=_Entry)
            url = entry.request.url
            if entry.request.method == "GET" and (include is None or include.is_in(url)):
                page = _make_page(entry, moment)
                if page is not None:
                    yield page
        except (ValueError, AttemptFailed) as error:
            yield Unreadable(f"entry {number:,}: {error}", url)


def _make_page(entry: _Entry, moment: datetime) -> Snapshot | None:
    content, response = entry.response.content, entry.response
    headers: Headers = tuple((header.name.lower(), header.value) for header in response.headers)
    if content.mime_type and "content-type" not in dict(headers):
        headers = (*headers, ("content-type", content.mime_type))
    if response.status != 200 or not is_page(200, headers) or not has_address(entry.request.url):
        return None
    if content.text is None:
        raise ValueError("the body was not saved with it; save the HAR file with content")
    body = _decode_base64(content.text) if content.encoding == "base64" else None
    if body is None:
        # The browser decoded the text, so its charset is no longer that of the header.
        body = content.text.encode("utf-8", "replace")
        headers = tuple((name, _state_utf8(value) if name == "content-type" else value) for name, value in headers)
    date = entry.started_date_time
    url = entry.request.url
    page = Snapshot(url, url, moment if date is None else parse_moment(date), 200, headers, body, "")
    return canonicalize_page(replace(page, body=decode_body(page)), moment)


def _decode_base64(text: str) -> bytes | None:
    """The bytes; None for a text that Firefox calls base64 and keeps as it is."""
    try:
        return b64decode("".join(text.split()), validate=True)
    except ValueError:
        return None


def _state_utf8(content_type: str) -> str:
    return f"{parse_media_type(content_type)}; charset=utf-8" if content_type else content_type


def read_mhtml(content: bytes, moment: datetime, url: str | None = None) -> Snapshot:
    """The page of an MHTML file, without its frames and pictures. `url` is its address if a person names it.

    Raises `ValueError`.
    """
    message = email.message_from_bytes(content, _class=EmailMessage, policy=email.policy.default)
    page = next((part for part in message.walk() if part.get_content_type() == "text/html"), None)
    body = None if page is None else page.get_payload(decode=True)
    if page is None or not isinstance(body, bytes) or not body:
        raise ValueError("it is not an MHTML file with a page")
    headers = (message["Snapshot-Content-Location"], page["Content-Location"], message["Content-Location"])
    locations = (str(header).strip() for header in headers if header)
    address = url or next(filter(has_address, locations), f"urn:sha256:{sha256(body).hexdigest()}")
    content_type = (("content-type", str(page["Content-Type"])),)
    return canonicalize_page(Snapshot(address, address, _read_date(message, moment), 0, content_type, body, ""), moment)


def _read_date(message: EmailMessage, moment: datetime) -> datetime:
    """`Fri, 27 Nov 2026 08:00:00 -0000`; now for a message without a date."""
    try:
        date = parsedate_to_datetime(str(message["Date"]))
    except ValueError:
        return moment
    return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
