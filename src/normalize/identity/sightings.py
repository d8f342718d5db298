"""Sightings: all that identity needs of a snapshot of a comparison, without its takes."""

import hashlib
from dataclasses import replace

import msgspec

from verdicts.extract.model.records import Card, Comparison, Observation
from verdicts.extract.panel.profile import Profiles
from verdicts.fetch.model.addresses.web_address import host_of
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.identity.ids import ToolPair, card_name_id
from verdicts.normalize.identity.page_identity import page_url
from verdicts.normalize.identity.page_versions import effective_crawl, ingest_day_of
from verdicts.normalize.identity.sides import is_turned
from verdicts.normalize.parse.corpus_words import in_corpus_words
from verdicts.normalize.parse.slugs import Cut, possible_cuts


class SeenCard(msgspec.Struct, frozen=True, array_like=True):
    """Of a card, what tells tools apart. `description` is a digest of it."""

    name: str
    tagline: str | None
    slug: str | None
    description: str | None


class Sighting(msgspec.Struct, frozen=True, array_like=True):
    """A snapshot of a comparison. `source` is its own address; `url` is that of its page, None without one.

    `host` is that of `url`, else empty. `cuts` are the ways to cut `url` in two slugs; `is_turned`: the tool of the
    second half is A. `crawl` and `ingest_day` are as a page version has them, `name_ids` the ids by the names of A
    and B alone.
    """

    location: Location
    source: str
    ingest_day: str
    crawl: str
    sha256: str
    url: str | None
    host: str
    cuts: tuple[Cut, ...]
    is_turned: bool
    name_ids: ToolPair
    cards: tuple[SeenCard, SeenCard]

    @property
    def order(self) -> tuple[str, str, str, str, str, int]:
        """Sort key: from the oldest crawl day to the newest, and those of one address from the oldest to the newest."""
        where = self.location
        return (self.crawl[:8], self.source, self.crawl, self.sha256, where.segment, where.offset)


def sighting_of(observation: Observation, profiles: Profiles) -> Sighting | None:
    """What a snapshot says of its page and tools; None where it shows no comparison."""
    if not isinstance(observation.extracted, Comparison):
        return None
    words = in_corpus_words(observation.extracted, profiles[observation.extracted.profile])
    return sighting(replace(observation, extracted=words), profiles)


def sighting(observation: Observation, profiles: Profiles) -> Sighting:
    """What a snapshot of a comparison, in corpus words, says of its page and tools. Raises `TypeError`."""
    comparison = observation.extracted
    if not isinstance(comparison, Comparison):
        raise TypeError(f"{observation.url} is no comparison")
    profile = profiles[comparison.profile]
    day, url = ingest_day_of(observation), page_url(observation.url, comparison, profile)
    cuts = () if url is None else tuple(possible_cuts(url, profile))
    first, second = comparison.cards
    return Sighting(
        location=observation.location,
        source=observation.url,
        ingest_day=day,
        crawl=effective_crawl(observation),
        sha256=observation.sha256,
        url=url,
        host="" if url is None else host_of(url),
        cuts=cuts,
        is_turned=bool(cuts) and is_turned(comparison, cuts),
        name_ids=(card_name_id(first, observation.url), card_name_id(second, observation.url)),
        cards=(_card(first), _card(second)),
    )


def _card(card: Card) -> SeenCard:
    said = card.description
    digest = (
        None if said is None else hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    )
    return SeenCard(card.name, card.tagline, card.slug, digest)
