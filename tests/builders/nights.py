"""Crawls of a server that misbehaves, and what they stored and logged."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from builders.fault_server import answer, faults, says
from verdicts.corpus.rows.runs import CrawlRow, FetchRow
from verdicts.fetch.model.outcome import Outcome, SkipReason
from verdicts.fetch.model.site import Limits, Site
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.run.endings import read_endings
from verdicts.fetch.store.store import open_store

HOST, OTHER = "a.example", "b.example"
URL = f"http://{HOST}/page"
AGENT = "verdicts-test (test@bot.example)"
START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
DAY = timedelta(days=1)
FAST = Limits(connect_s=1, read_s=0.3, total_s=0.6, attempts=2, backoff_s=0, wire_bytes=50_000, decoded_bytes=200_000)


@dataclass(frozen=True)
class Night:
    """One crawl: the run, its log, and the store after it. `held` are addresses with their snapshots, the newest last.

    By path: requests, and the states of this host's addresses. `skips` are counted by reason. `moved` leads to the
    address that has a page instead.
    """

    run: CrawlRow
    log: list[FetchRow]
    held: list[tuple[str, Snapshot]]
    skips: dict[str, int]
    moved: Mapping[str, str]
    url_status: dict[str, str]
    asked: Counter[str] = field(default_factory=Counter)

    @property
    def snapshots(self) -> list[Snapshot]:
        return [snapshot for _, snapshot in self.held]

    @property
    def newest(self) -> dict[str, bytes]:
        """The body by address."""
        return {url: snapshot.body for url, snapshot in self.held}

    def holds(self, path: str, text: str, *, is_long: bool = True) -> bool:
        """Whether the words are stored under the address, or under the one that it leads to."""
        url = f"http://{HOST}{path}"
        return words(text, is_long).encode() in self.newest.get(self.moved.get(url, url), b"")

    def outcomes(self, url: str = URL) -> list[str]:
        """The outcomes of a URL or a path, attempt by attempt."""
        full_url = url if url.startswith("http") else f"http://{HOST}{url}"
        return [item.outcome for item in self.log if item.url == full_url]


def words(text: str, is_long: bool = True) -> str:
    """Sixty words that no other text has, or one."""
    return " ".join(f"{text}-{number}" for number in range(60 if is_long else 1)) if text else ""


async def crawl_night(data, sites, clock, *, asked=None, **options) -> Night:
    """A crawl of these sites, counted and read back. `options` are those of `crawl`."""
    with open_store(data, command="test") as store:
        run = await crawl(store, sites, user_agent=AGENT, clock=clock, **options)
        log = [item for item in store.read_fetches() if item.crawl_id == run.crawl_id]
        assert {item.outcome for item in log} <= set(Outcome)
        assert_counted(store, run.crawl_id)
        held = [(entry.url, store.read(entry.location)) for entry in store.index()]
        skips = {skip.reason: skip.skipped for skip in store.read_skips(run.crawl_id)}
        rows = store.state.execute("SELECT url, url_status FROM urls").fetchall()
        states = {url.removeprefix(f"http://{HOST}"): url_status for url, url_status in rows}
        return Night(run, log, held, skips, store.read_moved_urls(), states, asked or Counter())


async def night(data, plays, *, at=START, starts=(URL,), hosts=(HOST,), tls=None, everything=False, **changes):
    """One crawl of a server with faults. All hosts resolve to that server. `changes` are fields of `Site`."""
    async with faults(plays, tls) as server:
        resolve = dict.fromkeys(hosts, ("127.0.0.1", server.port))
        settings = {"resolve": resolve, "allow_private": True, "delay_s": 0, "limits": FAST} | changes
        site = Site(hosts, starts, **settings)
        return await crawl_night(data, [site], lambda: at, asked=server.asked, everything=everything)


def assert_counted(store, crawl_id):
    """Each address of the frontier ended the crawl in exactly one way."""
    ended = Counter()
    for ending in read_endings(store.state, crawl_id):
        assert ending.ending in {*Outcome, *SkipReason}, ending
        ended[ending.host] += ending.addresses
    frontier = Counter(dict(store.state.execute("SELECT host, count(*) FROM urls GROUP BY host")))
    assert +ended == frontier


def page(*links, head="", **headers):
    """A page with links; headers are written with underscores."""
    anchors = "".join(f'<a href="{link}">link</a>' for link in links)
    return says(answer(f"<html><head>{head}</head><body>words {anchors}</body></html>".encode(), **headers))
