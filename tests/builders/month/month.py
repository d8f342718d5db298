"""All of a simulated month: what happened before each night, how it ended, what it took, and what is wrong after it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter

from builders.command import tables_of
from builders.month.calendar import events_of
from builders.month.corpus import Corpus, Ids, changed_ids, differences
from builders.month.evolve import evolve
from builders.month.key import answer_key
from builders.month.night import Ended, accept_what_is_so, clock_at, cpu_s, disk, run, write_config
from builders.month.seen import Seen
from builders.month.serving import Serving, served
from builders.month.site import DAY, START, Site, first_site
from builders.month.troubled_night import troubled
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.exit_codes import HELD_BACK
from verdicts.pipeline.sources.config import read_config

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
        return self.events or events_of(self.seed, self.nights)


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
        with served(site) as serving:
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
            yield troubled(self.data, config, clock, serving.addresses, self.plan.seed, trouble)
            clock += AGAIN_AFTER
        yield run(self.data, config, clock, serving.addresses, seed=self.plan.seed)

    def _check(self, ended: Ended) -> list[str]:
        """What must be so after every night: readers have what the nights saw, and ids are what they were."""
        corpus = Corpus(self.data, self.seen)
        problems = changed_ids(self.ids, corpus.ids)
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
        before = tables_of(folder.warehouse, without_columns=LOADED)
        with open_store(self.data, command="build") as store, clock_at(self.reports[-1].at):
            steps.build_corpus(store, folder, read_config(self.home / "verdicts.toml"), anew=True)
        after = tables_of(folder.warehouse, without_columns=LOADED)
        return [f"rebuilt, {name} is another" for name in before if before[name] != after[name]]
