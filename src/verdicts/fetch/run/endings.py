"""The result of a crawl, host by host: every known address is counted in one ending."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from pathlib import Path

from verdicts.corpus.text import escape_unstorable
from verdicts.fetch.model.addresses import find_host, split_address
from verdicts.fetch.model.outcome import Left, Outcome, SkipReason, SkipRecord
from verdicts.fetch.model.share import Share
from verdicts.fetch.model.site import Site
from verdicts.fetch.parse.content import has_content
from verdicts.fetch.parse.tdm import FILE as TDM_FILE
from verdicts.fetch.store.reader import StoreReader

_QUERY = Path(__file__).with_name("endings.sql")

SET_BACK = timedelta(hours=1)
"""A clock that was set back by more is named."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How many addresses of a host ended in one way.

    `ending` is the last `Outcome` of the crawl, or a `SkipReason` for addresses that were not requested; in a plan also
    `fetch`. `detail` decided the example; for `not_due` it is the due time in ISO format, then the last outcome if that
    returned no page.
    """

    host: str
    ending: str
    addresses: int
    example: str
    detail: str | None


def count_endings(
    state: sqlite3.Connection,
    crawl_id: str,
    started_at: datetime,
    sites: Sequence[Site],
    share: Share,
    left: Left,
    otherwise: Outcome | SkipReason,
) -> list[Ending]:
    """The whole frontier, by host and ending. `otherwise` is the reason for hosts that `left` lacks.

    A crawled host without any address has one row with count 0. Hosts that another fetcher has now are not crawled.
    """
    crawled = {host for site in sites if share.has(site.home) for host in site.all_hosts}
    elsewhere = {host for site in sites for host in site.hosts} - crawled

    def find_rest_reason(host: str) -> str:
        if host in crawled:
            return left.get(host, (otherwise, None))[0]
        return SkipReason.OTHER_SITE if is_elsewhere(host) else SkipReason.OTHER_HOST

    def find_skip_reason(url: str, address: str) -> str:
        site = next((site for site in sites if site.has_host(address)), None)
        if site is None:
            return SkipReason.OTHER_HOST
        has_ignored = site.drop_parameters(url) != url
        return SkipReason.PARAMETER if has_ignored else site.skip_reason(address) or SkipReason.NOT_DUE

    def find_detail(host: str, ending: str, url: str, example: str) -> str | None:
        if ending == SkipReason.NOT_DUE:
            return describe_next_due(state, url)
        reason, detail = left.get(host, (otherwise, None))
        return detail if ending == reason else find_pattern(example, sites)

    def is_elsewhere(host: str) -> bool:
        return host in elsewhere

    state.create_function("find_skip_reason", 2, find_skip_reason, deterministic=True)
    for function in (find_rest_reason, is_elsewhere):
        state.create_function(function.__name__, 1, function, deterministic=True)
    parameters = {"crawl_id": crawl_id, "started_at": started_at.isoformat()}
    rows = state.execute(_QUERY.read_text(encoding="utf-8"), parameters).fetchall()
    rows += [(host, find_rest_reason(host), 0, "", "", None) for host in crawled - {host for host, *_ in rows}]
    return [
        Ending(host, ending, number, example, find_detail(host, ending, url, example) if detail is None else detail)
        for host, ending, number, url, example, detail in rows
    ]


def describe_next_due(state: sqlite3.Connection, url: str) -> str | None:
    """The detail of `not_due`: when an address is due, and its last outcome if that returned no page."""
    row = state.execute(
        "SELECT due_at, outcome, detail FROM urls LEFT JOIN fetches ON fetches.url = urls.url"
        " AND fetches.crawl_id = urls.handled_in AND url_status = 'absent' WHERE urls.url = ? ORDER BY fetch_id DESC",
        (url,),
    ).fetchone()
    return None if row is None else " ".join(part for part in row if part)


def find_pattern(url: str, sites: Iterable[Site]) -> str | None:
    """The config's pattern that leaves out a URL, or the includes that do not match; None for other URLs."""
    return next((pattern for site in sites if (pattern := site.find_pattern(url)) is not None), None)


def note_endings(state: sqlite3.Connection, crawl_id: str, endings: Iterable[Ending]) -> None:
    """Replaces the endings of a crawl. Part of the caller's transaction."""
    state.execute("DELETE FROM endings WHERE crawl_id = ?", (crawl_id,))
    state.executemany(
        "INSERT INTO endings (crawl_id, host, ending, addresses, example, detail) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (crawl_id, *(escape_unstorable(v) if isinstance(v, str) else v for v in astuple(ending)))
            for ending in endings
        ],
    )


def read_endings(state: sqlite3.Connection, crawl_id: str) -> list[Ending]:
    """The endings of a crawl, by host, the most frequent first; none for a killed crawl."""
    rows = state.execute(
        "SELECT host, ending, addresses, example, detail FROM endings WHERE crawl_id = ?"
        " ORDER BY host, addresses DESC, ending",
        (crawl_id,),
    )
    return [Ending(*row) for row in rows]


NOT_ASKED = frozenset({SkipReason.ROBOTS_UNREAD, SkipReason.HOST_DOWN, SkipReason.PAUSED})
"""Reasons of the host for which due addresses were not requested."""


@dataclass(frozen=True, slots=True)
class AskedFile:
    """A robots.txt or a sitemap, and how the last attempt on it ended."""

    url: str
    outcome: str
    detail: str | None

    @property
    def is_robots(self) -> bool:
        return self._path == "/robots.txt"

    @property
    def is_sitemap(self) -> bool:
        return self._path not in {"/robots.txt", TDM_FILE}

    @property
    def _path(self) -> str | None:
        address = split_address(self.url)
        return None if address is None else address.path


@dataclass(frozen=True, slots=True)
class Slowdown:
    """How often a host refused in a crawl, with which answers (`429 and walls`), and the longest delay in seconds."""

    refusals: int
    answers: str
    delay_s: float


@dataclass(frozen=True, slots=True)
class HostCrawl:
    """One host in one crawl. `endings` count each known address once, the most frequent first.

    `skips` are links to the host that were left out. `starts` counts the addresses in the config.
    `is_first`: no address of the host was known before. `has_content` is False if its only page is a list of links.
    """

    host: str
    endings: tuple[Ending, ...]
    skips: tuple[SkipRecord, ...] = ()
    files: tuple[AskedFile, ...] = ()
    starts: int = 0
    is_first: bool = False
    slowed: Slowdown | None = None
    has_content: bool = True

    @property
    def address_count(self) -> int:
        return sum(ending.addresses for ending in self.endings)


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock that was set back: when a crawl began, and when the run or the visit before it was.

    `waiting` counts the addresses that were not asked for, because they were visited in that future.
    """

    at: datetime
    before: datetime
    waiting: int


@dataclass(frozen=True, slots=True)
class CrawlReasons:
    """A crawl, host by host; the links to hosts that are not in the config, by host; the clock, if it was set back."""

    hosts: tuple[HostCrawl, ...]
    external: tuple[SkipRecord, ...]
    clock: Clock | None = None


def read_reasons(store: StoreReader, crawl_id: str) -> CrawlReasons:
    """The result of a crawl; without hosts for one that was killed or made by an older version."""
    endings: dict[str, list[Ending]] = defaultdict(list)
    for ending in read_endings(store.state, crawl_id):
        endings[ending.host].append(ending)
    skips = store.read_skips(crawl_id)
    files = _read_files(store.state, crawl_id)
    starts = dict(store.state.execute("SELECT host, count(*) FROM urls WHERE discovered_from = 'start' GROUP BY host"))
    began = dict(store.state.execute("SELECT host, min(discovered_in) FROM urls GROUP BY host"))
    slowed = _read_slowdowns(store.state, crawl_id)
    first = {host for host in endings if began.get(host, crawl_id) == crawl_id}
    hosts = tuple(
        HostCrawl(
            host,
            tuple(host_endings),
            tuple(skip for skip in skips if skip.host == host),
            tuple(file for file in files if find_host(file.url) == host),
            starts.get(host, 0),
            host in first,
            slowed.get(host),
            host not in first or _has_content(store, host),
        )
        for host, host_endings in endings.items()
    )
    external = tuple(skip for skip in skips if skip.reason == SkipReason.OTHER_HOST)
    return CrawlReasons(hosts, external, read_clock(store.state, crawl_id))


def _has_content(store: StoreReader, host: str) -> bool:
    """Whether a host has several pages, or one that is more than links."""
    query = "SELECT url FROM urls WHERE host = ? AND url_status = 'held' LIMIT 2"
    pages = [url for (url,) in store.state.execute(query, (host,))]
    body = store.read_newest_body(pages[0]) if len(pages) == 1 else None
    return body is None or has_content(body)


def read_clock(state: sqlite3.Connection, crawl_id: str) -> Clock | None:
    """The clock of a crawl, if it was set back since the run before, or since what it left for that reason."""
    row = state.execute(
        "SELECT started_at, (SELECT started_at FROM crawls WHERE crawl_id < ?1 ORDER BY crawl_id DESC LIMIT 1)"
        " FROM crawls WHERE crawl_id = ?1",
        (crawl_id,),
    ).fetchone()
    if row is None:
        return None
    at = datetime.fromisoformat(row[0])
    waiting, newest = state.execute(
        "SELECT count(*), max(fetched_at) FROM urls JOIN endings USING (host)"
        " WHERE crawl_id = ? AND ending = 'not_due' AND handled_in IS NOT crawl_id AND fetched_at > ?",
        (crawl_id, (at + SET_BACK).isoformat()),
    ).fetchone()
    before = max((datetime.fromisoformat(moment) for moment in (newest, row[1]) if moment), default=at)
    return Clock(at, before, waiting) if before - at > SET_BACK else None


def _read_slowdowns(state: sqlite3.Connection, crawl_id: str) -> dict[str, Slowdown]:
    slowest = dict(state.execute("SELECT host, slowest_s FROM hosts WHERE slowed_in = ?", (crawl_id,)))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    if slowest:
        rows = state.execute(
            "SELECT url, iif(outcome = 'wall', 'walls', status_code) FROM fetches"
            " WHERE crawl_id = ? AND (outcome = 'wall' OR status_code IN (429, 503))",
            (crawl_id,),
        )
        for url, answer in rows:
            counts[find_host(url)][str(answer)] += 1
    return {
        host: Slowdown(answers.total(), " and ".join(sorted(answers)), slowest[host])
        for host, answers in counts.items()
        if host in slowest
    }


def _read_files(state: sqlite3.Connection, crawl_id: str) -> list[AskedFile]:
    """Requested files that are not in the frontier."""
    rows = state.execute(
        "SELECT fetches.url, outcome, detail, max(fetch_id) FROM fetches LEFT JOIN urls USING (url)"
        " WHERE crawl_id = ? AND urls.url IS NULL GROUP BY fetches.url ORDER BY max(fetch_id)",
        (crawl_id,),
    )
    return [AskedFile(url, outcome, detail) for url, outcome, detail, _ in rows]
