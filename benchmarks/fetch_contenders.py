"""The crawlers that `fetch_speed` measures, each run in a process of its own. Imports and start-up are not counted."""

import asyncio
import logging
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.fetch_server import page_path
from benchmarks.measuring import Cost, measured

CONNECTIONS = 16

Crawl = Callable[[], int]
"""Crawls the whole site once; returns the number of pages fetched."""


def ours(port: int, pages: int, folder: Path) -> Crawl:
    """Robots, frontier, log and raw store on; politeness off."""
    from verdicts.fetch.model.site import Site
    from verdicts.fetch.run.crawl import crawl
    from verdicts.fetch.store.store import open_store

    site = Site(
        hosts=("127.0.0.1",),
        start_urls=(f"http://127.0.0.1:{port}/",),
        delay_s=0,
        connections=CONNECTIONS,
        allow_private=True,
        max_pages=pages * 2,
    )

    def go() -> int:
        with open_store(folder, command="benchmark") as store:
            return asyncio.run(crawl(store, [site], user_agent="verdicts-benchmark")).fetched

    return go


def bare(port: int, pages: int, folder: Path) -> Crawl:
    """httpx over aiohttp in a loop that knows every URL and stores nothing: the upper bound."""
    import httpx
    from httpx_aiohttp import AiohttpTransport

    addresses = iter([f"http://127.0.0.1:{port}{page_path(number)}" for number in range(pages)])
    done = 0

    async def work(client: httpx.AsyncClient) -> None:
        nonlocal done
        for address in addresses:
            answer = await client.get(address)
            done += answer.status_code == 200

    async def main() -> None:
        async with httpx.AsyncClient(transport=AiohttpTransport()) as client:
            await asyncio.gather(*(work(client) for _ in range(CONNECTIONS)))

    def go() -> int:
        asyncio.run(main())
        return done

    return go


def scrapy(port: int, pages: int, folder: Path, *, is_durable: bool = True) -> Crawl:
    """A spider that follows links, obeys robots.txt and writes the same records; its queue is on disk (JOBDIR)."""
    import scrapy as library
    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    from verdicts.fetch.model.snapshot import Snapshot
    from verdicts.fetch.store.warc import response_frame

    done = 0
    archive = (folder / "scrapy.warc.zst").open("ab")
    extractor = LinkExtractor()

    class Pages(library.Spider):
        name = "pages"
        allowed_domains = ("127.0.0.1",)
        start_urls = (f"http://127.0.0.1:{port}/",)

        def parse(self, response):
            nonlocal done
            done += 1
            headers = tuple(
                (name.decode().lower(), value.decode()) for name, values in response.headers.items() for value in values
            )
            moment = datetime.now(UTC)
            snapshot = Snapshot(response.url, response.url, moment, response.status, headers, response.body, "scrapy")
            archive.write(response_frame(snapshot))
            for link in extractor.extract_links(response):
                yield library.Request(link.url)

    process = CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "LOG_ENABLED": False,
            "CONCURRENT_REQUESTS": CONNECTIONS,
            "CONCURRENT_REQUESTS_PER_DOMAIN": CONNECTIONS,
            "DOWNLOAD_DELAY": 0,
            "AUTOTHROTTLE_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            # start_urls are fetched again when a page links to them.
            "DUPEFILTER_CLASS": "scrapy.dupefilters.RFPDupeFilter",
            "JOBDIR": str(folder / "job") if is_durable else None,
        }
    )

    def go() -> int:
        process.crawl(Pages)
        process.start()
        archive.close()
        return done

    return go


def scrapy_in_memory(port: int, pages: int, folder: Path) -> Crawl:
    """The same spider with its queue in memory, lost in a crash."""
    return scrapy(port, pages, folder, is_durable=False)


def crawlee(port: int, pages: int, folder: Path) -> Crawl:
    """HttpCrawler with its default storage, a folder; links are found by a regular expression."""
    os.environ["CRAWLEE_STORAGE_DIR"] = str(folder)
    os.environ["CRAWLEE_PURGE_ON_START"] = "false"
    from crawlee import ConcurrencySettings
    from crawlee.crawlers import HttpCrawler, HttpCrawlingContext

    done = 0
    anchors = re.compile(rb'<a href="([^"]+)">')

    async def main() -> None:
        limits = ConcurrencySettings(
            min_concurrency=CONNECTIONS, desired_concurrency=CONNECTIONS, max_concurrency=CONNECTIONS
        )
        crawler = HttpCrawler(
            concurrency_settings=limits, respect_robots_txt_file=True, configure_logging=False, max_request_retries=1
        )
        logging.disable(logging.CRITICAL)

        @crawler.router.default_handler
        async def handle(context: HttpCrawlingContext) -> None:
            nonlocal done
            body = await context.http_response.read()
            done += 1
            store = await context.get_key_value_store()
            await store.set_value(f"page-{done}", body.decode(), content_type="text/html")
            await context.add_requests([f"http://127.0.0.1:{port}{link.decode()}" for link in anchors.findall(body)])

        await crawler.run([f"http://127.0.0.1:{port}/"])

    def go() -> int:
        asyncio.run(main())
        return done

    return go


CONTENDERS: dict[str, Callable[[int, int, Path], Crawl]] = {
    "ours": ours,
    "bare": bare,
    "scrapy": scrapy,
    "scrapy_in_memory": scrapy_in_memory,
    "crawlee": crawlee,
}
NEEDS = {"scrapy": "scrapy", "scrapy_in_memory": "scrapy", "crawlee": "crawlee"}
"""The module that each imports."""


def run(name: str, port: int, pages: int, folder: Path) -> tuple[int, Cost]:
    """The pages that one gets, and what it costs."""
    go = CONTENDERS[name](port, pages, folder)
    with measured() as cost:
        done = go()
    return done, cost
