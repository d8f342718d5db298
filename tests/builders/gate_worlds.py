"""Nights of hosts in memory, judged one after the other as a build does it, without a store."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import polars as pl

from verdicts.corpus.rows.runs import GateAcceptRow, GateMeasureRow
from verdicts.extract.model.records import Comparison, Extracted
from verdicts.normalize.identity.ids import make_slug_id
from verdicts.normalize.identity.sightings import make_tool_key
from verdicts.pipeline.gates.compare import READINGS
from verdicts.pipeline.gates.host_night import Answers, HostNight, find_past
from verdicts.pipeline.gates.judge import judge
from verdicts.pipeline.gates.measures import list_places, measure_page, measure_tools
from verdicts.pipeline.gates.thresholds import GateSettings


@dataclass(frozen=True)
class Seen:
    """A reading of a page: what it shows, and what of which tools."""

    amounts: tuple[float | None, ...]
    tools: tuple[int, ...]
    tool_amounts: tuple[float | None, ...]
    extracted: Extracted


@cache
def read_seen(extracted: Extracted) -> Seen:
    places = list_places(extracted)
    cards = extracted.cards if isinstance(extracted, Comparison) else ()
    tools = tuple(make_tool_key(make_slug_id("tools.example", card.slug or card.name)) for card in cards)
    return Seen(measure_page(places), tools, measure_tools(extracted, places), extracted)


@dataclass
class HostWorld:
    """The readings of a host so far, by page, each with the run that made it."""

    readings: list[tuple[str, str, Seen]] = field(default_factory=list)
    answered: dict[str, frozenset[str]] = field(default_factory=dict)
    newest: dict[str, Seen] = field(default_factory=dict)

    def visit(self, crawl_id: str, pages: Mapping[str, Seen]) -> None:
        self.answered[crawl_id] = frozenset(pages)
        for name, reading in pages.items():
            if self.newest.get(name) != reading:
                self.newest[name] = reading
                self.readings.append((name, crawl_id, reading))

    def at(self, crawl_id: str) -> pl.DataFrame:
        known = enumerate(self.readings)
        newest = {page: (number, reading) for number, (page, run, reading) in known if run <= crawl_id}
        return pl.DataFrame(
            {
                "page": [*newest],
                "reading": [number for number, _ in newest.values()],
                "tools": [reading.tools for _, reading in newest.values()],
                "amounts": [reading.amounts for _, reading in newest.values()],
                "tool_amounts": [reading.tool_amounts for _, reading in newest.values()],
            },
            schema=READINGS,
        )

    def reread(self, numbers: Iterable[int]) -> Mapping[int, Extracted]:
        return {number: self.readings[number][2].extracted for number in numbers}


@dataclass
class World:
    """Hosts, and what was noted of their nights."""

    settings: GateSettings = field(default_factory=GateSettings)
    hosts: dict[str, HostWorld] = field(default_factory=dict)
    rows: list[GateMeasureRow] = field(default_factory=list)
    accepts: list[GateAcceptRow] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)

    def night(
        self,
        pages: Mapping[str, Mapping[str, Seen]],
        failing: Mapping[str, Mapping[str, str]] | None = None,
        gone: Sequence[str] = (),
        unasked: int = 0,
    ) -> list[GateMeasureRow]:
        """One run over the hosts: host to page to what is read there. Returns its rows."""
        crawl_id = f"night-{len(self.runs):04}"
        self.runs.append(crawl_id)
        nights = []
        for host, read in pages.items():
            world = self.hosts.setdefault(host, HostWorld())
            world.visit(crawl_id, read)
            failed = (failing or {}).get(host, {})
            night = HostNight(
                host,
                crawl_id,
                Answers(frozenset(read), failed, frozenset(gone), unasked),
                cache(world.at),
                lambda after, world=world, until=crawl_id: frozenset().union(
                    *(urls for run, urls in world.answered.items() if after < run <= until)
                ),
                world.reread,
            )
            nights.append((night, find_past(host, crawl_id, self.rows, self.accepts)))
        judged = judge(nights, [row for row in self.accepts if row.crawl_id == crawl_id], self.settings)
        self.rows += judged
        return judged


def find_withheld(rows: Iterable[GateMeasureRow]) -> set[tuple[str, str]]:
    """(host, measure) of what is held."""
    return {(row.host, row.measure) for row in rows if row.state == "held"}


def without_on_cards(field: str) -> Callable[[Comparison], Comparison]:
    return lambda shown: replace(shown, cards=tuple(replace(card, **{field: None}) for card in shown.cards))  # type: ignore[arg-type]


LOSSES: Mapping[str, Callable[[Comparison], Comparison]] = {
    "reviews": lambda shown: replace(shown, takes=()),
    **{field: without_on_cards(field) for field in ("description", "category", "entry", "slug")},
    "price": lambda shown: replace(shown, decisions=tuple(replace(item, pricing=None) for item in shown.decisions)),
}
"""What a page is without a part, by the measure that tells of it."""
