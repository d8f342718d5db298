"""What the sections of a list say of its tools: price, rating, audience, address, attributes, paragraphs. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import TypeAlias

from verdicts.extract.generic.bare_values import AMOUNT
from verdicts.extract.generic.naming import Named
from verdicts.extract.generic.sections import Section, labelled, labels_of
from verdicts.extract.generic.stated import FREE
from verdicts.extract.generic.words import ASIDES, BEST_FOR, CONS, PRICE, PROS, RATING, RATING_VALUE, VISIT, is_label_of
from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import ComparedRow, ComparedTool, Doubt

PARAGRAPH_MIN = 60
"""The fewest characters of a paragraph; labels, prices and buttons have fewer."""

SHOWN = 5

_DECIMAL = re.compile(r"\d{1,2}[.,]\d{1,2}")

_AMOUNT = re.compile(AMOUNT)
_PRICED = re.compile(rf"{AMOUNT}|{FREE.pattern}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Listed:
    """A tool of a list: its heading as a name, and its section."""

    named: Named
    section: Section

    @property
    def words(self) -> int:
        """The characters below the heading."""
        return sum(len(block.text) for block in self.section.body)


@dataclass(frozen=True, slots=True)
class ToolList:
    """The tools of a list in page order, and what their sections say.

    `beside`: the same tools with prices and ratings from their sections without a label. `in_sentences`: the names of
    those whose sections have prices only within sentences. `left_over`: what no tool was given.
    """

    tools: tuple[ComparedTool, ...]
    rows: tuple[ComparedRow, ...]
    beside: tuple[ComparedTool, ...] = ()
    prose: tuple[str, ...] = ()
    in_sentences: frozenset[str] = frozenset()
    left_over: tuple[Doubt, ...] = ()


_Bare: TypeAlias = tuple[list[str], list[str]]
"""The prices and the ratings of a section without a label."""


def kinds_of(listed: Listed, labels: Set[str]) -> int:
    """How many of price, rating, pros, cons, and audience a section with these labels has."""
    prices, ratings = listed.section.bare_values
    bare = {PRICE: prices, RATING: ratings}
    return sum(
        bool(bare.get(kind)) or any(is_label_of(label, kind) for label in labels)
        for kind in (PRICE, RATING, PROS, CONS, BEST_FOR)
    )


def address_of(listed: Listed) -> str | None:
    """The heading's link, else a link with just the name or an invitation: `Visit Alpha`."""
    name = fold(listed.named.name)
    names = {name, *(f"{word} {name}" for word in VISIT), f"{name} website"}
    links = [listed.section.heading, *(block for block in listed.section.body if fold(block.text) in names)]
    return next((block.href for block in links if block.href and not block.href.startswith("#")), None)


def _left_over(
    listed: Sequence[Listed], bare: Sequence[_Bare], told: Sequence[Mapping[str, Sequence[str]]]
) -> Iterator[Doubt]:
    """Prices, ratings and numbers without a label in a section with several: the tool's own is unknown."""
    alone: list[str] = []
    for one, unread, of_tool in zip(listed, bare, told, strict=True):
        for values in unread:
            if len(values) > 1:
                found = f"{', '.join(values[:SHOWN])} in the section of {one.named.name!r}"
                yield Doubt("left_over", None, "one price, and one rating, of a tool", found)
        known = [*chain(*unread), *chain(*of_tool.values())]
        texts = (block.text for block in one.section.body if block.cell is None and _DECIMAL.fullmatch(block.text))
        alone += islice((text for text in texts if not any(value.startswith(text) for value in known)), 1)
    if len(alone) * 2 > len(listed):
        found = f"{alone[0]!r} in the section of {listed[0].named.name!r}, and {len(alone) - 1} more"
        yield Doubt("left_over", None, "numbers that say what they count", found)


def _unlabelled(one: Listed, labelled: Set[str]) -> _Bare:
    prices, ratings = one.section.bare_values
    return [one for one in prices if one not in labelled], [one for one in ratings if one not in labelled]


def _has_amount(listed: Listed) -> bool:
    return any(_AMOUNT.search(block.text) for block in listed.section.body if block.cell is None)


def read_sections(listed: Sequence[Listed]) -> ToolList:
    """The tools of a list, one section each; a label that two sections have gives a row."""
    counts = Counter(label for one in listed for label in labels_of(one.section))
    shared = frozenset(label for label, count in counts.items() if count > 1)
    published: dict[str, str] = {}
    told: list[dict[str, list[str]]] = []
    for one in listed:
        told.append(defaultdict(list))
        for label, value in labelled(one.section, shared):
            told[-1][fold(label)].append(value)
            published.setdefault(fold(label), label)
    rows = (
        ComparedRow("attribute", name, values)
        for label, name in published.items()
        for values in zip_longest(*(of_tool.get(label, ()) for of_tool in told))
    )
    blocks = (block for one in listed for block in one.section.body if block.level is None)
    long = (block.text for block in blocks if len(block.text) >= PARAGRAPH_MIN)
    prose = tuple(text for text in long if fold(text.partition(":")[0]) not in ASIDES)
    bare = [_unlabelled(one, {*chain(*of_tool.values())}) for one, of_tool in zip(listed, told, strict=True)]
    beside = tuple(
        ComparedTool(one.named.name, price=_only(prices), rating=_only(ratings))
        for one, (prices, ratings) in zip(listed, bare, strict=True)
    )
    in_sentences = frozenset(
        one.named.name for one, (prices, _) in zip(listed, bare, strict=True) if len(prices) < 2 and _has_amount(one)
    )
    left_over = tuple(_left_over(listed, bare, told))
    return ToolList(tuple(map(_tool, listed, told)), tuple(rows), beside, prose, in_sentences, left_over)


def _tool(listed: Listed, told: Mapping[str, Sequence[str]]) -> ComparedTool:
    def said(labels: frozenset[str], is_value: Callable[[str], object] = bool) -> str | None:
        """A single value: of several prices none is the tool's. A plain label counts more than a longer one."""
        plain = [value for label in labels & told.keys() for value in told[label]]
        values = plain or [value for label in told if is_label_of(label, labels) for value in told[label]]
        return _only([value for value in values if is_value(value)])

    named = listed.named
    return ComparedTool(
        name=named.name,
        url=address_of(listed),
        description=None if named.is_praised else named.said,
        price=named.price or said(PRICE, _PRICED.search) or said(PRICE, _is_word),
        rating=named.rating or said(RATING, RATING_VALUE.fullmatch),
        rank=named.rank,
        best_for=said(BEST_FOR) or (named.said if named.is_praised else None),
    )


def _is_word(value: str) -> bool:
    """`Contact sales`, `$$`; a paragraph below `Check price` is not a price."""
    return len(value) <= PARAGRAPH_MIN


def _only(values: Sequence[str]) -> str | None:
    return values[0] if len(values) == 1 else None
