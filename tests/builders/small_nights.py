"""A world seen in small nights: what a site and its archives may do to a corpus, night after night, by seed.

Pages are new, say other things, gain or lose their labels, move with a tool's slug, are gone and come back; archives
bring days that have passed, and some addresses can be cut in several ways. The world is one of `made_corpora`; what a
night shows of it is decided here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import islice
from random import Random

from builders.made_corpora import KINDS, NOISE, TAKES_A_TOOL, MadePage, MadeTool, make_pages
from builders.made_observations import FIRST_NIGHT, address, comparison
from verdicts.extract.model.records import Observation
from verdicts.fetch.model.snapshot import Location

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


@dataclass(frozen=True, slots=True)
class SmallNights:
    """What is simulated. `pages` of a night are at least and at most so many.

    `ambiguous_from` is the first night that may bring an address that can be cut in several ways.
    """

    seed: int = 1
    appearances: int = 5_000
    nights: int = 40
    pages: tuple[int, int] = (5, 60)
    labelled: float = 0.6
    takes_a_tool: int = TAKES_A_TOOL
    ambiguous_from: int = 1


@dataclass(frozen=True, slots=True)
class Night:
    """What a crawl leaves to a build: its observations, and tombstones and moved addresses as they stand after it."""

    number: int
    at: datetime
    events: Sequence[str]
    observations: Sequence[Observation]
    gone: frozenset[str]
    moved: dict[str, str]


@dataclass(slots=True)
class _World:
    """Pages as they are now, each by its number, and those that nobody has seen yet."""

    chance: Random
    unseen: Iterator[MadePage]
    pages: dict[int, MadePage] = field(default_factory=dict)
    slugs: dict[int, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    moved: dict[str, str] = field(default_factory=dict)

    def any_page(self, *, labelled: bool | None = None) -> MadePage:
        """One that is known and, if any of a hundred tries finds such a one, labelled or not."""
        page = next(iter(self.pages.values()))
        for _ in range(100):
            page = self.pages[self.chance.choice(range(len(self.pages)))]
            if labelled in (None, page.is_labelled):
                break
        return page

    def bring(self) -> MadePage:
        page = replace(next(self.unseen), number=len(self.pages))
        self.pages[page.number] = page
        return page


def small_nights(plan: SmallNights) -> Iterator[Night]:
    """Night 0 with the whole world at first, then as many small ones as planned."""
    chance = Random(plan.seed)
    reserve = plan.nights * plan.pages[1] * 4
    made = make_pages(
        plan.appearances + reserve, seed=plan.seed, labelled=plan.labelled, takes_a_tool=plan.takes_a_tool
    )
    world = _World(chance, made)
    appearances = 0
    while appearances < plan.appearances:
        appearances += len(world.bring().takes)
    yield _night(world, 0, [("new", page, FIRST_NIGHT) for page in world.pages.values()])
    for number in range(1, plan.nights + 1):
        at = FIRST_NIGHT + timedelta(days=number)
        weights = {event: weight for event, weight in WEIGHTS.items() if event != "ambiguous"}
        if number >= plan.ambiguous_from:
            weights = WEIGHTS
        events = chance.choices([*weights], [*weights.values()], k=chance.randint(*plan.pages))
        shown = [(event, *found) for event in events for found in islice(_happen(world, event, at), 1)]
        yield _night(world, number, shown)


def _night(world: _World, number: int, shown: Sequence[tuple[str, MadePage, datetime]]) -> Night:
    at = FIRST_NIGHT + timedelta(days=number)
    observed = [
        _observed(page, moment, at, place) for place, (event, page, moment) in enumerate(shown) if event != "gone"
    ]
    return Night(number, at, [event for event, *_ in shown], observed, frozenset(world.gone), dict(world.moved))


def _observed(page: MadePage, moment: datetime, at: datetime, place: int) -> Observation:
    digest = sha256(f"{at}{place}".encode()).hexdigest()
    crawl_id = f"{at:%Y%m%dT%H%M%SZ}-0001"
    return Observation(
        url=address(page) or f"urn:sha256:{digest}",
        fetched_at=moment + timedelta(seconds=place % 3000),
        crawl_id=crawl_id,
        location=Location(f"{crawl_id}-00001.warc.zst", place),
        sha256=digest,
        extracted=comparison(page),
    )


def _happen(world: _World, event: str, at: datetime) -> Iterator[tuple[MadePage, datetime]]:
    """The page that an event shows, and of which moment; none where the world has no such page now."""
    chance = world.chance
    if event == "archived":
        # An older day, of which the page may have said other things; what it says now stays.
        moment = FIRST_NIGHT + (at - FIRST_NIGHT) * chance.random() - timedelta(days=chance.choice((0, 30)))
        yield _with_changed_takes(world.any_page(), chance), moment
        return
    page = _changed(world, event, at)
    url = address(page)
    if event == "gone" and url is None:
        return
    world.pages[page.number] = page
    if url:
        (world.gone.add if event == "gone" else world.gone.discard)(url)
    yield page, at


def _changed(world: _World, event: str, at: datetime) -> MadePage:
    """The page that an event is about, as it is after it."""
    chance = world.chance
    match event:
        case "new":
            page = world.bring()
        case "changed takes":
            page = _with_changed_takes(world.any_page(), chance)
        case "labels arrive":
            page = replace(world.any_page(labelled=False), is_labelled=True)
        case "labels withdrawn":
            page = replace(world.any_page(labelled=True), is_labelled=False)
        case "renamed":
            page = _renamed(world, world.any_page(), f"-{at:%j}")
        case "ambiguous":
            page = _renamed(world, world.any_page(labelled=True), "-vs-all")
        case "back" if world.gone:
            url = chance.choice(sorted(world.gone))
            page = next((page for page in world.pages.values() if address(page) == url), world.any_page())
        case _:
            page = world.any_page()
    return page


def _with_changed_takes(page: MadePage, chance: Random) -> MadePage:
    """One or two takes in other words, cut, or gone."""
    takes = list(page.takes)
    for place in chance.sample(range(len(takes)), min(chance.randint(1, 2), len(takes))):
        kind = chance.choice(KINDS)
        takes[place] = replace(takes[place], text=NOISE[kind](takes[place].text, chance), noise=kind)
    if len(takes) > 4 and chance.random() < 0.1:
        del takes[chance.randrange(len(takes))]
    return replace(page, takes=tuple(takes))


def _renamed(world: _World, page: MadePage, ending: str) -> MadePage:
    """One of its tools has another slug now: the old address leads to the new one, other pages of it follow later."""
    is_a = world.chance.random() < 0.5
    tool = page.a if is_a else page.b
    slug = world.slugs.get(tool.number, tool.slug)
    if slug == tool.slug:
        slug = world.slugs[tool.number] = tool.slug + ending
    other: MadeTool = replace(tool, slug=slug)
    renamed = replace(page, a=other) if is_a else replace(page, b=other)
    old, new = address(page), address(renamed)
    if old and new and old != new:
        world.moved[old] = new
        world.moved.pop(new, None)
    return renamed
