"""Pages: which snapshots show one page, and the tools of each."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from normalize.identity.identity import IDENTITIES, Identity, pair_of
from normalize.identity.ids import ToolPair, address_page_id, pair_page_id
from normalize.identity.resolving.renames import moves_to_judge
from normalize.identity.resolving.works import Seen, Work, Works, is_clear
from normalize.parse.slugs import SlugPair

S = TypeVar("S", Seen, Work)


@dataclass(slots=True)
class Judged:
    """What a round found of pages: `groups` are the sightings of each by page id.

    `heads` are those that say the tools, of pages with an address. `before` and `now` are identities by place,
    `changed` the ids of pages that have others than before.
    """

    groups: dict[str, list[Work]] = field(default_factory=dict)
    heads: dict[str, Work] = field(default_factory=dict)
    before: dict[str, Identity] = field(default_factory=dict)
    now: dict[str, Identity] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)


def move_pages(works: Works, moved: Mapping[str, str], moved_before: Mapping[str, str]) -> None:
    """Gives sightings of a page that moved the address that it moved to, where that compares the same tools.

    A page that moved to something else, such as a notice of maintenance, stays the page it was.
    """
    if not moved and not moved_before:
        return
    changed = {work.sighting.source for work in works.every if work.is_changed}
    judged, others = moves_to_judge(changed, moved, moved_before)
    targets = {*judged.values()}
    works.load("source", {*judged, *targets, *others})
    newest: dict[str, Work] = {}
    for work in works.standing():
        source = work.sighting.source
        if source in targets and (source not in newest or newest[source].sighting.order < work.sighting.order):
            newest[source] = work
    for work in works.standing():
        if work.sighting.source in judged or work.sighting.source in others:
            target = newest.get(judged.get(work.sighting.source, ""))
            is_same = target is not None and frozenset(target.tool_ids) == frozenset(work.tool_ids)
            work.page = (target.sighting.url if target is not None and is_same else None) or work.sighting.url


def judge_pages(works: Works) -> Judged:
    """The identity of every sighting whose page or tools may be others than before. Gives the state what has changed.

    A page has the tools of its oldest sighting with clear slugs, else of its oldest: a new tagline changes no tool. A
    snapshot without an address is a rendering of the one addressed page that compares the same tools in the same order,
    if there is exactly one.
    """
    urls, groups, pairs = _touched(works)
    keys = [pair_of(pair) for pair in pairs]
    works.load("dumped", keys)
    before = {identity.place: identity for identity in works.state.find(IDENTITIES, "pair", keys)}
    dumps, dumped = _dumps(works, pairs)
    urls_of_pair = _urls_beside(works, before.values(), urls)
    beside = {url for pair in dumped for url in urls_of_pair.get(pair, ())}
    works.load("page", beside)
    judged = Judged()
    for url, group in (*groups.items(), *_by_url(works, beside).items()):
        head, page_id = _head(group), address_page_id(url)
        urls_of_pair[head.tool_ids].add(url)
        judged.groups[page_id], judged.heads[page_id] = group, head
        for work in group:
            judged.now[work.place] = _identity(work, page_id, url, head)
    for pair, group in dumps.items():
        _judge_dumps(judged, group, urls_of_pair.get(pair, ()))
    gone = {place for place, work in works.held.items() if work.is_gone}
    judged.before = {place: found for place, found in before.items() if place in judged.now or place in gone}
    changed = {place: found for place, found in judged.now.items() if judged.before.get(place) != found}
    former = [judged.before[place] for place in judged.before if place in changed or place not in judged.now]
    places = changed.keys() | {found.place for found in former}
    works.state.replace(IDENTITIES, "place", places, changed.values())
    judged.changed = {found.page_id for found in (*changed.values(), *former)}
    return judged


def _judge_dumps(judged: Judged, dumps: list[Work], urls: Collection[str]) -> None:
    """Snapshots without an address that show the same tools, `urls` are of pages that compare these."""
    if len(urls) == 1:
        (url,) = urls
        page_id = address_page_id(url)
        slugs = judged.heads[page_id].slugs
    else:
        # The oldest dump gives the page its id by names alone, so a later claim of a tool does not change the id.
        url, page_id, slugs = None, pair_page_id(*_oldest(dumps).sighting.name_ids), None
    judged.groups[page_id] = [*judged.groups.get(page_id, ()), *dumps]
    for work in dumps:
        seen = work.sighting
        judged.now[work.place] = Identity(seen.location, page_id, url, work.tool_ids, seen.name_ids, slugs, False)


def _touched(works: Works) -> tuple[set[str], Mapping[str, list[Work]], set[ToolPair]]:
    """Addresses of pages that have or had a changed sighting, the sightings of each, and pairs of tools.

    These are all that such pages and changed snapshots without an address compare or compared.
    """
    changed = [work for work in works.every if work.is_changed]
    urls = {work.page for work in changed if not work.is_gone and work.page is not None}
    urls |= {work.before.page for work in changed if work.before is not None and work.before.page is not None}
    works.load("page", urls)
    groups = _by_url(works, urls)
    pairs = {_head(group).tool_ids for group in groups.values()}
    earlier: dict[str, list[Seen]] = defaultdict(list)
    for work in works.held.values():
        if work.before is not None and work.before.page in urls:
            earlier[work.before.page].append(work.before)
    pairs |= {_head(group).tool_ids for group in earlier.values()}
    pairs |= {work.tool_ids for work in changed if not work.is_gone and work.page is None}
    pairs |= {work.before.tool_ids for work in changed if work.before is not None and work.before.page is None}
    return urls, groups, pairs


def _by_url(works: Works, urls: Collection[str]) -> Mapping[str, list[Work]]:
    groups: dict[str, list[Work]] = defaultdict(list)
    for work in works.standing() if urls else ():
        if work.page is not None and work.page in urls:
            groups[work.page].append(work)
    return groups


def _dumps(works: Works, pairs: Collection[ToolPair]) -> tuple[Mapping[ToolPair, list[Work]], set[ToolPair]]:
    """The snapshots without an address by their tools; and all tools that such a one shows or showed."""
    dumps: dict[ToolPair, list[Work]] = defaultdict(list)
    for work in works.standing():
        if work.page is None and work.tool_ids in pairs:
            dumps[work.tool_ids].append(work)
    earlier = {
        work.before.tool_ids for work in works.held.values() if work.before is not None and work.before.page is None
    }
    return dumps, dumps.keys() | (earlier & {*pairs})


def _urls_beside(works: Works, before: Iterable[Identity], urls: Collection[str]) -> dict[ToolPair, set[str]]:
    """The addresses of pages that compare the same tools as those of the round, but are none of them."""
    beside: dict[ToolPair, set[str]] = defaultdict(set)
    for identity in before:
        work = works.held.get(identity.place)
        is_dump = work is not None and work.before is not None and work.before.page is None
        if identity.url is not None and not is_dump and identity.url not in urls:
            beside[identity.tool_ids].add(identity.url)
    return beside


def _head(group: Sequence[S]) -> S:
    """The oldest with clear slugs, else the oldest."""
    if len(group) == 1:
        return group[0]
    return _oldest([item for item in group if is_clear(item.slugs)] or group)


def _oldest(group: Sequence[S]) -> S:
    return min(group, key=lambda item: item.sighting.order)


def _identity(work: Work, page_id: str, url: str, head: Work) -> Identity:
    own, tool_ids = work.tool_ids, head.tool_ids
    is_other_way = own[0] != own[1] and own == tool_ids[::-1]
    slugs = _slugs(work.slugs, head.slugs, is_turned=is_other_way)
    return Identity(work.sighting.location, page_id, url, tool_ids, head.sighting.name_ids, slugs, is_other_way)


def _slugs(own: SlugPair | None, of_page: SlugPair | None, *, is_turned: bool) -> SlugPair | None:
    """The slugs as this sighting has them: a tool may have been renamed since the page was first seen."""
    if own is None or own.is_ambiguous:
        return of_page
    return SlugPair(own.b, own.a, is_ambiguous=False) if is_turned else own
