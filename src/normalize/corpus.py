"""All of normalization, in rounds: identity, pages, tools, folded texts, reviews, and the rows of each."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from corpus.tables import CORPUS_TABLES, TABLES
from extract.model.records import Observation
from extract.panel.words.profile import Profiles
from extract.panel.words.profile_files import SHIPPED
from fetch.model.snapshot import Location
from normalize.collector import without_collector
from normalize.dedup.fold_round import FoldDelta, fold_round
from normalize.dedup.mention_days import grown_texts
from normalize.dedup.mention_records import MENTIONS, TEXTS, Mention
from normalize.identity.identity import IDENTITIES, place_of
from normalize.identity.identity_round import IdentityDelta, identity_round
from normalize.identity.ids import address_page_id
from normalize.identity.sightings import Sighting, sighting_of
from normalize.identity.tool_days import TOOL_DAYS, ToolDay
from normalize.identity.tool_identity import ALIASES
from normalize.judged_reviews import DOUBTS, discrepancies
from normalize.outside.candidate_round import candidate_round, outside_tools
from normalize.reviews.review_round import Touched, review_round
from normalize.rows.address_round import address_round
from normalize.rows.aliases import lookalike_rows, review_alias_rows
from normalize.rows.page_round import PageDelta, page_round
from normalize.rows.tool_reports import REPORTS
from normalize.rows.tool_round import tool_round
from normalize.rows.tools import tool_alias_rows
from normalize.scope import Scope
from normalize.snapshots import SNAPSHOTS, KnownSnapshot, Read
from normalize.state.memory import MemoryState
from normalize.state.relation import State

NORMALIZER_VERSION = "16"
"""Raised with every change of the rules: rows made by another version are made anew."""

Corpus: TypeAlias = Mapping[str, tuple[Any, ...]]
"""Table name to its rows, each of the class that its table declares, sorted by key."""


@dataclass(frozen=True, slots=True)
class Night:
    """What is new since the last rounds: observations, which are gone through once, and snapshots that count no more.

    With another reading of a snapshot its location is `removed`. `gone` are all addresses that are gone for good
    (tombstones), `moved` those whose page is held under another one; with what they were before.
    """

    new: Iterable[Observation]
    removed: Collection[Location] = ()
    gone: frozenset[str] = frozenset()
    gone_before: frozenset[str] = frozenset()
    moved: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    moved_before: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    left_out: Collection[str] = ()
    """Addresses whose new snapshots are left out: the rows of these addresses are decided all the same."""


@without_collector()
def normalize(
    observations: Iterable[Observation],
    *,
    gone_urls: Collection[str] = (),
    moved_urls: Mapping[str, str] = MappingProxyType({}),
    profiles: Profiles = SHIPPED,
    state: State | None = None,
) -> Corpus:
    """All rows of the corpus, from every observation ever made.

    `gone_urls` are addresses that are gone for good (tombstones), `moved_urls` those whose page is held under another
    one. `profiles` are those that the observations were read with. The order of the observations does not matter, and
    one that is given twice counts once. `state`, empty, has afterwards what the next night needs.
    """
    observed = {item.location: item for item in observations}
    night = Night([*observed.values()], gone=frozenset(gone_urls), moved=moved_urls)
    rows, _ = bring(
        MemoryState() if state is None else state, night, lambda places: map(observed.__getitem__, places), profiles
    )
    return rows


def bring(
    state: State, night: Night, read: Read, profiles: Profiles = SHIPPED, all_read: Callable[[], None] | None = None
) -> tuple[Corpus, Scope]:
    """Brings a state from before a night to after it. Gives the rows that the night decides, and which these are.

    `read` gives again what was read before, of snapshots that the state knows and of new ones. `all_read` is called
    once no observation is needed any more, which is before texts are folded. Over an empty state the rows are all rows.
    """
    pages = _read_pages(state, night, read, profiles)
    if all_read is not None:
        all_read()
    return _decide(state, pages, profiles)


class _PagesRead(NamedTuple):
    """What a night's observations say of pages and addresses: all that texts and reviews are decided by.

    `pages` and `urls` are those that were made anew, `shown` page versions with other takes than before. `rows` are
    those of the addresses.
    """

    is_first: bool
    pages: frozenset[str]
    urls: frozenset[str]
    identities: IdentityDelta
    delta: PageDelta
    shown: frozenset[ToolDay]
    rows: dict[str, list[Any]]


def _read_pages(state: State, night: Night, read: Read, profiles: Profiles) -> _PagesRead:
    """The first half of `bring`: what follows needs no observation any more."""
    is_first = state.is_empty(SNAPSHOTS)
    urls, sightings = _note_snapshots(state, night, profiles)
    identities, pages = _identify(state, night, sightings)
    days = state.find(TOOL_DAYS, "page_id", pages)
    delta = page_round(state, pages, read, night.gone, profiles)
    shown = frozenset() if is_first else _other_versions(days, state.find(TOOL_DAYS, "page_id", pages), delta)
    rows = address_round(state, urls, read, profiles)
    return _PagesRead(is_first, pages, urls, identities, delta, shown, rows)


def _decide(state: State, read: _PagesRead, profiles: Profiles) -> tuple[Corpus, Scope]:
    """The second half of `bring`: tools, texts and reviews, and all rows."""
    pages, of_pages, identities = read.pages, read.delta, read.identities
    of_tools = tool_round(state, of_pages.tools)
    candidates = candidate_round(state, read.urls, outside_tools(read.rows), of_tools.name_blocks)
    grown = {} if read.is_first else grown_texts(of_pages.before, of_pages.now)
    folded = fold_round(state, of_pages.texts, of_tools.renamed | identities.aliases, grown)
    reviews, grown_reviews = _reviews(state, folded, of_tools.renamed, of_pages.now)
    touched = Touched(pages, _shifted(state, folded), reviews, grown_reviews, of_pages.before, of_pages.now, read.shown)
    of_reviews = review_round(state, touched, profiles)
    doubted = pages | of_tools.doubted | of_reviews.doubted
    rows: dict[str, Iterable[Any]] = {
        **of_pages.rows,
        **of_tools.rows,
        **of_reviews.rows,
        **read.rows,
        "product_candidates": candidates.rows,
        "tool_aliases": tool_alias_rows(state.find(ALIASES, "alias_id", identities.aliases)),
        "review_aliases": review_alias_rows(state.find(TEXTS, "text_id", folded.texts)),
        "lookalikes": lookalike_rows(state, folded.texts),
        "discrepancies": discrepancies(state.find(DOUBTS, "page_id", doubted)),
    }
    scope = Scope(
        pages=pages,
        urls=read.urls,
        tools=of_pages.tools,
        aliases=identities.aliases,
        products=of_tools.products,
        texts=folded.texts,
        reviews=of_reviews.reviews,
        rejudged=of_reviews.rejudged,
        doubted=doubted,
        matched=candidates.urls,
    )
    return {table: _sorted(table, rows[table]) for table in CORPUS_TABLES}, scope


def _note_snapshots(state: State, night: Night, profiles: Profiles) -> tuple[frozenset[str], Sequence[Sighting]]:
    """Notes which snapshots are known now; gives their addresses and those of the removed ones, and the sightings."""
    removed = {place_of(location) for location in night.removed}
    urls = {*night.left_out, *(known.url for known in state.find(SNAPSHOTS, "place", removed))}
    known, sightings = [], []
    for item in night.new:
        known.append(KnownSnapshot(item.url, item.location))
        if (seen := sighting_of(item, profiles)) is not None:
            sightings.append(seen)
    state.replace(SNAPSHOTS, "place", removed, known)
    return frozenset(urls.union(snapshot.url for snapshot in known)), sightings


def _identify(state: State, night: Night, sightings: Sequence[Sighting]) -> tuple[IdentityDelta, frozenset[str]]:
    """Also gives the pages that are to be made anew."""
    removed = {place_of(location) for location in night.removed}
    before = state.find(IDENTITIES, "place", removed)
    delta = identity_round(state, sightings, [found.location for found in before], night.moved, night.moved_before)
    # Another reading of a snapshot may say other things of the same page.
    again = {found.page_id for found in before}
    gone = {address_page_id(url) for url in night.gone ^ night.gone_before}
    return delta, delta.pages | again | gone


def _other_versions(before: Collection[ToolDay], now: Collection[ToolDay], pages: PageDelta) -> frozenset[ToolDay]:
    """The page versions that are new, gone, or have other takes than before."""
    earlier, later = (_takes(mentions) for mentions in (pages.before, pages.now))
    places = {place for place in earlier.keys() | later.keys() if earlier.get(place) != later.get(place)}
    return frozenset(day for day in (*before, *now) if day.location in places)


def _takes(mentions: Iterable[Mention]) -> Mapping[Location, Mapping[int, tuple[object, ...]]]:
    """By page version and position, what others compare of a take."""
    takes: dict[Location, dict[int, tuple[object, ...]]] = defaultdict(dict)
    for mention in mentions:
        takes[mention.version.location][mention.take.position] = (
            mention.text_id,
            mention.label,
            mention.version.tool_ids,
        )
    return takes


def _shifted(state: State, folded: FoldDelta) -> frozenset[str]:
    """Pages with a text that is of another review than before."""
    now = {text.text_id: text.review_id for text in state.find(TEXTS, "text_id", folded.before)}
    moved = {text_id for text_id, text in folded.before.items() if now.get(text_id) != text.review_id}
    return frozenset(mention.page_id for mention in state.find(MENTIONS, "text_id", moved))


def _reviews(
    state: State, folded: FoldDelta, renamed: Collection[str], on_pages: Sequence[Mention]
) -> tuple[frozenset[str], frozenset[str]]:
    """Reviews with other texts than before or on pages whose tools have other names; others that stand on the pages."""
    quoting = {report.page_id for report in state.find(REPORTS, "tool_id", renamed)}
    mentions = state.find(MENTIONS, "page_id", quoting)
    other = folded.texts.union(mention.text_id for mention in mentions)
    shown = folded.quiet.union(mention.text_id for mention in on_pages)
    now = {text.text_id: text.review_id for text in state.find(TEXTS, "text_id", other | shown)}
    reviews = {now[text_id] for text_id in other if text_id in now}
    reviews |= {text.review_id for text in folded.before.values()}
    return frozenset(reviews), frozenset(now[text_id] for text_id in shown if text_id in now) - reviews


def _sorted(table: str, rows: Iterable[Any]) -> tuple[Any, ...]:
    """One row per key, sorted; of several (a contradiction met twice on a page) the first one made."""
    key = attrgetter(*TABLES[table].key)
    by_key: dict[Any, Any] = {}
    for row in rows:
        by_key.setdefault(key(row), row)
    return tuple(by_key[of_row] for of_row in sorted(by_key))
