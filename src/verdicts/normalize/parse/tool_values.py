"""The tools of any other site's comparison, each property chosen among the facts of its page. Pure."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple, get_args

from verdicts.extract.generic.bare_values import AMOUNT
from verdicts.extract.generic.label_words import BEST_FOR, PRICE, PRICED_IN_WORDS, RATING, find_property
from verdicts.extract.generic.stated import FREE
from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import Fact, FactReader, Property, SideBySide

_PLACES: Sequence[tuple[FactReader, bool]] = (
    ("recipe", False),
    ("heading", False),
    ("section", True),
    ("recipe", True),
    ("table", True),
    ("table", False),
    ("statement", False),
    ("section", False),
)
"""Where a property is looked for, best place first: a reader, and whether a label announces the value there. What a
person printed under a label beats what a script states, and this beats a value that only looks like one."""

_AUDIENCE_PLACES = (*(place for place in _PLACES if place[1]), *(place for place in _PLACES if not place[1]))
"""Of the audience the labels come first: beside a name stands why it is picked."""

_PLAIN_LABELS = BEST_FOR | PRICE | RATING

_PRICED = re.compile(rf"{AMOUNT}|{FREE.pattern}|^\d[\d.,]*$", re.IGNORECASE)
"""`Price (USD/month): 9` has its currency in the label."""
_WORDS_MAX = 60
"""The most characters of a price in words, `Contact sales`: a paragraph below `Check price` is none."""


class ComparedTool(NamedTuple):
    """A tool in a comparison of any other site, with its properties as printed. `rating` is the mean of `ratings`."""

    name: str
    url: str | None = None
    description: str | None = None
    category: str | None = None
    price: str | None = None
    rating: str | None = None
    rating_best: str | None = None
    ratings: str | None = None
    rank: int | None = None
    best_for: str | None = None


class Undecided(NamedTuple):
    """Different values of a property at equally good places. The tool gets no value."""

    tool: str
    property: Property
    values: tuple[str, ...]


def choose_tools(page: SideBySide) -> tuple[tuple[ComparedTool, ...], tuple[Undecided, ...]]:
    """The tools of a page in its order, and the properties with several values."""
    by_tool: dict[int, dict[Property, list[Fact]]] = defaultdict(lambda: defaultdict(list))
    for fact in page.facts:
        if (stated := find_property(fact)) is not None:
            by_tool[fact.tool][stated].append(fact)
    tools, undecided = list[ComparedTool](), list[Undecided]()
    for number, name in enumerate(page.tools):
        chosen: dict[str, Fact] = {}
        for wanted in get_args(Property):
            facts = choose_facts(wanted, by_tool[number][wanted])
            values = tuple(dict.fromkeys(fact.value for fact in facts))
            if len(values) == 1 or (values and wanted in {"rank", "description", "category"}):
                chosen[wanted] = facts[0]
            elif wanted != "url" and values:
                undecided.append(Undecided(name, wanted, values))
        tools.append(_make_tool(name, chosen))
    return tuple(tools), tuple(undecided)


def _make_tool(name: str, chosen: Mapping[str, Fact]) -> ComparedTool:
    values = {wanted: fact.value for wanted, fact in chosen.items() if wanted != "rank"}
    rated, rank = chosen.get("rating"), chosen.get("rank")
    return ComparedTool(
        name,
        **values,
        rating_best=None if rated is None else rated.scale,
        ratings=None if rated is None else rated.ratings,
        rank=None if rank is None else int(rank.value),
    )


def choose_facts(wanted: Property, facts: Sequence[Fact]) -> Sequence[Fact]:
    """The facts at the best place with facts. A plain label, `Price`, is a better place than `Price per seat`."""
    for reader, has_label in _AUDIENCE_PLACES if wanted == "best_for" else _PLACES:
        at_place = [fact for fact in facts if (fact.reader, fact.label is not None) == (reader, has_label)]
        if has_label:
            at_place = _select_prices(at_place) if wanted == "price" else at_place
            at_place = [fact for fact in at_place if fold(fact.label or "") in _PLAIN_LABELS] or at_place
        # An item may be stated twice: in a script and in the page.
        if at_place:
            return at_place[:1] if reader == "statement" else at_place
    return ()


def _select_prices(facts: Sequence[Fact]) -> list[Fact]:
    """Those with an amount, or that say free; else those that say in a few words that there is one."""
    priced = [fact for fact in facts if _PRICED.search(fact.value)]
    return priced or [fact for fact in facts if len(fact.value) <= _WORDS_MAX and _is_priced_in_words(fact.value)]


def _is_priced_in_words(value: str) -> bool:
    return any(word in fold(value) for word in PRICED_IN_WORDS)
