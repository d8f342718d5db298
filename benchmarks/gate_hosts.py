"""Hosts whose pages change as those of real sites do, night after night."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random

from builders.gate_worlds import Seen, read_seen
from builders.normalize_pages import REVIEWERS, Tool, page, prose, tool
from verdicts.extract.model.records import Comparison

PRICINGS = (
    "Free + Pro ${0}/mo",
    "Free · Contact sales",
    "Free tier / ${0}/mo Pro",
    "Contact sales",
    "Open source (MIT)",
    "Pro ${0}/mo / Business ${1}/mo",
    "Pay-as-you-go API tokens; no separate tier required",
    "Free",
    "Research preview, on request",
    "${0}/mo",
)
"""Whatever a page may say of a price: with an amount or without one."""

ENTRIES = ("Free", "Free trial", "$9/mo", "Contact sales", "Open source")
CATEGORIES = ("Developer Tools", "Writing", "Search", "Video", "Agents")


@dataclass(frozen=True)
class Roughness:
    """How a site behaves. Where nothing else is said: shares of its pages, on a night."""

    edits: tuple[int, ...] = (0, 1, 1, 2, 3)
    """How many facts of tools people edit, each as likely as the others."""
    left_out: float = 0.04
    """Edits that leave the fact out, until another one fills it in."""
    lost: float = 0.001
    """Of each part of a page."""
    regained: float = 0.05
    present: float = 0.98
    """Parts that are there to begin with."""
    rendered: float = 1.0
    """Pages that show what their tools say today; others are of an earlier day."""
    asked: float = 1.0
    unanswered: float = 0.02
    moved: float = 0.2
    """Nights on which a page comes, and such on which one goes."""


def _cards(change: Mapping[str, object]) -> Callable[[Comparison], Comparison]:
    return lambda shown: replace(shown, cards=tuple(replace(card, **change) for card in shown.cards))  # type: ignore[arg-type]


def _decisions(change: Mapping[str, object]) -> Callable[[Comparison], Comparison]:
    return lambda shown: replace(shown, decisions=tuple(replace(column, **change) for column in shown.decisions))


def _takes(change: Mapping[str, object]) -> Callable[[Comparison], Comparison]:
    return lambda shown: replace(shown, takes=tuple(replace(take, **change) for take in shown.takes))


def _cut(shown: Comparison) -> Comparison:
    return replace(shown, takes=tuple(replace(take, text=take.text[: len(take.text) // 3]) for take in shown.takes))


LOSSES: Mapping[str, Callable[[Comparison], Comparison]] = {
    "reviews": lambda shown: replace(shown, takes=()),
    "review_text": _cut,
    "whole_panel": lambda shown: replace(shown, takes=shown.takes[1:]),
    "side": _takes({"side": None}),
    "reviewer": _takes({"reviewer": None}),
    "score": _takes({"score": None}),
    "verdict": _takes({"verdict": None}),
    "panel": _cards({"panel_ship": None}),
    "tagline": _cards({"tagline": None}),
    "description": _cards({"description": None}),
    "category": _cards({"category": None}),
    "entry": _cards({"entry": None}),
    "slug": _cards({"slug": None}),
    "rating": _cards({"community": None}),
    "decision": _decisions({"verdict": None}),
    "price": _decisions({"pricing": None}),
    "amount": _decisions({"pricing": "Free"}),
}
"""What a page is without a part, by the measure that tells of it."""


@dataclass
class OrdinaryHost:
    """Pages that compare two of some tools each. `lacks` are the parts that each of the pages does not show."""

    random: Random
    pages: int
    rough: Roughness = Roughness()
    cast: int = 0
    tools: dict[int, Tool] = field(default_factory=dict)
    shown: dict[tuple[int, int], tuple[Tool, Tool]] = field(default_factory=dict)
    lacks: dict[tuple[int, int], set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        random, cast = self.random, self.cast or max(7, self.pages // 3)
        self.tools = {
            number: self._edit_tool(tool(f"tool-{number:02}", REVIEWERS), "pricing") for number in range(cast)
        }
        for number in self.tools:
            self.tools[number] = self._edit_tool(self.tools[number], "community")
        for pair in random.sample([*combinations(range(cast), 2)], self.pages):
            self._add(pair)
            self.lacks[pair] = {part for part in LOSSES if random.random() >= self.rough.present}

    def live(self) -> None:
        """What happens on the site between two nights."""
        rough, random = self.rough, self.random
        for _ in range(random.choice(rough.edits)):
            number = random.randrange(len(self.tools))
            self.tools[number] = self._edit_tool(self.tools[number], random.choice(FACTS))
        for lacks in self.lacks.values():
            for part in LOSSES:
                if random.random() < (rough.regained if part in lacks else rough.lost):
                    lacks ^= {part}
        self.render(rough.rendered)
        if random.random() < rough.moved and len(self.shown) > self.pages * 0.8:
            gone = random.choice([*self.shown])
            del self.shown[gone], self.lacks[gone]
        free = [pair for pair in combinations(self.tools, 2) if pair not in self.shown]
        if random.random() < rough.moved and free and len(self.shown) < self.pages * 1.2:
            self._add(random.choice(free))

    def render(self, share: float = 1.0) -> None:
        """Pages show what their tools say now."""
        for pair in self.shown:
            if self.random.random() < share:
                self.shown[pair] = self._now(pair)

    def lose(self, part: str, pairs: Iterable[tuple[int, int]]) -> None:
        for pair in pairs:
            self.lacks[pair].add(part)

    def some(self, share: float) -> list[tuple[int, int]]:
        """Pages at random."""
        return self.random.sample([*self.shown], round(share * len(self.shown)))

    def crawl_pages(self) -> dict[str, Seen]:
        """What a crawl reads: of the pages that it asks for, and that answer."""
        share = self.rough.asked * (1 - self.rough.unanswered)
        return {f"{a}-vs-{b}": self._read_page((a, b)) for a, b in [*self.shown] if self.random.random() < share}

    def _read_page(self, pair: tuple[int, int]) -> Seen:
        shown = page(*self.shown[pair])
        for part in sorted(self.lacks[pair]):
            shown = LOSSES[part](shown)
        return read_seen(shown)

    def _add(self, pair: tuple[int, int]) -> None:
        self.shown[pair], self.lacks[pair] = self._now(pair), set()

    def _now(self, pair: tuple[int, int]) -> tuple[Tool, Tool]:
        return self.tools[pair[0]], self.tools[pair[1]]

    def _edit_tool(self, of: Tool, fact: str) -> Tool:
        random = self.random
        low, reviewer = random.randrange(5, 60), random.choice([*of.takes])
        text, score, verdict = of.takes[reviewer]
        without = {other: take for other, take in of.takes.items() if other != reviewer}
        edit: Mapping[str, object] = {
            "pricing": random.choice(PRICINGS).format(low, low + 20),
            "tagline": f"{of.name}, edition {low}",
            "category": random.choice(CATEGORIES),
            "entry": random.choice(ENTRIES),
            "community": f"{low + 30}%",
            "text": {**of.takes, reviewer: (prose(f"{of.slug} {reviewer} {low}"), score, verdict)},
            "votes": {**of.takes, reviewer: (text, low + 20, {"ship": "skip", "skip": "ship"}[verdict])},
            "reviewers": without if len(without) > 2 else {**of.takes, **tool(of.slug, REVIEWERS).takes},
        }
        is_left_out = fact in MAY_BE_LEFT_OUT and random.random() < self.rough.left_out
        name = "takes" if fact in {"text", "votes", "reviewers"} else fact
        return replace(of, **{name: None if is_left_out else edit[fact]})  # type: ignore[arg-type]


MAY_BE_LEFT_OUT = ("pricing", "tagline", "category", "community")
FACTS = (*MAY_BE_LEFT_OUT, "pricing", "entry", "text", "votes", "reviewers")
"""What people edit of a tool; prices most."""


def nights(host: OrdinaryHost) -> Iterator[dict[str, Seen]]:
    while True:
        yield host.crawl_pages()
        host.live()
