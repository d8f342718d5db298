"""A world seen in small nights: what a site and its archives may do to a corpus, by seed.

Pages are new, say other things, gain or lose their labels, move with a tool's slug, are gone and come back; archives
bring days that have passed, and some addresses can be cut in several ways. The world is one of `made_corpora`; what a
night shows of it is decided here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random

from builders.made_corpora import KINDS, NOISE, MadePage, make_pages
from builders.made_observations import FIRST_NIGHT, address, snapshot
from verdicts.extract.model.records import Observation
from verdicts.fetch.model.url_state import Absence, Absences, is_gone

WEIGHTS = {
    "new": 26,
    "the same": 10,
    "changed takes": 20,
    "labels arrive": 10,
    "labels withdrawn": 6,
    "renamed": 6,
    "gone": 5,
    "back": 3,
    "archived": 10,
    "ambiguous": 4,
}
"""Events of a night, a page each, and how frequent they are."""

NIGHTS, PAGES = 6, (3, 12)
"""Small nights after the first, and the pages of one."""


@dataclass(slots=True)
class GrownWorld:
    """All that was observed of a world, with absences and moved addresses as they stand after the last night."""

    chance: Random
    unseen: Iterator[MadePage]
    observations: list[Observation] = field(default_factory=list)
    gone: dict[str, Absences] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    pages: dict[int, MadePage] = field(default_factory=dict)
    """As they are now, each by its number."""
    slugs: dict[int, str] = field(default_factory=dict)

    def any_page(self, *, labelled: bool | None = None) -> MadePage:
        """One that is known and, if any of a hundred tries finds such a one, labelled or not."""
        tries = (self.pages[self.chance.randrange(len(self.pages))] for _ in range(100))
        return next((page for page in tries if labelled in (None, page.is_labelled)), self.pages[0])

    def bring(self) -> MadePage:
        page = replace(next(self.unseen), number=len(self.pages))
        self.pages[page.number] = page
        return page

    def observe(self, page: MadePage, moment: datetime, night: datetime) -> None:
        self.observations.append(snapshot(page, len(self.observations), moment, night))

    def happen(self, event: str, night: datetime) -> None:
        """What a night shows of a page."""
        if event == "archived":
            # An older day, of which the page may have said other things; what it says now stays.
            passed = (night - FIRST_NIGHT) * self.chance.random() - timedelta(days=self.chance.choice((0, 30)))
            self.observe(self.with_changed_takes(self.any_page()), FIRST_NIGHT + passed, night)
            return
        page = self.apply(event, night)
        url = address(page)
        if event == "gone" and url is not None:
            if not is_gone(self.gone.get(url, ())):
                self.gone[url] = (*self.gone.get(url, ()), Absence(night))
        elif event != "gone":
            self.pages[page.number] = page
            if url is not None and is_gone(self.gone.get(url, ())):
                *earlier, last = self.gone[url]
                self.gone[url] = (*earlier, Absence(last.since, night))
            self.observe(page, night, night)

    def apply(self, event: str, night: datetime) -> MadePage:  # noqa: PLR0911  a table of events
        """The page that an event is about, as it is after it."""
        match event:
            case "new":
                return self.bring()
            case "changed takes":
                return self.with_changed_takes(self.any_page())
            case "labels arrive":
                return replace(self.any_page(labelled=False), is_labelled=True)
            case "labels withdrawn":
                return replace(self.any_page(labelled=True), is_labelled=False)
            case "renamed":
                return self.rename(self.any_page(), f"-{night:%j}")
            case "ambiguous":
                return self.rename(self.any_page(labelled=True), "-vs-all")
            case "back" if any(map(is_gone, self.gone.values())):
                url = self.chance.choice(sorted(url for url, absences in self.gone.items() if is_gone(absences)))
                return next((page for page in self.pages.values() if address(page) == url), self.any_page())
        return self.any_page()

    def with_changed_takes(self, page: MadePage) -> MadePage:
        """One or two takes in other words, cut, or gone."""
        chance, takes = self.chance, list(page.takes)
        for place in chance.sample(range(len(takes)), min(chance.randint(1, 2), len(takes))):
            kind = chance.choice(KINDS)
            takes[place] = replace(takes[place], text=NOISE[kind](takes[place].text, chance), noise=kind)
        if len(takes) > 4 and chance.random() < 0.1:
            del takes[chance.randrange(len(takes))]
        return replace(page, takes=tuple(takes))

    def rename(self, page: MadePage, ending: str) -> MadePage:
        """A tool has another slug now: the old address leads to the new one, other pages of it follow later."""
        side = self.chance.choice("ab")
        tool = getattr(page, side)
        slug = self.slugs.setdefault(tool.number, tool.slug + ending)
        renamed = replace(page, **{side: replace(tool, slug=slug)})
        old, new = address(page), address(renamed)
        if old and new and old != new:
            self.moved[old] = new
            self.moved.pop(new, None)
        return renamed


def make_grown_world(*, seed: int, appearances: int, labelled: float, takes_a_tool: int) -> GrownWorld:
    """The whole world in the first night, then small ones."""
    chance, most = Random(seed), appearances + NIGHTS * PAGES[1] * 4
    world = GrownWorld(chance, make_pages(most, seed=seed, labelled=labelled, takes_a_tool=takes_a_tool))
    while appearances > 0:
        page = world.bring()
        appearances -= len(page.takes)
        world.observe(page, FIRST_NIGHT, FIRST_NIGHT)
    for number in range(1, NIGHTS + 1):
        for event in chance.choices([*WEIGHTS], [*WEIGHTS.values()], k=chance.randint(*PAGES)):
            world.happen(event, FIRST_NIGHT + timedelta(days=number))
    return world
