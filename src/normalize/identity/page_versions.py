"""Page versions: comparison pages with their address and tools resolved, and the head of each without its content.

A page version is one rendering of one page as one snapshot showed it. A snapshot that shows nothing new gives none.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime

import msgspec

from verdicts.corpus.enumerations import SIDES, Rendering, Side
from verdicts.extract.model.records import Card, Comparison, Decision, MissingTake, Observation, Take
from verdicts.extract.panel.profile import SHIPPED, Profiles, SiteProfile
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.identity.addresses import SlugPair, turned
from verdicts.normalize.identity.ids import Identity, ToolPair
from verdicts.normalize.parse.values import in_corpus_words

RICHNESS = {"html": 2, "innertext": 1, "quotes": 0}
"""Of two renderings of one crawl day, the one with more fields takes precedence."""

_CONTENT: dict[type, tuple[str, ...]] = {
    record: tuple(field.name for field in fields(record) if field.name != "span")
    for record in (Card, Decision, Take, MissingTake)
}


@dataclass(frozen=True, slots=True)
class PageVersion:
    """`source` is the snapshot's own address; `url` and `host` are the page's, None where it has none.

    `tool_ids` are the tools A and B, `name_ids` the ids that their names alone would give. `crawl` orders the versions
    of one page in time (see `effective_crawl`), `crawl_day` those of several pages; `ingest_day` is the day the version
    first came in (see `ingest_day_of`).
    """

    page_id: str
    source: str
    url: str | None
    host: str | None
    tool_ids: ToolPair
    name_ids: ToolPair
    slugs: SlugPair | None
    comparison: Comparison
    """In the corpus' own words, see `in_corpus_words`."""
    profile: SiteProfile
    """The site's words, to parse the comparison's strings with."""
    crawl: str
    ingest_day: str
    fetched_at: datetime
    sha256: str
    location: Location

    @property
    def crawl_day(self) -> str:
        return _day(self.crawl)

    @property
    def freshness(self) -> tuple[str, int, str, str, str]:
        """Sorts versions from the oldest and poorest to the newest and richest, whatever order they came in.

        Of several pages of a day, neither the moment nor the crawl says which is newer: a day may come in batches.
        """
        return (self.crawl_day, RICHNESS[self.comparison.rendering], self.source, self.crawl, self.sha256)

    def tool(self, side: Side) -> str:
        """The id of the tool on a side."""
        return self.tool_ids[SIDES.index(side)]


def effective_crawl(observation: Observation) -> str:
    """The crawl that fetched it; for archived snapshots, fetched before their crawl began, the moment of fetching.

    Within a crawl the moment of fetching is chance, so nothing is ordered by it.
    """
    moment = f"{observation.fetched_at:%Y%m%dT%H%M%SZ}"
    return moment if moment < observation.crawl_id[: len(moment)] else observation.crawl_id


def ingest_day_of(observation: Observation) -> str:
    """The UTC day its crawl or ingest began, as `20261101`. A day's observations belong together in any batches."""
    return _day(observation.crawl_id)


def _day(crawl: str) -> str:
    return crawl[:8]


def observation_order(observation: Observation) -> tuple[str, str, str, str, str, int]:
    """Sort key: from the oldest crawl day to the newest, and those of one address from the oldest to the newest."""
    crawl = effective_crawl(observation)
    location = observation.location
    return (_day(crawl), observation.url, crawl, observation.sha256, location.segment, location.offset)


def versions_by_page(
    identities: Iterable[Identity], observations: Iterable[Observation], profiles: Profiles = SHIPPED
) -> dict[str, list[PageVersion]]:
    """The versions of every page of these identities, by page id and oldest first.

    `observations` are those of the identities' locations and maybe others; one without an identity counts nothing.
    """
    of_place = {identity.location: identity for identity in identities}
    versions: dict[str, list[PageVersion]] = defaultdict(list)
    for item in observations:
        identity = of_place.pop(item.location, None)
        if identity is not None and isinstance(item.extracted, Comparison):
            versions[identity.page_id].append(_identified(item, item.extracted, identity, profiles))
    for page_id, of_page in versions.items():
        if len(of_page) > 1:
            of_page.sort(key=lambda version: (version.freshness, version.location))
            versions[page_id] = _without_unchanged(of_page)
    return versions


def _identified(item: Observation, extracted: Comparison, identity: Identity, profiles: Profiles) -> PageVersion:
    profile = profiles[extracted.profile]
    comparison = in_corpus_words(extracted, profile)
    return PageVersion(
        page_id=identity.page_id,
        source=item.url,
        url=identity.url,
        host=None if identity.url is None else host_of(identity.url) or None,
        tool_ids=identity.tool_ids,
        name_ids=identity.name_ids,
        slugs=identity.slugs,
        comparison=turned(comparison) if identity.is_other_way else comparison,
        profile=profile,
        crawl=effective_crawl(item),
        ingest_day=ingest_day_of(item),
        fetched_at=item.fetched_at,
        sha256=item.sha256,
        location=item.location,
    )


def _without_unchanged(versions: Sequence[PageVersion]) -> list[PageVersion]:
    """Drops a version with the same content as the one before it, of the same page and rendering."""
    latest: dict[tuple[str, str], int] = {}
    changed: list[PageVersion] = []
    for version in versions:
        key = (version.page_id, version.comparison.rendering)
        index = latest.get(key)
        if index is None or _content(changed[index].comparison) != _content(version.comparison):
            latest[key] = len(changed)
            changed.append(version)
        elif version.ingest_day < changed[index].ingest_day:
            # An archive ingested later may be older than what it repeats: the content is known since the earlier day.
            changed[index] = replace(changed[index], ingest_day=version.ingest_day)
    return changed


def _content(comparison: Comparison) -> tuple[object, ...]:
    """Everything a comparison says, without the block numbers it was read from."""
    parts = (*comparison.cards, *comparison.decisions, *comparison.takes, *comparison.missing_takes)
    return (comparison.title, *(tuple(getattr(part, name) for name in _CONTENT[type(part)]) for part in parts))


class VersionHead(msgspec.Struct, frozen=True, array_like=True):
    """`tool_ids` are the tools A and B; `early_ids` those that they were known as on the day the version came in.

    `slugs` are those of A and B, None where they are not certain. `profile` names the site's words. `crawl` orders the
    versions of one page in time, `crawl_day` those of several pages. `sizes` are how many takes the panels of A and of
    B can have given by what the version itself shows (`attribution.panel_sizes.sizes_shown`), ascending.
    `is_standing`: it is the newest of its page and rendering, and the page is not gone.
    """

    page_id: str
    source: str
    url: str | None
    host: str | None
    tool_ids: ToolPair
    early_ids: ToolPair
    slugs: ToolPair | None
    crawl: str
    ingest_day: str
    fetched_at: datetime
    sha256: str
    location: Location
    rendering: Rendering
    profile: str
    title: str
    sizes: tuple[tuple[int, ...], tuple[int, ...]]
    is_standing: bool

    @property
    def crawl_day(self) -> str:
        return self.crawl[:8]

    @property
    def freshness(self) -> tuple[str, int, str, str, str]:
        """Sorts versions from the oldest and poorest to the newest and richest, whatever order they came in."""
        return (self.crawl_day, RICHNESS[self.rendering], self.source, self.crawl, self.sha256)

    def tool(self, side: Side) -> str:
        """The id of the tool on a side."""
        return self.tool_ids[SIDES.index(side)]


class ToolDay(msgspec.Struct, frozen=True, array_like=True):
    """A page version with takes that shows a tool. `tool_day` is of the tool and the crawl day."""

    tool_day: str
    page_id: str
    location: Location
    freshness: tuple[str, int, str, str, str]
    fetched_at: datetime


def tool_day(tool_id: str, crawl_day: str) -> str:
    """A tool on a crawl day."""
    return f"{tool_id}{crawl_day}"


def split_day(of_tool: str) -> tuple[str, str]:
    """The tool and the crawl day."""
    return of_tool[:-8], of_tool[-8:]
