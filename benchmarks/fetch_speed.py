"""How fast pages are fetched and stored, beside Scrapy and a bare loop, all on the same loopback server.

    uv run --group peers python -m benchmarks.fetch_speed [--pages 2000] [--rounds 5]

Contenders take turns within a round, so that other load on the machine affects all of them. Every one has to get
every page, or the run ends.
"""

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.fetch_server import page_path, serve_pages
from benchmarks.measuring import (
    Cost,
    in_own_process,
    in_turns,
    make_options,
    markdown_table,
    measure_body,
    ratio,
    select_installed,
    serve_elsewhere,
)

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


def scrapy(port: int, pages: int, folder: Path) -> Crawl:
    """A spider that follows links, obeys robots.txt and writes the same records; its queue is on disk (JOBDIR)."""
    import scrapy as library
    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    from verdicts.fetch.model.snapshot import Snapshot
    from verdicts.fetch.store.warc import pack_response

    done = 0
    archive = (folder / "scrapy.warc.gz").open("ab")
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
            archive.write(pack_response(snapshot))
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
            "JOBDIR": str(folder / "job"),
        }
    )

    def go() -> int:
        process.crawl(Pages)
        process.start()
        archive.close()
        return done

    return go


CONTENDERS: dict[str, Callable[[int, int, Path], Crawl]] = {
    "ours": ours,
    "bare": bare,
    "scrapy": scrapy,
}
NEEDS = {"scrapy": "scrapy"}
"""The module that each imports."""


def run(name: str, port: int, pages: int, folder: Path) -> tuple[int, Cost]:
    """The pages that one gets, and what it costs."""
    go = CONTENDERS[name](port, pages, folder)
    with measure_body() as cost:
        done = go()
    return done, cost


SIZES = (20_000, 100_000)
EXTRA = {"scrapy": 1}
"""Scrapy requests its start URL again when a page links to it."""


def measure(name: str, port: int, pages: int) -> Cost:
    """One run of one contender."""
    with tempfile.TemporaryDirectory() as folder:
        done, cost = in_own_process(run, name, port, pages, Path(folder))
    if done != pages + EXTRA.get(name, 0):
        sys.exit(f"{name} got {done} of {pages} pages")
    return cost


def report(size: int, pages: int, rounds: dict[str, list[Cost]]) -> str:
    """A table of one page size: medians, and ratios taken within each round."""
    cpu = {name: [cost.cpu_s / pages * 1e6 for cost in costs] for name, costs in rounds.items()}
    rows = [
        (
            name,
            f"{statistics.median(pages / cost.wall_s for cost in costs):,.0f}",
            f"{statistics.median(cpu[name]):,.0f}",
            f"{statistics.median(cost.peak_mb for cost in costs):.0f}",
            ratio(cpu[name], cpu["ours"]),
        )
        for name, costs in rounds.items()
    ]
    head = ("", "pages/s", "CPU µs a page", "peak MB", "CPU a page, ours = 1")
    return f"{pages:,} pages of {size // 1000} KB:\n\n{markdown_table(head, rows)}\n"


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--pages", type=int, default=2000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--bytes", type=int, nargs="+", default=SIZES, help="of a page")
    options.add_argument("--only", nargs="*", choices=CONTENDERS, default=list(CONTENDERS))
    chosen = options.parse_args()
    contenders: Sequence[str] = select_installed(chosen.only, NEEDS)
    for size in chosen.bytes:
        with serve_elsewhere(serve_pages, chosen.pages, size) as port:
            rounds = in_turns(chosen.rounds, contenders, lambda name, port=port: measure(name, port, chosen.pages))
        print(report(size, chosen.pages, rounds))


if __name__ == "__main__":
    main()
