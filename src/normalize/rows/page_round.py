"""The page round: rows of the pages whose snapshots changed, their takes as mentions, and what they say of tools."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

from msgspec.structs import astuple

from corpus.enumerations import SIDES
from corpus.tables import TABLES
from extract.model.records import Take
from extract.panel.words.profile import Profiles
from extract.panel.words.profile_files import SHIPPED
from normalize.attribution.panel_sizes import sizes_shown
from normalize.dedup.mention_records import MENTIONS, Mention, TextIds
from normalize.identity.identity import IDENTITIES
from normalize.identity.ids import ToolPair
from normalize.identity.page_versions import PageVersion, versions_by_page
from normalize.identity.tool_days import TOOL_DAYS, ToolDay, tool_day
from normalize.identity.tool_identity import ALIASES, known_as
from normalize.identity.version_head import VERSIONS, VersionHead
from normalize.judged_reviews import DOUBTS, Doubt
from normalize.rows.consistency import discrepancy_rows
from normalize.rows.history import verdict_history_rows
from normalize.rows.merged_pages import MergedPage, merged_page
from normalize.rows.pages import card_rows, page_rows, verdict_rows
from normalize.rows.ranges import BIGINT_MOST, discrepancies_beyond, fitting
from normalize.rows.tool_reports import ToolReport, page_reports, replace_reports
from normalize.snapshots import Read
from normalize.state.relation import State

PAGES_AT_A_TIME = 2_000
"""Pages whose observations are in memory at once: those of 130,000 take two gigabytes."""

_DOUBT_KEY = attrgetter(*TABLES["discrepancies"].key)


class PageDelta(NamedTuple):
    """Rows by table: all of the given pages, unsorted.

    `texts` are the ids of texts with a mention that is new, gone or another now; `tools` those that are others now, by
    what pages say of them. `before` and `now` are all mentions of the pages.
    """

    rows: dict[str, list[Any]]
    texts: frozenset[str]
    tools: frozenset[str]
    before: Sequence[Mention]
    now: Sequence[Mention]


def page_round(
    state: State,
    pages: Collection[str],
    observed: Read,
    gone_urls: Collection[str] = (),
    profiles: Profiles = SHIPPED,
) -> PageDelta:
    """Makes pages anew: those with other snapshots or tools, and those whose address is gone now or is back.

    `observed` gives the observations at some places, as they were extracted. Reads IDENTITIES and ALIASES; writes
    VERSIONS, MENTIONS, TOOL_DAYS, REPORTS, TOOL_STATES and the DOUBTS of pages. A page without identities disappears.
    """
    texts = _Texts(TextIds(), {})
    in_order = [*pages]
    made = [
        _made(state, in_order[first : first + PAGES_AT_A_TIME], observed, gone_urls, profiles, texts)
        for first in range(0, max(1, len(in_order)), PAGES_AT_A_TIME)
    ]
    mentions = [mention for part in made for mention in part.mentions]
    rows: dict[str, list[Any]] = defaultdict(list)
    for table, some in ((table, some) for part in made for table, some in part.rows.items()):
        rows[table] += some
    before = state.find(MENTIONS, "page_id", pages)
    doubts = [Doubt(row.page_id, *astuple(row)) for row in rows["discrepancies"]]
    state.replace(VERSIONS, "page_id", pages, [head for part in made for head in part.heads])
    state.replace(MENTIONS, "page_id", pages, mentions)
    state.replace(TOOL_DAYS, "page_id", pages, [day for part in made for day in part.tool_days])
    state.replace(DOUBTS, "source", pages, doubts)
    tools = replace_reports(state, pages, [report for part in made for report in part.reports])
    return PageDelta(rows, _changed_texts(before, mentions), tools, before, mentions)


class _Texts(NamedTuple):
    """What all pages of a round have in common: ids of texts, and each value of a take once."""

    ids: TextIds
    values: dict[Any, Any]


class _Made(NamedTuple):
    """Of some pages: rows by table, and the records that they are kept as."""

    rows: dict[str, list[Any]]
    heads: Sequence[VersionHead]
    mentions: Sequence[Mention]
    tool_days: Sequence[ToolDay]
    reports: Sequence[ToolReport]


def _made(
    state: State,
    pages: Collection[str],
    observed: Read,
    gone_urls: Collection[str],
    profiles: Profiles,
    texts: _Texts,
) -> _Made:
    identities = state.find(IDENTITIES, "page_id", pages)
    versions = versions_by_page(identities, observed([identity.location for identity in identities]), profiles)
    heads = _heads(state, versions, gone_urls)
    return _Made(
        _rows([merged_page(of_page[::-1]) for of_page in versions.values()], versions, gone_urls),
        [head for of_page in heads.values() for head in of_page],
        _mentions(versions, heads, texts),
        [*_tool_days(versions)],
        [report for of_page in versions.values() for report in page_reports(of_page)],
    )


def _rows(
    pages: Sequence[MergedPage], versions: dict[str, list[PageVersion]], gone_urls: Collection[str]
) -> dict[str, list[Any]]:
    in_order = [version for of_page in versions.values() for version in of_page]
    rows, beyond = fitting(
        {
            "pages": page_rows(pages, gone_urls),
            "tool_cards": card_rows(pages),
            "verdicts": verdict_rows(pages),
            "verdict_history": verdict_history_rows(in_order),
            "discrepancies": discrepancy_rows(pages),
        }
    )
    # A contradiction that is met twice on a page counts once, as the first one.
    doubts = {_DOUBT_KEY(row): row for row in [*rows["discrepancies"], *discrepancies_beyond(beyond, {})][::-1]}
    rows["discrepancies"] = [*doubts.values()]
    return rows


def _heads(
    state: State, versions: dict[str, list[PageVersion]], gone_urls: Collection[str]
) -> dict[str, list[VersionHead]]:
    """Of every page those of its versions, in their order."""
    name_ids = {name_id for of_page in versions.values() for version in of_page for name_id in version.name_ids}
    aliases = {alias.alias_id: alias for alias in state.find(ALIASES, "alias_id", name_ids)}
    heads = {}
    for page_id, of_page in versions.items():
        newest = {version.comparison.rendering: version.location for version in of_page}
        heads[page_id] = [
            _head(
                version,
                (
                    known_as(aliases, version.name_ids[0], version.tool_ids[0], version.ingest_day),
                    known_as(aliases, version.name_ids[1], version.tool_ids[1], version.ingest_day),
                ),
                is_standing=newest[version.comparison.rendering] == version.location and version.url not in gone_urls,
            )
            for version in of_page
        ]
    return heads


def _head(version: PageVersion, early_ids: ToolPair, *, is_standing: bool) -> VersionHead:
    slugs, comparison = version.slugs, version.comparison
    shown = (sizes_shown(comparison, side, version.profile) for side in range(len(SIDES)))
    # A state keeps 64 bits, and a page may say "1 ship / 1000000000000000000000000000001 skip".
    first, second = ({min(size, BIGINT_MOST) for size in sizes} for sizes in shown)
    return VersionHead(
        page_id=version.page_id,
        source=version.source,
        url=version.url,
        host=version.host,
        tool_ids=version.tool_ids,
        early_ids=early_ids,
        slugs=None if slugs is None or slugs.is_ambiguous else (slugs.a, slugs.b),
        crawl=version.crawl,
        ingest_day=version.ingest_day,
        fetched_at=version.fetched_at,
        sha256=version.sha256,
        location=version.location,
        rendering=comparison.rendering,
        profile=comparison.profile,
        title=comparison.title,
        sizes=(tuple(sorted(first)), tuple(sorted(second))),
        is_standing=is_standing,
    )


def _mentions(
    versions: dict[str, list[PageVersion]], heads: dict[str, list[VersionHead]], texts: _Texts
) -> list[Mention]:
    mentions = []
    for page_id, of_page in versions.items():
        for version, head in zip(of_page, heads[page_id], strict=True):
            tool_ids, early_ids = version.tool_ids, head.early_ids
            # A page may show one tool on both sides; then it is labelled with what the first of them was known as.
            early = {None: None, "a": early_ids[0], "b": early_ids[tool_ids.index(tool_ids[1])]}
            label = {None: None, "a": tool_ids[0], "b": tool_ids[1]}
            mentions += [
                Mention(texts.ids.of(take.text, early_ids, early[take.side]), head, take, label[take.side])
                for take in (_shared(take, texts.values) for take in version.comparison.takes)
            ]
    return mentions


def _shared(take: Take, values: dict[Any, Any]) -> Take:
    """The take with each value that was met before as the same object: most stand on many pages."""
    same = values.setdefault
    seat, score, verdict = (same(value, value) for value in (take.seat, take.score, take.verdict))
    text, span = same(take.text, take.text), same(take.span, take.span)
    return replace(take, seat=seat, score=score, verdict=verdict, text=text, span=span)


def _changed_texts(before: Collection[Mention], now: Collection[Mention]) -> frozenset[str]:
    if not before:
        return frozenset([mention.text_id for mention in now])
    by_place = {(mention.version.location, mention.take.position): mention for mention in before}
    changed = set()
    for mention in now:
        earlier = by_place.pop((mention.version.location, mention.take.position), None)
        if earlier != mention:
            changed.add(mention.text_id)
            if earlier is not None:
                changed.add(earlier.text_id)
    return frozenset(changed).union(mention.text_id for mention in by_place.values())


def _tool_days(versions: dict[str, list[PageVersion]]) -> Iterable[ToolDay]:
    for of_page in versions.values():
        for version in of_page:
            if version.comparison.takes:
                for tool_id in {*version.tool_ids}:
                    day = tool_day(tool_id, version.crawl_day)
                    yield ToolDay(day, version.page_id, version.location, version.freshness, version.fetched_at)
