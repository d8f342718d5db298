"""Finds the encoding of a page and decodes it as browsers do. Nothing else decodes what a host sends.

Names and labels follow the WHATWG Encoding Standard. A label it does not know (`utf-7`, `idna`, `rot13`) is ignored,
even if Python has such a codec.
"""

import re
from dataclasses import dataclass

import endec
import webencodings

REPLACEMENT = "replacement"
"""The meaning of `iso-2022-kr`, `hz-gb-2312` and three more labels: browsers refuse them, as they can hide text."""


def encoding_named(label: str) -> str | None:
    """WHATWG's name of an encoding in lower case; None for an unknown label."""
    encoding = webencodings.lookup(label) if label.isascii() else None
    return None if encoding is None else encoding.name


REACH = 1024
"""The standard looks at this many bytes."""

_SPACE = rb"[\t\n\f\r ]"
_META = re.compile(rb"<meta(?=[\t\n\f\r /])", re.IGNORECASE)
_TAG = re.compile(rb"</?[a-z][^\t\n\f\r >]*+", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?:" + _SPACE + rb"*+=" + _SPACE + rb"*+"
    rb"""(?:"([^"]*+)"|'([^']*+)'|([^"'\t\n\f\r >][^\t\n\f\r >]*+)|(["'])|(?=>)))?"""
)
"""A name and a value in one of three forms, or with a quotation mark that is not closed in reach."""
_IN_CONTENT = re.compile(
    rb"charset" + _SPACE + rb"*+=" + _SPACE + rb"""*+(?:"([^"]*+)"|'([^']*+)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*+))""",
    re.IGNORECASE,
)
_XML = re.compile(rb"""<\?xml[^>]*?encoding[\x00-\x20]*+=[\x00-\x20]*+(?:"([^"\x00-\x20]*+)"|'([^'\x00-\x20]*+)')""")
_UTF_16_XML = {b"<\x00?\x00x\x00": "utf-16le", b"\x00<\x00?\x00x": "utf-16be"}


def declared_in_page(body: bytes) -> str | None:
    """The first known encoding of a meta tag, else that of the XML declaration, else None."""
    start = body[:REACH]
    if start[:6] in _UTF_16_XML:
        return _UTF_16_XML[start[:6]]
    in_xml = _XML.match(start)
    return _in_meta(start) or (None if in_xml is None else _as_declared(_value(in_xml.groups())))


def _in_meta(start: bytes) -> str | None:
    place = start.find(b"<")
    while place >= 0:
        if start.startswith(b"<!--", place):
            place = start.find(b"-->", place + 2)
        elif (tag := _TAG.match(start, place)) is not None:
            meta = _META.match(start, place)
            attributes, place = _attributes(start, (meta or tag).end())
            if place >= 0 and meta is not None and (encoding := _of_meta(attributes)) is not None:
                return encoding
        elif start[place + 1 : place + 2] in {b"!", b"/", b"?"}:
            place = start.find(b">", place)
        place = -1 if place < 0 else start.find(b"<", place + (start[place : place + 1] == b"<"))
    return None


def _attributes(start: bytes, place: int) -> tuple[dict[bytes, bytes], int]:
    """Attributes by lower-case name (the first of a name counts), and where they end; -1 out of reach."""
    attributes: dict[bytes, bytes] = {}
    while (match := _ATTRIBUTE.match(start, place)) is not None:
        name, *values, open_quote = match.groups()
        if open_quote is not None:
            return attributes, -1
        attributes.setdefault(name.lower(), _value(values))
        place = match.end()
    return attributes, start.find(b">", place)


def _of_meta(attributes: dict[bytes, bytes]) -> str | None:
    if b"charset" in attributes:
        return _as_declared(attributes[b"charset"])
    in_content = _IN_CONTENT.search(attributes.get(b"content", b""))
    if in_content is None or attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    return _as_declared(_value(in_content.groups()))


def _as_declared(label: bytes) -> str | None:
    """A page with tags readable as bytes is not UTF-16; `x-user-defined` is for scripts only."""
    encoding = encoding_named(label.decode("latin-1"))
    return {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(encoding or "", encoding)


def _value(groups: list[bytes | None] | tuple[bytes | None, ...]) -> bytes:
    return next((group for group in groups if group is not None), b"")


BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xfe\xff": "utf-16be", b"\xff\xfe": "utf-16le"}

UNMARKED_BYTES = 30
"""Firefox looks at this many bytes for UTF-16 without a mark: every other byte must be zero."""


@dataclass(frozen=True, slots=True)
class Declared:
    """An encoding by WHATWG's name, and its source in words."""

    encoding: str
    source: str


def declared_encoding(body: bytes, charset: str | None = None, *, is_html: bool = True) -> Declared:
    """The encoding of a page. `charset` is that of its Content-Type. Only HTML can declare one itself.

    A label unknown to the standard is skipped for the next source. Browsers end with a guess, often windows-1252; here
    it is UTF-8, which can be checked.
    """
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if body.startswith(mark):
            return Declared(encoding, "its byte-order mark")
    if charset is not None and (in_header := encoding_named(charset)) is not None:
        return Declared(in_header, "the Content-Type header")
    if is_html and (in_page := declared_in_page(body)) is not None:
        return Declared(in_page, "the page itself")
    return _unmarked_utf_16(body[:UNMARKED_BYTES]) or Declared("utf-8", "the default")


def _unmarked_utf_16(start: bytes) -> Declared | None:
    """A page in UTF-16 begins with ASCII, a tag or white space: one byte of each letter is zero."""
    first, second = start[::2], start[1::2]
    if len(start) == UNMARKED_BYTES and first.count(0) + second.count(0) == len(first):
        if not any(second):
            return Declared("utf-16le", "the zeros in its bytes")
        if not any(first):
            return Declared("utf-16be", "the zeros in its bytes")
    return None


UTF_8_MARK = b"\xef\xbb\xbf"


def decode(body: bytes, encoding: str) -> str:
    """The text without a byte-order mark. `encoding` is WHATWG's name; invalid bytes become U+FFFD."""
    if encoding == "utf-8":
        return body.removeprefix(UTF_8_MARK).decode("utf-8", errors="replace")
    return endec.decode(body, encoding, "replace", bom="strip")


def in_utf8(body: bytes, charset: str | None = None, *, is_html: bool = True) -> bytes:
    """A page in UTF-8, to search for tags. Invalid bytes of a UTF-8 page stay. `charset`: of its Content-Type."""
    encoding = declared_encoding(body, charset, is_html=is_html).encoding
    return body.removeprefix(UTF_8_MARK) if encoding == "utf-8" else decode(body, encoding).encode()
