"""Sitemaps and feeds: bytes in, entries out, one at a time. Never raises: what can be read of a broken file is.

Tags are matched with patterns instead of an XML parser: one unescaped `&` then costs nothing, and there are no entities
to expand. No pattern looks at a byte more than twice, so a file of blanks cannot stall the crawl.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from html import unescape
from itertools import islice
from typing import Literal

from fetch.http.content_encoding import GZIP_MAGIC, PIECE, salvage
from fetch.model.charset.declared import declared_encoding
from fetch.model.charset.decoding import decode

SIZE_LIMIT = 50_000_000
"""sitemaps.org: 50 MB uncompressed, 50,000 URLs."""
COUNT_LIMIT = 50_000

UNCLOSED = 1_000_000
"""Bytes buffered at most while no closing tag appears."""

LINE_MAX = 10_000
"""Bytes of a line in a text file that are kept until it ends; no address is longer."""

_ROOT = re.compile(rb"<(?:\w{1,20}:)?(sitemapindex|urlset|rss|feed|rdf|html)\b", re.IGNORECASE)
_ITEM = re.compile(
    rb"<(?:(\w{1,20}):)?(loc|lastmod|link|pubDate|updated|url|item|entry|sitemap)((?:\s[^<>]*)?)>"
    rb"(?:\s*<!\[CDATA\[)?([^<]*+(?=<)|)",
    re.IGNORECASE,
)
"""A text that nothing ends is cut off: half an address."""
_HREF = re.compile(rb"""\bhref\s*=\s*["']([^"'<>]*)""", re.IGNORECASE)
_REL = re.compile(rb"""\brel\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_OTHER_LOCS = frozenset({b"image", b"video"})
"""Prefixes of a `<loc>` that names a picture or a video: `<image:loc>`."""
_FEEDS = frozenset({b"rss", b"feed", b"rdf"})
_ENTRIES = frozenset({b"url", b"item", b"entry", b"sitemap"})
_DATES = frozenset({b"lastmod", b"pubdate", b"updated"})


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One entry: a URL as written, its lastmod in UTC, and whether it is a page or a further sitemap."""

    url: str
    changed_at: datetime | None
    kind: Literal["page", "sitemap"] = "page"


def read_sitemap(body: bytes) -> Iterator[SitemapEntry]:
    """The entries of a sitemap index, a sitemap, an RSS or Atom feed, or a text file of URLs; gzip or plain."""
    return islice(_entries(body), COUNT_LIMIT)


def _entries(body: bytes) -> Iterator[SitemapEntry]:
    pieces = _plain(body)
    start = b""
    for piece in pieces:
        start += piece
        if len(start) >= 4096:
            break
    encoding = declared_encoding(start).encoding
    if encoding != "utf-8":
        start, pieces = decode(b"".join(_joined(start, pieces)), encoding).encode(), iter(())
    if not start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        yield from _text_entries(start, pieces)
        return
    root = _ROOT.search(start[:4096])
    kind = b"" if root is None else root[1].lower()
    if kind == b"html":
        return
    waiting, reader = b"", _EntryReader(is_feed=kind in _FEEDS, kind="sitemap" if kind == b"sitemapindex" else "page")
    for piece in _joined(start, pieces):
        waiting += piece
        cut = waiting.rfind(b"</")
        comment = waiting.rfind(b"<!--", 0, cut)
        if comment > waiting.rfind(b"-->", 0, cut):
            cut = comment
        if cut > 0 or len(waiting) > UNCLOSED:
            cut = cut if cut > 0 else len(waiting)
            yield from reader.read(waiting[: cut + 1])
            waiting = waiting[cut:]
    yield from reader.read(waiting)
    yield from reader.end()


def _without_comments(text: bytes) -> bytes:
    """One that never ends hides nothing: whatever broke it, the entries behind it are there."""
    kept, start = [], 0
    while (opens := text.find(b"<!--", start)) >= 0 and (closes := text.find(b"-->", opens)) >= 0:
        kept.append(text[start:opens])
        start = closes + len(b"-->")
    return b"".join((*kept, text[start:]))


class _EntryReader:
    """Collects the URL and the date of the current entry, which come in either order."""

    def __init__(self, *, is_feed: bool, kind: Literal["page", "sitemap"]) -> None:
        self._is_feed = is_feed
        self._kind = kind
        self._url: str | None = None
        self._date: datetime | None = None

    def read(self, text: bytes) -> Iterator[SitemapEntry]:
        for match in _ITEM.finditer(_without_comments(text)):
            prefix, name, attributes, content = match.groups()
            name = name.lower()
            if name in _ENTRIES:
                yield from self.end()
            elif name in _DATES:
                self._date = _moment(_text(content)) or self._date
            elif (url := self._address(prefix or b"", name, attributes, content)) is not None:
                if self._url is not None:
                    yield from self.end()
                self._url = url

    def end(self) -> Iterator[SitemapEntry]:
        """The current entry, where it has a URL."""
        if self._url is not None:
            yield SitemapEntry(self._url, self._date, self._kind)
        self._url = self._date = None

    def _address(self, prefix: bytes, name: bytes, attributes: bytes, content: bytes) -> str | None:
        if name == b"link" and self._is_feed:
            href, rel = _HREF.search(attributes), _REL.search(attributes)
            if rel is not None and rel[1].lower() != b"alternate":
                return None
            url = unescape(_text(content if href is None else href[1]))
        elif name == b"loc" and prefix.lower() not in _OTHER_LOCS:
            url = unescape(_text(content))
        else:
            return None
        return url if _is_web(url) else None


def _plain(body: bytes) -> Iterator[bytes]:
    if body.startswith(GZIP_MAGIC):
        yield from salvage(body, SIZE_LIMIT)
    else:
        yield from (body[start : start + PIECE] for start in range(0, min(len(body), SIZE_LIMIT), PIECE))


def _joined(start: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    yield start
    yield from pieces


def _text_entries(start: bytes, pieces: Iterator[bytes]) -> Iterator[SitemapEntry]:
    waiting = start.removeprefix(b"\xef\xbb\xbf")
    for piece in _joined(b"", pieces):
        *lines, waiting = (waiting + piece).replace(b"\r", b"\n").split(b"\n")
        waiting = waiting[:LINE_MAX]
        yield from _lines(lines)
    yield from _lines([waiting])


def _lines(lines: list[bytes]) -> Iterator[SitemapEntry]:
    texts = (_text(line) for line in lines)
    yield from (SitemapEntry(text, None) for text in texts if _is_web(text))


def _text(content: bytes) -> str:
    return content.decode("utf-8", errors="replace").strip().removesuffix("]]>").strip()


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _moment(text: str) -> datetime | None:
    """A W3C datetime, or one of RFC 822 as in RSS, in UTC; None for what is no date.

    A bare day, `2026-11-21`, is read as its end: a page fetched that morning may have changed at noon.
    """
    try:
        moment = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        if len(text) <= len("2026-11-21"):
            moment += timedelta(days=1, seconds=-1)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
