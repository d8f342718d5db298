"""Archives as a public crawl publishes them: a gzip member a record, a page with its request and its metadata."""

from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from random import Random

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DATE = "2026-10-05T04:03:02Z"


@dataclass(frozen=True)
class CrawledPage:
    url: str
    body: bytes
    media_type: str = "text/html; charset=utf-8"
    status: str = "200 OK"


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


def write_archive(pages: Iterable[CrawledPage], *, is_packed: bool = True) -> bytes:
    """A WARC file: warcinfo, then request, response and metadata of each page."""
    archive = BytesIO()
    writer = WARCWriter(archive, gzip=is_packed, warc_version="WARC/1.0")
    writer.write_record(writer.create_warcinfo_record("crawl.warc.gz", {"isPartOf": "CC-MAIN-2026-41"}))
    for page in pages:
        host, _, path = page.url.removeprefix("https://").partition("/")
        request = StatusAndHeaders(f"GET /{path} HTTP/1.1", [("Host", host)], is_http_request=True)
        sent = [("Content-Type", page.media_type), ("X-Crawler-Content-Encoding", "gzip")]
        response = StatusAndHeaders(page.status, [*sent, ("Content-Length", str(len(page.body)))], "HTTP/1.1")
        for kind, content, head in (("request", b"", request), ("response", page.body, response)):
            record = writer.create_warc_record(
                page.url, kind, BytesIO(content), http_headers=head, warc_headers_dict={"WARC-Date": DATE}
            )
            writer.write_record(record)
        metadata = {"payload": BytesIO(b"fetchTimeMs: 12\r\n"), "warc_content_type": "application/warc-fields"}
        writer.write_record(writer.create_warc_record(page.url, "metadata", **metadata))
    return archive.getvalue()
