"""Bytes to UTF-8. The HTTP header's charset wins over a byte-order mark, that over a meta tag; the default is UTF-8.

A page whose bytes do not fit what it declares is rejected: a stored name must never hold a replacement character.
"""

import codecs
import re

from extract.model.errors import PageRejected

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
META_REACH = 1024
"""Bytes within which the HTML standard looks for a charset in a meta tag."""

BROWSER_NAMES = {
    "utf8": "utf-8",
    "iso-8859-1": "cp1252",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "ascii": "cp1252",
    "us-ascii": "cp1252",
}
"""The encodings that browsers use for these labels (WHATWG Encoding, names and labels)."""


def utf8(body: bytes, content_type: str | None) -> bytes:
    """The page's text in UTF-8, which Lexbor reads as it is. Raises `PageRejected` (`empty`, `undecodable`)."""
    if not body.strip():
        raise PageRejected("empty", "the page has no content" if not body else "the page is white space only")
    encoding, source = _declared(body, content_type)
    name = BROWSER_NAMES.get(encoding.lower(), encoding.lower())
    try:
        text = body.decode(name)
        page = body if name == "utf-8" else text.encode()
    except LookupError:
        raise PageRejected("undecodable", f"{source} names the encoding {encoding!r}, which does not exist") from None
    except UnicodeDecodeError as error:
        wrong = body[error.start : error.start + 1].hex()
        raise PageRejected(
            "undecodable",
            f"not {encoding} as {source} says: byte 0x{wrong} at offset {error.start} does not belong there",
        ) from None
    except UnicodeError:
        # `charset=utf-7` may spell half a surrogate pair, `charset=undefined` spells nothing.
        raise PageRejected("undecodable", f"{encoding}, as {source} says, gives no text") from None
    if b"\x00" in page:
        raise PageRejected("undecodable", f"a NUL stands at byte {page.index(0)} in UTF-8: this is not text")
    return page.removeprefix(codecs.BOM_UTF8)


def _declared(body: bytes, content_type: str | None) -> tuple[str, str]:
    if content_type and (in_header := _CHARSET.search(content_type)):
        return in_header[1], "the Content-Type header"
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return encoding, "its byte-order mark"
    if in_meta := _META.search(body[:META_REACH]):
        return in_meta[1].decode("ascii"), "its meta tag"
    return "utf-8", "the default"
