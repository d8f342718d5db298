"""Reads the sections of a list of tools: facts with and without labels, addresses, paragraphs. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeAlias

from verdicts.extract.generic.bare_values import AMOUNT
from verdicts.extract.generic.label_words import ASIDES, BEST_FOR, CONS, PRICE, PROS, RATING, VISIT, matches_label
from verdicts.extract.generic.naming import Named
from verdicts.extract.generic.sections import AWARD_MAX, Section, list_labels, read_labels
from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import Doubt, Fact, Property

PARAGRAPH_MIN = 60
"""The fewest characters of a paragraph; labels, prices and buttons have fewer."""

SHOWN = 5

_DECIMAL = re.compile(r"\d{1,2}[.,]\d{1,2}")

_AMOUNT = re.compile(AMOUNT)


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
    """The names of the tools of a list in page order, and what their sections say.

    `in_sentences`: the names of tools with prices only within sentences. `left_over`: texts that no tool got.
    """

    names: tuple[str, ...]
    facts: tuple[Fact, ...]
    prose: tuple[str, ...] = ()
    in_sentences: frozenset[str] = frozenset()
    left_over: tuple[Doubt, ...] = ()


_Bare: TypeAlias = tuple[list[str], list[str]]
"""The prices and the ratings of a section without a label."""


def count_kinds(listed: Listed, labels: Set[str]) -> int:
    """How many of price, rating, pros, cons, and audience a section with these labels has."""
    prices, ratings = listed.section.bare_values
    bare = {PRICE: prices, RATING: ratings}
    return sum(
        bool(bare.get(kind)) or any(matches_label(label, kind) for label in labels)
        for kind in (PRICE, RATING, PROS, CONS, BEST_FOR)
    )


def find_address(listed: Listed) -> str | None:
    """The heading's link, else a link with just the name or an invitation: `Visit Alpha`."""
    name = fold(listed.named.name)
    names = {name, *(f"{word}{name}" for word in VISIT), f"{name} website"}
    links = [listed.section.heading, *(block for block in listed.section.body if fold(block.text) in names)]
    return next((block.href for block in links if block.href and not block.href.startswith("#")), None)


def _doubt_bare_values(
    listed: Sequence[Listed], bare: Sequence[_Bare], labelled_values: Sequence[Mapping[str, Sequence[str]]]
) -> Iterator[Doubt]:
    """Prices, ratings and numbers without a label in a section with several: the tool's own is unknown."""
    alone: list[str] = []
    for listed_tool, unread, of_tool in zip(listed, bare, labelled_values, strict=True):
        for values in unread:
            if len(values) > 1:
                detail = f"{', '.join(values[:SHOWN])} in the section of {listed_tool.named.name!r}"
                yield Doubt("left_over", None, "one price, and one rating, of a tool", detail)
        read_values = [*chain(*unread), *chain(*of_tool.values())]
        texts = (
            block.text for block in listed_tool.section.body if block.cell is None and _DECIMAL.fullmatch(block.text)
        )
        alone += islice((text for text in texts if not any(value.startswith(text) for value in read_values)), 1)
    if len(alone) * 2 > len(listed):
        detail = f"{alone[0]!r} in the section of {listed[0].named.name!r}, and {len(alone) - 1} more"
        yield Doubt("left_over", None, "numbers that say what they count", detail)


def _list_bare_values(listed_tool: Listed, labelled: Set[str]) -> _Bare:
    prices, ratings = listed_tool.section.bare_values
    return [price for price in prices if price not in labelled], [
        rating for rating in ratings if rating not in labelled
    ]


def _has_amount(listed: Listed) -> bool:
    return any(_AMOUNT.search(block.text) for block in listed.section.body if block.cell is None)


def read_sections(listed: Sequence[Listed]) -> ToolList:
    """The tools of a list, one section each; the facts of a label that two sections have share their line."""
    counts = Counter(label for one in listed for label in list_labels(one.section))
    shared = frozenset(label for label, count in counts.items() if count > 1)
    pairs = [[*read_labels(one.section, shared)] for one in listed]
    values: list[dict[str, list[str]]] = [defaultdict(list) for _ in listed]
    for of_tool, own in zip(values, pairs, strict=True):
        for label, value in own:
            of_tool[fold(label)].append(value)
    blocks = (block for one in listed for block in one.section.body if block.level is None)
    long = (block.text for block in blocks if len(block.text) >= PARAGRAPH_MIN)
    prose = tuple(text for text in long if fold(text.partition(":")[0]) not in ASIDES)
    bare = [_list_bare_values(one, {*chain(*of_tool.values())}) for one, of_tool in zip(listed, values, strict=True)]
    in_sentences = frozenset(
        one.named.name for one, (prices, _) in zip(listed, bare, strict=True) if len(prices) < 2 and _has_amount(one)
    )
    facts = (*_read_name_facts(listed), *read_labelled_facts(pairs), *_bare_facts(bare))
    names = tuple(one.named.name for one in listed)
    return ToolList(names, facts, prose, in_sentences, tuple(_doubt_bare_values(listed, bare, values)))


def _read_name_facts(listed: Sequence[Listed]) -> Iterator[Fact]:
    """What stands beside the names: rank, price, rating, and whom it is for, or else what it is."""
    for place, one in enumerate(listed):
        named = one.named
        beside: tuple[tuple[Property, str | None], ...] = (
            ("rank", None if named.rank is None else str(named.rank)),
            ("price", named.price),
            ("rating", named.rating),
            ("best_for" if named.has_audience else "description", named.said),
            ("best_for", None if named.said or BEST_FOR & list_labels(one.section) else _audience_below(one.section)),
            ("url", find_address(one)),
        )
        yield from (Fact(place, value, "heading", property=name) for name, value in beside if value)


def _audience_below(section: Section) -> str | None:
    """`Best for marketing teams`, right below a name; `Great for travel.` is a sentence."""
    text = section.body[0].text if section.body else ""
    is_audience = fold(text).startswith(tuple(f"{label} " for label in BEST_FOR))
    return text if is_audience and len(text) <= AWARD_MAX and not text.endswith(".") else None


def read_labelled_facts(pairs: Sequence[Sequence[tuple[str, str]]]) -> Iterator[Fact]:
    """The facts of each label, first met first: its n-th values of all tools are a line."""
    lines: dict[tuple[str, int], tuple[str, list[tuple[int, str]]]] = {}
    for place, own in enumerate(pairs):
        numbers = Counter[str]()
        for label, value in own:
            lines.setdefault((fold(label), numbers[fold(label)]), (label, []))[1].append((place, value))
            numbers[fold(label)] += 1
    labels = {label: number for number, label in enumerate(dict.fromkeys(label for label, _ in lines))}
    in_order = sorted(lines, key=lambda line: (labels[line[0]], line[1]))
    published = {label: lines[label, 0][0] for label in labels}
    for number, line in enumerate(in_order):
        for place, value in lines[line][1]:
            yield Fact(place, value, "section", published[line[0]], line=number)


def _bare_facts(bare: Sequence[_Bare]) -> Iterator[Fact]:
    """The only price, and the only rating, of a section without a label."""
    for place, (prices, ratings) in enumerate(bare):
        own: tuple[tuple[Property, Sequence[str]], ...] = (("price", prices), ("rating", ratings))
        yield from (Fact(place, values[0], "section", property=name) for name, values in own if len(values) == 1)
