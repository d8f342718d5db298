"""Page versions: comparison pages with their address and tools resolved, and the head of each without its content.

A page version is one rendering of one page as one snapshot showed it. A snapshot that shows nothing new gives none.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime

import msgspec
from msgspec import structs

from verdicts.corpus.columns import BIGINT_MOST
from verdicts.corpus.enumerations import SIDES, Rendering, Side
from verdicts.extract.model.records import Card, Comparison, Decision, MissingTake, Observation, Take
from verdicts.extract.panel.profile import Profiles, SiteProfile, sizes_with_pct
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.identity.addresses import SlugPair, turned
from verdicts.normalize.identity.ids import Identity, ToolAlias, ToolPair, known_as
from verdicts.normalize.parse.values import in_corpus_words, percent, readable, verdict_line

RICHNESS = {"html": 2, "innertext": 1, "quotes": 0}
"""Of two renderings of one crawl day, the one with more fields takes precedence."""

_CONTENT: dict[type, tuple[str, ...]] = {
    record: tuple(field.name for field in fields(record) if field.name != "span")
    for record in (Card, Decision, Take, MissingTake)
}


class VersionHead(msgspec.Struct, frozen=True, array_like=True):
    """A page version without what its page says: what takes and tools need to know of where they stand.

    `source` is the snapshot's own address; `host` is the page's, None where it has none. `tool_ids` are the tools A and
    B; `early_ids` those that they were known as on the day the version came in (`ingest_day_of`). `crawl` orders the
    versions of one page in time (`effective_crawl`), `crawl_day` those of several pages. `profile` names the site's
    words. `sizes` are how many takes the panels of A and of B can have given by what the version itself shows,
    ascending. `is_standing`: it is the newest of its page and rendering, and the page is not gone.
    """

    page_id: str
    source: str
    host: str | None
    tool_ids: ToolPair
    early_ids: ToolPair
    crawl: str
    ingest_day: str
    fetched_at: datetime
    sha256: str
    location: Location
    rendering: Rendering
    profile: str
    title: str
    sizes: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    is_standing: bool = False

    @property
    def crawl_day(self) -> str:
        return _day(self.crawl)

    @property
    def freshness(self) -> tuple[str, int, str, str, str]:
        """Sorts versions from the oldest and poorest to the newest and richest, whatever order they came in.

        Of several pages of a day, neither the moment nor the crawl says which is newer: a day may come in batches.
        """
        return (self.crawl_day, RICHNESS[self.rendering], self.source, self.crawl, self.sha256)

    def tool(self, side: Side) -> str:
        """The id of the tool on a side."""
        return self.tool_ids[SIDES.index(side)]


@dataclass(frozen=True, slots=True)
class PageVersion:
    """A page as one snapshot showed it, with its tools known.

    `url` is the page's address, None where it has none. `comparison` is in the corpus' own words, `profile` has the
    site's, to parse its strings with.
    """

    head: VersionHead
    url: str | None
    slugs: SlugPair | None
    comparison: Comparison
    profile: SiteProfile


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
    identities: Iterable[Identity],
    observations: Iterable[Observation],
    aliases: Mapping[str, ToolAlias],
    gone: Collection[str],
    profiles: Profiles,
) -> dict[str, list[PageVersion]]:
    """The versions of every page of these identities, by page id and oldest first.

    `observations` are those of the identities' locations and maybe others; one without an identity counts nothing.
    `aliases` are by alias id, `gone` are addresses that are gone for good.
    """
    by_location = {identity.location: identity for identity in identities}
    versions: dict[str, list[PageVersion]] = defaultdict(list)
    for item in observations:
        identity = by_location.pop(item.location, None)
        if identity is not None and isinstance(item.extracted, Comparison):
            versions[identity.page_id].append(_identified(item, item.extracted, identity, aliases, profiles))
    return {page_id: _settled(of_page, gone) for page_id, of_page in versions.items()}


def _identified(
    item: Observation,
    extracted: Comparison,
    identity: Identity,
    aliases: Mapping[str, ToolAlias],
    profiles: Profiles,
) -> PageVersion:
    profile = profiles[extracted.profile]
    comparison = in_corpus_words(extracted, profile)
    day = ingest_day_of(item)
    (a, b), (name_a, name_b) = identity.tool_ids, identity.name_ids
    head = VersionHead(
        page_id=identity.page_id,
        source=item.url,
        host=None if identity.url is None else host_of(identity.url) or None,
        tool_ids=identity.tool_ids,
        early_ids=(known_as(aliases, name_a, a, day), known_as(aliases, name_b, b, day)),
        crawl=effective_crawl(item),
        ingest_day=day,
        fetched_at=item.fetched_at,
        sha256=item.sha256,
        location=item.location,
        rendering=extracted.rendering,
        profile=extracted.profile,
        title=extracted.title,
    )
    comparison = turned(comparison) if identity.is_other_way else comparison
    return PageVersion(head, identity.url, identity.slugs, comparison, profile)


def _settled(of_page: list[PageVersion], gone: Collection[str]) -> list[PageVersion]:
    """The versions of a page, oldest first, that show something new; which of them stand, and the sizes they show."""
    if len(of_page) > 1:
        of_page.sort(key=lambda version: (version.head.freshness, version.head.location))
        of_page = _without_unchanged(of_page)
    newest = {version.head.rendering: version.head.location for version in of_page}
    settled = []
    for version in of_page:
        head = version.head
        # What is sent has 64 bits, and a page may say "1 ship / 1000000000000000000000000000001 skip".
        first, second = (
            tuple(sorted({min(size, BIGINT_MOST) for size in sizes_shown(version.comparison, side, version.profile)}))
            for side in range(len(SIDES))
        )
        is_standing = newest[head.rendering] == head.location and version.url not in gone
        settled.append(replace(version, head=structs.replace(head, sizes=(first, second), is_standing=is_standing)))
    return settled


def sizes_shown(comparison: Comparison, side: int, profile: SiteProfile) -> frozenset[int]:
    """How many takes the panel of a side (0 for A, 1 for B) can have given, by its votes, else by its percentage.

    Every size where the page shows neither.
    """
    if comparison.decisions:
        line = readable(verdict_line, comparison.decisions[side].verdict, profile)
        if line.ship_votes is not None and line.skip_votes is not None:
            return frozenset({line.ship_votes + line.skip_votes})
    return sizes_with_pct(readable(percent, comparison.cards[side].panel_ship), profile.scorecard.panel_size_max)


def _without_unchanged(versions: Sequence[PageVersion]) -> list[PageVersion]:
    """Drops a version with the same content as the one before it in the same rendering."""
    latest: dict[str, int] = {}
    changed: list[PageVersion] = []
    for version in versions:
        rendering, day = version.head.rendering, version.head.ingest_day
        index = latest.get(rendering)
        if index is None or _content(changed[index].comparison) != _content(version.comparison):
            latest[rendering] = len(changed)
            changed.append(version)
        elif day < changed[index].head.ingest_day:
            # An archive ingested later may be older than what it repeats: the content is known since the earlier day.
            changed[index] = replace(changed[index], head=structs.replace(changed[index].head, ingest_day=day))
    return changed


def _content(comparison: Comparison) -> tuple[object, ...]:
    """Everything a comparison says, without the block numbers it was read from."""
    parts = (*comparison.cards, *comparison.decisions, *comparison.takes, *comparison.missing_takes)
    return (comparison.title, *(tuple(getattr(part, name) for name in _CONTENT[type(part)]) for part in parts))


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
