"""Sitemaps and feeds: bytes in, entries out, a piece at a time. Never raises: what can be read of a broken file is.

Tags are matched with patterns instead of an XML parser: one unescaped `&` then costs nothing, and there are no entities
to expand. Each byte is looked at a few times at most, so a file of blanks cannot stall the crawl.
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

TEXT_MAX = 10_000
"""Bytes of an address or a date that are looked at; no address is longer."""

MARKS_MAX = 1_000_000
"""Tags and comments of a file that are looked at: 50,000 addresses with all that is said of them have a third of it."""

UNCLOSED = 1_000_000
"""Bytes of a comment, a tag or a document type that are kept until it ends."""

_NAMES = rb"loc|lastmod|link|pubDate|updated|url|item|entry|sitemap|image|video"
_NAME = rb"(?:([\w.-]{1,40}):)?((?i:" + _NAMES + rb"))(?=[\s/>])"
_REST = rb"((?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+'|[\"'])*+)>"
_MARK = re.compile(rb"<(?=[!?/\w])(?:(!--|!\[CDATA\[|\?|(?i:!DOCTYPE)\b)|(/?)" + _NAME + _REST + rb")")
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
"""XML knows these. To HTML `?a=1&copy=2` holds a copyright sign."""

_ENTRIES, _ENTRIES_OF_FEEDS = frozenset({b"url", b"sitemap"}), frozenset({b"item", b"entry"})
_DATES = frozenset({b"lastmod", b"pubdate", b"updated"})
_WITH_TEXT = _DATES | {b"loc", b"link"}
_OTHERS = frozenset({b"image", b"video"})
"""What is in them is no page: `<image:loc>`, and the logo of a feed."""


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One entry: a URL as written, its lastmod in UTC, and whether it is a page or a further sitemap."""

    url: str
    changed_at: datetime | None
    kind: Literal["page", "sitemap"] = "page"


def root_of(start: bytes) -> str | None:
    """The name of the first element that says what a file is, in lower case; `html` also by its document type."""
    match = _ROOT.search(_without_comments(start))
    return None if match is None else (match[1] or b"html").decode().lower()


def _without_comments(text: bytes) -> bytes:
    """One that never ends hides nothing. No pattern, as each `<!--` would be looked for its end again."""
    kept, start = [], 0
    while (opens := text.find(b"<!--", start)) >= 0 and (closes := text.find(b"-->", opens)) >= 0:
        kept.append(text[start:opens])
        start = closes + len(b"-->")
    return b"".join((*kept, text[start:]))


def is_web(url: str) -> bool:
    """Whether a text begins like a whole address."""
    return url[:8].lower().startswith(("http://", "https://"))


class EntryReader:
    """Collects the URL and the date of the current entry, which come in either order."""

    def __init__(self, *, is_feed: bool, kind: Literal["page", "sitemap"]) -> None:
        self._is_feed = is_feed
        self._kind = kind
        self._waiting = b""
        self._marks_left = MARKS_MAX
        self._entities: set[str] = set()
        self._is_typed = False  # A file has one document type, at its start.
        self._is_in_other = False
        self._url: str | None = None
        self._date: datetime | None = None

    def read(self, piece: bytes) -> Iterator[SitemapEntry]:
        """The entries that end in this piece of the file."""
        return self._read(self._waiting + piece, is_last=False)

    def end(self) -> Iterator[SitemapEntry]:
        """The entries in what was waiting for an end that never came, and the current entry, where it has a URL."""
        yield from self._read(self._waiting, is_last=True)
        yield from self._current()

    def _read(self, text: bytes, *, is_last: bool) -> Iterator[SitemapEntry]:
        position, missing = 0, set[bytes]()
        while self._marks_left > 0:
            mark = _MARK.search(text, position)
            if mark is None:
                last = text.rfind(b"<", position)
                self._waiting = text[last:] if last >= 0 and len(text) - last < UNCLOSED else b""
                return
            self._marks_left -= 1
            if mark[1]:
                content, position = None, self._passed_over(text, mark, missing)
            else:
                content, position = self._content(text, mark)
            if position < 0 and not is_last and len(text) - mark.start() < UNCLOSED:
                self._waiting = text[mark.start() :]
                return
            position = mark.end() if position < 0 else position
            # Most marks are the ends of elements, which say nothing.
            if not mark[1] and (content != "" or mark[5]):
                yield from self._element(mark, content)

    def _current(self) -> Iterator[SitemapEntry]:
        if self._url is not None:
            yield SitemapEntry(self._url, self._date, self._kind)
        self._url = self._date = None

    def _passed_over(self, text: bytes, mark: re.Match[bytes], missing: set[bytes]) -> int:
        """The position after a comment or the like; -1 where its end is not there. `missing`: ends that are not.

        One that never ends hides nothing: whatever broke it, the entries behind it are there.
        """
        ending = _ENDS.get(mark[1])
        if ending is not None:
            end = -1 if ending in missing else text.find(ending, mark.end())
            if end < 0:
                missing.add(ending)
            return end if end < 0 else end + len(ending)
        if self._is_typed:
            return mark.end()
        whole = _DOCTYPE.match(text, mark.start())
        self._is_typed = whole is not None or len(text) - mark.start() >= UNCLOSED
        if whole is None:
            return -1
        self._entities.update(name.decode("utf-8", errors="replace") for name in _ENTITY.findall(whole[0]))
        return whole.end()

    def _content(self, text: bytes, mark: re.Match[bytes]) -> tuple[str | None, int]:
        """The text of an element and the position after it; None for one that has none, -1 for one that goes on."""
        position = mark.end()
        if mark[4].lower() not in _WITH_TEXT or mark[5].endswith(b"/"):
            return None, position
        if mark[2]:
            return "", position
        parts: list[str] = []
        is_known = True
        while True:
            following = text.find(b"<", position, position + TEXT_MAX)
            if following < 0:
                return None, mark.end() if len(text) - position > TEXT_MAX else -1
            if following > position:
                parts.append(_resolved(text[position:following]))
                is_known = is_known and not any(f"&{name};" in parts[-1] for name in self._entities)
            if len(text) - following < len(b"<![CDATA[") and b"<![CDATA[".startswith(text[following:]):
                return None, -1
            ending = None
            if text[following + 1] in b"!?":
                ending = next((end for start, end in _ENDS.items() if text.startswith(start, following + 1)), None)
            if ending is None:
                return ("".join(parts).strip() if is_known else None), following
            position = text.find(ending, following, following + TEXT_MAX) + len(ending)
            if position < len(ending):
                return None, mark.end() if len(text) - following > TEXT_MAX else -1
            if ending == b"]]>":
                parts.append(text[following + len(b"<![CDATA[") : position - 3].decode("utf-8", errors="replace"))

    def _element(self, mark: re.Match[bytes], content: str | None) -> Iterator[SitemapEntry]:
        name = mark[4].lower()
        if name in (_ENTRIES_OF_FEEDS if self._is_feed else _ENTRIES):
            self._is_in_other = False
            yield from self._current()
        elif name in _OTHERS:
            self._is_in_other = not mark[2] and not mark[5].endswith(b"/")
        elif mark[2] or self._is_in_other or (mark[3] or b"").lower() in _OTHERS:
            return
        elif name in _DATES:
            self._date = _moment(content or "") or self._date
        elif (url := self._address(name, mark[5], content)) is not None:
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
        return content if content is not None and is_web(content) else None


def _resolved(text: bytes) -> str:
    written = text.decode("utf-8", errors="replace")
    return _REFERENCE.sub(lambda match: unescape(match[0]), written) if "&" in written else written


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


SIZE_LIMIT = 50 * 1024 * 1024
"""sitemaps.org: 50 MB (52,428,800 bytes) uncompressed, 50,000 URLs."""
COUNT_LIMIT = 50_000

START = 65_536
"""Bytes in which the root of a file is looked for."""

LINE_MAX = 10_000
"""Bytes of a line in a text file that are kept until it ends; no address is longer."""


def read_sitemap(body: bytes) -> Iterator[list[SitemapEntry]]:
    """The entries of a sitemap index, a sitemap, an RSS or Atom feed, or a text file of URLs; gzip or plain.

    A list for each `PIECE` of the file, which may be empty, so that the caller can do something else in between.
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
    root = root_of(start)
    if root == "html":
        return
    if root is None and not start.lstrip().startswith(b"<"):
        yield from _lines(chain([start], pieces))
        return
    reader = EntryReader(is_feed=root in {"rss", "feed", "rdf"}, kind="sitemap" if root == "sitemapindex" else "page")
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
    for piece in pieces:
        *lines, waiting = (waiting + piece).replace(b"\r", b"\n").split(b"\n")
        waiting = waiting[:LINE_MAX]
        yield _addresses(lines)
    yield _addresses([waiting])


def _addresses(lines: list[bytes]) -> list[SitemapEntry]:
    texts = (line.decode("utf-8", errors="replace").strip() for line in lines)
    return [SitemapEntry(text, None) for text in texts if is_web(text)]
