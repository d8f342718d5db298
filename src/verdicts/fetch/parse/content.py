"""Decides whether a response is a page, and compares the words of two pages. Pure."""

import re
from collections.abc import Iterator

from verdicts.fetch.model.charset import find_encoding
from verdicts.fetch.model.html_tokens import ATTRIBUTES, MARKUP, SCRIPT_TEXT, TEXT_END, count_text, read_attributes
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Response

PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain", ""})

STATUSES: dict[int, Outcome] = {403: Outcome.BLOCKED, 404: Outcome.NOT_FOUND, 410: Outcome.GONE}

EMPTY_STATUSES = frozenset({204, 205})

BLANK = b" \t\n\v\f\r\0\xef\xbb\xbf\xfe\xff"
"""Bytes of a page without content: white space, also in UTF-16, and byte-order marks."""

BINARY_STARTS = (b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"RIFF")
NOT_FOUND_TITLE = re.compile(
    r"(error )?(404\W+)?(page )?not found(\s*[^\w\s'’].{0,40}| (on|at|in) .{0,40})?|(error )?404( error)?",
    re.IGNORECASE,
)
"""`404 - Page not found | A site`, not `Not found wanting: a review`."""

_TITLE = re.compile(rb"<title[^<>]{0,200}>([^<]{0,300})<", re.IGNORECASE)
_HEAD_BYTES = 65_536


def classify(response: Response) -> tuple[Outcome, str | None]:  # noqa: PLR0911  a table of kinds
    """`Outcome.STORED` for a page, else another outcome and its detail. Not for redirects and 304."""
    status = response.status
    if status >= 400:
        return STATUSES.get(status, Outcome.CLIENT_ERROR), f"the host answers {status}"
    if status in EMPTY_STATUSES or (status == 200 and not response.body.lstrip(BLANK)):
        return Outcome.EMPTY, "the page has no content"
    if status != 200:
        return Outcome.UNEXPECTED_STATUS, f"the host answers {status}"
    media_type = response.media_type
    if media_type not in PAGE_TYPES:
        return Outcome.NOT_A_PAGE, media_type
    if _is_binary(response):
        return Outcome.NOT_A_PAGE, f"{media_type or 'no content type'}, and binary"
    match = _TITLE.search(response.head, 0, _HEAD_BYTES)
    title = "" if match is None else " ".join(match[1].decode("utf-8", errors="replace").split())
    if NOT_FOUND_TITLE.fullmatch(title):
        return Outcome.SOFT_404, f"the page is titled {title!r}"
    return Outcome.STORED, None


def _is_binary(response: Response) -> bool:
    body = response.body
    if body.startswith(BINARY_STARTS):
        return True
    # In UTF-16 a NUL byte is half a letter, not a sign of a binary file.
    return b"\0" in body[:1024] and not find_encoding(body, response.charset).encoding.startswith("utf-16")


FEW_WORDS = 50
"""A page with fewer words only says where it went: `Moved. If nothing happens, click here.`"""

NEW_WORDS, NEW_SHARE = 10, 0.1
"""The most new words, as number and as share of its own words, of a page that repeats another; the larger counts.

New vote counts or advertisements stay below. These are guesses; the second page of a list of reviews has far more.
"""

_TAG = re.compile(rb"<(?:((?i:script))(?=[\t\n\f\r />])|[a-zA-Z][^\t\n\f\r />]*+)(" + ATTRIBUTES + rb")(?:>|\Z)")
_SCRIPT_TEXT = re.compile(SCRIPT_TEXT)
_SIGNS = b"\"',:;{}[]()<>=\\"
_SIGNS_TO_BLANKS = bytes.maketrans(_SIGNS, b" " * len(_SIGNS))
_NAMES, _VALUES = (b"alt", b"aria-label", b"title"), (b"content", b"datetime", b"itemprop")
"""Attributes to read: names of icons, and values of properties in microdata."""


def split_words(body: bytes) -> list[bytes]:
    """The words of a page as encoded: first the text between its tags in order, then attributes and data."""
    body = body[:TEXT_END]
    return [*split_text(body), *_split_data_words(body)]


def split_text(body: bytes) -> list[bytes]:
    """The words of the text between the tags of a page, in order; without scripts and styles."""
    return MARKUP.sub(b" ", body[:TEXT_END]).split()


def _split_data_words(body: bytes) -> Iterator[bytes]:
    """Text outside the tags' content: a page may keep all its content in a script."""
    position = 0
    while (tag := _TAG.search(body, position)) is not None:
        rest, position = tag[2].lower(), tag.end()
        if tag[1] is not None and (text := _SCRIPT_TEXT.match(body, position)) is not None:
            position = text.end()
            if b"json" in rest:
                yield from text[0].translate(_SIGNS_TO_BLANKS).split()
        elif b"itemprop" in rest or any(name in rest for name in _NAMES):
            wanted = _NAMES + _VALUES * (b"itemprop" in rest)
            yield from b" ".join(value.encode() for value in read_attributes(tag[2], wanted).values()).split()


def contains_words(stored: bytes, page: bytes) -> bool:
    """Whether the held page contains the words of the other one, with a small tolerance."""
    words = set(split_words(page))
    return len(words - set(split_words(stored))) <= max(NEW_WORDS, NEW_SHARE * len(words))


def is_stub(body: bytes) -> bool:
    """Whether a page has too few words to be worth keeping."""
    return len(split_text(body)) < FEW_WORDS


TEXT_LEAST = 600
"""Bytes of text that stand for `FEW_WORDS`: Chinese has no blanks between words."""

_FACTS = re.compile(rb"<table[\s>]|\bitemprop\s*=|application/ld\+json", re.IGNORECASE)
_LINK_START, _LINK_END = re.compile(rb"<a\s", re.IGNORECASE), re.compile(rb"</a[\s>]", re.IGNORECASE)


def has_facts(body: bytes) -> bool:
    """Whether a page has a table, properties or statements."""
    return _FACTS.search(body) is not None


def has_content(body: bytes) -> bool:
    """Whether a page has facts, or enough words outside its links."""
    if has_facts(body):
        return True
    *linked, rest = _LINK_END.split(body[:TEXT_END])
    unlinked = b" ".join([*(_LINK_START.split(piece, 1)[0] for piece in linked), rest])
    return count_text(unlinked, TEXT_LEAST) >= TEXT_LEAST or not is_stub(unlinked)
