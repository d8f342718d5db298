"""What the other site knows of a pair of tools, drawn from a seed."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Literal

WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def filled(sentence: str, random: Random) -> str:
    """The sentence with its slots filled."""
    low = random.randint(3, 60)
    return sentence.format(
        thing=random.choice(WORDS["things"]),
        rival=random.choice(WORDS["rivals"]),
        day=random.choice(WORDS["days"]),
        n=low,
        m=low + random.randint(3, 30),
        score=random.randint(60, 95),
    )


Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")


@dataclass(frozen=True)
class Take:
    """What one reviewer says of one tool: `score` of 100, `verdict` ship or skip, the text as its sentences."""

    score: int
    verdict: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@dataclass(frozen=True)
class Tool:
    """`takes` by reviewer; `community` is (percentage, votes)."""

    slug: str
    name: str
    tagline: str
    category: str
    description: str
    pricing: str
    community: tuple[int, int] | None
    takes: dict[str, Take]

    @property
    def ships(self) -> int:
        return sum(take.verdict == "ship" for take in self.takes.values())

    @property
    def skips(self) -> int:
        return len(self.takes) - self.ships

    @property
    def pct(self) -> int:
        """Share of the panel that would ship it. No panel of one to seven has a share that ends in a half."""
        return round(100 * self.ships / len(self.takes))

    @property
    def chip(self) -> str:
        return "Ship" if self.pct > 50 else "Mixed" if self.pct == 50 else "Skip"

    @property
    def entry(self) -> str:
        return "Free" if "free" in self.pricing.lower() else "Paid"

    @property
    def votes(self) -> str:
        return f"{self.chip} · {self.ships} ship / {self.skips} skip"


@dataclass(frozen=True)
class Pair:
    """The two tools of a page, and the reviewers in the order of their rows."""

    a: Tool
    b: Tool
    reviewers: tuple[str, ...]

    def tool(self, side: Side) -> Tool:
        return self.a if side == "a" else self.b

    @property
    def tools(self) -> tuple[Tool, Tool]:
        return self.a, self.b


def pair_of(random: Random) -> Pair:
    """Two tools that differ in name, tagline and description, and their panels of one to seven."""
    size = random.choice((1, 2, 3, 3, 4, 4, 4, 4, 4, 5, 5, 6, 7))
    reviewers = list(WORDS["reviewers"])
    strangers = random.sample(WORDS["strange_reviewers"], k=max(size - len(reviewers), random.choice((0, 0, 0, 1, 2))))
    reviewers = [*(reviewer for reviewer in reviewers if random.random() < 0.9 or size > 3), *strangers][: max(size, 2)]
    panels = [_panel(reviewers, size, random), _panel(reviewers, size, random)]
    reviewers = [reviewer for reviewer in reviewers if any(reviewer in panel for panel in panels)]
    pools = [iter(random.sample(WORDS[pool], k=len(WORDS[pool]))) for pool in ("openings", "middles", "closings")]
    names = random.sample(WORDS["names"], k=2)
    described = random.sample(WORDS["descriptions"], k=2)
    tools = [
        _tool(name, description, panel, pools, random)
        for name, description, panel in zip(names, described, panels, strict=True)
    ]
    return named(Pair(tools[0], tools[1], tuple(reviewers)), *names)


def named(pair: Pair, name_a: str, name_b: str) -> Pair:
    """The pair under other names; the slugs follow, and stand in ascending order as on the site."""
    slugs = sorted(_slug(name) + suffix for name, suffix in ((name_a, "-one"), (name_b, "-two")))
    a, b = (
        replace(tool, name=name, slug=slug, description=tool.description.replace(tool.name, name))
        for tool, name, slug in zip(pair.tools, (name_a, name_b), slugs, strict=True)
    )
    return replace(pair, a=a, b=b)


def with_takes(pair: Pair, side: Side, takes: dict[str, Take]) -> Pair:
    """The pair with other takes of one tool; rows that nobody fills any more are left out."""
    changed: dict[str, Any] = {side: replace(pair.tool(side), takes=takes)}
    pair = replace(pair, **changed)
    return replace(
        pair,
        reviewers=tuple(reviewer for reviewer in pair.reviewers if any(reviewer in tool.takes for tool in pair.tools)),
    )


def _panel(reviewers: list[str], size: int, random: Random) -> list[str]:
    """The reviewers that judge one tool, in row order: now and then one less than there are."""
    count = min(size, len(reviewers)) - (1 if size > 2 and random.random() < 0.35 else 0)
    chosen = random.sample(reviewers, k=max(count, 1))
    return [reviewer for reviewer in reviewers if reviewer in chosen]


def _tool(name: str, description: str, panel: list[str], pools: Iterable[Iterator[str]], random: Random) -> Tool:
    community = (random.randint(5, 98), random.randint(12, 2400)) if random.random() < 0.4 else None
    openings, middles, closings = pools
    takes = {}
    for reviewer in panel:
        is_ship = random.random() < 0.65
        body = [next(middles, random.choice(WORDS["middles"])) for _ in range(random.choice((1, 1, 2)))]
        start, end = next(openings, random.choice(WORDS["openings"])), next(closings, random.choice(WORDS["closings"]))
        sentences = tuple(filled(sentence, random) for sentence in (start, *body, end))
        score = random.randint(62, 97) if is_ship else random.randint(21, 58)
        takes[reviewer] = Take(score, "ship" if is_ship else "skip", sentences)
    tagline = f"{random.choice(WORDS['tagline_subjects'])} {random.choice(WORDS['tagline_ends'])}"
    return Tool(
        slug="",
        name=name,
        tagline=tagline,
        category=random.choice(WORDS["categories"]),
        description=description.format(name=name),
        pricing=random.choice(WORDS["pricings"]),
        community=community,
        takes=takes,
    )


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace(" vs ", " and ")).strip("-") or "tool"
