"""robots.txt and sitemaps."""

import struct
import zlib
from collections.abc import Iterable

from verdicts.demo_site.renderings.markup import text
from verdicts.demo_site.renderings.words import URL

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
STORED_BLOCK_BYTES = 0xFFFF


def robots_txt() -> str:
    return f"User-agent: *\nAllow: /\nDisallow: /bookmarks\nDisallow: /admin\n\nSitemap: {URL}sitemap.xml\n"


def sitemap_index(paths: Iterable[str]) -> str:
    entries = "".join(f"<sitemap><loc>{text(URL.rstrip('/') + path)}</loc></sitemap>\n" for path in paths)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{NAMESPACE}">\n{entries}</sitemapindex>\n'


def sitemap(paths: Iterable[str], modified_on: str) -> str:
    """A sitemap of these paths; `modified_on` is an ISO date."""
    entries = "".join(
        f"<url><loc>{text(URL.rstrip('/') + path)}</loc><lastmod>{modified_on}</lastmod></url>\n" for path in paths
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}">\n{entries}</urlset>\n'


def stored_gzip(content: bytes) -> bytes:
    """A gzip file of uncompressed blocks: compressed bytes would differ between builds of zlib."""
    blocks = [content[start : start + STORED_BLOCK_BYTES] for start in range(0, len(content), STORED_BLOCK_BYTES)] or [
        b""
    ]
    deflated = b"".join(
        struct.pack("<BHH", number == len(blocks) - 1, len(block), len(block) ^ 0xFFFF) + block
        for number, block in enumerate(blocks)
    )
    trailer = struct.pack("<II", zlib.crc32(content), len(content) & 0xFFFFFFFF)
    return b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + deflated + trailer
