"""Nights over the simulated site: what is seen of it, built into a corpus, and what is wrong with that corpus."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from random import Random

import duckdb

from builders.made_sites import Clock
from builders.month.corpus import Corpus, differences, find_changed_ids
from builders.month.key import Seen, address, answer_key
from builders.month.site import CHANGES, DAY, HOST, START, Site, evolve, first_site
from builders.snapshots import demo_observation
from builders.warehouse_files import make_empty_file
from verdicts.corpus.tables import name_relation
from verdicts.demo_site.responses import SITEMAP_NAMESPACE, Response
from verdicts.demo_site.server import NOT_FOUND, serve
from verdicts.demo_site.site_pages import (
    URL,
    render_comparison,
    render_front_page,
    render_listing,
    render_notice,
    render_tool_page,
    text,
)
from verdicts.extract.model.records import Observation
from verdicts.fetch.model.site import Limits
from verdicts.fetch.model.site import Site as CrawledSite
from verdicts.fetch.model.url_state import Absence, Absences, is_gone
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store.store import open_store
from verdicts.normalize.corpus import normalize
from verdicts.pipeline.build.build import build
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.loading.load import derive
from verdicts.warehouse.loading.rows import ArrowStream, frame

SHARED = (
    "tool_id, slug, name, category, entry, panel_ship_pct, panel_verdict, ship_votes, skip_votes, reviews, mean_score"
)
"""The columns that tools and tools_asof share."""

OFFLINE = tuple(
    change for change in CHANGES if change not in ("a new tool", "a renamed slug", "a page removed with 404")
)
"""What may happen before a night that is read without a network. Two of them do."""

Scorecards = list[tuple[object, ...]]


@dataclass
class ReadNights:
    """Nights that read every page of the site, in this process. `published` has the scorecards of each night by its
    evening, as readers got them.
    """

    connection: duckdb.DuckDBPyConnection
    seed: int
    site: Site
    seen: Seen = field(default_factory=Seen)
    observations: list[Observation] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)
    gone: dict[str, Absences] = field(default_factory=dict)
    published: dict[datetime, Scorecards] = field(default_factory=dict)

    def night(self, number: int, events: Sequence[str]) -> list[str]:
        """What the corpus of the night says other than the site."""
        at = START + number * DAY
        self.site = evolve(self.site, events, self.seed, number, at)
        shown = {pair.path: render_comparison(self.site.facts, pair) for pair in self.site.facts.pairs}
        for second, (path, html) in enumerate(shown.items()):
            self._read(address(path), html, at + timedelta(seconds=second))
        for url in map(address, self.site.removed):
            if not is_gone(self.gone.get(url, ())):
                self.gone[url] = (*self.gone.get(url, ()), Absence(at))
        self.seen.look(number, at.date(), self.site, {*shown, *self.site.removed})
        self._load(number)
        self.published[at + DAY / 2] = self._scorecards("tools")
        key = answer_key(self.seen)
        checks = {name: key[name] for name in ("scorecards", "who said what", "verdict history")}
        return differences(checks, Corpus(self.connection, self.seen).answers)

    def _read(self, url: str, html: str, at: datetime) -> None:
        if is_gone(self.gone.get(url, ())):
            *earlier, last = self.gone[url]
            self.gone[url] = (*earlier, Absence(last.since, at))
        if self.pages.get(url) != html:
            self.pages[url] = html
            observation = demo_observation(url, html, "text/html; charset=utf-8", len(self.observations))
            self.observations.append(replace(observation, fetched_at=at, crawl_id=f"{at:%Y%m%d}T013000Z-0001"))

    def _load(self, number: int) -> None:
        """All rows anew, without the checks of a load. A table that has rows keeps having some."""
        self.connection.begin()
        for table, rows in normalize(self.observations, gone=self.gone).items():
            if rows:
                self.connection.register("arrived", ArrowStream(frame(table, rows, load_id=f"load-{number}")))
                self.connection.execute(f"DELETE FROM {name_relation(table)}")
                self.connection.execute(f"INSERT INTO {name_relation(table)} FROM arrived")
        self.connection.execute("SET VARIABLE load_id = ?", [f"load-{number}"])
        derive(self.connection)
        self.connection.commit()

    def _scorecards(self, relation: str) -> Scorecards:
        return self.connection.execute(f"SELECT {SHARED} FROM {relation} ORDER BY tool_id").fetchall()

    def find_rewritten(self) -> list[str]:
        """What tools_asof says of the past nights other than what was published."""
        asof = {at: self._scorecards(f"tools_asof('{at.isoformat()}')") for at in self.published}
        return [
            f"{at:%d %b}: {row} was published, not {now}"
            for at, rows in self.published.items()
            for row, now in zip(rows, asof[at], strict=True)
            if row != now
        ]


def read_nights(
    folder: Path, *, seed: int, nights: int, tools: int, pages: int
) -> Iterator[tuple[ReadNights, list[str]]]:
    """Each night, with what is wrong after it."""
    path, random = folder / "corpus.duckdb", Random(seed)
    path.write_bytes(make_empty_file())
    with closing(duckdb.connect(str(path))) as connection:
        simulated = ReadNights(connection, seed, first_site(seed, tools, pages))
        for number in range(nights):
            yield simulated, simulated.night(number, random.sample(OFFLINE, 2) if number else ())


@dataclass(frozen=True, slots=True)
class CrawledNight:
    """A night over sockets: its requests, those of a full crawl, and what is wrong after it."""

    requests: int
    full_crawl: int
    problems: tuple[str, ...]


def crawl_nights(
    home: Path, *, seed: int, tools: int, pages: int, calendar: Sequence[tuple[str, ...]]
) -> Iterator[CrawledNight]:
    """Crawls and builds each night, after the events that the calendar has before it."""
    folder, seen, ids = DataFolder(home / "data"), Seen(), dict[tuple[str, object], str]()
    site = first_site(seed, tools, pages)
    for number, events in enumerate(calendar):
        at = START + number * DAY
        site = evolve(site, events, seed, number, at)
        with serve_site(site) as (endpoint, requests), open_store(folder.root, command="test") as store:
            crawled = CrawledSite(
                hosts=(HOST,),
                start_urls=(URL,),
                resolve={HOST: endpoint},
                allow_private=True,
                delay_s=0,
                limits=Limits(backoff_s=0),
            )
            asyncio.run(crawl(store, [crawled], user_agent="test (test@bot.example)", clock=Clock(at)))
            build(store, folder, now=at + timedelta(hours=1))
        seen.look(number, at.date(), site, requests.keys())
        with duckdb.connect(str(folder.warehouse), read_only=True) as connection:
            corpus = Corpus(connection, seen)
        wrong = [*corpus.problems, *find_changed_ids(ids, corpus.ids), *differences(answer_key(seen), corpus.answers)]
        ids |= corpus.ids
        yield CrawledNight(requests.total(), len(render_site(site)), tuple(wrong))


class CountedPages(dict[str, Response]):
    """The responses of a host by path, which count the requests for each."""

    def __init__(self, responses: Mapping[str, Response], requests: Counter[str]) -> None:
        super().__init__(responses)
        self._requests = requests

    def get(self, path: str, default: Response = NOT_FOUND) -> Response:  # type: ignore[override]
        self._requests[path] += 1
        return super().get(path, default)


@contextmanager
def serve_site(site: Site) -> Iterator[tuple[tuple[str, int], Counter[str]]]:
    """Where the site answers, and what it was asked for so far."""
    requests = Counter[str]()
    with serve(CountedPages(render_site(site), requests)) as endpoint:
        yield endpoint, requests


def render_site(site: Site) -> dict[str, Response]:
    """Every response of the site by path."""
    facts = site.facts
    pages = {pair.path: _html(render_comparison(facts, pair), site.modified[pair.path]) for pair in facts.pairs}
    others = {f"/tool/{slug}": _html(render_tool_page(facts, tool)) for slug, tool in facts.tools.items()}
    others |= {
        "/": _html(render_front_page(facts)),
        "/compare": _html(render_listing(facts, facts.pairs, "/compare", None)),
    }
    lost = {
        path: Response(status, HTML, render_notice("Not here", path, "This comparison was withdrawn.").encode())
        for path, status in site.removed.items()
    }
    moved = {path: Response(301, (("Location", target),), b"") for path, target in site.redirects.items()}
    return {**lost, **moved, **pages, **others, **_indexes(site.modified.items())}


HTML = (("Content-Type", "text/html; charset=utf-8"),)


def _html(page: str, modified: datetime | None = None) -> Response:
    dated = () if modified is None else (("Last-Modified", format_datetime(modified, usegmt=True)),)
    return Response(200, (*HTML, *dated), page.encode())


def _indexes(modified: Iterable[tuple[str, datetime]]) -> dict[str, Response]:
    entries = "".join(
        f"<url><loc>{text(URL.rstrip('/') + path)}</loc><lastmod>{at.isoformat()}</lastmod></url>\n"
        for path, at in modified
    )
    sitemap = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{SITEMAP_NAMESPACE}">\n{entries}</urlset>\n'
    robots = f"User-agent: *\nAllow: /\nDisallow: /reviewer/\nDisallow: /bookmarks\nSitemap: {URL}sitemap.xml\n"
    return {
        "/robots.txt": Response(200, (("Content-Type", "text/plain"),), robots.encode()),
        "/sitemap.xml": Response(200, (("Content-Type", "application/xml"),), sitemap.encode()),
    }
