"""Lists of tools, one section each: `9 best X`, `X alternatives`, `X vs Y` under headings. Pure.

The headings of one level are a list if the title promises one, and independent evidence shows that they name tools:
ranks, the title's count or names, names that recur in their sections or elsewhere on the page, links, details of
products, labels that the sections share. Steps of a guide and questions show little of this evidence.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby

from verdicts.extract.generic.label_words import (
    ASIDES,
    IDEA_WORDS,
    LABELS,
    NAME_MAX,
    PLAN_WORDS,
    PRAISE,
    remove_rank,
)
from verdicts.extract.generic.naming import Behind, can_be_name, is_name, is_proper, name_headings, read_rank
from verdicts.extract.generic.promise import Promise, is_named_in
from verdicts.extract.generic.section_values import Listed, ToolList, count_kinds, find_address, read_sections
from verdicts.extract.generic.sections import (
    AWARDED,
    COUNTED,
    Heading,
    cut_section,
    find_headings,
    list_labels,
    within_list,
)
from verdicts.extract.generic.stated import key
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.records import Doubt, DoubtRule
from verdicts.fetch.model.addresses import find_host

POINTS: Mapping[str, int] = {
    "ranks": 2,
    "count": 3,
    "titles": 3,
    "stated": 3,
    "praised": 3,
    "named": 2,
    "linked": 2,
    "detailed": 2,
    "series": 2,
    "labels": 2,
    "elsewhere": 1,
}
"""What shows that headings name tools. `ranks`: they are numbered through. `count`: as many as the title says.
`titles`: the title has the names. `stated`: the page's schema.org items have them. `praised`: `Best for teams: Alpha`.
`named`: its section uses it as a proper name. `linked`: the section links to the tool. `detailed`: it says price,
rating, pros, cons or audience. `series`: headings alike stand beside it. `labels`: two of its labels are in other
sections. `elsewhere`: the name stands alone elsewhere on the page, as in a table."""

SHARE = 0.6
"""The share of a list's sections that evidence must hold for, and of the headings beside them that name tools."""

LIST_POINTS, OTHER_COUNT_POINTS, SECTION_POINTS = 4, 6, 3
"""Points that a list needs, that one of another length than the title's needs, that a section without a rank needs."""

KINDS_MIN = 2
"""Kinds of product details in each section of a list that no title promises."""

RUN_MIN = 3
"""The fewest sections of a list; two are `1. Introduction`, `2. Conclusion`, unless the title names or praise goes with
them. A heading that stands so often on a page is a label: `Key specs`."""

LABELS_MIN = 2

WORDS_BELOW_MIN, SERIES_WORDS_MIN = 60, 200
"""The fewest characters below a tool's heading, and below each of a series: teasers of other pages have fewer."""

RANKS_TOLD = 20


@dataclass(frozen=True, slots=True)
class _Page:
    """The blocks of a page, its host, what it promises; by key: how often each short text is alone, stated names.

    `prose`: its texts outside headings and tables.
    """

    blocks: Sequence[Block]
    host: str
    promise: Promise
    alone: Mapping[str, int]
    stated: Set[str]
    prose: str


@dataclass(frozen=True, slots=True)
class _Item:
    """A heading with its section, how many kinds of product details this has, and the evidence that it names a tool."""

    heading: Heading
    listed: Listed
    kinds: int
    evidence: frozenset[str]

    @property
    def name(self) -> str:
        return self.listed.named.name

    @property
    def rank(self) -> int | None:
        return self.listed.named.rank

    @property
    def depth(self) -> int:
        return len(self.listed.section.heading.path)


def read_tool_list(
    blocks: Sequence[Block], host: str, promise: Promise, stated: Set[str] = frozenset()
) -> tuple[ToolList | None, tuple[Doubt, ...]]:
    """The list on the page, if there is one, and its doubts.

    A count other than the title's, and a gap in the ranks, give `incomplete_list`; sections that cannot be told apart
    `list_not_read`.
    """
    headings = find_headings(blocks)
    alone = Counter(key(block.text) for block in blocks if len(block.text) <= NAME_MAX) if headings else Counter[str]()
    prose = "\n".join(block.text for block in blocks if block.level is None and block.cell is None)
    page = _Page(blocks, host, promise, alone, stated, prose)
    lists = [items for items in _candidates(headings, page) if _is_list(items, promise)]
    # A line below an award is weaker evidence than a heading.
    lists = [items for items in lists if items[0].heading.level < AWARDED] or [
        _keep_used(items, promise) for items in lists
    ]
    # A group of tools is not a tool.
    lists = [items for items in lists if not any(len(of) > len(items) and _is_within(of, items) for of in lists)]
    lists = [items for items in lists if len(items) > 1]
    best = max(lists, key=lambda items: _rating(items, promise), default=None)
    rivals = [items for items in lists if best is not None and items is not best and _is_rival(items, best, promise)]
    if best is None or rivals:
        detail = f"{len(rivals) + 1} lists of sections" if best else "no section for each tool"
        promised = "one list of sections" if promise.count is None else f"{promise.count} tools, as the title says"
        if best or promise.count is not None:
            return None, (Doubt("list_not_read", None, promised, detail),)
        ranks = [rank for heading in headings if (rank := read_rank(heading.text)) is not None]
        are_told = promise.is_list and len(ranks) >= RUN_MIN
        return None, (_doubt_numbers("list_not_read", ranks),) if are_told else ()
    sections = within_list([item.listed.section for item in best])
    listed = [replace(item.listed, section=section) for item, section in zip(best, sections, strict=True)]
    once = [*_with_cards(listed, headings, blocks)]
    return read_sections(once), tuple(_doubt_missing(best, once, promise))


def _with_cards(listed: Sequence[Listed], headings: Sequence[Heading], blocks: Sequence[Block]) -> Iterator[Listed]:
    """Each tool once, with what other sections of its name say: a card above the sections."""
    own = {id(one.section.heading) for one in listed}
    more: dict[str, list[Block]] = defaultdict(list)
    for heading, after in zip(headings, (*headings[1:], None), strict=True):
        block = blocks[heading.place]
        if id(block) not in own:
            body = cut_section(blocks, heading, len(blocks) if after is None else after.place, heading.text).body
            # A card ends with its element.
            ends = (place for place, one in enumerate(body) if not one.is_within(block.path))
            more[fold(remove_rank(heading.text))] += body[: next(ends, len(body))]
    first: dict[str, Listed] = {}
    for one in listed:
        name = fold(one.named.name)
        if name in first:
            more[name] += one.section.body
        first.setdefault(name, one)
    for name, one in first.items():
        yield replace(one, section=replace(one.section, body=(*one.section.body, *more[name])))


def _keep_used(items: list[_Item], promise: Promise) -> list[_Item]:
    """Lines below awards: as many as the title says, else those that are used as names, with a link or details."""
    if len(items) == promise.count:
        return items
    proofs = {"linked", "detailed", "labels"}
    return [item for item in items if "named" in item.evidence and not proofs.isdisjoint(item.evidence)]


def _candidates(headings: Sequence[Heading], page: _Page) -> Iterator[list[_Item]]:
    """Sections of one level that may be about one tool each: numbered through, or told apart by their own evidence."""
    counts = Counter((heading.level, fold(heading.text)) for heading in headings)
    repeated = {text for (_, text), count in counts.items() if count >= RUN_MIN and read_rank(text) is None}
    labels = repeated | LABELS | ASIDES
    by_level: dict[int, list[Heading]] = defaultdict(list)
    for heading in headings:
        if fold(heading.text) not in labels and fold(heading.text).partition(" ")[0] not in {"pros", "cons"}:
            by_level[heading.level].append(heading)
    for level, of_level in by_level.items():
        bounds = [heading.place for heading in headings if heading.level <= level and fold(heading.text) not in labels]
        items = [*_items(of_level, bounds, page)]
        runs = [*_split_runs([item for item in items if item.rank is not None])]
        yield from runs
        tools = _keep_proven(items)
        numbered = [{item.heading.place for item in run} for run in runs]
        if not any({item.heading.place for item in tools} <= run for run in numbered):
            yield tools


def _items(headings: Sequence[Heading], bounds: Sequence[int], page: _Page) -> Iterator[_Item]:
    """The sections of these headings, each up to the next heading in `bounds`, with the evidence for their names."""
    ends = (*bounds, len(page.blocks))
    awards = [heading.award for heading in headings]
    names = name_headings([heading.text for heading in headings], awards, _find_kind_before(headings))
    sections = [
        cut_section(page.blocks, heading, ends[bisect_right(bounds, heading.place)], name.name)
        for heading, name in zip(headings, names, strict=True)
    ]
    labels = [list_labels(section) for section in sections]
    shared = Counter(label for of_one in labels for label in of_one)
    counts = Counter(one.name.partition(" (")[0] for one in names)
    others = {before for before, count in counts.items() if count > 1}
    for heading, name, section, of_one in zip(headings, names, sections, labels, strict=True):
        before, bracket, _ = name.name.partition(" (")
        if name.name != name.whole and any(name.whole in block.text for block in section.body):
            name = replace(name, name=name.whole, said=None)
        elif bracket and page.alone.get(key(before)) and page.alone.get(key(name.name), 0) < 2 and before not in others:
            # `Alpha (Web, iOS)` below a table with `Alpha`.
            name = replace(name, name=before)
        listed = Listed(name, section)
        has_labels = sum(shared[label] >= LABELS_MIN for label in of_one) >= LABELS_MIN
        kinds = count_kinds(listed, of_one)
        own = (("detailed", kinds > 0), ("labels", has_labels))
        evidence = (*(kind for kind, holds in own if holds), *_evidence(listed, page))
        yield _Item(heading, listed, kinds, frozenset(evidence))


def _find_kind_before(headings: Sequence[Heading]) -> Behind | None:
    """What most words before a colon are, if they are alike: `2. Business certification: CMC`, `Best budget: Alpha`."""
    parted = (remove_rank(heading.text).partition(": ") for heading in headings)
    words = [before for before, colon, _ in parted if colon and before.strip()]
    praised = sum(PRAISE.match(before) is not None for before in words)
    if praised >= max(RUN_MIN, SHARE * len(words)):
        return "awards"
    nouns = Counter(before.split()[-1] for before in words if not PRAISE.match(before))
    most = max(RUN_MIN, SHARE * nouns.total())
    return "kinds" if any(noun.islower() and count >= most for noun, count in nouns.items()) else None


def _evidence(listed: Listed, page: _Page) -> Iterator[str]:
    """What name and section say beside the page's title and other texts."""
    name, body = listed.named.name, listed.section.body
    if listed.named.is_praised:
        yield "praised"
    if is_named_in(page.promise.titles, name):
        yield "titles"
    if key(name) in page.stated:
        yield "stated"
    if page.promise.is_made or page.promise.names:
        is_ranked = listed.named.rank is not None
        text = "\n".join(block.text for block in body if block.level is None)
        if (is_ranked and name in text) or is_proper(name, page.prose if is_ranked else text, page.promise.titles):
            yield "named"
        address = find_address(listed)
        if address is not None and (listed.section.heading.href is None or find_host(address) not in {"", page.host}):
            yield "linked"
        if page.alone.get(key(name), 0) > 1:
            yield "elsewhere"


def _split_runs(items: Sequence[_Item]) -> Iterator[list[_Item]]:
    """Sections numbered up or down, whatever stands between; a number out of order begins another run."""
    run: list[_Item] = []
    ranks: list[int] = []
    for item in items:
        rank = item.rank or 0
        step = ranks[1] - ranks[0] if len(ranks) > 1 else rank - ranks[0] if ranks else 1
        if run and (abs(step) != 1 or rank - ranks[-1] != step):
            yield run
            run, ranks = [], []
        run.append(item)
        ranks.append(rank)
    yield run


def _keep_proven(items: Sequence[_Item]) -> list[_Item]:
    """The sections whose own evidence says that they are of tools, if most beside them are."""
    items = [*_with_series(items)]
    groups: dict[int | None, list[_Item]] = defaultdict(list)
    for item in items:
        groups[item.heading.parent].append(item)
    tools: list[_Item] = []
    for group in groups.values():
        points = [sum(POINTS[kind] for kind in item.evidence) for item in group]
        places = [at for at, item in enumerate(group) if points[at] >= SECTION_POINTS and _can_be_tool(item)]
        # A closing section or a question may come before and after the list.
        if places and len(places) >= SHARE * (places[-1] - places[0] + 1):
            near = group[max(0, places[0] - 1) : places[-1] + 2]
            # An advert between the sections stands elsewhere in the page's elements.
            depths = Counter(group[place].depth for place in places)
            usual = {depth for depth, count in depths.items() if count >= min(RUN_MIN, max(depths.values()))}
            tools += (item for item in near if item.depth in usual and item.evidence and _can_be_tool(item))
    common = _common(tools) - {"series"}
    is_weak = common <= {"named"}
    return [item for item in tools if is_weak or len(item.evidence & common) >= max(1, len(common) // 2)]


def _with_series(items: Sequence[_Item]) -> Iterator[_Item]:
    """Marks runs of headings that can be names, below one heading, in elements of one depth, with words below each."""
    for (_, _, may_be), run in groupby(
        items, lambda one: (one.heading.parent, one.depth, is_name(one.name) and one.listed.words >= SERIES_WORDS_MIN)
    ):
        alike = [*run]
        is_series = may_be and len(alike) > RUN_MIN
        yield from (replace(item, evidence=item.evidence | {"series"}) if is_series else item for item in alike)


def _can_be_tool(item: _Item) -> bool:
    is_told = item.evidence & {"titles", "stated"} and not item.heading.is_line
    return _is_name(item) and (bool(is_told) or item.listed.words >= WORDS_BELOW_MIN)


def _is_name(item: _Item) -> bool:
    """A name in a section with details and labels like others may be twice as long as others."""
    return is_name(item.name, 2 if {"detailed", "labels"} <= item.evidence else 1)


def _common(items: Sequence[_Item]) -> set[str]:
    """The evidence that most of these sections have."""
    return {kind for kind in POINTS if sum(kind in item.evidence for item in items) >= SHARE * len(items)}


def _is_list(items: Sequence[_Item], promise: Promise) -> bool:
    """Whether each of these sections is about one tool.

    Without a promise each must have product details; plans of one product do not count.
    """
    names = [fold(item.name) for item in items]
    is_ranked = all(item.rank is not None for item in items)
    are_names = all(can_be_name(item.name) if is_ranked else _is_name(item) for item in items)
    # A summary of cards and the sections themselves may have the same names.
    times = min(Counter(names).values(), default=1) if len({*names}) >= RUN_MIN else 1
    if len({*names}) * times < max(2, SHARE * len(items)) or not are_names or _are_others(items):
        return False
    evidence = _common(items)
    if is_ranked:
        evidence.add("ranks")
    if promise.count in {len(items), len({*names})}:
        evidence.add("count")
    if len(items) < RUN_MIN and not evidence & {"titles", "praised"}:
        return False
    if not (promise.is_list or promise.names or promise.count):
        return all(item.kinds >= KINDS_MIN for item in items) and (len(items) >= RUN_MIN or "titles" in evidence)
    of_tools = evidence - {"ranks", "count"}
    if items[0].heading.is_line and (not is_ranked or items[0].heading.level == COUNTED):
        # Bold words also begin other paragraphs, and numbers also begin steps.
        of_tools &= {"linked", "detailed", "praised", "titles", "stated"}
    needed = LIST_POINTS if promise.count is None or "count" in evidence else OTHER_COUNT_POINTS
    return bool(of_tools) and sum(POINTS[kind] for kind in evidence) >= needed


def _are_others(items: Sequence[_Item]) -> bool:
    """Whether half of the names are plans of one product, or ideas."""
    plans = sum(key(item.name) in PLAN_WORDS for item in items)
    ideas = sum(fold(item.name).rpartition(" ")[2] in IDEA_WORDS for item in items)
    return max(plans, ideas) * 2 >= len(items)


def _rating(items: Sequence[_Item], promise: Promise) -> tuple[bool, bool, int, int]:
    """The rank of a list among several of a page: the title's count, ranks, the evidence, a higher element.

    All have ranks, or those that have one stand at its place: `1. Alpha`, `Beta`, `3. Gamma`.
    """
    is_counted = promise.count == len({fold(item.name) for item in items})
    points = sum(POINTS[kind] for item in items for kind in item.evidence)
    ranks = [item.rank for item in items]
    is_placed = ranks[-1] is not None and all(rank in {None, place} for place, rank in enumerate(ranks, start=1))
    return is_counted, None not in ranks or is_placed, points, -items[0].depth


def _is_rival(items: Sequence[_Item], best: Sequence[_Item], promise: Promise) -> bool:
    """Whether another list is as good: neither is the title's, and its names are not the best one's."""
    if _rating(items, promise)[:2] != _rating(best, promise)[:2]:
        return False
    names = {fold(item.name) for item in best}
    others = [item for item in items if fold(item.name) not in names]
    return 2 * len(others) > len(items) and 2 * len(items) > len(best) and not _is_within(items, best)


def _is_within(items: Sequence[_Item], others: Sequence[_Item]) -> bool:
    """Whether the sections of a list are parts of the other's."""
    bodies = {id(block) for item in others for block in item.listed.section.body}
    return sum(id(item.listed.section.heading) in bodies for item in items) * 2 > len(items)


def _doubt_missing(best: Sequence[_Item], once: Sequence[Listed], promise: Promise) -> Iterator[Doubt]:
    """What the list lacks: tools that the title promises, and ranks between others."""
    if promise.count not in {None, len(once)}:
        yield Doubt("incomplete_list", None, f"{promise.count} tools, as the title says", f"{len(once)} sections")
    ranks = [item.rank for item in best if item.rank is not None]
    if ranks and (max(ranks) > len(best) or len({*ranks}) < len(ranks)):
        yield _doubt_numbers("incomplete_list", ranks)


def _doubt_numbers(rule: DoubtRule, ranks: Sequence[int]) -> Doubt:
    found = f"the numbers {', '.join(map(str, ranks[:RANKS_TOLD]))}"
    return Doubt(rule, None, "headings that are numbered through", found)
