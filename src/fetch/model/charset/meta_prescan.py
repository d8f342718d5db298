"""The encoding that a page declares in its own first bytes: a meta tag, else an XML declaration.

HTML Standard, 13.2.3.2, "prescan a byte stream to determine its encoding", read tag by tag: `charset=` in a comment, in
another tag's attribute or in words of the page declares nothing.
"""

import re

from verdicts.fetch.model.charset.labels import encoding_named

REACH = 1024
"""Bytes in which the standard looks."""

_SPACE = rb"[\t\n\f\r ]"
_META = re.compile(rb"<meta(?=[\t\n\f\r /])", re.IGNORECASE)
_TAG = re.compile(rb"</?[a-z][^\t\n\f\r >]*+", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?:" + _SPACE + rb"*+=" + _SPACE + rb"*+"
    rb"""(?:"([^"]*+)"|'([^']*+)'|([^"'\t\n\f\r >][^\t\n\f\r >]*+)|(["'])|(?=>)))?"""
)
"""Name; value in one of three forms; a quotation mark that is not closed in reach."""
_IN_CONTENT = re.compile(
    rb"charset" + _SPACE + rb"*+=" + _SPACE + rb"""*+(?:"([^"]*+)"|'([^']*+)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*+))""",
    re.IGNORECASE,
)
_XML = re.compile(rb"""<\?xml[^>]*?encoding[\x00-\x20]*+=[\x00-\x20]*+(?:"([^"\x00-\x20]*+)"|'([^'\x00-\x20]*+)')""")
_UTF_16_XML = {b"<\x00?\x00x\x00": "utf-16le", b"\x00<\x00?\x00x": "utf-16be"}


def declared_in_page(body: bytes) -> str | None:
    """The encoding that the first meta tag with a known one names, else the XML declaration; None without either."""
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
    """Attributes of a tag by lower-case name, the first of two with one name; and where they end, -1 out of reach."""
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
    """A page whose tags could be read as bytes is no UTF-16; `x-user-defined` is for scripts and no page means it."""
    encoding = encoding_named(label.decode("latin-1"))
    return {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(encoding or "", encoding)


def _value(groups: list[bytes | None] | tuple[bytes | None, ...]) -> bytes:
    return next((group for group in groups if group is not None), b"")
