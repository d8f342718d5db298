"""The kinds of pages, by family: what each changes in a page, and what may be expected of a reader."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

from comparison_bench.other_site.facts import Pair
from comparison_bench.other_site.kinds.changes import CHANGES
from comparison_bench.other_site.kinds.facts import FACTS, FactsChange
from comparison_bench.other_site.kinds.templates import PageChange, by_template
from comparison_bench.other_site.layouts import LAYOUTS
from comparison_bench.other_site.page import Page, page_of

Medium: TypeAlias = Literal["html", "innertext", "quotes"]
Demand: TypeAlias = Literal["right", "right or doubted", "doubted"]
"""What may be asked of a reader: all values right; or at least a flag, where a person, too, has to reckon from the
votes; or a flag in any case, because the page contradicts itself or is not all there."""

MEDIA: dict[str, frozenset[Medium]] = {
    "html": frozenset({"html"}),
    "labelled": frozenset({"html", "innertext"}),
    "all": frozenset({"html", "innertext", "quotes"}),
}
LINEAR = frozenset(name for name, layout in LAYOUTS.items() if not layout["has_columns"])
"""Layouts whose cells stand one below the other."""


@dataclass(frozen=True)
class Kind:
    """`touches` names what it changes: two kinds that touch the same thing never stand on one page."""

    family: str
    name: str
    changes: tuple[PageChange, ...] = ()
    facts: FactsChange | None = None
    touches: frozenset[str] = frozenset()
    media: frozenset[Medium] = MEDIA["all"]
    needs_columns: bool = False
    demand: Demand = "right"
    doubtful_in: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

    def demand_in(self, layout: str) -> Demand:
        return "right or doubted" if layout in self.doubtful_in else self.demand

    def fits(self, layout: str) -> bool:
        medium = medium_of(layout)
        if medium not in self.media or layout in self.without:
            return False
        return medium != "html" or not self.needs_columns or bool(LAYOUTS[layout]["has_columns"])


def _declared() -> Iterator[Kind]:
    declared = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text(encoding="utf-8"))
    groups = declared["groups"]
    for family, usual in declared["families"].items():
        kinds = usual.pop("kinds")
        for kind in kinds:
            given: dict[str, Any] = {"media": "html", "touches": []} | usual | kind
            facts = given.pop("facts", None)
            doubtful_in = given.pop("doubtful_in", [])
            yield Kind(
                family=family,
                name=given.pop("name"),
                facts=FACTS[facts] if facts else None,
                touches=frozenset(one for name in given.pop("touches") for one in groups.get(name, [name])),
                media=MEDIA[given.pop("media")],
                needs_columns=given.pop("columns", False),
                demand=given.pop("demand", "right"),
                doubtful_in=LINEAR if doubtful_in == ["linear"] else frozenset(doubtful_in),
                without=frozenset(given.pop("without", [])),
                changes=tuple(
                    CHANGES[value] if name == "change" else by_template(name, value) for name, value in given.items()
                ),
            )


KINDS = tuple(_declared())


def medium_of(layout: str) -> Medium:
    return layout if layout in ("innertext", "quotes") else "html"  # type: ignore[return-value]  # narrowed just now


def fit_together(one: Kind, other: Kind) -> bool:
    return not one.touches & other.touches


def page_with(kinds: Sequence[Kind], pair: Pair, random: Random) -> Page:
    """The page of a pair with all these kinds, which stand in the order of the list of kinds."""
    for kind in kinds:
        pair = kind.facts(pair, random) if kind.facts else pair
    page = page_of(pair)
    for kind in kinds:
        for change in kind.changes:
            page = change(page, random)
    return page
