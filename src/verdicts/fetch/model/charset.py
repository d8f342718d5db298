"""Finds the encoding of a page and decodes it as browsers do. Nothing else decodes what a host sends.

Names and labels follow the WHATWG Encoding Standard. A label it does not know (`utf-7`, `idna`, `rot13`) is ignored,
even if Python has such a codec.
"""

import re
from dataclasses import dataclass

import endec
import webencodings

from verdicts.fetch.model.html_tokens import ATTRIBUTES, NAME_ENDS, read_attributes

REPLACEMENT = "replacement"
"""The meaning of `iso-2022-kr`, `hz-gb-2312` and three more labels: browsers refuse them, as they can hide text."""


def find_encoding_name(label: str) -> str | None:
    """WHATWG's name of an encoding in lower case; None for an unknown label."""
    encoding = webencodings.lookup(label) if label.isascii() else None
    return None if encoding is None else encoding.name


REACH = 1024
"""The standard looks at this many bytes."""

_TAG = re.compile(
    rb"<(?:!(?=--)(?:.*?-->|.*)|(?:(meta)" + NAME_ENDS + rb"|/?[a-z][^\t\n\f\r >]*+)(" + ATTRIBUTES + rb")(>|\Z)"
    rb"|[!/?][^>]*+)",
    re.IGNORECASE | re.DOTALL,
)
"""A comment or a tag, of a meta element with its name, its attributes, and its end if that is in reach."""
_IN_CONTENT = re.compile(r"""charset\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^"'\s;][^\s;]*+))""", re.IGNORECASE | re.ASCII)
_XML = re.compile(rb"""<\?xml[^>]*?encoding[\x00-\x20]*+=[\x00-\x20]*+(?:"([^"\x00-\x20]*+)"|'([^'\x00-\x20]*+)')""")
_UTF_16_XML = {b"<\x00?\x00x\x00": "utf-16le", b"\x00<\x00?\x00x": "utf-16be"}


def read_meta_charset(body: bytes) -> str | None:
    """The first known encoding of a meta tag, else that of the XML declaration, else None."""
    start = body[:REACH]
    if start[:6] in _UTF_16_XML:
        return _UTF_16_XML[start[:6]]
    # Most pages that name no encoding need no look at their tags.
    tags = _TAG.findall(start) if b"charset" in start.lower() else ()
    for meta, rest, end in tags:
        if meta and end and (encoding := _read_meta(rest)) is not None:
            return encoding
    in_xml = _XML.match(start)
    return None if in_xml is None else _find_declared((in_xml[1] or in_xml[2] or b"").decode("latin-1"))


def _read_meta(rest: bytes) -> str | None:
    values = read_attributes(rest, (b"charset", b"http-equiv", b"content"))
    if b"charset" in values:
        return _find_declared(values[b"charset"])
    in_content = _IN_CONTENT.search(values.get(b"content", ""))
    if in_content is None or values.get(b"http-equiv", "").lower() != "content-type":
        return None
    return _find_declared(in_content[1] or in_content[2] or in_content[3])


def _find_declared(label: str) -> str | None:
    """A page with tags readable as bytes is not UTF-16; `x-user-defined` is for scripts only."""
    encoding = find_encoding_name(label or "")
    return {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(encoding or "", encoding)


BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xfe\xff": "utf-16be", b"\xff\xfe": "utf-16le"}

UNMARKED_BYTES = 30
"""Firefox looks at this many bytes for UTF-16 without a mark: every other byte must be zero."""


@dataclass(frozen=True, slots=True)
class Declared:
    """An encoding by WHATWG's name, and its source in words."""

    encoding: str
    source: str


def find_encoding(body: bytes, charset: str | None = None, *, is_html: bool = True) -> Declared:
    """The encoding of a page. `charset` is that of its Content-Type. Only HTML can declare one itself.

    A label unknown to the standard is skipped for the next source. Browsers end with a guess, often windows-1252; here
    it is UTF-8, which can be checked.
    """
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if body.startswith(mark):
            return Declared(encoding, "its byte-order mark")
    if charset is not None and (in_header := find_encoding_name(charset)) is not None:
        return Declared(in_header, "the Content-Type header")
    if is_html and (in_page := read_meta_charset(body)) is not None:
        return Declared(in_page, "the page itself")
    return _detect_utf_16(body[:UNMARKED_BYTES]) or Declared("utf-8", "nothing names another encoding")


def _detect_utf_16(start: bytes) -> Declared | None:
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


def convert_to_utf8(body: bytes, charset: str | None = None) -> bytes:
    """A page in UTF-8, to search for tags. Invalid bytes of a UTF-8 page stay. `charset`: of its Content-Type."""
    encoding = find_encoding(body, charset).encoding
    return body.removeprefix(UTF_8_MARK) if encoding == "utf-8" else decode(body, encoding).encode()
