"""All of a simulated month: what happened before each night, how it ended, what it took, and what is wrong after it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import duckdb

from builders.command import find_published_file, read_tables
from builders.month.key import Key, Seen, answer_key
from builders.month.night import Ended, accept_what_is_so, clock_at, cpu_s, disk, run, run_troubled, write_config
from builders.month.serving import Serving, serve_site
from builders.month.site import DAY, HOST, START, Site, draw_events, evolve, first_site
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import HELD_BACK
from verdicts.pipeline.sources.config import read_config

SHOWN_MOST = 3
"""Differences of a check that are told."""

Ids = dict[tuple[str, Any], str]


class Corpus:
    """A published copy, read once. `numbers` and `takes` lead from slugs and texts to the site's numbers."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, seen: Seen) -> None:
        self.seen = seen
        self._connection = connection
        first_slugs = seen.tools()
        slugs = self._rows("tool_id, host, slug", "tools")
        self.tools = {tool_id: first_slugs.get((host, slug), (host, slug)) for tool_id, host, slug in slugs}
        self.numbers = {tool_id: seen.numbers.get(key) for tool_id, key in self.tools.items()}
        self.tool_rows = self._rows("tool_id, name, category, entry, description", "tools")
        self.pages = dict(self._rows("page_id, url", "pages"))
        self.said = self._read_key()
        self.problems = [*self._problems()]
        self.ids = self._ids()

    def _rows(self, columns: str, table: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(f"SELECT {columns} FROM {table} ORDER BY ALL").fetchall()

    def _read_key(self) -> Key:
        cards = "name, tagline, category, panel_ship_pct, chip, community_pct, entry, description"
        verdicts = "panel_verdict, ship_votes, skip_votes, community_pct, community_votes, pricing, best_for, category"
        tools = "name, tagline, description, category, entry"
        votes = "panel_verdict, ship_votes, skip_votes, panel_ship_pct, community_pct, community_votes, pricing"
        prices: dict[Any, list[Any]] = {
            self.tools[tool_id]: [] for (tool_id,) in self._rows("tool_id", "pricing_tiers")
        }
        for tool_id, _, *tier in self._rows(
            "tool_id, tier_number, plan, amount, period", "pricing_tiers WHERE kind = 'paid'"
        ):
            prices[self.tools[tool_id]].append(tuple(tier))
        texts = self._rows("page_id, text, review_id", "appearances")
        takes = self.seen.takes
        self.reviews = {review_id: takes.get(text, text) for _, text, review_id in texts}
        says = self._rows("review_id, tool_id, reviewer, score, verdict, attribution = 'observed'", "reviews")
        return {
            "pages": {
                url: (title, gone)
                for url, title, gone in self._rows("url, title, is_gone", "pages WHERE kind = 'panel'")
            },
            "tools": {self.tools[tool_id]: tuple(row) for tool_id, *row in self.tool_rows},
            "cards": self._read_pages("evidence.tool_cards", cards),
            "verdicts": self._read_pages("verdicts", verdicts),
            "prices": prices,
            "who said what": {self.reviews[review]: (self.numbers[tool], *row) for review, tool, *row in says},
            "scorecards": {
                self.numbers[tool]: tuple(row)
                for tool, host, *row in self._rows(
                    "tool_id, host, reviews, mean_score, panel_verdict, ship_votes, skip_votes, panel_ship_pct",
                    "tools",
                )
                if host == HOST and row[0]
            },
            "appearances": {(self.pages[page], text): self.reviews[review] for page, text, review in texts},
            "tool history": self._history("history.tool_history", "tool_id", tools),
            "price history": self._history("history.price_history", "tool_id", "pricing"),
            "verdict history": self._history("history.verdict_history", "page_id, tool_id", votes),
        }

    def _read_pages(self, table: str, columns: str) -> dict[Any, tuple[Any, ...]]:
        rows = self._rows(f"page_id, tool_id, {columns}", table)
        return {(self.pages[page], self.numbers[tool]): tuple(row) for page, tool, *row in rows}

    def _history(self, table: str, key: str, columns: str) -> dict[Any, list[Any]]:
        found: dict[Any, list[Any]] = {}
        for row in self._rows(f"{key}, valid_from, {columns}", table):
            *ids, since = row[: len(key.split(", ")) + 1]
            state = tuple(row[len(ids) + 1 :])
            of = (self.pages[ids[0]], self.numbers[ids[1]]) if len(ids) == 2 else self.tools[ids[0]]
            found.setdefault(of, []).append((since.date(), state))
        return found

    def _problems(self) -> Iterator[str]:
        """What a comparison by keys cannot show: two rows for one thing."""
        for what, things in (("tools", self.tools.values()), ("takes", self.reviews.values())):
            many = [thing for thing in set(things) if [*things].count(thing) > 1]
            if many:
                yield f"{what}: {len(many)} stand in two rows or more, such as {many[0]}"

    def _ids(self) -> Ids:
        found: Ids = {("tool", key): tool_id for tool_id, key in self.tools.items()}
        found |= {("take", number): review_id for review_id, number in self.reviews.items()}
        return found | {("page", url): page_id for page_id, url in self.pages.items()}


def differences(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """What the corpus lacks, has too much, or says otherwise; a few of each check."""
    problems = []
    for check, rows in expected.items():
        lacking, extra = rows.keys() - found[check].keys(), found[check].keys() - rows.keys()
        other = [key for key in rows.keys() & found[check].keys() if rows[key] != found[check][key]]
        for what, keys in (("lacks", lacking), ("has too much", extra), ("differs", other)):
            for key in sorted(keys, key=repr)[:SHOWN_MOST]:
                shown = f": {rows[key]} is {found[check][key]}" if what == "differs" else ""
                problems.append(f"{check} ({len(keys)}): {what} {key}{shown}")
    return problems


def find_changed_ids(before: Ids, now: Ids) -> list[str]:
    """Ids of what was there before and has another id now; a page that moved has that of its new address."""
    return [
        f"id of {key}: {before[key]} became {now[key]}" for key in before.keys() & now.keys() if before[key] != now[key]
    ]


SET_BACK = (timedelta(days=2), timedelta(hours=26))
"""One by seed: before all that the last nights read, and so little that what changed since is asked for."""

MORNING = timedelta(hours=6)
AGAIN_AFTER = timedelta(hours=2)
"""The operator starts the night again, once there is room on the disk, or after the machine came up."""

LOADED = frozenset({"load_id"})
"""Which load brought a row is another one where all is built anew."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated. `step` is the time from a night to the next one."""

    seed: int = 1
    nights: int = 30
    tools: int = 26
    pages: int = 70
    step: timedelta = DAY
    events: Sequence[tuple[str, ...]] | None = None

    def calendar(self) -> Sequence[tuple[str, ...]]:
        return self.events or draw_events(self.seed, self.nights)


@dataclass(frozen=True, slots=True)
class NightReport:
    """One night. `asked` are its requests of both hosts, `whole` those of a full crawl; `disk` is in bytes, by part.

    `asked_by_operator` are the requests of what the operator ran in the morning.
    """

    number: int
    at: datetime
    events: tuple[str, ...]
    ended: tuple[Ended, ...]
    asked: int
    asked_by_operator: int
    whole: int
    outcomes: Mapping[str, int]
    disk: Mapping[str, int]
    cpu_s: float
    seconds: float
    accepted: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass
class Month:
    """A data folder and the nights so far."""

    home: Path
    plan: Plan
    seen: Seen = field(default_factory=Seen)
    ids: Ids = field(default_factory=dict)
    reports: list[NightReport] = field(default_factory=list)
    runs: set[str] = field(default_factory=set)

    @property
    def data(self) -> Path:
        return self.home / "data"

    def nights(self) -> Iterator[NightReport]:
        """Runs the nights, one after the other."""
        config = write_config(self.home)
        site = first_site(self.plan.seed, self.plan.tools, self.plan.pages)
        for number, events in enumerate(self.plan.calendar()):
            at = START + number * self.plan.step
            site = evolve(site, events, self.plan.seed, number, at)
            self.reports.append(self._night(number, events, at, site, config))
            yield self.reports[-1]

    def _night(self, number: int, events: tuple[str, ...], at: datetime, site: Site, config: Path) -> NightReport:
        clock = at - SET_BACK[self.plan.seed % 2] if "the clock set back" in events else at
        cpu, began = cpu_s(), perf_counter()
        accepted: tuple[str, ...] = ()
        with serve_site(site) as serving:
            ended = [*self._ends(events, clock, serving, config)]
            seconds, cpu, asked = perf_counter() - began, cpu_s() - cpu, serving.requests
            if ended[-1].code == HELD_BACK and site.condition == "up":
                accepted = accept_what_is_so(self.data, config, clock + MORNING, serving.addresses)
                ended.append(run(self.data, config, clock + MORNING, serving.addresses, seed=self.plan.seed))
        self.seen.look(number, clock.date(), site, serving.site.asked, serving.mirror.asked)
        return NightReport(
            number=number,
            at=clock,
            events=events,
            ended=tuple(ended),
            asked=asked,
            asked_by_operator=serving.requests - asked,
            whole=len(serving.site.pages) + len(serving.mirror.pages),
            outcomes=self._outcomes(),
            disk=disk(self.data),
            cpu_s=cpu,
            seconds=seconds,
            accepted=accepted,
            problems=tuple(self._check(ended[-1])),
        )

    def _ends(self, events: tuple[str, ...], clock: datetime, serving: Serving, config: Path) -> Iterator[Ended]:
        """The runs of a night: one, or a troubled one and the one that goes on."""
        trouble = None
        if "kill -9" in events:
            trouble = ("kill:fetch:6", "kill:load:3")[self.plan.seed % 2]
        elif "a full disk" in events:
            state = (self.data / "state.sqlite").stat().st_size
            trouble = f"full:{(state // 4, 2 * state)[self.plan.seed % 2]}"
        if trouble:
            yield run_troubled(self.data, config, clock, serving.addresses, self.plan.seed, trouble)
            clock += AGAIN_AFTER
        yield run(self.data, config, clock, serving.addresses, seed=self.plan.seed)

    def _check(self, ended: Ended) -> list[str]:
        """What must be so after every night: readers have what the nights saw, and ids are what they were."""
        with duckdb.connect(str(find_published_file(self.data)), read_only=True) as connection:
            corpus = Corpus(connection, self.seen)
        problems = find_changed_ids(self.ids, corpus.ids)
        self.ids |= corpus.ids
        if ended.code == HELD_BACK:
            # The site is away. What its mirror says comes in, and all of the site's is as it was.
            return problems
        return problems + corpus.problems + differences(answer_key(self.seen), corpus.said)

    def _outcomes(self) -> Mapping[str, int]:
        """What the runs of the night logged."""
        with open_store(self.data, command="check") as store:
            counted = Counter(item.outcome for item in store.fetches() if item.crawl_id not in self.runs)
            self.runs |= {run.crawl_id for run in store.crawls()}
        return counted

    def rebuilt(self) -> list[str]:
        """What `build --all` makes other than the nights did."""
        folder = DataFolder(self.data)
        before = read_tables(folder.warehouse, without_columns=LOADED)
        with open_store(self.data, command="build") as store, clock_at(self.reports[-1].at):
            steps.build_corpus(store, folder, read_config(self.home / "verdicts.toml"), anew=True)
        after = read_tables(folder.warehouse, without_columns=LOADED)
        return [f"rebuilt, {name} is another" for name in before if before[name] != after[name]]
