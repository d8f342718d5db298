"""Sitemaps and feeds: bytes in, entries out, piece by piece. Never raises; reads what it can of a broken file.

Patterns match the tags instead of an XML parser: one unescaped `&` then costs nothing, and there are no entities to
expand. The time is linear in the file, even with endless blanks or unclosed openings.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from html import unescape
from itertools import chain
from typing import Literal

from verdicts.fetch.http.content_encoding import GZIP_MAGIC, PIECE, salvage
from verdicts.fetch.model.charset import UTF_8_MARK, declared_encoding, decode

SIZE_LIMIT = 50 * 1024 * 1024
"""sitemaps.org: 50 MB (52,428,800 bytes) uncompressed, 50,000 URLs."""
COUNT_LIMIT = 50_000

START = 65_536
"""The root of a file is searched in these bytes."""

TEXT_MAX = 10_000
"""The most bytes of an address, a date or a line; no address is longer."""

MARKS_MAX = 1_000_000
"""The most tags and comments read of a file: 50,000 addresses with all their fields have a third of it."""

UNCLOSED = 500_000
"""The most bytes of a comment, a tag or a document type kept until it ends."""

_NAMES = rb"loc|lastmod|link|pubDate|updated|url|item|entry|sitemap|image|video"
_MARK = re.compile(
    rb"<(?=[!?/\w])(?:(!--|!\[CDATA\[|\?|(?i:!DOCTYPE)\b)"
    rb"|(/?)(?:([\w.-]{1,40}):)?((?i:" + _NAMES + rb"))(?=[\s/>])"
    rb"((?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+'|[\"'])*+)>)"
)
"""The opening of a comment or the like; or a tag of these names: slash, prefix, name, attributes."""

_ENDS = {b"!--": b"-->", b"![CDATA[": b"]]>", b"?": b"?>"}
_DOCTYPE = re.compile(
    rb"<!DOCTYPE[^\[>]*+(?:\[(?:[^\]\"'<]++|\"[^\"]*+\"|'[^']*+'|<!--(?:[^-]++|-(?!->))*+(?:-->|\Z)|<)*+\]\s*+)?+>",
    re.IGNORECASE,
)
_ENTITY = re.compile(rb"<!ENTITY\s++([\w.-]++)", re.IGNORECASE)
_ROOT = re.compile(
    rb"<(?:(?:[\w.-]{1,40}:)?(sitemapindex|urlset|rss|feed|rdf|html)\b|!doctype\s++html\b)", re.IGNORECASE
)
_HREF = re.compile(rb"""\bhref\s*+=\s*+["']([^"'<>]*+)""", re.IGNORECASE)
_REL = re.compile(rb"""\brel\s*+=\s*+["']?+([\w-]++)""", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);")
"""The references of XML. In HTML `?a=1&copy=2` holds a copyright sign."""

_DATES = frozenset({b"lastmod", b"pubdate", b"updated"})
_WITH_TEXT = _DATES | {b"loc", b"link"}
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

    Yields a list, maybe empty, for each `PIECE` of the file, so that the caller can do other work in between.
    """
    left = COUNT_LIMIT
    for entries in _entries(body):
        yield entries[:left]
        left -= len(entries)
        if left <= 0:
            return


def _entries(body: bytes) -> Iterator[list[SitemapEntry]]:
    pieces = _plain(body)
    start = b""
    for piece in pieces:
        start += piece
        if len(start) >= START:
            break
    encoding = declared_encoding(start).encoding
    if encoding != "utf-8":
        start, pieces = decode(b"".join(chain([start], pieces)), encoding).encode(), iter(())
    start = start.removeprefix(UTF_8_MARK)
    root = _root_of(start)
    if root == "html":
        return
    if root is None and not start.lstrip().startswith(b"<"):
        yield from _lines(chain([start], pieces))
        return
    reader = _EntryReader(is_feed=root in {"rss", "feed", "rdf"}, kind="sitemap" if root == "sitemapindex" else "page")
    for piece in chain([start], pieces):
        yield list(reader.read(piece))
    yield list(reader.end())


def _plain(body: bytes) -> Iterator[bytes]:
    if body.startswith(GZIP_MAGIC):
        yield from salvage(body, SIZE_LIMIT)
    else:
        yield from (body[start : start + PIECE] for start in range(0, min(len(body), SIZE_LIMIT), PIECE))


def _lines(pieces: Iterator[bytes]) -> Iterator[list[SitemapEntry]]:
    waiting = b""
    for piece in chain(pieces, [b"\n"]):
        *lines, waiting = (waiting + piece).replace(b"\r", b"\n").split(b"\n")
        waiting = waiting[:TEXT_MAX]
        texts = (line.decode("utf-8", errors="replace").strip() for line in lines)
        yield [SitemapEntry(text, None) for text in texts if _is_web(text)]


def _root_of(start: bytes) -> str | None:
    """The name of the root element in lower case; `html` also by its document type.

    A comment that never ends hides nothing. No pattern finds comments: it would search the end of each again.
    """
    kept, position = [], 0
    while (opens := start.find(b"<!--", position)) >= 0 and (closes := start.find(b"-->", opens)) >= 0:
        kept.append(start[position:opens])
        position = closes + len(b"-->")
    match = _ROOT.search(b"".join((*kept, start[position:])))
    return None if match is None else (match[1] or b"html").decode().lower()


def _is_web(url: str) -> bool:
    return url[:8].lower().startswith(("http://", "https://"))


class _EntryReader:
    """Collects the URL and the date of the current entry, which come in either order.

    Skips comments, processing instructions, document types, and CDATA outside an address. One that never ends hides
    nothing: the entries after it count. An address counts once something follows it, as a cut file ends with a wrong
    one.
    """

    def __init__(self, *, is_feed: bool, kind: Literal["page", "sitemap"]) -> None:
        self._is_feed = is_feed
        self._kind = kind
        self._entry_names = {b"item", b"entry"} if is_feed else {b"url", b"sitemap"}
        self._text = b""
        self._waiting = b""
        self._found: dict[bytes, tuple[int, int]] = {}
        self._marks_left = MARKS_MAX
        self._entities: set[str] = set()
        self._is_typed = False  # A file has one document type, at its start.
        self._is_in_other = False
        self._url: str | None = None
        self._date: datetime | None = None

    def read(self, piece: bytes, *, is_last: bool = False) -> Iterator[SitemapEntry]:
        self._text, self._found = self._waiting + piece, {}
        position = 0
        while self._marks_left > 0:
            mark = _MARK.search(self._text, position)
            if mark is None:
                self._wait_from(self._text.rfind(b"<", position))
                return
            self._marks_left -= 1
            opening, closes, prefix, name, rest = mark.groups()
            content: str | None = None
            if opening:
                end = self._end_of_opening(opening, mark)
            elif name.lower() not in _WITH_TEXT or rest.endswith(b"/"):
                end = mark.end()
            elif closes:
                # Most marks are end tags, which say nothing.
                position = mark.end()
                continue
            else:
                content, end = self._content(mark.end())
            if end < 0 and not is_last and len(self._text) - mark.start() < UNCLOSED:
                self._wait_from(mark.start())
                return
            position = mark.end() if end < 0 else end
            if name:
                yield from self._element(name.lower(), (prefix or b"").lower(), rest, content, is_end=bool(closes))

    def end(self) -> Iterator[SitemapEntry]:
        """The entries in text that waited for a missing end, and the current entry if it has a URL."""
        yield from self.read(b"", is_last=True)
        yield from self._current()

    def _wait_from(self, position: int) -> None:
        """Keeps the text from a position on for the next piece, unless it is too long; -1 keeps nothing."""
        rest = self._text[position:] if position >= 0 else b""
        self._waiting = rest if len(rest) < UNCLOSED else b""

    def _current(self) -> Iterator[SitemapEntry]:
        if self._url is not None:
            yield SitemapEntry(self._url, self._date, self._kind)
        self._url = self._date = None

    def _find(self, ending: bytes, start: int) -> int:
        """The next position of an ending, or -1; the last result is cached."""
        searched_from, found = self._found.get(ending, (len(self._text), -1))
        if start < searched_from or -1 < found < start:
            found = self._text.find(ending, start)
            self._found[ending] = (start, found)
        return found

    def _end_of_opening(self, opening: bytes, mark: re.Match[bytes]) -> int:
        """The position after a comment or the like; -1 if its end is missing."""
        ending = _ENDS.get(opening)
        if ending is not None:
            end = self._find(ending, mark.end())
            return end if end < 0 else end + len(ending)
        if self._is_typed:
            return mark.end()
        whole = _DOCTYPE.match(self._text, mark.start())
        self._is_typed = whole is not None or len(self._text) - mark.start() >= UNCLOSED
        if whole is None:
            return -1
        self._entities.update(name.decode("utf-8", errors="replace") for name in _ENTITY.findall(whole[0]))
        return whole.end()

    def _content(self, begin: int) -> tuple[str | None, int]:
        """The text of an element up to the next tag, with CDATA, and its end; -1 if the text goes on.

        The text is None if it is too long or has an entity of the document type.
        """
        text, position, parts = self._text, begin, list[str]()
        is_known = True
        while True:
            following = text.find(b"<", position, position + TEXT_MAX)
            if following < 0:
                return None, begin if len(text) - position > TEXT_MAX else -1
            if len(text) - following < len(b"<![CDATA[") and b"<![CDATA[".startswith(text[following:]):
                return None, -1
            written = _resolved(text[position:following])
            parts.append(written)
            is_known = is_known and not any(f"&{name};" in written for name in self._entities)
            opening = next((opening for opening in _ENDS if text.startswith(opening, following + 1)), None)
            if opening is None:
                return ("".join(parts).strip() if is_known else None), following
            end = self._find(_ENDS[opening], following)
            if end < 0 or end - following > TEXT_MAX:
                return None, begin if len(text) - following > TEXT_MAX else -1
            if opening == b"![CDATA[":
                parts.append(text[following + len(b"<![CDATA[") : end].decode("utf-8", errors="replace"))
            position = end + len(_ENDS[opening])

    def _element(
        self, name: bytes, prefix: bytes, rest: bytes, content: str | None, *, is_end: bool
    ) -> Iterator[SitemapEntry]:
        if name in self._entry_names:
            self._is_in_other = False
            yield from self._current()
        elif name in _OTHERS:
            self._is_in_other = not is_end and not rest.endswith(b"/")
        elif is_end or self._is_in_other or prefix in _OTHERS:
            return
        elif name in _DATES:
            self._date = _moment(content or "") or self._date
        elif (url := self._address(name, rest, content)) is not None:
            if self._url is not None:
                yield from self._current()
            self._url = url

    def _address(self, name: bytes, attributes: bytes, content: str | None) -> str | None:
        if name == b"link" and self._is_feed:
            href, rel = _HREF.search(attributes), _REL.search(attributes)
            if rel is not None and rel[1].lower() != b"alternate":
                return None
            if href is not None:
                content = _resolved(href[1]).strip()
        elif name != b"loc":
            return None
        return content if content is not None and _is_web(content) else None


def _resolved(text: bytes) -> str:
    written = text.decode("utf-8", errors="replace")
    return _REFERENCE.sub(lambda match: unescape(match[0]), written) if "&" in written else written


def _moment(text: str) -> datetime | None:
    """A W3C datetime, or one of RFC 822 as in RSS, in UTC; None for other texts.

    A bare day, `2026-11-21`, is read as its end: a page fetched that morning may have changed at noon.
    """
    try:
        moment = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        if len(text) <= len("2026-11-21"):
            moment += timedelta(days=1, seconds=-1)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
