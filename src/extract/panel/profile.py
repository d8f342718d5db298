"""What is known of a site, as data: `SiteProfile`, which `profiles/<site>.toml` declares.

A profile maps a site's words to the corpus' own (verdicts, seats, entries), and says at which addresses and between
which texts the facts stand. Extraction anchors on it, normalization parses the strings of a record with it. A site in
other words is another file and no other code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

Verdict: TypeAlias = Literal["ship", "mixed", "skip"]
Seat: TypeAlias = Literal["Builder", "Skeptic", "Futurist", "Creator", "PM", "Founder"]
Entry: TypeAlias = Literal["Free", "Paid"]


@dataclass(frozen=True, slots=True)
class Addresses:
    """The form of the site's addresses: `<comparison_path><slug><slug_separator><slug>` and `<tool_path><slug>`."""

    comparison_path: str
    slug_separator: str
    tool_path: str


@dataclass(frozen=True, slots=True)
class PageTexts:
    """Texts around the facts. A title reads `A<title_separator>B`; `closing_lines` follow the takes."""

    eyebrow: str
    title_separator: str
    breadcrumb: str
    closing_lines: tuple[str, ...]
    badges: tuple[str, ...]
    quotation_marks: tuple[tuple[str, str], ...]
    no_value: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardLabels:
    """Labels of a card's parts. Every card has the first three; the others stand in tables and data alone."""

    panel_ship: str
    community: str
    entry: str
    category: tuple[str, ...]
    tagline: tuple[str, ...]
    chip: tuple[str, ...]
    description: tuple[str, ...]
    name: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DecisionLabels:
    """The head of the Decision table and the labels of its rows."""

    head: str
    verdict: str
    community: str
    pricing: str
    best_for: str
    category: str


@dataclass(frozen=True, slots=True)
class ScorecardTexts:
    """The head of the scorecard, what an empty cell says, and the reviewers: the site's word to the corpus' seat."""

    head: str
    no_take: str
    panel_size_max: int
    seats_in_page_order: Mapping[str, Seat]
    seats_without_place: Mapping[str, Seat]


@dataclass(frozen=True, slots=True)
class ChipBound:
    """The chips that fit a panel percentage of `from_pct` or more."""

    from_pct: int
    chips: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class ValueWords:
    """Words inside values. `verdicts` and `entries` map the site's word to the corpus' value."""

    verdicts: Mapping[str, Verdict]
    ship_votes: str
    skip_votes: str
    community_votes: tuple[str, ...]
    thousands_separator: str
    no_community_votes: str
    entries: Mapping[str, Entry]
    free_pricing: str
    chip_bounds: tuple[ChipBound, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SiteProfile:
    """One site: its name (of the file), its hosts, and its words. Compared and hashed by identity, as a cache's key."""

    name: str
    hosts: tuple[str, ...]
    addresses: Addresses
    page: PageTexts
    card: CardLabels
    decision: DecisionLabels
    scorecard: ScorecardTexts
    values: ValueWords

    @property
    def seats(self) -> Mapping[str, Seat]:
        """The site's word for every reviewer known, to the corpus' seat."""
        return {**self.scorecard.seats_in_page_order, **self.scorecard.seats_without_place}


Profiles: TypeAlias = Mapping[str, SiteProfile]
"""Profiles by name."""


def profile_of_host(url: str, profiles: Profiles) -> SiteProfile | None:
    """The profile of an address' host; None for a host of no profile, and for a file without an address."""
    host = urlsplit(url).hostname
    return next((profile for profile in profiles.values() if host in profile.hosts), None)
