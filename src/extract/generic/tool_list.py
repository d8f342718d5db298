"""Lists of tools, one section each: `9 best X`, `X alternatives`, `X vs Y` under headings. Pure.

The headings of one level are a list if the title promises one, and independent evidence shows that they name tools: ranks,
the title's count or names, names that recur in their sections or elsewhere on the page, links, details of products, the
same labels in each section. Steps of a guide and questions have none of it.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, zip_longest
from urllib.parse import urlsplit

from verdicts.extract.generic.promise import VERSUS, Promise, is_advice, is_of_a_list
from verdicts.extract.generic.sections import (
    Heading,
    Section,
    bare_values,
    headings_of,
    labelled,
    labels_of,
    section_of,
)
from verdicts.extract.generic.stated import key
from verdicts.extract.generic.words import (
    ASIDES,
    BEST_FOR,
    CALENDAR_WORDS,
    CONS,
    GUIDE_WORDS,
    IDEA_WORDS,
    LABELS,
    NAME_MAX,
    NAME_PARTS,
    OPENING_WORDS,
    PLAN_WORDS,
    PRAISE,
    PRICE,
    PRICE_ALONE,
    PROS,
    QUESTION_WORDS,
    RANKED,
    RATING,
    VISIT,
    WORDS_MAX,
)
from verdicts.extract.model.blocks import Block, fold, shared_depth
from verdicts.extract.model.records import ComparedRow, ComparedTool, Doubt

SHARE = 0.6
"""The share of a list's sections that evidence must hold for, and of the headings beside them that name tools."""

POINTS: Mapping[str, int] = {
    "ranks": 2,
    "count": 3,
    "titles": 3,
    "named": 2,
    "linked": 2,
    "detailed": 2,
    "labels": 1,
    "elsewhere": 1,
    "series": 2,
    "praised": 3,
}
"""What shows that headings name tools. `ranks`: they are numbered through. `count`: as many as the title says. `titles`:
the title has the names. `named`: the name recurs in its section as a proper name. `linked`: the section links to the tool.
`detailed`: it says price, rating, pros, cons or audience. `labels`: two of its labels are in other sections. `elsewhere`: the
name stands alone elsewhere on the page, as in a table. `series`: headings alike stand beside it. `praised`: `Best for teams: Alpha`."""

ACCEPTED_POINTS, OTHER_COUNT_POINTS, TOOL_POINTS, KINDS_MIN = 4, 6, 3, 2
"""Points that a list needs, that one of another length than the title's needs, that a section without a rank needs, and the kinds of product details in a section that needs no
title."""

RANKS_TOLD = 20

PARAGRAPH_MIN = 60
"""The fewest characters of a paragraph; labels, prices and buttons have fewer."""

SERIES_WORDS_MIN = 200
"""The fewest characters below each heading of a series: teasers of other pages have fewer."""

SHOWN = 5

RUN_MIN = 3
"""The fewest sections of a list; two are `1. Introduction`, `2. Conclusion`, unless the title names both or both are praised."""

OWN_WORDS_MAX = 3
"""The words of a name to look for: its maker, its model."""

REPEATED_MIN = 2
"""A heading that stands so often on a page is a label: `Pros`, `Key Specs`."""

_NO_DIGITS = str.maketrans("", "", "0123456789")

ADVICE_WORDS_MIN = 2
"""`Iron Strategies` is a name, `5 Ways to Save` and `Get your kid a tutor` are none."""

_SENTENCE = re.compile(r"[?:…]$|\s\S+\s\S+!$|\w{5}\.$")
"""Ends of sentences and of labels; `Gallagher & Co.` is a name."""

_GLUED = re.compile(r"\s\S*[a-z][A-Z].*\s.*\s|\s.*\s.*[a-z][A-Z]")
"""Parts of headings without a space between: `Gaz WilliamsShipwreckRack`, not `YouTube`."""

_CAPITAL = re.compile(r"[^\W\d_]*[A-Z0-9]")

@dataclass(frozen=True, slots=True)
class ToolList:
    """The tools of a list in page order, and what their sections say.

    `beside`: the same tools with prices and ratings from their sections without a label.
    """

    tools: tuple[ComparedTool, ...]
    rows: tuple[ComparedRow, ...]
    beside: tuple[ComparedTool, ...] = ()
    prose: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Item:
    section: Section
    rank: int | None
    name: str
    said: str | None
    """The heading's words about the tool, beside its name."""
    price: str | None = None
    """The price in its heading."""
    evidence: frozenset[str] = frozenset()

    @property
    def points(self) -> int:
        return sum(POINTS[kind] for kind in self.evidence)


_Page = tuple[Sequence[Block], str, Promise]
"""The blocks of a page, its host, and what it promises."""


def read_tool_list(blocks: Sequence[Block], host: str, promise: Promise) -> tuple[ToolList | None, tuple[Doubt, ...]]:
    """The list on the page, if there is one, and its doubts.

    A count other than the title's gives `incomplete_list`; sections that cannot be told apart, or a gap in the ranks,
    `list_not_read`.
    """
    headings = headings_of(blocks)
    lists = [items for items in _candidates(headings, (blocks, host, promise)) if _is_list(items, promise)]
    # Groups of tools are no tools.
    lists = [items for items in lists if not any(len(of) > len(items) and _is_within(of, items) for of in lists)]
    best = max(lists, key=lambda items: _rating(items, promise), default=None)
    rivals = [items for items in lists if items is not best and _is_rival(items, best, promise)]
    if best is None or rivals:
        found = f"{len(rivals) + 1} lists of sections" if best else "no sections that are of a tool each"
        if promise.count is not None:
            return None, (Doubt("list_not_read", None, f"{promise.count} tools, as the title says", found),)
        if best:
            return None, (Doubt("list_not_read", None, "one list of sections", found),)
        return None, tuple(_gaps(headings)) if promise.is_list else ()
    items = [*_once(best)]
    return _read(items), (*_doubts(best, items, promise), *_left_over(items))


def _doubts(best: Sequence[_Item], items: Sequence[_Item], promise: Promise) -> Iterator[Doubt]:
    """What the list lacks: tools that the title promises, ranks between others, the second section of a tool."""
    if promise.count not in {None, len(items)}:
        yield Doubt("incomplete_list", None, f"{promise.count} tools, as the title says", f"{len(items)} sections")
    ranks = [item.rank for item in best if item.rank is not None]
    if ranks and (max(ranks) > len(best) or len({*ranks}) < len(ranks)):
        found = f"the numbers {', '.join(map(str, ranks[:RANKS_TOLD]))}"
        yield Doubt("incomplete_list", None, "headings that are numbered through", found)
    twice = [name for name, count in Counter(item.name for item in best).items() if count > 1]
    if twice:
        yield Doubt("left_over", None, "one section of a tool", f"several of {', '.join(map(repr, twice[:SHOWN]))}")


def _candidates(headings: Sequence[Heading], page: _Page) -> Iterator[list[_Item]]:
    """Sections of one level that may be about one tool each: numbered through, else by their own evidence."""
    counts = Counter((heading.level, fold(heading.text)) for heading in headings)
    repeated = {text for (_, text), count in counts.items() if count >= RUN_MIN and _rank(text) is None}
    labels = repeated | LABELS | ASIDES
    by_level: dict[int, list[Heading]] = defaultdict(list)
    for heading in headings:
        if fold(heading.text) not in labels and fold(heading.text).partition(" ")[0] not in {"pros", "cons"}:
            by_level[heading.level].append(heading)
    for level, of_level in by_level.items():
        bounds = [heading.place for heading in headings if heading.level <= level and fold(heading.text) not in labels]
        for run in _runs([heading for heading in of_level if _rank(heading.text) is not None]):
            yield [*_items(run, bounds, page)]
        yield _told_apart(of_level, bounds, page)


def _runs(ranked: Sequence[Heading]) -> list[list[Heading]]:
    """Headings numbered through: all together, else those whose number is written alike (`Rank 1: `, `1. `)."""
    whole = [*_numbered(ranked)]
    if len(whole) < 2:
        return whole
    styles: dict[str, list[Heading]] = defaultdict(list)
    for heading in ranked:
        styles[heading.text[: -len(_unranked(heading.text))].translate(_NO_DIGITS)].append(heading)
    return [run for of_style in styles.values() for run in _numbered(of_style)]


def _numbered(headings: Sequence[Heading]) -> Iterator[list[Heading]]:
    """Headings numbered through up or down, whatever stands between; a number out of order begins another run."""
    run: list[Heading] = []
    ranks: list[int] = []
    for heading in headings:
        rank = _rank(heading.text) or 0
        step = ranks[1] - ranks[0] if len(ranks) > 1 else rank - ranks[0] if ranks else 1
        if run and (abs(step) != 1 or rank - ranks[-1] != step):
            yield run
            run, ranks = [], []
        run.append(heading)
        ranks.append(rank)
    yield run


def _items(run: Sequence[Heading], bounds: Sequence[int], page: _Page) -> Iterator[_Item]:
    """The sections of these headings, each up to the next heading in `bounds`, with the evidence for their names."""
    blocks, host, promise = page
    paths = [blocks[heading.place].path for heading in run]
    around = paths[0][: min(shared_depth(paths[0], path) for path in paths)] if paths else ()
    ends = (*bounds, len(blocks))
    sections = [
        section_of(blocks, heading, ends[bisect_right(bounds, heading.place)], around) for heading in run
    ]
    shared = Counter(label for section in sections for label in {*labels_of(section), *_parts_of(section)})
    categories = [part[0].split()[-1] for heading in run if len(part := _unranked(heading.text).split(": ")) > 1]
    has_category = max(Counter(filter(str.islower, categories)).values(), default=0) > SHARE * len(run)
    alone = Counter(key(block.text) for block in blocks if len(block.text) <= NAME_MAX)
    for heading, section in zip(run, sections, strict=True):
        text = _unranked(heading.text)
        # `2. Business consultant certification: CMC`, of which each heading says another kind.
        bracket = _BRACKET.fullmatch(text)
        price = bracket[2] if bracket is not None and PRICE_ALONE.match(bracket[2]) else None
        text = text if bracket is None or price is None else bracket[1]
        name, said = (text.partition(": ")[2], None) if has_category and ": " in text else _parted(text)
        if said is not None and any(text in block.text for block in section.body):
            name, said = text, None
        item = _Item(section, _rank(heading.text), name, said, price)
        yield replace(item, evidence=frozenset(_evidence(item, shared, alone, host, promise)))


def _told_apart(headings: Sequence[Heading], bounds: Sequence[int], page: _Page) -> list[_Item]:
    """The sections whose own evidence says that they are of tools, if most beside them are."""
    items = dict(zip(headings, _items(headings, bounds, page), strict=True))
    groups: dict[int | None, list[Heading]] = defaultdict(list)
    for heading in headings:
        groups[heading.parent].append(heading)
    for series in _series([items[heading] for heading in headings], headings):
        for heading in series:
            items[heading] = replace(items[heading], evidence=items[heading].evidence | {"series"})
    tools: list[_Item] = []
    for group in groups.values():
        places = [place for place, heading in enumerate(group) if _is_tool(items[heading])]
        # A closing section or a question may stand before and behind.
        if places and len(places) >= SHARE * (places[-1] - places[0] + 1):
            near = [items[heading] for heading in group[max(0, places[0] - 1) : places[-1] + 2]]
            # An advert between the sections stands elsewhere in the page's elements.
            depth = Counter(len(items[group[place]].section.heading.path) for place in places).most_common(1)[0][0]
            tools += (item for item in near if len(item.section.heading.path) == depth and _may_be_tool(item))
    common = _common(tools) - {"series"}
    weak = common <= {"named"}
    return [item for item in tools if weak or len(item.evidence & common) * 2 >= len(common)]


def _may_be_tool(item: _Item) -> bool:
    return bool(item.evidence) and _is_name(item.name) and _has_words(item)


def _common(items: Sequence[_Item]) -> set[str]:
    """The evidence that most of these sections have."""
    return {kind for kind in POINTS if sum(kind in item.evidence for item in items) >= SHARE * len(items)}


def _series(items: Sequence[_Item], headings: Sequence[Heading]) -> Iterator[list[Heading]]:
    """Runs of headings that can be names, below one heading, in elements of one depth, with words below each."""
    series: list[Heading] = []
    for _, run in groupby(zip(items, headings, strict=True), lambda pair: (pair[1].parent, len(pair[0].section.heading.path))):
        for item, heading in run:
            if _is_name(item.name) and sum(len(block.text) for block in item.section.body) >= SERIES_WORDS_MIN:
                series.append(heading)
            else:
                yield from [series] if len(series) > RUN_MIN else []
                series = []
        yield from [series] if len(series) > RUN_MIN else []
        series = []


def _is_tool(item: _Item) -> bool:
    points = item.points
    return _is_name(item.name) and points >= TOOL_POINTS and _has_words(item)


def _has_words(item: _Item) -> bool:
    """Whether there is more than a teaser's date below the heading."""
    is_told = "titles" in item.evidence and item.section.heading.level is not None
    return is_told or sum(len(block.text) for block in item.section.body) >= PARAGRAPH_MIN


def _can_be_name(name: str) -> bool:
    """Whether a heading without rank and praise can be a name: no sentence, no label, no other part of a guide."""
    words = fold(name).split()
    is_short = bool(words) and len(name) <= NAME_MAX and len(words) <= WORDS_MAX
    return is_short and not _SENTENCE.search(name) and fold(name) not in GUIDE_WORDS | LABELS | ASIDES


def _is_name(name: str) -> bool:
    """Whether a heading that has no rank can be a name: also no question, invitation, date or title of an article."""
    words = fold(name).split()
    if not _can_be_name(name) or words[0] in QUESTION_WORDS or CALENDAR_WORDS >= {*words}:
        return False
    is_title = len(words) > ADVICE_WORDS_MIN and (words[0] in OPENING_WORDS or is_advice(name))
    return not (is_title or is_of_a_list(name) or VERSUS.search(name))


def _parts_of(section: Section) -> Iterator[str]:
    """The headings in a section: `Pros`, `Kev's observations`."""
    return (fold(block.text) for block in section.body if block.level is not None or block.is_strong)


def _evidence(
    item: _Item, shared: Mapping[str, int], alone: Mapping[str, int], host: str, promise: Promise
) -> Iterator[str]:
    body = item.section.body
    if _is_proper(item.name, body, promise.titles) or (any(item.name in block.text for block in body) and item.rank is not None):
        yield "named"
    address = _address(item)
    if address is not None and (urlsplit(address).netloc not in {"", host} or item.section.heading.href is None):
        yield "linked"
    if _kinds(item):
        yield "detailed"
    if sum(shared[label] >= REPEATED_MIN for label in {*labels_of(item.section), *_parts_of(item.section)}) >= REPEATED_MIN:
        yield "labels"
    if alone[key(item.name)] > 1:
        yield "elsewhere"
    if item.said is not None and PRAISE.match(item.said):
        yield "praised"
    if is_named_in(promise.titles, item.name):
        yield "titles"


def _is_proper(name: str, body: Iterable[Block], titles: Sequence[str]) -> bool:
    """Whether a text of the body has the name, or a word of its own, with a capital letter where others have none."""
    words = name.split()
    capitals = sum(_CAPITAL.match(word) is not None for word in words)
    told = {fold(word) for title in titles for word in title.split()}
    own = (word.strip("()") for word in words if _CAPITAL.match(word) and len(word) > 2 and fold(word) not in told)
    texts = [block.text for block in body if block.level is None]
    text = "\n".join(texts)
    if capitals > 1 and name in text:
        return True
    forms = [name, *islice(own, OWN_WORDS_MAX if len(words) > 1 else 0)] if capitals else []
    return any(form in text and _is_capital_within(form, text) for form in forms)


def _is_capital_within(word: str, text: str) -> bool:
    """Whether a word stands within a sentence with its capital letter, and nowhere without: else it is a common word."""
    is_common = word != word.lower() and re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", text)
    return not is_common and re.search(rf"[a-z,;:’'\")(&]\s{re.escape(word)}(?!\w)", text) is not None


def _is_list(items: Sequence[_Item], promise: Promise) -> bool:
    """Whether these sections are of a tool each.

    Without a promise each must have product details; plans of one product do not count.
    """
    names = [fold(item.name) for item in items]
    is_ranked = all(item.rank is not None for item in items)
    is_name = _can_be_name if is_ranked else _is_name
    if len({*names}) < max(2, SHARE * len(items)) or not all(is_name(item.name) for item in items):
        return False
    are_plans = sum(key(item.name) in PLAN_WORDS for item in items) * 2 >= len(items)
    are_ideas = sum(fold(item.name).rpartition(" ")[2] in IDEA_WORDS for item in items) * 2 >= len(items)
    are_glued = sum(_GLUED.search(item.name) is not None for item in items) * 2 >= len(items)
    if are_plans or are_ideas or are_glued:
        return False
    evidence = _common(items)
    if is_ranked:
        evidence.add("ranks")
    if promise.count in {len(items), len({*names})}:
        evidence.add("count")
    if len(items) < RUN_MIN and not evidence & {"titles", "praised"}:
        return False
    if not (promise.is_list or promise.names):
        return all(_kinds(item) >= KINDS_MIN for item in items) and (len(items) >= RUN_MIN or "titles" in evidence)
    of_tools = evidence - {"ranks", "count"}
    if not is_ranked and items[0].section.heading.level is None:
        # Bold words also begin paragraphs of anything.
        of_tools &= {"linked", "detailed", "praised", "titles"}
    needed = ACCEPTED_POINTS if promise.count is None or "count" in evidence else OTHER_COUNT_POINTS
    return bool(of_tools) and sum(POINTS[kind] for kind in evidence) >= needed


def _rating(items: Sequence[_Item], promise: Promise) -> tuple[bool, bool, int, int]:
    """What one of several lists of a page is better by: the title's count, ranks, the evidence of its sections."""
    return (
        promise.count == len({fold(item.name) for item in items}),
        _are_ranked(items),
        sum(item.points for item in items),
        -items[0].section.heading.path.__len__(),
    )


def _are_ranked(items: Sequence[_Item]) -> bool:
    """Whether all have ranks, or those that have one stand at its place: `1. Alpha`, `Beta`, `3. Gamma`."""
    ranks = [item.rank for item in items]
    places = range(1, len(ranks) + 1)
    is_placed = ranks[-1] is not None and all(rank in {None, place} for rank, place in zip(ranks, places, strict=True))
    return None not in ranks or is_placed


def _is_rival(items: Sequence[_Item], best: Sequence[_Item] | None, promise: Promise) -> bool:
    """Whether another list is as good: neither is the title's, and its names are not the best one's."""
    if best is None or _rating(items, promise)[:2] != _rating(best, promise)[:2]:
        return False
    names = {fold(item.name) for item in best}
    others = [item for item in items if fold(item.name) not in names]
    return 2 * len(others) > len(items) and 2 * len(items) > len(best) and not _is_within(items, best)


def _is_within(items: Sequence[_Item], others: Sequence[_Item]) -> bool:
    """Whether the sections of a list are parts of the other's."""
    bodies = {id(block) for item in others for block in item.section.body}
    return sum(id(item.section.heading) in bodies for item in items) * 2 > len(items)


def _once(items: Sequence[_Item]) -> Iterator[_Item]:
    """Each tool once: one that stands in two groups keeps its first section."""
    seen: set[str] = set()
    for item in items:
        if fold(item.name) not in seen:
            seen.add(fold(item.name))
            yield item


def _gaps(headings: Sequence[Heading]) -> Iterator[Doubt]:
    """Ranks that form no list: one is missing or repeated."""
    ranks = [rank for heading in headings if (rank := _rank(heading.text)) is not None]
    if len(ranks) >= RUN_MIN:
        found = ", ".join(map(str, ranks[:RANKS_TOLD]))
        yield Doubt("list_not_read", None, "headings that are numbered through", f"the numbers {found}")


def _rank(heading: str) -> int | None:
    ranked = RANKED.fullmatch(heading)
    return None if ranked is None else int(ranked[1] or ranked[3])


def _unranked(heading: str) -> str:
    ranked = RANKED.fullmatch(heading)
    return heading.strip() if ranked is None else (ranked[2] or ranked[4]).strip()


_BRACKET = re.compile(r"(.*\S)\s\(([^()]+)\)")
"""`Alpha (best overall)`, `Alpha ($750)`; a year, a version and a short name belong to the name."""


def _parted(heading: str) -> tuple[str, str | None]:
    """Name and words about it: `Alpha: best for teams` and `Best for teams: Alpha` are the same."""
    bracket = _BRACKET.fullmatch(heading)
    if bracket is not None and (PRAISE.match(bracket[2]) or bracket[2][0].islower()):
        return bracket[1], bracket[2]
    parted = next((part for part in NAME_PARTS.finditer(heading) if part[0] != "("), None)
    if parted is None:
        return heading.strip(), None
    before, behind = heading[: parted.start()].strip(), heading[parted.end() :].strip()
    return (behind, before) if PRAISE.match(before) and not PRAISE.match(behind) else (before, behind or None)


def _left_over(items: Sequence[_Item]) -> Iterator[Doubt]:
    """Prices and ratings without a label in a section with several: the tool's own is unknown."""
    for item in items:
        labelled_values = {value for _, value in labelled(item.section)}
        for values in bare_values(item.section.body):
            unread = [value for value in values if value not in labelled_values]
            if len(unread) > 1:
                found = f"{', '.join(unread[:SHOWN])} in the section of {item.name!r}"
                yield Doubt("left_over", None, "one price, and one rating, of a tool", found)


def is_named_in(titles: Sequence[str], name: str) -> bool:
    return any(f" {key(name)} " in f" {key(title)} " for title in titles)


def _kinds(item: _Item) -> int:
    """How many of price, rating, pros, cons, and audience a section has."""
    labels = {fold(label) for label, _ in labelled(item.section)}
    prices, ratings = bare_values(item.section.body)
    said = (labels & PRICE or prices, labels & RATING or ratings, labels & PROS, labels & CONS, labels & BEST_FOR)
    return sum(map(bool, said))


def _read(items: Sequence[_Item]) -> ToolList:
    counts = Counter(label for item in items for label in labels_of(item.section))
    shared = frozenset(label for label, count in counts.items() if count > 1)
    published: dict[str, str] = {}
    told: list[dict[str, list[str]]] = []
    for item in items:
        told.append(defaultdict(list))
        for label, value in labelled(item.section, shared):
            told[-1][fold(label)].append(value)
            published.setdefault(fold(label), label)
    rows = (
        ComparedRow("attribute", name, values)
        for label, name in published.items()
        for values in zip_longest(*(of_tool.get(label, ()) for of_tool in told))
    )
    blocks = (block for item in items for block in item.section.body if block.level is None)
    long = (block.text for block in blocks if len(block.text) >= PARAGRAPH_MIN)
    prose = tuple(text for text in long if fold(text.partition(":")[0]) not in ASIDES)
    return ToolList(tuple(map(_tool, items, told)), tuple(rows), tuple(map(_beside, items)), prose)


def _beside(item: _Item) -> ComparedTool:
    prices, ratings = bare_values(item.section.body)
    return ComparedTool(item.name, price=_only(prices), rating=_only(ratings))


def _tool(item: _Item, told: Mapping[str, Sequence[str]]) -> ComparedTool:
    def only(labels: frozenset[str]) -> str | None:
        """Only a single value counts: of several prices none is the tool's."""
        values = [value for label in labels & told.keys() for value in told[label]]
        return values[0] if len(values) == 1 else None

    praise = item.said if item.said is not None and PRAISE.match(item.said) else None
    return ComparedTool(
        name=item.name,
        url=_address(item),
        description=None if praise is not None else item.said,
        price=item.price or only(PRICE),
        rating=only(RATING),
        rank=item.rank,
        best_for=only(BEST_FOR) or praise,
    )


def _only(values: Sequence[str]) -> str | None:
    return values[0] if len(values) == 1 else None


def _address(item: _Item) -> str | None:
    """The heading's link, else a link with just the name or an invitation: `Visit Alpha`."""
    names = {fold(item.name), *(f"{word} {fold(item.name)}" for word in VISIT), f"{fold(item.name)} website"}
    links = [item.section.heading, *(block for block in item.section.body if fold(block.text) in names)]
    return next((block.href for block in links if block.href and not block.href.startswith("#")), None)
