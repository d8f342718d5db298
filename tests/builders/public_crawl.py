"""Archives as a public crawl publishes them: a gzip member a record, a page with its request and its metadata."""

import gzip
import json
from base64 import b32encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha1
from random import Random
from uuid import UUID

DATE = "2026-10-05T04:03:02Z"


@dataclass(frozen=True)
class CrawledPage:
    """`headers` are more of its record's, such as WARC-Truncated."""

    url: str
    body: bytes
    media_type: str = "text/html; charset=utf-8"
    status: str = "200 OK"
    headers: tuple[tuple[str, str], ...] = ()


def make_crawled_pages(count: int, *, size: int = 20_000) -> list[CrawledPage]:
    """Pages of about so many bytes, of words that hardly compress; and now and then what is no page."""
    chance = Random(1)
    pages = []
    for number in range(count):
        words = chance.randbytes(size // 2).hex()
        html = f"<html><head><title>Page {number}</title></head><body><p>{words}</p></body></html>"
        pages.append(CrawledPage(f"https://site{number % 7}.example/page/{number}", html.encode()))
        if number % 5 == 0:
            pages.append(CrawledPage(f"https://site.example/{number}.png", b"\x89PNG" * 9, "image/png"))
            pages.append(CrawledPage(f"https://site.example/{number}", b"<p>gone</p>", status="404 Not Found"))
    return pages


def warc(pages: Iterable[CrawledPage]) -> list[bytes]:
    """The records of a WARC file: warcinfo, then request, response and metadata of each page."""
    records = [_record("warcinfo", b"isPartOf: CC-MAIN-2026-41\r\n", {"Content-Type": "application/warc-fields"})]
    for page in pages:
        host, _, path = page.url.removeprefix("https://").partition("/")
        request = f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: br,gzip\r\n\r\n".encode()
        sent = [
            f"HTTP/1.1 {page.status}",
            f"Content-Type: {page.media_type}",
            "X-Crawler-Transfer-Encoding: chunked",
            "X-Crawler-Content-Encoding: gzip",
            f"Content-Length: {len(page.body)}",
        ]
        response = "\r\n".join(sent).encode() + b"\r\n\r\n" + page.body
        target = {"WARC-Target-URI": page.url}
        http = {"Content-Type": "application/http; msgtype=response", "WARC-IP-Address": "192.0.2.7"}
        digests = {"WARC-Payload-Digest": _digest(page.body), "WARC-Block-Digest": _digest(response)}
        media_type = {"WARC-Identified-Payload-Type": page.media_type.partition(";")[0]}
        records += [
            _record("request", request, {"Content-Type": "application/http; msgtype=request"} | target),
            _record("response", response, http | target | digests | media_type | dict(page.headers)),
            _record("metadata", b"fetchTimeMs: 12\r\n", {"Content-Type": "application/warc-fields"} | target),
        ]
    return records


def pack_records(records: Iterable[bytes]) -> bytes:
    """A member a record."""
    return b"".join(gzip.compress(record, mtime=0) for record in records)


def _record(kind: str, content: bytes, headers: dict[str, str]) -> bytes:
    lines = {"WARC-Type": kind, "WARC-Date": DATE, "WARC-Record-ID": _id(kind + json.dumps(headers)), **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"WARC/1.0\r\n{head}Content-Length: {len(content)}\r\n\r\n".encode() + content + b"\r\n\r\n"


def _id(words: str) -> str:
    return f"<urn:uuid:{UUID(bytes=sha1(words.encode()).digest()[:16])}>"


def _digest(content: bytes) -> str:
    return f"sha1:{b32encode(sha1(content).digest()).decode()}"
