"""Page versions: one rendering of a comparison page in one snapshot, with address and tools resolved.

A snapshot without new content gives no version.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime

import msgspec
from msgspec import structs

from verdicts.corpus.enumerations import SIDES, Rendering, Side
from verdicts.extract.model.records import Card, Comparison, Decision, MissingTake, Observation, Take
from verdicts.extract.panel.profile import Profiles, SiteProfile, sizes_with_pct
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.identity.addresses import SlugPair, turned
from verdicts.normalize.identity.ids import Identity, ToolAlias, ToolPair, known_as
from verdicts.normalize.parse.typed_page import TypedComparison, type_comparison

RICHNESS = {"html": 2, "innertext": 1, "quotes": 0}
"""Of two renderings on the same crawl day, the richer one counts."""

_CONTENT: dict[type, tuple[str, ...]] = {
    record: tuple(field.name for field in fields(record) if field.name != "span")
    for record in (Card, Decision, Take, MissingTake)
}


class VersionHead(msgspec.Struct, frozen=True, array_like=True):
    """A page version without its content: what takes and tools need to know about it.

    `source` is the snapshot's own address; `host` is that of the page, None without an address. `tool_ids` are the
    tools A and B, `early_ids` their ids on the ingest day. `crawl` orders the versions of one page (`effective_crawl`),
    `crawl_day` those of several pages. `profile` is the name of the site's profile. `sizes` are the possible numbers of
    takes of the panels of A and B, ascending. `is_standing`: it is the newest of its page and rendering, and the page
    is not gone.
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
        """Sort key from the oldest and poorest to the newest and richest version.

        Within a day neither moment nor crawl orders different pages, because a day may come in batches.
        """
        return (self.crawl_day, RICHNESS[self.rendering], self.source, self.crawl, self.sha256)

    def tool(self, side: Side) -> str:
        return self.tool_ids[SIDES.index(side)]


@dataclass(frozen=True, slots=True)
class PageVersion:
    """A page in one snapshot, with known tools.

    `url` is the page's key, None without one; `address` is the one that last answered with it. `comparison` has the
    values of `printed`. `profile` has the site's words. `own_ids` are its tools before corrections.
    """

    head: VersionHead
    url: str | None
    address: str | None
    slugs: SlugPair | None
    printed: Comparison
    comparison: TypedComparison
    profile: SiteProfile
    own_ids: ToolPair


def effective_crawl(observation: Observation) -> str:
    """The crawl of a snapshot; for an archived snapshot that is older than its crawl, the time of fetching.

    Within a crawl the time of fetching is chance and orders nothing.
    """
    moment = f"{observation.fetched_at:%Y%m%dT%H%M%SZ}"
    return moment if moment < observation.crawl_id[: len(moment)] else observation.crawl_id


def ingest_day_of(observation: Observation) -> str:
    """The UTC day on which its crawl or ingest began: `20261101`. Batches of one day belong together."""
    return _day(observation.crawl_id)


def _day(crawl: str) -> str:
    return crawl[:8]


def observation_order(observation: Observation) -> tuple[str, str, str, str, str, int]:
    """Sort key from the oldest crawl day to the newest; within a day by address, from the oldest to the newest."""
    crawl = effective_crawl(observation)
    location = observation.location
    return (_day(crawl), observation.url, crawl, observation.sha256, location.segment, location.offset)


def versions_by_page(
    identities: Iterable[Identity],
    observations: Iterable[Observation],
    comparisons: Mapping[Location, TypedComparison],
    aliases: Mapping[str, ToolAlias],
    gone: Collection[str],
    profiles: Profiles,
) -> dict[str, list[PageVersion]]:
    """The versions of every page by page id, oldest first.

    Observations without an identity are ignored. `comparisons` are by location, `aliases` by alias id; `gone` are
    addresses of gone pages.
    """
    by_location = {identity.location: identity for identity in identities}
    versions: dict[str, list[PageVersion]] = defaultdict(list)
    for item in observations:
        identity = by_location.pop(item.location, None)
        if identity is not None and isinstance(item.extracted, Comparison):
            typed, profile = comparisons[item.location], profiles[item.extracted.profile]
            version = _identified(item, item.extracted, typed, identity, aliases, profile)
            versions[identity.page_id].append(version)
    return {page_id: _settled(of_page, gone) for page_id, of_page in versions.items()}


def _identified(
    item: Observation,
    printed: Comparison,
    comparison: TypedComparison,
    identity: Identity,
    aliases: Mapping[str, ToolAlias],
    profile: SiteProfile,
) -> PageVersion:
    day = ingest_day_of(item)
    own_ids = identity.own_ids or identity.tool_ids
    early_a, early_b = (
        known_as(aliases, *ids, day) for ids in zip(identity.name_ids, identity.tool_ids, own_ids, strict=True)
    )
    head = VersionHead(
        page_id=identity.page_id,
        source=item.url,
        host=None if identity.url is None else host_of(identity.url) or None,
        tool_ids=identity.tool_ids,
        early_ids=(early_a, early_b),
        crawl=effective_crawl(item),
        ingest_day=day,
        fetched_at=item.fetched_at,
        sha256=item.sha256,
        location=item.location,
        rendering=printed.rendering,
        profile=printed.profile,
        title=printed.title,
    )
    if identity.is_other_way:
        # A reject names the take by its number as printed; the version has its sides exchanged.
        printed = turned(printed)
        comparison = type_comparison(printed, profile)
    return PageVersion(head, identity.url, item.address, identity.slugs, printed, comparison, profile, own_ids)


def _settled(of_page: list[PageVersion], gone: Collection[str]) -> list[PageVersion]:
    """The versions of a page with new content, oldest first, with `sizes` and `is_standing`."""
    if len(of_page) > 1:
        of_page.sort(key=lambda version: (version.head.freshness, version.head.location))
        of_page = _without_unchanged(of_page)
    newest = {version.head.rendering: version.head.location for version in of_page}
    settled = []
    for version in of_page:
        head = version.head
        first, second = (tuple(sorted(_panel_sizes(version, side))) for side in range(len(SIDES)))
        is_standing = newest[head.rendering] == head.location and version.url not in gone
        settled.append(replace(version, head=structs.replace(head, sizes=(first, second), is_standing=is_standing)))
    return settled


def _panel_sizes(version: PageVersion, side: int) -> frozenset[int]:
    """The possible numbers of takes of a side's panel (0 for A, 1 for B), from its votes or its percentage.

    Every size is possible if the page shows neither.
    """
    if version.comparison.decisions:
        panel = version.comparison.decisions[side].panel
        if panel.ship_votes is not None and panel.skip_votes is not None:
            return frozenset({panel.ship_votes + panel.skip_votes})
    pct = version.comparison.cards[side].panel_ship_pct
    return sizes_with_pct(pct, version.profile.scorecard.panel_size_max)


def _without_unchanged(versions: Sequence[PageVersion]) -> list[PageVersion]:
    """Drops a version with the same content as the previous version of its rendering."""
    latest: dict[str, int] = {}
    changed: list[PageVersion] = []
    for version in versions:
        rendering, day = version.head.rendering, version.head.ingest_day
        index = latest.get(rendering)
        if index is None or _content(changed[index].printed) != _content(version.printed):
            latest[rendering] = len(changed)
            changed.append(version)
        else:
            kept = changed[index]
            # An archive that is ingested later may be older: the content is known since the earlier day.
            day = min(day, kept.head.ingest_day)
            if (day, version.address) != (kept.head.ingest_day, kept.address):
                head = structs.replace(kept.head, ingest_day=day)
                changed[index] = replace(kept, head=head, address=version.address)
    return changed


def _content(printed: Comparison) -> tuple[object, ...]:
    """The content of a comparison as printed, without block numbers."""
    parts = (*printed.cards, *printed.decisions, *printed.takes, *printed.missing_takes)
    return (printed.title, *(tuple(getattr(part, name) for name in _CONTENT[type(part)]) for part in parts))


class ToolDay(msgspec.Struct, frozen=True, array_like=True):
    """A page version with takes that shows a tool. `tool_day` names the tool and the crawl day."""

    tool_day: str
    page_id: str
    location: Location
    freshness: tuple[str, int, str, str, str]
    fetched_at: datetime


def tool_day(tool_id: str, crawl_day: str) -> str:
    return f"{tool_id}{crawl_day}"


def split_day(of_tool: str) -> tuple[str, str]:
    """The tool and the crawl day."""
    return of_tool[:-8], of_tool[-8:]
