"""The facts of the demo site: tools, takes, and the pairs that are compared."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

import msgspec

Dom: TypeAlias = Literal["html_semantic", "html_flat", "html_jsonld", "html_lite"]
Reach: TypeAlias = Literal["both", "links", "sitemap"]

REVIEWERS = ("Builder", "Skeptic", "Futurist", "Creator", "PM", "Founder")

DOMS: tuple[Dom, ...] = get_args(Dom)
DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class ReviewerTake:
    """A reviewer's take on a tool. `score` is 0 to 100."""

    reviewer: str
    score: int
    verdict: Literal["ship", "skip"]
    text: str


@dataclass(frozen=True, slots=True)
class CommunityVote:
    """Percent that would ship, and the number of votes."""

    percent: int
    votes: int


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool, identified by its slug. Several tools may have one name. `takes` are in reviewer order."""

    slug: str
    name: str
    tagline: str
    category: str
    pricing: str
    description: str
    community: CommunityVote | None
    takes: tuple[ReviewerTake, ...]

    @property
    def monogram(self) -> str:
        return self.name[0].upper()

    @property
    def ships(self) -> int:
        return sum(take.verdict == "ship" for take in self.takes)

    @property
    def skips(self) -> int:
        return len(self.takes) - self.ships

    @property
    def panel_pct(self) -> int:
        return round(100 * self.ships / len(self.takes))

    @property
    def chip(self) -> str:
        if self.panel_pct >= 67:
            return "Ship"
        return "Skip" if self.panel_pct <= 33 else "Mixed"

    @property
    def entry(self) -> str:
        """Depends only on the pricing string, so an open-source tool can be Paid."""
        return "Free" if "free" in self.pricing.casefold() else "Paid"

    @property
    def panel_verdict(self) -> str:
        """As in the Decision table: `Ship · 3 ship / 1 skip`."""
        return f"{self.chip} · {self.ships} ship / {self.skips} skip"

    @property
    def community_vote(self) -> str:
        """As in the Decision table: `62% · 130 votes`."""
        if self.community is None:
            return "No community votes yet"
        return f"{self.community.percent}% · {self.community.votes} votes"

    @property
    def community_share(self) -> str | None:
        """As on the card: `62%`."""
        return None if self.community is None else f"{self.community.percent}%"

    def take_by(self, reviewer: str) -> ReviewerTake | None:
        return next((take for take in self.takes if take.reviewer == reviewer), None)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two slugs compared on a page, in byte order.

    `dom` says how the page is built, `reach` how a crawler finds it.
    """

    a: str
    b: str
    dom: Dom
    reach: Reach

    @property
    def path(self) -> str:
        return f"/compare/{self.a}-vs-{self.b}"


@dataclass(frozen=True, slots=True)
class Row:
    """A reviewer in the scorecard, with its take on each tool. At least one tool has one."""

    reviewer: str
    a: ReviewerTake | None
    b: ReviewerTake | None


@dataclass(frozen=True, slots=True)
class Article:
    """A page without a comparison. `published_date` is an ISO date, `links` are pairs of target and text."""

    path: str
    title: str
    author: str
    published_date: str
    paragraphs: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts. Tools by slug, pairs in the order of their addresses."""

    tools: Mapping[str, Tool]
    pairs: tuple[Pair, ...]
    articles: tuple[Article, ...]

    def cards(self, pair: Pair) -> tuple[Tool, Tool]:
        return self.tools[pair.a], self.tools[pair.b]

    def title(self, pair: Pair) -> str:
        return f"{self.tools[pair.a].name} vs {self.tools[pair.b].name}"

    def scorecard(self, pair: Pair) -> tuple[Row, ...]:
        a, b = self.cards(pair)
        rows = (Row(reviewer, a.take_by(reviewer), b.take_by(reviewer)) for reviewer in REVIEWERS)
        return tuple(row for row in rows if row.a or row.b)

    def find_pairs(self, slug: str) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.pairs if slug in (pair.a, pair.b))

    def find_related(self, pair: Pair) -> tuple[Pair, ...]:
        """Up to four linkable pages that share a tool."""
        related = [
            candidate
            for candidate in self.pairs
            if candidate != pair and candidate.reach != "sitemap" and {pair.a, pair.b} & {candidate.a, candidate.b}
        ]
        return tuple(related[:4])


@cache
def load_facts() -> Facts:
    """Reads the declared facts."""
    declared = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(DATA.glob("*.toml"))}
    pairs = [
        {"dom": dom, "reach": "both"} | pair
        for dom, of_dom in declared.pop("pairs").items()
        for pair in of_dom["pairs"]
    ]
    articles = declared.pop("articles")["article"]
    tools = [{"community": None} | tool for file in declared.values() for tool in file["tool"]]
    return Facts(
        MappingProxyType({tool.slug: tool for tool in msgspec.convert(tools, list[Tool])}),
        tuple(sorted(msgspec.convert(pairs, list[Pair]), key=lambda pair: pair.path.encode())),
        msgspec.convert(articles, tuple[Article, ...]),
    )
