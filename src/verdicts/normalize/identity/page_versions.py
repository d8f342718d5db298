"""Page versions: one rendering of a comparison page in one snapshot, with address and tools resolved.

A snapshot without new content gives no version.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import structs

from verdicts.corpus.enumerations import SIDES, Rendering, Side
from verdicts.extract.model.records import Card, Comparison, Decision, MissingTake, Observation, Take
from verdicts.extract.panel.profile import Profiles, SiteProfile, sizes_with_pct
from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.model.url_state import Absence, Absences, is_gone
from verdicts.normalize.identity.ids import Identity, ToolPair
from verdicts.normalize.identity.page_addresses import exchange_sides
from verdicts.normalize.parse.typed_page import TypedComparison, type_comparison

RICHNESS = {"html": 2, "innertext": 1, "quotes": 0}
"""Of two renderings on the same crawl day, the richer one counts."""

_CONTENT: dict[type, tuple[str, ...]] = {
    record: tuple(field.name for field in fields(record) if field.name != "span")
    for record in (Card, Decision, Take, MissingTake)
}


class Interval(NamedTuple):
    """A half-open period. `until` is None while it has no end."""

    since: datetime
    until: datetime | None


Intervals: TypeAlias = tuple[Interval, ...]


class VersionHead(msgspec.Struct, frozen=True, array_like=True):
    """A page version without its content: what takes and tools need to know about it.

    `source` is the snapshot's own address; `host` is that of the page, None without an address. `tool_ids` are the
    tools A and B. `crawl` orders the versions of one page (`find_effective_crawl`), `crawl_day` those of several pages.
    `profile` is the name of the site's profile. `sizes` are the possible numbers of takes of the panels of A and B,
    ascending. `is_standing`: it is the newest of its page and rendering, and the page is not gone. `shown`: when the
    page showed it, to its next reading with as many takes as its votes say, and without the time at which it was gone.
    """

    page_id: str
    source: str
    host: str | None
    tool_ids: ToolPair
    crawl: str
    fetched_at: datetime
    sha256: str
    location: Location
    rendering: Rendering
    profile: str
    title: str
    sizes: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    is_standing: bool = False
    shown: Intervals = ()

    @property
    def crawl_day(self) -> str:
        return _cut_day(self.crawl)

    @property
    def freshness(self) -> tuple[str, int, str, str, str]:
        """Sort key from the oldest and poorest to the newest and richest version.

        Within a day neither moment nor crawl orders different pages, because a day may come in batches.
        """
        return (self.crawl_day, RICHNESS[self.rendering], self.source, self.crawl, self.sha256)

    def find_tool(self, side: Side) -> str:
        return self.tool_ids[SIDES.index(side)]


@dataclass(frozen=True, slots=True)
class PageVersion:
    """A page in one snapshot, with known tools.

    `address` is the one that last answered with it. `comparison` has the values of `printed`, `profile` the site's
    words.
    """

    head: VersionHead
    identity: Identity
    address: str | None
    printed: Comparison
    comparison: TypedComparison
    profile: SiteProfile


def find_effective_crawl(observation: Observation) -> str:
    """The crawl of a snapshot; for an archived snapshot that is older than its crawl, the time of fetching.

    Within a crawl the time of fetching is chance and orders nothing.
    """
    moment = f"{observation.fetched_at:%Y%m%dT%H%M%SZ}"
    return moment if moment < observation.crawl_id[: len(moment)] else observation.crawl_id


def _cut_day(crawl: str) -> str:
    return crawl[:8]


def make_observation_key(observation: Observation) -> tuple[str, str, str, str, str, int]:
    """Sort key from the oldest crawl day to the newest; within a day by address, from the oldest to the newest."""
    crawl = find_effective_crawl(observation)
    location = observation.location
    return (_cut_day(crawl), observation.url, crawl, observation.sha256, location.segment, location.offset)


def make_versions(
    identities: Iterable[Identity],
    observations: Iterable[Observation],
    comparisons: Mapping[Location, TypedComparison],
    gone: Mapping[str, Absences],
    profiles: Profiles,
) -> dict[str, list[PageVersion]]:
    """The versions of every page by page id, oldest first.

    Observations without an identity are ignored. `comparisons` are by location; `gone` says when pages were gone, by
    address.
    """
    by_location = {identity.location: identity for identity in identities}
    versions: dict[str, list[PageVersion]] = defaultdict(list)
    for item in observations:
        identity = by_location.pop(item.location, None)
        if identity is not None and isinstance(item.extracted, Comparison):
            typed, profile = comparisons[item.location], profiles[item.extracted.profile]
            version = _make_version(item, item.extracted, typed, identity, profile)
            versions[identity.page_id].append(version)
    return {page_id: _settle_page(of_page, gone) for page_id, of_page in versions.items()}


def _make_version(
    item: Observation,
    printed: Comparison,
    comparison: TypedComparison,
    identity: Identity,
    profile: SiteProfile,
) -> PageVersion:
    if identity.is_other_way:
        # A reject names the take by its number as printed; the version has its sides exchanged.
        printed = exchange_sides(printed)
        comparison = type_comparison(printed, profile)
    first, second = (tuple(sorted(_list_panel_sizes(comparison, side, profile))) for side in range(len(SIDES)))
    head = VersionHead(
        page_id=identity.page_id,
        source=item.url,
        host=None if identity.url is None else find_host(identity.url) or None,
        tool_ids=identity.tool_ids,
        crawl=find_effective_crawl(item),
        fetched_at=item.fetched_at,
        sha256=item.sha256,
        location=item.location,
        rendering=printed.rendering,
        profile=printed.profile,
        title=printed.title,
        sizes=(first, second),
    )
    return PageVersion(head, identity, item.address, printed, comparison, profile)


def _settle_page(of_page: list[PageVersion], gone: Mapping[str, Absences]) -> list[PageVersion]:
    """The versions of a page with new content, oldest first, with `is_standing` and `intervals`."""
    of_page.sort(key=lambda version: (version.head.freshness, version.head.location))
    intervals = _find_intervals(of_page, find_page_absences(of_page, gone))
    of_page, intervals = _drop_unchanged(of_page, intervals)
    newest = {version.head.rendering: version.head.location for version in of_page}
    settled = []
    for version, times in zip(of_page, intervals, strict=True):
        head = version.head
        is_standing = newest[head.rendering] == head.location and not is_gone(gone.get(version.identity.url or "", ()))
        head = structs.replace(head, is_standing=is_standing, shown=times)
        settled.append(replace(version, head=head))
    return settled


def find_page_absences(of_page: Sequence[PageVersion], gone: Mapping[str, Absences]) -> Absences:
    """When a page was gone. Its versions come oldest first."""
    absences = gone.get(of_page[-1].identity.url or "", ())
    if not is_gone(absences):
        return absences
    # A rebuilt state may not know since when.
    newest = max(version.head.fetched_at for version in of_page)
    return (*absences[:-1], Absence(max(absences[-1].since, newest)))


def _find_intervals(of_page: Sequence[PageVersion], absences: Absences) -> list[Intervals]:
    """When the page showed each version. Versions come oldest first; one without a scorecard shows nothing.

    A rendering may lose the scorecard, and a reading may lose takes: neither ends what was shown before.
    """
    intervals: list[Intervals] = []
    until = None
    for version in reversed(of_page):
        times: Intervals = ()
        if version.comparison.takes or version.printed.missing_takes:
            since = version.head.fetched_at
            if until is None or since < until:
                times = cut_absences(Interval(since, until), absences)
            if has_whole_panels(version):
                # The richer rendering of a day counts, even if it is older.
                until = since if until is None else min(since, until)
        intervals.append(times)
    return intervals[::-1]


def has_whole_panels(version: PageVersion) -> bool:
    """Whether there are at least as many takes as the votes or percentages say. Otherwise `discrepancies` has a row."""
    takes = version.comparison.takes
    least = [min(sizes, default=0) for sizes in version.head.sizes]
    if all(take.side for take in takes):
        return all(sum(take.side == side for take in takes) >= size for side, size in zip(SIDES, least, strict=True))
    return len(takes) >= sum(least)


def cut_absences(time: Interval, absences: Absences) -> Intervals:
    """The interval without the times at which the page was gone."""
    parts, since = list[Interval](), time.since
    for absence in absences:
        if time.until is not None and absence.since >= time.until:
            break
        if absence.since > since:
            parts.append(Interval(since, absence.since))
        if absence.until is None:
            return tuple(parts)
        since = max(since, absence.until)
    if time.until is None or since < time.until:
        parts.append(Interval(since, time.until))
    return tuple(parts)


def _list_panel_sizes(comparison: TypedComparison, side: int, profile: SiteProfile) -> frozenset[int]:
    """The possible numbers of takes of a side's panel (0 for A, 1 for B), from its votes or its percentage.

    Every size is possible if the page shows neither.
    """
    if comparison.decisions:
        panel = comparison.decisions[side].panel
        if panel.ship_votes is not None and panel.skip_votes is not None:
            return frozenset({panel.ship_votes + panel.skip_votes})
    return sizes_with_pct(comparison.cards[side].panel_ship_pct, profile.scorecard.panel_size_max)


def _drop_unchanged(
    versions: list[PageVersion], intervals: list[Intervals]
) -> tuple[list[PageVersion], list[Intervals]]:
    """Drops a version with the same content as the previous version of its rendering, which keeps its times."""
    if len(versions) == 1:
        return versions, intervals
    latest: dict[str, int] = {}
    changed: list[PageVersion] = []
    changed_intervals: list[Intervals] = []
    for version, times in zip(versions, intervals, strict=True):
        rendering = version.head.rendering
        index = latest.get(rendering)
        if index is None or _list_content(changed[index].printed) != _list_content(version.printed):
            latest[rendering] = len(changed)
            changed.append(version)
            changed_intervals.append(times)
        else:
            changed_intervals[index] += times
            changed[index] = replace(changed[index], address=version.address)
    return changed, changed_intervals


def _list_content(printed: Comparison) -> tuple[object, ...]:
    """The content of a comparison as printed, without block numbers, and what its reading left in doubt."""
    parts = (*printed.cards, *printed.decisions, *printed.takes, *printed.missing_takes)
    doubted = frozenset((doubt.rule, doubt.side) for doubt in printed.doubts)
    return (printed.title, doubted, *(tuple(getattr(part, name) for name in _CONTENT[type(part)]) for part in parts))
