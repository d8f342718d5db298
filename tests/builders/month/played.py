"""A simulated month without a crawl: each night reads every page of the site, and is built in this process."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import duckdb

from builders.month.key import Seen, address, answer_key
from builders.month.month import Corpus, differences
from builders.month.serving import render
from builders.month.site import DAY, HOST, START, Site, evolve, first_site
from builders.snapshots import demo_observation
from builders.warehouse_files import make_empty_file
from verdicts.corpus.tables import name_relation
from verdicts.extract.model.records import Observation
from verdicts.fetch.model.url_state import Absence, Absences, is_gone
from verdicts.normalize.corpus import normalize
from verdicts.warehouse.loading.load import derive
from verdicts.warehouse.loading.rows import ArrowStream, frame

OPINIONS = (
    "a verdict",
    "an edited take",
    "a rewritten take",
    "a moved take",
    "a withdrawn take",
    "a returned take",
    "a new score",
    "swapped texts",
    "a price",
    "a new page",
    "a page removed with 410",
    "a page comes back",
)
"""What may happen before a night. Two of them do."""

SHARED = (
    "tool_id, slug, name, category, entry, panel_ship_pct, panel_verdict, ship_votes, skip_votes, reviews, mean_score"
)
"""The columns that tools and tools_asof share."""

Scorecards = list[tuple[object, ...]]


@dataclass
class Played:
    """The nights so far. `published` has the scorecards of each night by its evening, as readers got them."""

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
        shown = {pair.path: render(self.site, pair) for pair in self.site.facts.pairs}
        for second, (path, html) in enumerate(shown.items()):
            self._read(address(HOST, path), html, at + timedelta(seconds=second))
        for url in (address(HOST, path) for path in self.site.removed):
            if not is_gone(self.gone.get(url, ())):
                self.gone[url] = (*self.gone.get(url, ()), Absence(at))
        self.seen.look(number, at.date(), self.site, {*shown, *self.site.removed}, ())
        self._load(number)
        self.published[at + DAY / 2] = self._scorecards("tools")
        key = answer_key(self.seen)
        checks = {name: key[name] for name in ("scorecards", "who said what", "verdict history")}
        return differences(checks, Corpus(self.connection, self.seen).said)

    def _read(self, url: str, html: str, at: datetime) -> None:
        if is_gone(self.gone.get(url, ())):
            *earlier, last = self.gone[url]
            self.gone[url] = (*earlier, Absence(last.since, at))
        if self.pages.get(url) != html:
            self.pages[url] = html
            found = demo_observation(url, html, "text/html; charset=utf-8", len(self.observations))
            self.observations.append(replace(found, fetched_at=at, crawl_id=f"{at:%Y%m%d}T013000Z-0001"))

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

    def rewritten(self) -> list[str]:
        """What tools_asof says of the past nights other than what was published."""
        asof = {at: self._scorecards(f"tools_asof('{at.isoformat()}')") for at in self.published}
        return [
            f"{at:%d %b}: {row} was published, not {now}"
            for at, rows in self.published.items()
            for row, now in zip(rows, asof[at], strict=True)
            if row != now
        ]


def play(folder: Path, *, seed: int, nights: int, tools: int, pages: int) -> Iterator[tuple[Played, list[str]]]:
    """Each night, with what is wrong after it."""
    path, random = folder / "corpus.duckdb", Random(seed)
    path.write_bytes(make_empty_file())
    with closing(duckdb.connect(str(path))) as connection:
        played = Played(connection, seed, first_site(seed, tools, pages))
        for number in range(nights):
            yield played, played.night(number, random.sample(OPINIONS, 2) if number else ())
