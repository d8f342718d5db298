"""What is known of a site, as declared data: `profiles/<site>.toml` read into a `SiteProfile`.

A profile maps a site's words to the corpus' own (verdicts, seats, entries), and says at which addresses and between
which texts the facts stand. Extraction anchors on it, normalization parses the strings of a record with it. A site in
other words is another file and no other code.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeAlias
from urllib.parse import urlsplit

from pydantic import ConfigDict, TypeAdapter, ValidationError

from corpus.enumerations import Entry, Seat, Verdict

FOLDER = Path(__file__).parent / "profiles"

_STRICT = ConfigDict(extra="forbid", str_min_length=1)


class BrokenProfile(ValueError):
    """A profile lacks a value, has one that is not known, or claims the host of another. Names the file and the key."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """The form of the site's addresses: `<comparison_path><slug><slug_separator><slug>` and `<tool_path><slug>`."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    comparison_path: str
    slug_separator: str
    tool_path: str


@dataclass(frozen=True, slots=True)
class PageTexts:
    """Texts around the facts. A title reads `A<title_separator>B`; `closing_lines` follow the takes."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
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

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
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

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    head: str
    verdict: str
    community: str
    pricing: str
    best_for: str
    category: str


@dataclass(frozen=True, slots=True)
class ScorecardTexts:
    """The head of the scorecard, what an empty cell says, and the reviewers: the site's word to the corpus' seat."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    head: str
    no_take: str
    panel_size_max: int
    seats_in_page_order: Mapping[str, Seat]
    seats_without_place: Mapping[str, Seat]


@dataclass(frozen=True, slots=True)
class ChipBound:
    """The chips that fit a panel percentage of `from_pct` or more."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    from_pct: int
    chips: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class ValueWords:
    """Words inside values. `verdicts` and `entries` map the site's word to the corpus' value."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
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

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
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

_READER = TypeAdapter(SiteProfile)


def read_profile(path: Path) -> SiteProfile:
    """The profile that a file declares, under the file's name. Raises `BrokenProfile`."""
    try:
        return declared_profile(path.stem, tomllib.loads(path.read_text(encoding="utf-8")))
    except (BrokenProfile, tomllib.TOMLDecodeError) as error:
        raise BrokenProfile(f"{path}: {error}") from error


def declared_profile(name: str, declared: Mapping[str, object]) -> SiteProfile:
    """The profile that a table declares. Raises `BrokenProfile`."""
    try:
        return _READER.validate_python({"name": name, **declared})
    except ValidationError as error:
        raise BrokenProfile(str(error)) from error


def profiles_by_name(profiles: Sequence[SiteProfile]) -> Profiles:
    """The profiles that read a corpus together. Raises `BrokenProfile` where two claim one host."""
    owners: dict[str, str] = {}
    for profile in profiles:
        for host in profile.hosts:
            owner = owners.setdefault(host, profile.name)
            if owner != profile.name:
                raise BrokenProfile(f"{host} is a host of {owner} and of {profile.name}")
    return {profile.name: profile for profile in profiles}


def profile_of_host(url: str, profiles: Profiles) -> SiteProfile | None:
    """The profile of an address' host; None for a host of no profile, and for a file without an address."""
    host = urlsplit(url).hostname
    return next((profile for profile in profiles.values() if host in profile.hosts), None)


SHIPPED: Profiles = profiles_by_name([read_profile(path) for path in sorted(FOLDER.glob("*.toml"))])
"""The sites that are known without further ado."""
