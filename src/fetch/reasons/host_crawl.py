"""What a crawl came to on one host, read from its log: all that is needed to say why there is not more."""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from verdicts.fetch.model.addresses.web_address import host_of, web_address
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.skips import SkipReason, SkipRecord
from verdicts.fetch.reasons.endings import Ending, endings_of
from verdicts.fetch.store.reader import StoreReader

NOT_ASKED = frozenset({SkipReason.ROBOTS_UNREAD, SkipReason.HOST_DOWN})
"""Why due addresses were not asked for, where the host is to blame."""

OK = 200
"""A page with this status fails by what it holds."""

_SHORTFALLS = Path(__file__).with_name("shortfalls.sql")


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


def shortfalls(state: sqlite3.Connection, crawl_id: str) -> list[str]:
    """What a crawl could not have, host by host: `63 of 231 addresses of a.example answered 500`."""
    missed: dict[str, list[tuple[int, str]]] = defaultdict(list)
    files = []
    rows = state.execute(_SHORTFALLS.read_text(encoding="utf-8"), {"crawl_id": crawl_id})
    for host, url, outcome, status, count in rows:
        if Outcome(outcome).is_failure:
            how = f"answered {status}" if status and status != OK else f"failed ({Outcome(outcome).meaning})"
            if host is None:
                files.append(f"{url} {how}")
            else:
                missed[host].append((count, how))
    for ending in endings_of(state, crawl_id):
        if ending.ending in NOT_ASKED and ending.addresses:
            missed[ending.host].append((ending.addresses, "were not asked for"))
    known = dict(state.execute("SELECT host, count(*) FROM urls GROUP BY host"))
    return [_shortfall(host, kinds, known.get(host, 0)) for host, kinds in missed.items()] + files


def _shortfall(host: str, kinds: Sequence[tuple[int, str]], known: int) -> str:
    total = f"{sum(count for count, _ in kinds):,} of {known:,} addresses of {host}"
    if len(kinds) == 1:
        return f"{total} {kinds[0][1]}"
    return f"{total} are missing: {', '.join(f'{count:,} {how}' for count, how in kinds)}"


def _files(state: sqlite3.Connection, crawl_id: str) -> list[AskedFile]:
    """Whatever was asked for that is no address of the frontier."""
    rows = state.execute(
        "SELECT fetches.url, outcome, detail, max(fetch_id) FROM fetches LEFT JOIN urls USING (url)"
        " WHERE crawl_id = ? AND urls.url IS NULL GROUP BY fetches.url ORDER BY max(fetch_id)",
        (crawl_id,),
    )
    return [AskedFile(url, outcome, detail) for url, outcome, detail, _ in rows]
