"""The words of a page, to tell whether one page says what another says. Pure, in time linear in the page."""

import re
from collections.abc import Iterator

from verdicts.fetch.parse.html_tokens import (
    ATTRIBUTES,
    BOGUS_COMMENT,
    COMMENT,
    NAME_ENDS,
    SCRIPT_TEXT,
    attributes,
    raw_text,
)

BYTES_MAX = 2_000_000
"""Bytes of a page that are compared."""

FEW_WORDS = 50
"""A page of fewer words says no more than where it went: `Moved. If nothing happens, click here.`"""

NEW_WORDS, NEW_SHARE = 10, 0.1
"""Another number of votes, another advertisement: a page with no more new words than the larger of these, a number and
a share of its own words, says what the other says. Guesses; the second page of a list of reviews has far more."""

_MARKUP = re.compile(
    rb"<(?:(?i:script)" + NAME_ENDS + ATTRIBUTES + rb"(?:>" + SCRIPT_TEXT + rb"|\Z)"
    rb"|(?i:style)" + NAME_ENDS + ATTRIBUTES + rb"(?:>" + raw_text(b"style") + rb"|\Z)"
    rb"|/?[a-zA-Z][^\t\n\f\r />]*+" + ATTRIBUTES + rb"(?:>|\Z)|" + COMMENT + rb"|" + BOGUS_COMMENT + rb")"
)


_TAG = re.compile(rb"<(?:((?i:script))(?=[\t\n\f\r />])|[a-zA-Z][^\t\n\f\r />]*+)(" + ATTRIBUTES + rb")(?:>|\Z)")
_SCRIPT_TEXT = re.compile(SCRIPT_TEXT)
_SIGNS = b"\"',:;{}[]()<>=\\"
_SIGNS_TO_BLANKS = bytes.maketrans(_SIGNS, b" " * len(_SIGNS))
_NAMES, _VALUES = (b"alt", b"aria-label", b"title"), (b"content", b"datetime", b"itemprop")
"""Attributes that are read: names of icons, and in microdata the values of properties."""


def words_of(body: bytes) -> list[bytes]:
    """The words of a page as they are encoded: those between its tags in order, then those of attributes and data."""
    body = body[:BYTES_MAX]
    return [*_shown(body), *_told(body)]


def _shown(body: bytes) -> list[bytes]:
    return _MARKUP.sub(b" ", body[:BYTES_MAX]).split()


def _told(body: bytes) -> Iterator[bytes]:
    """What is read of a page, and does not stand between its tags: a page may keep all its content in a script."""
    position = 0
    while (tag := _TAG.search(body, position)) is not None:
        rest, position = tag[2].lower(), tag.end()
        if tag[1] is not None and (text := _SCRIPT_TEXT.match(body, position)) is not None:
            position = text.end()
            if b"json" in rest:
                yield from text[0].translate(_SIGNS_TO_BLANKS).split()
        elif b"itemprop" in rest or any(name in rest for name in _NAMES):
            wanted = _NAMES + _VALUES * (b"itemprop" in rest)
            yield from b" ".join(value.encode() for value in attributes(tag[2], wanted).values()).split()


def says_all_of(held: bytes, page: bytes) -> bool:
    """Whether the held page says what the other one says, give or take some words."""
    words = set(words_of(page))
    return len(words - set(words_of(held))) <= max(NEW_WORDS, NEW_SHARE * len(words))


def is_stub(body: bytes) -> bool:
    """Whether a page has too few words to be missed."""
    return len(_shown(body)) < FEW_WORDS
