"""Sightings: what identity needs to know about a snapshot of a comparison, without its takes."""

import hashlib

import msgspec

from verdicts.extract.model.records import Card, Comparison, Document, Observation
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.identity.ids import ToolPair, make_card_id, make_name_id, make_slug_id
from verdicts.normalize.identity.page_addresses import Cut, find_page_url, is_turned, possible_cuts
from verdicts.normalize.identity.page_versions import find_effective_crawl
from verdicts.normalize.parse.match_keys import fold_name


class SeenCard(msgspec.Struct, frozen=True, array_like=True):
    """The parts of a card that distinguish tools. `description` is a digest."""

    name: str
    tagline: str | None
    slug: str | None
    description: str | None


class Sighting(msgspec.Struct, frozen=True, array_like=True):
    """A snapshot of a comparison. `source` is its own address; `url` is the address of its page, None without one.

    `host` is that of `url`, else empty. `cuts` are the ways to cut `url` into two slugs; `is_turned`: the second slug
    is tool A. `crawl` is as in a page version. `name_ids` are the ids of A and B from their names alone, `printed_ids`
    those from all that this snapshot shows.
    """

    location: Location
    source: str
    crawl: str
    sha256: str
    url: str | None
    host: str
    cuts: tuple[Cut, ...]
    is_turned: bool
    name_ids: ToolPair
    printed_ids: ToolPair
    cards: tuple[SeenCard, SeenCard]

    @property
    def day(self) -> str:
        return self.crawl[:8]

    @property
    def order(self) -> tuple[str, str, str, str, str, int]:
        """As `make_observation_key`."""
        where = self.location
        return (self.day, self.source, self.crawl, self.sha256, where.segment, where.offset)


def make_sighting(observation: Observation, profiles: Profiles) -> Sighting | None:
    """The sighting of a snapshot, None if it shows no comparison."""
    if not isinstance(observation.extracted, Comparison):
        return None
    comparison = observation.extracted
    profile = profiles[comparison.profile]
    url = find_page_url(observation.url, comparison, profile)
    cuts = () if url is None else tuple(possible_cuts(url, profile))
    first, second = comparison.cards
    host, is_other = "" if url is None else find_host(url), bool(cuts) and is_turned(comparison, cuts)
    name_ids = make_card_id(first, observation.url), make_card_id(second, observation.url)
    slugs = cuts[0] if len(cuts) == 1 else (first.slug, second.slug)
    a, b = slugs[::-1] if is_other and len(cuts) == 1 else slugs
    return Sighting(
        location=observation.location,
        source=observation.url,
        crawl=find_effective_crawl(observation),
        sha256=observation.sha256,
        url=url,
        host=host,
        cuts=cuts,
        is_turned=is_other,
        name_ids=name_ids,
        printed_ids=(make_slug_id(host, a), make_slug_id(host, b)) if host and a and b else name_ids,
        cards=(_make_card(first), _make_card(second)),
    )


def _make_card(card: Card) -> SeenCard:
    description = card.description
    digest = (
        None
        if description is None
        else hashlib.blake2b(description.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    )
    return SeenCard(card.name, card.tagline, card.slug, digest)


def make_tool_keys(observation: Observation, profiles: Profiles = SHIPPED) -> tuple[int, ...]:
    """The keys of the tools on a page in order; empty without a comparison.

    The key is made of the id that the page alone gives the tool; for other sites, of the name.
    """
    document = observation.extracted
    if isinstance(document, Document) and document.side_by_side is not None:
        return tuple(make_tool_key(make_name_id(fold_name(name), "")) for name in document.side_by_side.tools)
    sighting = make_sighting(observation, profiles)
    return () if sighting is None else tuple(map(make_tool_key, sighting.printed_ids))


def make_tool_key(tool_id: str) -> int:
    """The first 64 bits of a tool's id."""
    return int(tool_id[:16], 16)
