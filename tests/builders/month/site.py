"""The facts of the site on one day: tools that keep their number whatever their slug, takes that keep theirs."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, count
from random import Random
from typing import Literal, TypeAlias

from verdicts.demo_site.facts import DOMS, Dom, Facts, Pair, SeatTake, Tool, load_facts
from verdicts.demo_site.responses import SITE_HOST

HOST, MIRROR = SITE_HOST, "mirror.example"
START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
DAY = timedelta(days=1)

Condition: TypeAlias = Literal["up", "refusing", "overloaded"]

TAKES_LEAST = 3
"""A tool can lose a take to another one, and still has a panel."""

PRICINGS = ("Free tier / ${0}/mo Pro", "Pro ${0}/mo / Business ${1}/mo", "Free tier / ${0}/mo Pro / ${1}/mo Business")


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthTake(SeatTake):
    """A take with the number that it keeps when it is edited, moved or judged anew."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthTool(Tool):
    """A tool with the number that it keeps when its slug is renamed."""

    number: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows: its two tools as they are, and whether seats, scores, verdicts and prices stand on it."""

    a: MonthTool
    b: MonthTool
    is_labelled: bool
    has_taglines: bool

    @property
    def title(self) -> str:
        return f"{self.a.name} vs {self.b.name}"


@dataclass(frozen=True, slots=True)
class Site:
    """One day of the site. Paths are those of comparison pages and of tools.

    `reserve` are tools that it does not show yet. `modified` is when the words of a page changed last. `mirrored` are
    the pages that the mirror copied, as they were then; empty where there is no mirror yet.
    """

    facts: Facts
    reserve: tuple[MonthTool, ...]
    redirects: Mapping[str, str]
    removed: Mapping[str, int]
    modified: Mapping[str, datetime]
    mirrored: Mapping[str, Pair]
    mirrored_facts: Facts | None
    is_redesigned: bool = False
    condition: Condition = "up"
    next_number: int = 0

    @property
    def tools(self) -> Mapping[str, MonthTool]:
        return self.facts.tools  # type: ignore[return-value]  # made of MonthTools alone

    def shown(self) -> dict[str, Shown]:
        """What every comparison page shows, by path."""
        return {
            pair.path: Shown(
                self.tools[pair.a], self.tools[pair.b], is_labelled(self, pair), has_taglines=not self.is_redesigned
            )
            for pair in self.facts.pairs
        }


def is_labelled(site: Site, pair: Pair) -> bool:
    return site.is_redesigned or pair.dom != "html_lite"


def first_site(seed: int, tools: int, pages: int) -> Site:
    """The site on its first day: so many of the demo's tools, the others in reserve."""
    random = Random(f"first {seed}")
    declared = load_facts().tools.values()
    numbers = count()
    known = [
        MonthTool(
            **_fields(tool)
            | {
                "number": next(numbers),
                "pricing": pricing(random),
                "takes": tuple(MonthTake(**_fields(take), number=next(numbers)) for take in tool.takes),
            }
        )
        for tool in declared
        if len(tool.takes) >= TAKES_LEAST
    ]
    random.shuffle(known)
    shown = {tool.slug: tool for tool in sorted(known[:tools], key=lambda tool: tool.slug)}
    # Neighbours first, so that every tool stands on labelled pages.
    slugs = list(shown)
    near = sorted(combinations(range(len(slugs)), 2), key=lambda ab: (ab[1] - ab[0], ab))[:pages]
    pairs = [
        Pair(slugs[a], slugs[b], DOMS[random.randrange(3)] if b - a == 1 else some_dom(random), "both") for a, b in near
    ]
    facts = Facts(shown, tuple(sorted(pairs, key=lambda pair: pair.path)), ())
    site = Site(facts, tuple(known[tools:]), {}, {}, {}, {}, None, next_number=next(numbers))
    return replace(site, modified=dict.fromkeys(site.shown(), START - DAY))


def some_dom(random: Random) -> Dom:
    return random.choices(DOMS, (4, 3, 2, 1))[0]


def pricing(random: Random) -> str:
    low = random.randrange(5, 40)
    return random.choice(PRICINGS).format(low, low + random.randrange(10, 60))


def _fields(record: Tool | SeatTake) -> dict[str, object]:
    return {field.name: getattr(record, field.name) for field in fields(record)}
