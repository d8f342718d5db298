"""Sitemaps and feeds: bytes in, entries out, a piece at a time. Never raises: what can be read of a broken file is.

Tags are matched with patterns instead of an XML parser: one unescaped `&` then costs nothing, and there are no entities
to expand. Each byte is looked at a few times at most, so a file of blanks cannot stall the crawl.
"""

from collections.abc import Iterator
from itertools import chain

from verdicts.fetch.http.content_encoding import GZIP_MAGIC, PIECE, salvage
from verdicts.fetch.model.charset.declared import declared_encoding
from verdicts.fetch.model.charset.decoding import UTF_8_MARK, decode
from verdicts.fetch.parse.sitemap_tags import EntryReader, SitemapEntry, is_web, root_of

__all__ = ["SitemapEntry", "read_sitemap"]

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
