"""Views: comparison pages with their address and tools worked out. The first step of normalization.

A view is one rendering of one page as one snapshot showed it. A snapshot that shows nothing new gives no view.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from urllib.parse import urlsplit

from extract.model.records import Card, Comparison, Decision, MissingTake, Observation, Side, Take
from extract.panel.profile import Profiles, SiteProfile
from extract.panel.profile_files import SHIPPED
from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.snapshot import Location, has_address
from normalize.identity.ids import address_page_id, pair_page_id
from normalize.identity.tool_identity import Alias, Identity, Sheet, ToolPair, identify
from normalize.parse.corpus_words import in_corpus_words
from normalize.parse.slugs import SlugPair

RICHNESS = {"html": 2, "innertext": 1, "quotes": 0}
"""Of two renderings of one crawl, the one that carries more speaks first."""

SIDES: tuple[Side, Side] = ("a", "b")

_CONTENT: dict[type, tuple[str, ...]] = {
    record: tuple(item.name for item in fields(record) if item.name != "span")
    for record in (Card, Decision, Take, MissingTake)
}


@dataclass(frozen=True, slots=True)
class View:
    """`source` is the snapshot's own address; `url` and `host` the page's, None where it has none.

    `tools` are the ids of A and B, `named` those their names alone would give. `crawl` orders the views of one page in
    time (see `crawl_of`), `era`, its day, the views of several; `night` is when it first came in (see `night_of`).
    """

    page_id: str
    source: str
    url: str | None
    host: str | None
    tools: ToolPair
    named: ToolPair
    slugs: SlugPair | None
    comparison: Comparison
    """In the corpus' words (see `in_corpus_words`)."""
    profile: SiteProfile
    """What its lines of text are read with."""
    crawl: str
    night: str
    fetched_at: datetime
    sha256: str
    location: Location

    @property
    def era(self) -> str:
        return _day(self.crawl)

    @property
    def freshness(self) -> tuple[str, int, str, str, str]:
        """Sorts views from the oldest and poorest to the newest and richest, whatever order they came in.

        Of several pages of a day, neither the moment nor the crawl says which is newer: a night may come in batches.
        """
        return (self.era, RICHNESS[self.comparison.rendering], self.source, self.crawl, self.sha256)

    def tool(self, side: Side) -> str:
        """The tool on a side."""
        return self.tools[SIDES.index(side)]


@dataclass(frozen=True, slots=True)
class Home:
    """The page that a snapshot shows. A dump of an addressed page gains that page's address and slugs."""

    page_id: str
    url: str | None
    slugs: SlugPair | None


def crawl_of(item: Observation) -> str:
    """The crawl that fetched it. Older than its crawl is what an archive brought in: that stands at its own time.

    Within a crawl the moment of fetching is chance, so nothing is ordered by it.
    """
    moment = f"{item.fetched_at:%Y%m%dT%H%M%SZ}"
    return moment if moment < item.crawl_id[: len(moment)] else item.crawl_id


def night_of(item: Observation) -> str:
    """The day its crawl began, UTC: `20261101`. What was fetched or ingested in one night, in however many batches."""
    return _day(item.crawl_id)


def _day(crawl: str) -> str:
    return crawl[:8]


def order_of(item: Observation) -> tuple[str, str, str, str, str, int]:
    """Sorts observations from the oldest day to the newest, and those of one address from the oldest to the newest."""
    crawl = crawl_of(item)
    return (_day(crawl), item.url, crawl, item.sha256, item.location.segment, item.location.offset)


def read_views(observations: Iterable[Observation], profiles: Profiles = SHIPPED) -> tuple[list[View], list[Alias]]:
    """Gives every comparison its page and its tools; views come oldest first, in whatever order the records came."""
    seen = [
        (item, in_corpus_words(item.extracted, profiles[item.extracted.profile]))
        for item in observations
        if isinstance(item.extracted, Comparison)
    ]
    seen.sort(key=lambda pair: order_of(pair[0]))
    sheets = [_sheet(item, comparison, profiles[comparison.profile]) for item, comparison in seen]
    identities, aliases = identify(sheets)
    identities = _settled(sheets, identities)
    homes = _homes(sheets, identities)
    views = []
    for (item, comparison), sheet, identity in zip(seen, sheets, identities, strict=True):
        home = homes[sheet.url or identity.tools]
        views.append(
            View(
                page_id=home.page_id,
                source=item.url,
                url=home.url,
                host=None if home.url is None else urlsplit(home.url).hostname,
                tools=identity.tools,
                named=identity.named,
                slugs=home.slugs,
                comparison=comparison,
                profile=sheet.profile,
                crawl=crawl_of(item),
                night=night_of(item),
                fetched_at=item.fetched_at,
                sha256=item.sha256,
                location=item.location,
            )
        )
    views.sort(key=lambda view: view.freshness)
    return _without_repeats(views), aliases


def _sheet(item: Observation, comparison: Comparison, profile: SiteProfile) -> Sheet:
    return Sheet(item.url, night_of(item), page_url(item.url, comparison, profile), comparison, profile)


def page_url(source: str, comparison: Comparison, profile: SiteProfile) -> str | None:
    """The page's address. `rel=canonical` is believed only within the host that serves the page."""
    if not has_address(source):
        return None
    if comparison.canonical_url is None:
        return source
    try:
        canonical = canonicalize(comparison.canonical_url, source)
    except BadUrl:
        return source
    here, there = urlsplit(source), urlsplit(canonical)
    is_trusted = (here.scheme, here.netloc) == (there.scheme, there.netloc) and there.path.startswith(
        profile.addresses.comparison_path
    )
    return canonical if is_trusted else source


def _settled(sheets: Sequence[Sheet], identities: Sequence[Identity]) -> list[Identity]:
    """One identity an address: the oldest with clear slugs, else the oldest. A new tagline changes no page's tools."""
    settled: dict[str, Identity] = {}
    for sheet, identity in zip(sheets, identities, strict=True):
        if sheet.url is not None:
            before = settled.get(sheet.url, identity)
            settled[sheet.url] = identity if identity.is_clear and not before.is_clear else before
    return [settled[sheet.url] if sheet.url else own for sheet, own in zip(sheets, identities, strict=True)]


def _homes(sheets: Sequence[Sheet], identities: Sequence[Identity]) -> Mapping[str | ToolPair, Home]:
    """The page, by address or, for a snapshot without one, by its two tools.

    Such a page is a rendering of the one addressed page that compares the same tools in the same order, if there is.
    """
    homes: dict[str | ToolPair, Home] = {}
    addressed: dict[ToolPair, set[str]] = defaultdict(set)
    for sheet, identity in zip(sheets, identities, strict=True):
        if sheet.url is not None:
            addressed[identity.tools].add(sheet.url)
            homes[sheet.url] = Home(address_page_id(sheet.url), sheet.url, identity.slugs)
    for sheet, identity in zip(sheets, identities, strict=True):
        if sheet.url is None and identity.tools not in homes:
            urls = addressed.get(identity.tools, set())
            is_one = len(urls) == 1
            # The oldest dump names the page by its own names, so a claim of one of its tools does not rename it.
            own = Home(pair_page_id(*identity.named), None, None)
            homes[identity.tools] = homes[next(iter(urls))] if is_one else own
    return homes


def _without_repeats(views: Sequence[View]) -> list[View]:
    """Drops a view that says what its page, in this rendering, said the last time: other bytes, the same words."""
    last: dict[tuple[str, str], int] = {}
    fresh: list[View] = []
    for view in views:
        key = (view.page_id, view.comparison.rendering)
        before = last.get(key)
        if before is None or _content(fresh[before].comparison) != _content(view.comparison):
            last[key] = len(fresh)
            fresh.append(view)
        elif view.night < fresh[before].night:
            # An archive brought in later may be older than what it repeats; that has been known since it came in.
            fresh[before] = replace(fresh[before], night=view.night)
    return fresh


def _content(comparison: Comparison) -> tuple[object, ...]:
    """All that a comparison says, without the numbers of the blocks it was read from."""
    parts = (*comparison.cards, *comparison.decisions, *comparison.takes, *comparison.missing_takes)
    return (comparison.title, *(tuple(getattr(part, name) for name in _CONTENT[type(part)]) for part in parts))
