"""Lists of tools, one section each: `9 best X`, `X alternatives`, `X vs Y` under headings. Pure.

A page is a list if its title says so, its sections are numbered or match the title's count, and names recur below their
own headings: that holds for tools, not for steps of a guide.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from verdicts.extract.generic.sections import Section, bare_values, labelled, labels_of, section_runs
from verdicts.extract.generic.stated import key
from verdicts.extract.generic.words import (
    ASIDES,
    BEST_FOR,
    CONS,
    LIST_WORDS,
    NAME_MAX,
    NAME_PARTS,
    PLAN_WORDS,
    PRAISE,
    PRICE,
    PROS,
    RANKED,
    RATING,
    STATED_MAX,
    VISIT,
    WORDS_MAX,
)
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.records import ComparedRow, ComparedTool, Doubt

REPEATED_SHARE = 0.6
"""This share of a list's names recurs in their own sections. A guide's steps do not: `2. Set a budget`."""

RANKS_TOLD = 20

PARAGRAPH_MIN = 60
"""The fewest characters of a paragraph; labels, prices and buttons have fewer."""

SHOWN = 5

KINDS_MIN = 2
"""Kinds of product details that a section needs if no title announces a list of tools."""

RUN_MIN = 3
"""The fewest ranked sections of a list; two are `1. Introduction`, `2. Conclusion`."""


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


def read_tool_list(
    blocks: Sequence[Block], titles: Sequence[str], names: Sequence[str]
) -> tuple[ToolList | None, tuple[Doubt, ...]]:
    """The list on the page, if there is one, and its doubts.

    `names` are those that the title compares. A count other than the title's gives `incomplete_list`; sections that
    cannot be told apart, or a gap in the ranks, `list_not_read`.
    """
    stated = next((count for title in titles if (count := stated_count(title)) is not None), None)
    is_list = any(is_of_a_list(title) for title in titles)
    sections = section_runs(blocks)
    runs = [items for run in sections if is_list or names if (items := _items(run, stated, names))]
    if not runs and stated is None:
        runs = [items for run in sections if (items := _described(run, titles))]
    sound = [items for items in runs if _are_tools(items, is_named=bool(names))]
    promised = f"{stated} tools, as the title says"
    if len(sound) != 1:
        found = f"{len(sound)} lists of sections" if sound else "no sections that are of a tool each"
        if stated is not None:
            return None, (Doubt("list_not_read", None, promised, found),)
        if sound:
            return None, (Doubt("list_not_read", None, "one list of sections", found),)
        return None, tuple(_gaps([run for run in sections if is_list or _are_described(run)]))
    (items,) = sound
    is_whole = stated is None or stated == len(items)
    doubts = () if is_whole else (Doubt("incomplete_list", None, promised, f"{len(items)} sections"),)
    return _read(items), (*doubts, *_left_over(items))


def _left_over(items: Sequence[_Item]) -> Iterator[Doubt]:
    """Prices and ratings without a label in a section with several: the tool's own is unknown."""
    for item in items:
        labelled_values = {value for _, value in labelled(item.section)}
        for values in bare_values(item.section.body):
            unread = [value for value in values if value not in labelled_values]
            if len(unread) > 1:
                found = f"{', '.join(unread[:SHOWN])} in the section of {item.name!r}"
                yield Doubt("left_over", None, "one price, and one rating, of a tool", found)


def stated_count(title: str) -> int | None:
    """The promised number of tools: `The 12 Best Notion Alternatives in 2026` says 12."""
    numbers = [word.strip("()[]:,#+") for word in title.split()]
    counts = {int(word) for word in numbers if word.isascii() and word.isdecimal() and len(word) <= 3}
    counts = {count for count in counts if 2 <= count <= STATED_MAX}
    return counts.pop() if len(counts) == 1 and is_of_a_list(title) else None


def is_of_a_list(title: str) -> bool:
    return not LIST_WORDS.isdisjoint(fold(word) for word in title.split())


def _items(run: Sequence[Section], stated: int | None, names: Sequence[str]) -> list[_Item]:
    """The sections of a run that are about one tool each; empty if nothing identifies them."""
    items = [_item(section) for section in run]
    ranked = [item for item in items if item.rank is not None]
    if len(ranked) >= RUN_MIN and _is_numbered_through([item.rank for item in ranked if item.rank is not None]):
        return ranked
    wanted = {fold(name) for name in names}
    if wanted and wanted <= {fold(item.name) for item in items}:
        return [item for item in items if fold(item.name) in wanted]
    detailed = [item for item in items if _details(item) > 1]
    return detailed if stated is not None and len(detailed) == stated else []


def _described(run: Sequence[Section], titles: Sequence[str]) -> list[_Item]:
    """The sections of a run with product details, whatever the title promises.

    At least three, or two that a title names; plans of one product do not count.
    """
    items = [item for item in map(_item, run) if _kinds(item) >= KINDS_MIN]
    ranks = [item.rank for item in items if item.rank is not None]
    has_gap = len(ranks) >= RUN_MIN and not _is_numbered_through(ranks)
    are_plans = sum(key(item.name) in PLAN_WORDS for item in items) * 2 >= len(items)
    least = 2 if all(is_named_in(titles, item.name) for item in items) else RUN_MIN
    return [] if has_gap or are_plans or len(items) < least else items


def _are_described(run: Sequence[Section]) -> bool:
    return sum(_kinds(_item(section)) >= KINDS_MIN for section in run) >= RUN_MIN


def is_named_in(titles: Sequence[str], name: str) -> bool:
    return any(f" {key(name)} " in f" {key(title)} " for title in titles)


def _kinds(item: _Item) -> int:
    """How many of price, rating, pros, cons, and audience a section has."""
    labels = {fold(label) for label, _ in labelled(item.section)}
    prices, ratings = bare_values(item.section.body)
    said = (labels & PRICE or prices, labels & RATING or ratings, labels & PROS, labels & CONS, labels & BEST_FOR)
    return sum(map(bool, said))


def _details(item: _Item) -> int:
    """The number of details in a section: by labels, by values without one, and by a link to the tool."""
    labels = {fold(label) for label, _ in labelled(item.section)}
    return len(labels) + sum(map(bool, bare_values(item.section.body))) + (_address(item) is not None)


def _gaps(runs: Sequence[Sequence[Section]]) -> Iterator[Doubt]:
    """Ranks that form no list: one is missing or repeated."""
    for run in runs:
        ranks = [rank for rank in (_item(section).rank for section in run) if rank is not None]
        if len(ranks) >= RUN_MIN and not _is_numbered_through(ranks):
            found = ", ".join(map(str, ranks[:RANKS_TOLD]))
            yield Doubt("list_not_read", None, "headings that are numbered through", f"the numbers {found}")
            return


def _is_numbered_through(ranks: Sequence[int]) -> bool:
    steps = {after - before for before, after in pairwise(ranks)}
    return steps in ({1}, {-1}) and min(ranks) == 1


def _item(section: Section) -> _Item:
    text, rank = section.heading.text, None
    if (ranked := RANKED.fullmatch(text)) is not None:
        number, rest, hashed, rest_hashed = ranked.groups()
        rank, text = int(number or hashed), rest or rest_hashed
    name, said = _parted(text)
    return _Item(section, rank, name, said)


def _parted(heading: str) -> tuple[str, str | None]:
    """Name and words about it: `Alpha: best for teams` and `Best for teams: Alpha` are the same."""
    parted = NAME_PARTS.search(heading)
    if parted is None or (parted[0] == "(" and not heading.endswith(")")):
        return heading.strip(), None
    before, behind = heading[: parted.start()].strip(), heading[parted.end() :].strip()
    if parted[0] == "(":
        behind = behind.removesuffix(")").strip()
    return (behind, before) if PRAISE.match(before) and not PRAISE.match(behind) else (before, behind or None)


def _are_tools(items: Sequence[_Item], *, is_named: bool) -> bool:
    """Whether these are tools; `is_named`: the title names each."""
    names = [fold(item.name) for item in items]
    if len(items) < 2 or len({*names}) < len(names):
        return False
    if not all(name and len(name) <= NAME_MAX and len(name.split()) <= WORDS_MAX for name in names):
        return False
    return is_named or sum(map(_is_repeated, items)) >= REPEATED_SHARE * len(items)


def _is_repeated(item: _Item) -> bool:
    """Whether the name recurs below its heading in the same spelling, or is a link."""
    return _address(item) is not None or any(item.name in block.text for block in item.section.body)


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
        price=only(PRICE),
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
