"""Sitemaps: bytes in, addresses out. Never raises: what can be salvaged is.

Addresses are found by their `<loc>` and not by an XML parser: one unescaped `&` then costs nothing, and there are no
entities to expand.
"""

import re
import zlib
from dataclasses import dataclass
from html import unescape

from fetch.decode import decode
from fetch.errors import FetchError

SIZE_LIMIT = 50_000_000
"""sitemaps.org: 50 MB uncompressed, 50,000 addresses."""
COUNT_LIMIT = 50_000

_LOC = re.compile(rb"<(?:\w+:)?loc[^>]*>\s*(?:<!\[CDATA\[)?\s*([^<\]]+?)\s*(?:\]\]>)?\s*</", re.IGNORECASE)
_INDEX = re.compile(rb"<(?:\w+:)?sitemapindex\b", re.IGNORECASE)
_XML = re.compile(rb"^\s*(?:\xef\xbb\xbf)?\s*<")


@dataclass(frozen=True, slots=True)
class Sitemap:
    """Addresses as written: of pages, and of further sitemaps."""

    pages: tuple[str, ...]
    sitemaps: tuple[str, ...]


def read_sitemap(body: bytes) -> Sitemap:
    """An index, a set of addresses or a text file with one a line; gzip where it is."""
    plain = _plain(body)
    if _XML.match(plain):
        found = [unescape(loc.decode("utf-8", errors="replace")) for loc in _LOC.findall(plain)]
        is_index = _INDEX.search(plain[:4096]) is not None
    else:
        found = [line.strip() for line in plain.decode("utf-8-sig", errors="replace").splitlines()]
        is_index = False
    addresses = tuple(url for url in found if url.startswith(("http://", "https://")))[:COUNT_LIMIT]
    return Sitemap((), addresses) if is_index else Sitemap(addresses, ())


def _plain(body: bytes) -> bytes:
    if not body.startswith(b"\x1f\x8b"):
        return body[:SIZE_LIMIT]
    try:
        return decode([body], "gzip", SIZE_LIMIT)
    except FetchError:
        # Cut short or damaged: what inflates until then still holds addresses.
        try:
            return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(body, SIZE_LIMIT)
        except zlib.error:
            return b""
