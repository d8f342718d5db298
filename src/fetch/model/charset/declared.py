"""Which encoding a page is in: byte-order mark, else Content-Type header, else the page's own words, else UTF-8.

Text in UTF-16 without any of these is known by its zeros, as in Firefox.
"""

from dataclasses import dataclass

from verdicts.fetch.model.charset.labels import encoding_named
from verdicts.fetch.model.charset.meta_prescan import declared_in_page

BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xfe\xff": "utf-16be", b"\xff\xfe": "utf-16le"}

UNMARKED_BYTES = 30
"""Bytes of which every other one must be zero, and no more, for unmarked UTF-16: Firefox looks at as many."""


@dataclass(frozen=True, slots=True)
class Declared:
    """An encoding by WHATWG's name, and who says that the page is in it, in words."""

    encoding: str
    source: str


def declared_encoding(body: bytes, charset: str | None = None, *, is_html: bool = True) -> Declared:
    """The encoding of a page. `charset`: of its Content-Type. Only HTML can declare one in its own words.

    A label that the standard does not know declares nothing, and the next source decides. Browsers end with a guess,
    often windows-1252; here it is UTF-8, whose bytes can be checked.
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
