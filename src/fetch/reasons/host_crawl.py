"""What a crawl came to on one host, read from its log: all that is needed to say why there is not more."""

import sqlite3
from collections import defaultdict
from dataclasses import dataclass

from fetch.model.addresses.web_address import host_of, web_address
from fetch.model.skips import SkipReason, SkipRecord
from fetch.reasons.endings import Ending, endings_of
from fetch.store.reader import StoreReader


@dataclass(frozen=True, slots=True)
class AskedFile:
    """A robots.txt or a sitemap, and how the last attempt to have it ended."""

    url: str
    outcome: str
    detail: str | None

    @property
    def is_robots(self) -> bool:
        """Whether it is a robots.txt."""
        address = web_address(self.url)
        return address is not None and address.path == "/robots.txt"


@dataclass(frozen=True, slots=True)
class HostCrawl:
    """One host in one crawl. `endings` count each known address once, the most frequent first.

    `skips` are links to the host that were left out. `starts` counts the addresses that the config itself names.
    """

    host: str
    endings: tuple[Ending, ...]
    skips: tuple[SkipRecord, ...] = ()
    files: tuple[AskedFile, ...] = ()
    starts: int = 0

    @property
    def known(self) -> int:
        """Addresses of the host in the frontier."""
        return sum(ending.addresses for ending in self.endings)


@dataclass(frozen=True, slots=True)
class CrawlReasons:
    """A crawl, host by host; and the links that led out of the hosts of the config, by the host they led to."""

    hosts: tuple[HostCrawl, ...]
    outside: tuple[SkipRecord, ...]


def read_reasons(store: StoreReader, crawl_id: str) -> CrawlReasons:
    """What a crawl came to; without hosts for one that was killed, or of an older version."""
    endings: dict[str, list[Ending]] = defaultdict(list)
    for ending in endings_of(store.state, crawl_id):
        endings[ending.host].append(ending)
    skips = store.skips(crawl_id)
    files = _files(store.state, crawl_id)
    starts = dict(store.state.execute("SELECT host, count(*) FROM urls WHERE discovered_from = 'start' GROUP BY host"))
    hosts = tuple(
        HostCrawl(
            host,
            tuple(of_host),
            tuple(skip for skip in skips if skip.host == host),
            tuple(file for file in files if host_of(file.url) == host),
            starts.get(host, 0),
        )
        for host, of_host in endings.items()
    )
    return CrawlReasons(hosts, tuple(skip for skip in skips if skip.reason == SkipReason.OTHER_HOST))


def _files(state: sqlite3.Connection, crawl_id: str) -> list[AskedFile]:
    """Whatever was asked for that is no address of the frontier."""
    rows = state.execute(
        "SELECT fetches.url, outcome, detail, max(fetch_id) FROM fetches LEFT JOIN urls USING (url)"
        " WHERE crawl_id = ? AND urls.url IS NULL GROUP BY fetches.url ORDER BY max(fetch_id)",
        (crawl_id,),
    )
    return [AskedFile(url, outcome, detail) for url, outcome, detail, _ in rows]
