"""The facts of the site on one day: tools that keep their number whatever their slug, takes that keep theirs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, count
from random import Random
from typing import TypeAlias

from verdicts.demo_site.responses import SITE_HOST
from verdicts.demo_site.site_facts import (
    DOMS,
    REVIEWERS,
    CommunityVote,
    Dom,
    Facts,
    Pair,
    ReviewerTake,
    Tool,
    load_facts,
)

HOST = SITE_HOST
START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
DAY = timedelta(days=1)

TAKES_LEAST = 3
"""A tool can lose a take to another one, and still has a panel."""

PRICINGS = ("Free tier / ${0}/mo Pro", "Pro ${0}/mo / Business ${1}/mo", "Free tier / ${0}/mo Pro / ${1}/mo Business")


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthTake(ReviewerTake):
    """A take with the number that it keeps when it is edited, moved or judged anew."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthTool(Tool):
    """A tool with the number that it keeps when its slug is renamed."""

    number: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows: its two tools as they are, and whether reviewers, scores, verdicts and prices stand on it."""

    a: MonthTool
    b: MonthTool
    is_labelled: bool

    @property
    def title(self) -> str:
        return f"{self.a.name} vs {self.b.name}"


@dataclass(frozen=True, slots=True)
class Site:
    """One day of the site. Paths are those of comparison pages and of tools.

    `reserve` are tools that it does not show yet, `withdrawn` takes that it took down, with the numbers of their tools,
    `lost` the pages that it removed. `modified` is when the words of a page changed last.
    """

    facts: Facts
    reserve: tuple[MonthTool, ...]
    redirects: Mapping[str, str]
    removed: Mapping[str, int]
    modified: Mapping[str, datetime]
    next_number: int = 0
    withdrawn: tuple[tuple[int, MonthTake], ...] = ()
    lost: tuple[Pair, ...] = ()

    @property
    def tools(self) -> Mapping[str, MonthTool]:
        return self.facts.tools  # type: ignore[return-value]  # made of MonthTools alone

    def list_shown(self) -> dict[str, Shown]:
        """What every comparison page shows, by path."""
        return {
            pair.path: Shown(self.tools[pair.a], self.tools[pair.b], pair.dom != "html_lite")
            for pair in self.facts.pairs
        }


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
    site = Site(facts, tuple(known[tools:]), {}, {}, {}, next_number=next(numbers))
    return replace(site, modified=dict.fromkeys(site.list_shown(), START - DAY))


def some_dom(random: Random) -> Dom:
    return random.choices(DOMS, (4, 3, 2, 1))[0]


def pricing(random: Random) -> str:
    low = random.randrange(5, 40)
    return random.choice(PRICINGS).format(low, low + random.randrange(10, 60))


def _fields(record: Tool | ReviewerTake) -> dict[str, object]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


MONTH = 30


Change: TypeAlias = Callable[[Site, Random], Site]

ADVERBS = ["mostly", "plainly", "rarely", "often", "quietly", "gladly", "barely", "surely", "slowly", "nearly"]
SENTENCES = (
    "Six weeks on the rough edges that I met in spring are gone.",
    "The invoices are what I look at first, and they stay flat.",
    "Nobody on the night shift has asked for the old one back.",
    "I would wait a quarter before I move the archive to it.",
    "My desk has three others, and none of them lasted an afternoon.",
    "Setting it up took one coffee, and undoing it took none.",
    "It forgets what I told it by lunch, every single day.",
    "Support answers within the hour, in whole sentences.",
    "The export is honest: what goes in comes out again.",
    "Two of my interns broke it before they had found the menu.",
    "For a team of five it is plenty, for fifty it is a toy.",
    "Its defaults are those of somebody who has done the work.",
)


def a_price(site: Site, random: Random) -> Site:
    tool = _some(site, random)
    return _with(site, replace(tool, pricing=pricing(random)))


def a_verdict(site: Site, random: Random) -> Site:
    """One of the panel changes its mind."""
    tool = _some(site, random)
    take = random.choice(tool.takes)
    verdict = "skip" if take.verdict == "ship" else "ship"
    other = replace(
        take, verdict=verdict, score=random.randrange(70, 90) if verdict == "ship" else random.randrange(40, 60)
    )
    return _with(site, _with_take(tool, other))


def an_edited_take(site: Site, random: Random) -> Site:
    tool = _some(site, random)
    take = max(random.sample(tool.takes, 2), key=lambda take: len(take.text))
    words = take.text.split(" ")
    words.insert(random.randrange(2, len(words) - 2), random.choice(ADVERBS))
    return _with(site, _with_take(tool, replace(take, text=" ".join(words))))


def a_rewritten_take(site: Site, random: Random) -> Site:
    """Another opinion in the same reviewer: another take."""
    tool = _some(site, random)
    take = random.choice(tool.takes)
    said = " ".join(one.text for one in tool.takes)
    new = [sentence for sentence in SENTENCES if sentence not in said]
    text = " ".join((f"Note {site.next_number} on {tool.name}.", *random.sample(new, 4)))
    other = replace(take, text=text, number=site.next_number)
    takes = tuple(other if one.number == take.number else one for one in tool.takes)
    return replace(_with(site, replace(tool, takes=takes)), next_number=site.next_number + 1)


def a_moved_take(site: Site, random: Random) -> Site:
    """The site puts a take right that stood with the wrong tool."""
    tools = sorted(site.tools.values(), key=lambda tool: tool.number)
    moves = [
        (giver, take, taker)
        for giver in tools
        for take in giver.takes
        for taker in tools
        if len(giver.takes) > 3 and not taker.take_by(take.reviewer)
    ]
    if not moves:
        return site
    giver, take, taker = random.choice(moves)
    kept = tuple(one for one in giver.takes if one.number != take.number)
    taken = tuple(sorted((*taker.takes, take), key=lambda one: REVIEWERS.index(one.reviewer)))
    return _with(_with(site, replace(giver, takes=kept)), replace(taker, takes=taken))


def a_withdrawn_take(site: Site, random: Random) -> Site:
    tools = [tool for tool in site.tools.values() if len(tool.takes) > TAKES_LEAST]
    if not tools:
        return site
    tool = random.choice(sorted(tools, key=lambda tool: tool.number))
    take = random.choice(tool.takes)
    kept = tuple(one for one in tool.takes if one is not take)
    site = _with(site, replace(tool, takes=kept))
    return replace(site, withdrawn=(*site.withdrawn, (tool.number, take)))


def a_returned_take(site: Site, random: Random) -> Site:
    """With another score, if its reviewer is still free."""
    tools = {tool.number: tool for tool in site.tools.values()}
    able = [one for one in site.withdrawn if one[0] in tools and not tools[one[0]].take_by(one[1].reviewer)]
    if not able:
        return site
    number, take = back = random.choice(able)
    again = replace(take, score=random.randrange(30, 95))
    takes = tuple(sorted((*tools[number].takes, again), key=lambda one: REVIEWERS.index(one.reviewer)))
    left = tuple(one for one in site.withdrawn if one is not back)
    return replace(_with(site, replace(tools[number], takes=takes)), withdrawn=left)


def a_new_score(site: Site, random: Random) -> Site:
    tool = _some(site, random)
    return _with(site, _with_take(tool, replace(random.choice(tool.takes), score=random.randrange(30, 95))))


def swap_texts(site: Site, random: Random) -> Site:
    """What two reviewers said of a tool stood under each other's name: their words change places."""
    tool = _some(site, random)
    one, other = random.sample(tool.takes, 2)
    changed = {
        one.reviewer: replace(one, text=other.text, number=other.number),
        other.reviewer: replace(other, text=one.text, number=one.number),
    }
    return _with(site, replace(tool, takes=tuple(changed.get(take.reviewer, take) for take in tool.takes)))


def a_page_comes_back(site: Site, random: Random) -> Site:
    back = [pair for pair in site.lost if pair.path in site.removed and {pair.a, pair.b} <= site.tools.keys()]
    if not back:
        return site
    pair = random.choice(back)
    removed = {path: status for path, status in site.removed.items() if path != pair.path}
    left = tuple(other for other in site.lost if other != pair)
    return _with_pairs(replace(site, removed=removed, lost=left), (*site.facts.pairs, pair))


def community_votes(site: Site, random: Random) -> Site:
    tool = _some(site, random)
    votes = (tool.community.votes if tool.community else 0) + random.randrange(1, 30)
    return _with(site, replace(tool, community=CommunityVote(random.randrange(30, 95), votes)))


def a_new_page(site: Site, random: Random) -> Site:
    known = {pair.path for pair in site.facts.pairs} | site.removed.keys() | site.redirects.keys()
    for _ in range(100):
        a, b = sorted(random.sample(sorted(site.tools), 2))
        pair = Pair(a, b, some_dom(random), "both")
        if pair.path not in known:
            return _with_pairs(site, (*site.facts.pairs, pair))
    return site


def a_new_tool(site: Site, random: Random) -> Site:
    if not site.reserve:
        return site
    tool, *rest = site.reserve
    others = random.sample(sorted(site.tools), 3)
    site = _with(replace(site, reserve=tuple(rest)), tool)
    doms = ("html_semantic", some_dom(random), some_dom(random))
    new = [Pair(*sorted((tool.slug, other)), dom, "both") for other, dom in zip(others, doms, strict=True)]
    return _with_pairs(site, (*site.facts.pairs, *new))


def a_renamed_slug(site: Site, random: Random) -> Site:
    """The tool has another slug, and each of its addresses leads to the new one."""
    tool = _some(site, random)
    slug = random.choice(("the-{}", "{}-next", "new-{}")).format(tool.slug)
    tools = {name: one for name, one in site.tools.items() if name != tool.slug} | {slug: replace(tool, slug=slug)}
    pairs, redirects = [], {**site.redirects, f"/tool/{tool.slug}": f"/tool/{slug}"}
    for pair in site.facts.pairs:
        if tool.slug not in (pair.a, pair.b):
            pairs.append(pair)
            continue
        a, b = sorted(slug if name == tool.slug else name for name in (pair.a, pair.b))
        pairs.append(replace(pair, a=a, b=b))
        redirects[pair.path] = pairs[-1].path
    facts = replace(site.facts, tools=dict(sorted(tools.items())))
    return _with_pairs(replace(site, facts=facts, redirects=redirects), pairs)


def redirects_taken_away(site: Site) -> Site:
    """Whoever tidies up: addresses that led to others answer 404 like any that never was."""
    return replace(site, redirects={}, removed={**site.removed, **dict.fromkeys(site.redirects, 404)})


CHANGES: Mapping[str, tuple[int, Change]] = {
    "a price": (12, a_price),
    "a verdict": (9, a_verdict),
    "an edited take": (10, an_edited_take),
    "a rewritten take": (3, a_rewritten_take),
    "a moved take": (3, a_moved_take),
    "a withdrawn take": (6, a_withdrawn_take),
    "a returned take": (4, a_returned_take),
    "a new score": (6, a_new_score),
    "swapped texts": (3, swap_texts),
    "community votes": (5, community_votes),
    "a new page": (6, a_new_page),
    "a new tool": (4, a_new_tool),
    "a renamed slug": (2, a_renamed_slug),
    "a page removed with 410": (2, lambda site, random: _without_a_page(site, random, 410)),
    "a page removed with 404": (2, lambda site, random: _without_a_page(site, random, 404)),
    "a page comes back": (2, a_page_comes_back),
}
"""What happens to the words of the site, and how often in thirty nights."""

LATE = "redirects taken away"
"""In the second half, once: what was renamed in the first was seen to lead on, what is renamed just before was not."""


def draw_events(seed: int, nights: int) -> list[tuple[str, ...]]:
    """The events before or during each night, in the order in which they happen. The first night has none."""
    random = Random(f"calendar {seed}")
    days: list[list[str]] = [[] for _ in range(nights)]
    for change, (times, _) in CHANGES.items():
        for _ in range(round(times * nights / MONTH)):
            # A page that is gone with 404 is gone once that was said on three nights.
            latest = max(2, nights // 2) if change == "a page removed with 404" else nights
            days[random.randrange(1, latest)].append(change)
    days[Random(f"{LATE} {seed}").randrange(nights // 2, nights)].append(LATE)
    return [tuple(day) for day in days]


def _some(site: Site, random: Random) -> MonthTool:
    return random.choice(sorted(site.tools.values(), key=lambda tool: tool.number))


def _with(site: Site, tool: MonthTool) -> Site:
    return replace(site, facts=replace(site.facts, tools=dict(sorted({**site.tools, tool.slug: tool}.items()))))


def _with_take(tool: MonthTool, take: MonthTake) -> MonthTool:
    return replace(tool, takes=tuple(take if one.number == take.number else one for one in tool.takes))


def _with_pairs(site: Site, pairs: tuple[Pair, ...] | list[Pair]) -> Site:
    return replace(site, facts=replace(site.facts, pairs=tuple(sorted(pairs, key=lambda pair: pair.path))))


def _without_a_page(site: Site, random: Random, status: int) -> Site:
    """Not one that its tools need: each stays on three pages."""
    facts = site.facts
    pairs = [pair for pair in facts.pairs if min(len(facts.find_pairs(pair.a)), len(facts.find_pairs(pair.b))) > 3]
    if not pairs:
        return site
    pair = random.choice(pairs)
    left = [other for other in facts.pairs if other != pair]
    site = replace(site, removed={**site.removed, pair.path: status}, lost=(*site.lost, pair))
    return _with_pairs(site, left)


HOURS_BEFORE = 10
"""The site changes by day, the night comes after it."""


def evolve(site: Site, events: Sequence[str], seed: int, night: int, at: datetime) -> Site:
    """The site as a night at the moment `at` finds it."""
    before = site.list_shown()
    for number, event in enumerate(events):
        random = Random(f"{seed} {night} {number} {event}")
        site = CHANGES[event][1](site, random) if event in CHANGES else redirects_taken_away(site)
    changed_at = at - timedelta(hours=HOURS_BEFORE)
    modified = {
        path: changed_at
        if path not in before or (before[path].a, before[path].b) != (shown.a, shown.b)
        else site.modified[path]
        for path, shown in site.list_shown().items()
    }
    return replace(site, modified=modified)
