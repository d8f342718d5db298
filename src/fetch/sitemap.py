"""Sitemaps: bytes in, addresses out. Never raises: what can be salvaged is.

Addresses are found by their `<loc>` and not by an XML parser: one unescaped `&` then costs nothing, and there are no
entities to expand. No pattern here looks at a byte more than twice: a file of blanks must not hold up a night.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape

from fetch.decode import GZIP_MAGIC, salvage

SIZE_LIMIT = 50_000_000
"""sitemaps.org: 50 MB uncompressed, 50,000 addresses."""
COUNT_LIMIT = 50_000

_ITEM = re.compile(rb"<(?:(\w{1,20}):)?(loc|lastmod)(?:\s[^<>]*)?>(?:\s*<!\[CDATA\[)?([^<]*)", re.IGNORECASE)
_INDEX = re.compile(rb"<(?:\w{1,20}:)?sitemapindex\b", re.IGNORECASE)
_OTHER_LOCS = frozenset({b"image", b"video"})
"""Prefixes under which a `<loc>` names a picture: `<image:loc>`."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An address as written, and when its page is said to have changed."""

    url: str
    changed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one file lists: pages, or further sitemaps."""

    pages: tuple[Listed, ...]
    sitemaps: tuple[str, ...]


def read_sitemap(body: bytes) -> Sitemap:
    """An index, a set of addresses or a text file with one a line; gzip where it is."""
    plain = salvage(body, SIZE_LIMIT) if body.startswith(GZIP_MAGIC) else body[:SIZE_LIMIT]
    if not plain.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        lines = plain.decode("utf-8-sig", errors="replace").splitlines()
        return Sitemap(tuple(Listed(line.strip(), None) for line in lines if _is_web(line.strip()))[:COUNT_LIMIT], ())
    listed = _listed(plain)
    if _INDEX.search(plain[:4096]):
        return Sitemap((), tuple(item.url for item in listed))
    return Sitemap(tuple(listed), ())


def _listed(plain: bytes) -> list[Listed]:
    """A `<lastmod>` belongs to the `<loc>` before it."""
    found: list[Listed] = []
    for match in _ITEM.finditer(plain):
        prefix, name, content = match.groups()
        text = content.removesuffix(b"]]>").decode("utf-8", errors="replace").strip().removesuffix("]]>").strip()
        if name.lower() == b"lastmod":
            if found:
                found[-1] = Listed(found[-1].url, _moment(text))
        elif (prefix or b"").lower() not in _OTHER_LOCS and _is_web(url := unescape(text)):
            found.append(Listed(url, None))
            if len(found) > COUNT_LIMIT:
                return found[:COUNT_LIMIT]
    return found


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _moment(text: str) -> datetime | None:
    """W3C datetime; `2026-11-21` is the start of that day. None for what is no date."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
