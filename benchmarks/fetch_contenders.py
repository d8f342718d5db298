"""The crawlers measured by `fetch_speed`, each run in a process of its own.

python -m benchmarks.fetch_contenders NAME PORT PAGES FOLDER     prints one line of JSON
"""

import asyncio
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

CONNECTIONS = 16


def ours(port: int, pages: int, folder: Path) -> int:
    """Robots, frontier, log and raw store on; politeness off."""
    from fetch import Site, crawl, open_store

    site = Site(
        hosts=("127.0.0.1",),
        start_urls=(f"http://127.0.0.1:{port}/",),
        delay_s=0,
        connections=CONNECTIONS,
        allow_private=True,
        max_pages=pages * 2,
    )
    with open_store(folder, command="benchmark") as store:
        return asyncio.run(crawl(store, [site], user_agent="verdicts-benchmark")).fetched


def bare(port: int, pages: int, folder: Path) -> int:
    """httpx over aiohttp in a loop that knows every address and keeps nothing: the limit."""
    import httpx
    from httpx_aiohttp import AiohttpTransport

    from benchmarks.fetch_server import page_path

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

    asyncio.run(main())
    return done


def scrapy(port: int, pages: int, folder: Path) -> int:
    """A spider that follows links, obeys robots.txt and writes the same WARC records, its queue on disk (JOBDIR)."""
    from datetime import UTC, datetime

    import scrapy as library
    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    from fetch import Snapshot
    from fetch.warc import response_frame

    done = 0
    archive = (folder / "scrapy.warc.zst").open("ab")
    extractor = LinkExtractor()

    class Pages(library.Spider):
        name = "pages"
        allowed_domains = ("127.0.0.1",)
        start_urls = (f"http://127.0.0.1:{port}/",)

        def parse(self, response):  # type: ignore[no-untyped-def]
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
            "JOBDIR": str(folder / "job"),
        }
    )
    process.crawl(Pages)
    process.start()
    archive.close()
    return done


def scrapy_in_memory(port: int, pages: int, folder: Path) -> int:
    """The same spider with its queue in memory, lost in a crash."""
    raise NotImplementedError


def crawlee(port: int, pages: int, folder: Path) -> int:
    """HttpCrawler with its default storage (a folder), links by its own parser-less handler."""
    import logging
    import os
    import re

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
            await context.add_requests([f"http://127.0.0.1:{port}{found.decode()}" for found in anchors.findall(body)])

        await crawler.run([f"http://127.0.0.1:{port}/"])

    asyncio.run(main())
    return done


CONTENDERS: dict[str, Callable[[int, int, Path], int]] = {
    "ours": ours,
    "bare": bare,
    "scrapy": scrapy,
    "crawlee": crawlee,
}


def main() -> None:
    name, port, pages, folder = sys.argv[1:]
    contender = CONTENDERS[name]
    began = time.perf_counter()
    done = contender(int(port), int(pages), Path(folder))
    wall_s = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    result = {
        "pages": done,
        "wall_s": wall_s,
        "cpu_s": used.ru_utime + used.ru_stime,
        "peak_mb": used.ru_maxrss / 1024,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
