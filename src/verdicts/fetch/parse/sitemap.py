"""Sitemaps and feeds: bytes in, entries out, block by block. Never raises; reads what it can of a broken file.

Patterns match the tags instead of an XML parser: one unescaped `&` then costs nothing, and there are no entities to
expand. The time is linear in the file, even with endless blanks or unclosed openings.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import escape, unescape
from itertools import chain, islice
from typing import Literal

from verdicts.fetch.http.content_encoding import GZIP_MAGIC, PIECE, salvage
from verdicts.fetch.model.charset import UTF_8_MARK, decode, find_encoding

SIZE_LIMIT = 50 * 1024 * 1024
"""sitemaps.org: 50 MB (52,428,800 bytes) uncompressed, 50,000 URLs."""
COUNT_LIMIT = 50_000

START = 65_536
"""The root of a file is searched in these bytes."""

BLOCK = 250_000
"""Bytes that are read together. A longer comment hides nothing."""

TEXT_MAX = 10_000
"""The most bytes of an address, a date or a line; no address is longer."""

MARKS_MAX = 1_000_000
"""The most tags read of a file: 50,000 addresses with all their fields have a third of it."""

_NAMES = rb"loc|lastmod|link|pubDate|updated|url|item|entry|sitemap|image|video"
_MARK = re.compile(
    rb"<(/?)(?:([\w.-]{1,40}):)?(" + _NAMES + rb")(?=[\s/>])((?>(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+'|[\"'])*))>"
    rb"([^<]{0,%d}+(?=<))?" % TEXT_MAX,
    re.IGNORECASE,
)
"""A tag of these names: slash, prefix, name, attributes; and the text behind it, if something follows that."""

_ENTRY_TAGS = (b"url>", b"sitemap>", b"item>", b"entry>")

_OPENING = re.compile(rb"<!--|<!\[CDATA\[|<\?|<!DOCTYPE\b", re.IGNORECASE)
_ENDS = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
_DOCTYPE = re.compile(rb"<!DOCTYPE[^\[>]*+(?>(?:\[[^\]]*+\]\s*+)?)>", re.IGNORECASE)
_ROOT = re.compile(rb"<(?:[\w.-]{1,40}:)?(sitemapindex|urlset|rss|feed|rdf|html)\b", re.IGNORECASE)
_HREF = re.compile(rb"""\bhref\s*+=\s*+["']([^"'<>]*+)""", re.IGNORECASE)
_REL = re.compile(rb"""\brel\s*+=\s*+["']?+([\w-]++)""", re.IGNORECASE)
_RELATIVE = re.compile(r"[/?]\S*|[^\s:/?&]+(?:[/?]\S*)?")
"""`/deep`, `?page=2`, `../deep`, `map-1.xml`; no other scheme, and no words of a person."""

_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);")
"""The references of XML. In HTML `?a=1&copy=2` holds a copyright sign."""

_BARE_DATE = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?(Z|[+-]\d\d:?\d\d)?", re.ASCII)
"""`2026-11-21`, `2026-11`, and xsd:date with a zone, `2026-11-21Z`."""

_DATES = frozenset({b"lastmod", b"pubdate", b"updated"})
_OTHERS = frozenset({b"image", b"video"})
"""Their content is no page: `<image:loc>`, and the logo of a feed."""


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A URL as written, its lastmod in UTC, and whether it is a page or a further sitemap."""

    url: str
    changed_at: datetime | None
    kind: Literal["page", "sitemap"] = "page"


def read_sitemap(body: bytes) -> Iterator[list[SitemapEntry]]:
    """The entries of a sitemap index, a sitemap, an RSS or Atom feed, or a text file of URLs; gzip or plain.

    Yields a list, maybe empty, for each block of the file, so that the caller can do other work in between.
    """
    left = COUNT_LIMIT
    for entries in _read_entries(body):
        yield entries[:left]
        left -= len(entries)
        if left <= 0:
            return


FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
XML_TYPES = frozenset({"application/xml", "text/xml"})
"""These may be a feed, by their root."""


def read_feed(body: bytes, media_type: str) -> list[str]:
    """The pages that an RSS or Atom feed names, as written; none for any other file."""
    root = _ROOT.search(_strip_comments(body[:START])) if media_type in XML_TYPES else None
    is_feed = media_type in FEED_TYPES or (root is not None and root[1].lower() in {b"rss", b"feed", b"rdf"})
    return [entry.url for entries in read_sitemap(body) for entry in entries] if is_feed else []


def _read_entries(body: bytes) -> Iterator[list[SitemapEntry]]:
    pieces = _inflate_pieces(body)
    start = b""
    while len(start) < START and (piece := next(pieces, b"")):
        start += piece
    encoding = find_encoding(start).encoding
    if encoding != "utf-8":
        start, pieces = decode(b"".join(chain([start], pieces)), encoding).encode(), iter(())
    start = start.removeprefix(UTF_8_MARK)
    match = _ROOT.search(_strip_comments(start))
    root = b"" if match is None else match[1].lower()
    if root == b"html":
        return
    if not root and not start.lstrip().startswith(b"<"):
        yield from _read_lines(chain([start], pieces))
        return
    reader = _EntryReader(
        is_feed=root in {b"rss", b"feed", b"rdf"}, kind="sitemap" if root == b"sitemapindex" else "page"
    )
    for block in _split_blocks(chain([start], pieces)):
        yield [*reader.read(block)]
    yield [*reader.current()]


def _inflate_pieces(body: bytes) -> Iterator[bytes]:
    if body.startswith(GZIP_MAGIC):
        yield from salvage(body, SIZE_LIMIT)
    else:
        yield from (body[start : start + PIECE] for start in range(0, min(len(body), SIZE_LIMIT), PIECE))


def _read_lines(pieces: Iterator[bytes]) -> Iterator[list[SitemapEntry]]:
    waiting = b""
    for piece in chain(pieces, [b"\n"]):
        *lines, waiting = (waiting + piece).replace(b"\r", b"\n").split(b"\n")
        waiting = waiting[:TEXT_MAX]
        texts = (line.decode("utf-8", errors="replace").strip() for line in lines)
        yield [SitemapEntry(text, None) for text in texts if _is_web(text)]


def _split_blocks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The file in blocks that end with the tag of an entry, where there is one."""
    block = bytearray()
    for piece in pieces:
        block += piece
        if len(block) >= BLOCK:
            end = max(start + len(tag) if (start := block.rfind(tag)) >= 0 else 0 for tag in _ENTRY_TAGS) or len(block)
            yield bytes(block[:end])
            del block[:end]
    yield bytes(block)


def _strip_comments(text: bytes) -> bytes:
    """The text without comments, processing instructions and document type; CDATA becomes text.

    One that never ends hides nothing. Its end is searched once.
    """
    kept, done = [], 0
    endless: set[bytes] = set()
    for match in _OPENING.finditer(text):
        opening = match[0].upper()
        if match.start() < done or opening in endless:
            continue
        if opening in _ENDS:
            end = text.find(_ENDS[opening], match.end())
            after = end + len(_ENDS[opening]) if end >= 0 else -1
        else:
            whole = _DOCTYPE.match(text, match.start())
            end = after = -1 if whole is None else whole.end()
        if after < 0:
            endless.add(opening)
            continue
        kept.append(text[done : match.start()])
        if opening == b"<![CDATA[":
            kept.append(escape(text[match.end() : end].decode("utf-8", errors="replace")).encode())
        done = after
    return b"".join((*kept, text[done:])) if kept else text


def _is_web(url: str) -> bool:
    return url[:8].lower().startswith(("http://", "https://"))


class _EntryReader:
    """Collects the URL and the date of the current entry, which come in either order.

    An address counts once something follows it, as a cut file ends with a wrong one.
    """

    def __init__(self, *, is_feed: bool, kind: Literal["page", "sitemap"]) -> None:
        self._is_feed = is_feed
        self._kind = kind
        self._entry_names = {b"item", b"entry"} if is_feed else {b"url", b"sitemap"}
        self._marks_left = MARKS_MAX
        self._is_in_other = False
        self._url: str | None = None
        self._date: datetime | None = None

    def read(self, block: bytes) -> Iterator[SitemapEntry]:
        for mark in islice(_MARK.finditer(_strip_comments(block)), self._marks_left):
            self._marks_left -= 1
            is_end, prefix, name, rest, text = mark.groups()
            name = name.lower()
            if name in self._entry_names:
                self._is_in_other = False
                yield from self.current()
            elif name in _OTHERS:
                self._is_in_other = not is_end and not rest.endswith(b"/")
            elif is_end or self._is_in_other or (prefix or b"").lower() in _OTHERS:
                continue
            elif name in _DATES:
                self._date = _parse_moment(_unescape_location(text or b"")) or self._date
            elif (url := self._address(name, rest, text)) is not None:
                if self._url is not None:
                    yield from self.current()
                self._url = url

    def current(self) -> Iterator[SitemapEntry]:
        """The current entry, if it has a URL; the next one begins."""
        if self._url is not None:
            yield SitemapEntry(self._url, self._date, self._kind)
        self._url = self._date = None

    def _address(self, name: bytes, attributes: bytes, text: bytes | None) -> str | None:
        if name == b"link" and self._is_feed:
            href, rel = _HREF.search(attributes), _REL.search(attributes)
            if rel is not None and rel[1].lower() != b"alternate":
                return None
            text = text if href is None else href[1]
        elif name != b"loc":
            return None
        address = _unescape_location(text or b"")
        return address if _is_web(address) or _RELATIVE.fullmatch(address) else None


def _unescape_location(text: bytes) -> str:
    written = text.decode("utf-8", errors="replace").strip()
    return _REFERENCE.sub(lambda match: unescape(match[0]), written) if "&" in written else written


def _parse_moment(text: str) -> datetime | None:
    """A W3C datetime, or one of RFC 822 as in RSS, in UTC; None for other texts.

    A bare day, `2026-11-21`, or month is read as its end: a page fetched that morning may have changed at noon.
    """
    try:
        if (bare := _BARE_DATE.fullmatch(text)) is not None:
            year, month, day, zone = bare.groups()
            moment = datetime.fromisoformat(
                f"{year}-{month}-{day or monthrange(int(year), int(month))[1]}T23:59:59{zone or ''}"
            )
        else:
            moment = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
