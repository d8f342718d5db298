"""One kind of page, and several at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, TypeAlias

from builders.other_site.facts import Pair
from builders.other_site.layouts import LAYOUTS
from builders.other_site.page import Page, page_of

Medium: TypeAlias = Literal["html", "innertext", "quotes"]

ALL_MEDIA: frozenset[Medium] = frozenset({"html", "innertext", "quotes"})
LABELLED: frozenset[Medium] = frozenset({"html", "innertext"})
HTML_ONLY: frozenset[Medium] = frozenset({"html"})

LINEAR = frozenset(name for name, layout in LAYOUTS.items() if not layout["has_columns"])
"""Layouts whose cells stand one below the other."""

Demand: TypeAlias = Literal["right", "right or doubted", "doubted"]
"""What may be asked of a reader: all values right; or at least a flag, where a person, too, has to reckon from the
votes; or a flag in any case, because the page contradicts itself or is not all there."""

PageChange: TypeAlias = Callable[[Page, Random], Page]


@dataclass(frozen=True)
class Kind:
    """`touches` names what it changes: two kinds that touch the same thing never stand on one page."""

    family: str
    name: str
    page: PageChange = lambda page, _: page
    touches: frozenset[str] = frozenset()
    media: frozenset[Medium] = HTML_ONLY
    facts: Callable[[Pair, Random], Pair] = lambda pair, _: pair
    needs_columns: bool = False
    demand: Demand = "right"
    doubtful_in: frozenset[str] = frozenset()
    """Layouts in which even a person has to reckon."""
    without: frozenset[str] = frozenset()
    """Layouts in which it changes nothing."""

    def demand_in(self, layout: str) -> Demand:
        return "right or doubted" if layout in self.doubtful_in else self.demand

    def fits(self, layout: str) -> bool:
        medium = medium_of(layout)
        if medium not in self.media or layout in self.without:
            return False
        return medium != "html" or not self.needs_columns or bool(LAYOUTS[layout]["has_columns"])


def kinds_of(family: str, *usual: str, media: frozenset[Medium] = HTML_ONLY, **shared: Any) -> Callable[..., Kind]:
    """Makes kinds of a family by name, change of the page and what they touch; what is not said is as usual there."""

    def kind(
        name: str, page: Callable[[Page, Random], Page] = lambda page, _: page, *touched: str, **more: Any
    ) -> Kind:
        return Kind(family, name, page, **({"touches": frozenset(touched or usual), "media": media} | shared | more))

    return kind


def medium_of(layout: str) -> Medium:
    return layout if layout in ("innertext", "quotes") else "html"  # type: ignore[return-value]  # narrowed just now


def fit_together(one: Kind, other: Kind) -> bool:
    return not one.touches & other.touches


def page_with(kinds: Sequence[Kind], pair: Pair, random: Random) -> Page:
    """The page of a pair with all these kinds, which stand in the order of the list of kinds."""
    for kind in kinds:
        pair = kind.facts(pair, random)
    page = page_of(pair)
    for kind in kinds:
        page = kind.page(page, random)
    return page
