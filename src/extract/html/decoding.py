"""A page's bytes to UTF-8, which Lexbor reads as it is, and what of them is no text.

A page of windows-1252 that calls itself UTF-8, or calls itself nothing, is read as what it is, and a doubt tells of it:
browsers show U+FFFD for the first, and guess the same of the second. Other bytes that are not in the page's encoding do
not lose the page where nothing is read from there, and a doubt tells of them too. Where a record would hold U+FFFD the
page is rejected. One that the site itself sent in a text is told; in the name of a tool it would make another tool.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from msgspec.json import encode

from verdicts.extract.model.records import Comparison, Document, Doubt, Extracted, PageRejected, Reject
from verdicts.extract.model.stored import in_unicode
from verdicts.fetch.model.charset import REPLACEMENT, UTF_8_MARK, Declared, declared_encoding, decode

REPLACED = "\ufffd"
NUL = "\x00"

DAMAGE_MAX = 5
DAMAGE_SHARE_MAX = 0.1
"""Places that may be damaged, and their share of all characters. Bytes that an editor pasted come by one or two; a
wrong label damages every apostrophe, and a picture is damaged from its first byte on."""

_WESTERN = re.compile(rb"(?:[\x01-\x7f]|[\xc0-\xf4](?![\x80-\xbf])|[\x80\x82-\x8c\x8e\x91-\x9c\x9e-\xbf\xf5-\xff])*+")
"""Windows-1252 that cannot be broken UTF-8: no NUL, no byte without a character, nowhere the first byte of a letter of
UTF-8 before one that could go on with it."""
_HIGH = bytes(range(0x80, 0x100))

_LOST_BY_SITE = "the site itself shows U+FFFD where it lost a letter"

QUOTED = 30
"""Characters before the first damage that are quoted."""


@dataclass(frozen=True, slots=True)
class Utf8Page:
    """A page in UTF-8. `damage` says where its bytes are not in its encoding; None where they all are."""

    text: bytes
    declared: Declared
    damage: str | None = None


def utf8(body: bytes, charset: str | None, *, is_html: bool) -> Utf8Page:
    """The page's text. `charset`: of its Content-Type. Raises `PageRejected` (`empty`, `undecodable`)."""
    if not body.strip():
        raise PageRejected("empty", "the page has no content" if not body else "the page is white space only")
    declared = declared_encoding(body, charset, is_html=is_html)
    if declared.encoding == REPLACEMENT:
        raise PageRejected("undecodable", f"{declared.source} names an encoding that no browser reads")
    if declared.encoding == "utf-8":
        if _is_text(body):
            return Utf8Page(body.removeprefix(UTF_8_MARK), declared)
        if (western := _western(body, declared)) is not None:
            return western
    text = decode(body, declared.encoding)
    damage = _damage(body, text, declared)
    # Browsers pass over NULs in what a page shows.
    return Utf8Page(text.replace(NUL, "").encode(), declared, damage)


def read_undamaged(page: Utf8Page, read: Callable[[], Extracted]) -> Extracted:
    """What `read` makes of the page, with a doubt where the page is damaged elsewhere.

    Raises `PageRejected`: that of `read`, or `undecodable` for a damaged page that gives no record, for a record that
    lost a letter by it, and for a name that lost one on the site already.
    """
    try:
        extracted = read()
    except PageRejected as rejected:
        if page.damage is None:
            raise
        detail = f"not {_expected(page.declared)}: {page.damage}; and {rejected.reject.detail}"
        raise PageRejected("undecodable", detail) from None
    is_shown = REPLACED.encode() in _encoded(extracted)
    if is_shown and (page.damage is not None or any(REPLACED in name for name in _names(extracted))):
        raise PageRejected("undecodable", f"not {_expected(page.declared)}: {page.damage or _LOST_BY_SITE}")
    if isinstance(extracted, Reject) or (page.damage is None and not is_shown):
        return extracted
    doubt = Doubt("undecodable_bytes", None, _expected(page.declared), page.damage or _LOST_BY_SITE)
    return replace(extracted, doubts=(*extracted.doubts, doubt))


def _names(extracted: Extracted) -> Iterator[str]:
    """What tools are told apart by."""
    if isinstance(extracted, Comparison):
        yield from (card.name for card in extracted.cards)
    elif isinstance(extracted, Document) and extracted.side_by_side is not None:
        yield from (tool.name for tool in extracted.side_by_side.tools)


def _encoded(extracted: Extracted) -> bytes:
    """The texts that are kept. Doubts quote the page as it is."""
    kept = extracted if isinstance(extracted, Reject) else replace(extracted, doubts=())
    try:
        return encode(kept)
    except UnicodeEncodeError:
        # `"datePublished": "\ud800"`
        return encode(in_unicode(kept))


def _is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return b"\x00" not in body


def _western(body: bytes, declared: Declared) -> Utf8Page | None:
    """The page read as windows-1252, where its bytes are that and nothing else; None where they may be anything."""
    count = len(body) - len(body.translate(None, _HIGH))
    # English, French or German: of Russian in koi8-r, or of Japanese, most bytes are not ASCII.
    if count > DAMAGE_SHARE_MAX * len(body) or _WESTERN.fullmatch(body) is None:
        return None
    more = f", nor do {count - 1:,} more" if count > 1 else ""
    first = _first_damage(body, "", "utf-8")
    damage = f"{first} does not belong there{more}: read as windows-1252"
    return Utf8Page(decode(body, "windows-1252").encode(), declared, damage)


def _damage(body: bytes, text: str, declared: Declared) -> str | None:
    """Where the text is not what the site wrote. Raises `PageRejected` where it is throughout."""
    count = text.count(REPLACED) + text.count(NUL)
    if not count:
        return None
    more = f", nor do {count - 1:,} more" if count > 1 else ""
    damage = f"{_first_damage(body, text, declared.encoding)} does not belong there{more}"
    if count > min(DAMAGE_MAX, DAMAGE_SHARE_MAX * len(text)):
        raise PageRejected("undecodable", f"not {_expected(declared)}: {damage}")
    return damage


def _first_damage(body: bytes, text: str, encoding: str) -> str:
    try:
        if encoding == "utf-8":
            body.decode()
    except UnicodeDecodeError as error:
        return f"byte 0x{body[error.start]:02x} at offset {error.start:,}"
    first = min(place for place in (text.find(REPLACED), text.find(NUL)) if place >= 0)
    return f"what follows {' '.join(text[:first][-QUOTED:].split())!r}"


def _expected(declared: Declared) -> str:
    return f"{declared.encoding} as {declared.source} says"
