"""How much a page shows of each measure: its places, and the words in them. Pure.

A measure without its basis does not apply. A page without reviews has no score to lose, and only its reviews are
reported.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, get_args

from verdicts.corpus.enumerations import GateMeasure, Side
from verdicts.extract.model.records import FAILURES, Comparison, Document, Extracted, Reject, SideBySide
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.normalize.parse.tool_values import choose_tools
from verdicts.normalize.parse.typed_page import TypedComparison, type_comparison
from verdicts.pipeline.gates.thresholds import PLACEHOLDER_BEFORE, PLACEHOLDER_SHARE, PLACEHOLDER_TOOLS

PAGE_MEASURES: tuple[GateMeasure, ...] = get_args(GateMeasure)[: get_args(GateMeasure).index("answered")]
"""Measures of a single reading, in the order of `amounts`."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place for the words of a measure: its tool and its words, each None if missing.

    `is_value`: the words are a value. `88/100` is one for a score; stars are not, and `$0` is no amount.
    """

    tool: str | None
    words: str | None
    is_value: bool = True


Places: TypeAlias = Mapping[GateMeasure, Sequence[Place]]
"""Places by measure. A measure without places does not apply."""

Placeholder: TypeAlias = tuple[GateMeasure, str]
"""A measure, and words in its places that mean nothing."""

_NOWHERE = (Place(None, None),)

MISSING_IS_LOST: tuple[GateMeasure, ...] = ("reviews", "decision")
"""A tool without a place for these has lost them if another tool of the page has a place."""


def measure_page(places: Places, placeholders: Collection[Placeholder] = ()) -> tuple[float | None, ...]:
    """How much a page shows of each of `PAGE_MEASURES`. None if the measure does not apply.

    The share of places with a value; for `reviews` their number, for `review_text` their mean length in characters.
    """
    return tuple(_measure_places(measure, places.get(measure, ()), placeholders) for measure in PAGE_MEASURES)


def measure_tools(
    extracted: Extracted, places: Places, placeholders: Collection[Placeholder] = ()
) -> tuple[float | None, ...]:
    """The same for each tool, one after the other, in page order."""
    names: Sequence[str] = ()
    if isinstance(extracted, Comparison):
        names = [card.slug or card.name for card in extracted.cards]
    elif isinstance(extracted, Document) and extracted.side_by_side is not None:
        names = extracted.side_by_side.tools
    amounts: list[float | None] = []
    for name in names:
        of_tool: dict[GateMeasure, Sequence[Place]] = {
            measure: [place for place in group if place.tool == name] for measure, group in places.items()
        }
        for measure in MISSING_IS_LOST:
            if places.get(measure) and not of_tool[measure]:
                of_tool[measure] = _NOWHERE
        amounts += measure_page(of_tool, placeholders)
    return tuple(amounts)


def _measure_places(
    measure: GateMeasure, places: Sequence[Place], placeholders: Collection[Placeholder]
) -> float | None:
    if not places:
        return None
    filled = [
        place.words
        for place in places
        if place.words is not None and place.is_value and (measure, place.words) not in placeholders
    ]
    if measure == "reviews":
        return float(len(filled))
    if measure == "review_text":
        return sum(map(len, filled)) / len(places)
    return len(filled) / len(places)


def list_places(extracted: Extracted, profiles: Profiles = SHIPPED) -> Places:
    """The places of every measure on a page. Empty if this program failed on the page."""
    if isinstance(extracted, Reject) and extracted.reason in FAILURES:
        return {}
    if isinstance(extracted, Comparison):
        # An earlier reading with a profile that is no longer declared.
        return {} if extracted.profile not in profiles else _read_comparison(extracted, profiles)
    if isinstance(extracted, Document) and extracted.side_by_side is not None:
        return _read_other_site(extracted.side_by_side)
    return {"comparison": _NOWHERE}


CARD_MEASURES: tuple[GateMeasure, ...] = ("tagline", "description", "category", "entry")
"""Fields of a card by the same name."""


def _read_comparison(printed: Comparison, profiles: Profiles) -> Places:
    page = type_comparison(printed, profiles[printed.profile])
    tools = {card.side: card.slug or card.name for card in page.cards}
    cards = [(tools[card.side], record, card) for record, card in zip(printed.cards, page.cards, strict=True)]
    takes = [
        (tools.get(take.side) if take.side else None, record, take)
        for record, take in zip(printed.takes, page.takes, strict=True)
    ]
    columns = [(tools[column.side], column) for column in page.decisions]
    prices = [Place(tool, column.pricing) for tool, column in columns]
    places: dict[GateMeasure, Sequence[Place]] = {
        "comparison": [Place(None, printed.title)],
        "reviews": [Place(tool, take.text or None) for tool, _, take in takes] or _NOWHERE,
        "review_text": [Place(tool, take.text) for tool, _, take in takes],
        "panel": [Place(tool, record.panel_ship, card.panel_ship_pct is not None) for tool, record, card in cards],
        **{name: [Place(tool, getattr(card, name)) for tool, _, card in cards] for name in CARD_MEASURES},
        "rating": [Place(tool, record.community, card.community_pct is not None) for tool, record, card in cards],
    }
    if printed.rendering == "html":
        places["slug"] = [Place(tool, card.slug) for tool, _, card in cards]
    if printed.rendering == "quotes":
        # This rendering does not show more, so the page has not lost it.
        return places
    decisions = [Place(tool, column.panel_verdict_raw, column.panel.verdict is not None) for tool, column in columns]
    return places | {
        "whole_panel": _count_panels(page, tools),
        "side": [Place(tool, take.side) for tool, _, take in takes],
        "reviewer": [Place(tool, take.reviewer) for tool, _, take in takes],
        "score": [Place(tool, record.score, take.score is not None) for tool, record, take in takes],
        "verdict": [Place(tool, record.verdict, take.verdict is not None) for tool, record, take in takes],
        "decision": decisions or _NOWHERE,
        "price": prices,
        "amount": _check_amounts(prices),
    }


def _count_panels(page: TypedComparison, tools: Mapping[Side, str]) -> Sequence[Place]:
    """Whether each tool has as many reviews as votes in the Decision table. For the page if sides are missing."""
    panels = {column.side: column.panel for column in page.decisions}
    votes = {side: (panel.ship_votes or 0) + (panel.skip_votes or 0) for side, panel in panels.items()}
    takes = Counter(take.side for take in page.takes)
    if not takes or not any(votes.values()):
        return ()
    counts: list[tuple[str | None, int, int]]
    counts = [(tools[side], takes[side], count) for side, count in votes.items() if count]
    if None in takes:
        counts = [(None, len(page.takes), sum(votes.values()))]
    return [Place(tool, f"{reviews} reviews for {count} votes", reviews >= count) for tool, reviews, count in counts]


def _check_amounts(prices: Sequence[Place]) -> Sequence[Place]:
    """`$20/mo` names an amount; `Free` and `$0.00/mo` name none."""
    return [
        replace(place, is_value=any(sign.isdecimal() and int(sign) > 0 for sign in place.words))
        for place in prices
        if place.words is not None
    ]


def _read_other_site(page: SideBySide) -> Places:
    tools, _ = choose_tools(page)
    prices = [Place(tool.name, tool.price) for tool in tools]
    return {
        "comparison": [Place(None, " vs ".join(page.tools))],
        "reviews": [Place(None, review.text or None) for review in page.reviews] or _NOWHERE,
        "review_text": [Place(None, review.text) for review in page.reviews],
        "score": [Place(None, review.rating) for review in page.reviews],
        "description": [Place(tool.name, tool.description) for tool in tools],
        "category": [Place(tool.name, tool.category) for tool in tools],
        "rating": [Place(tool.name, tool.rating) for tool in tools],
        "price": prices,
        "amount": _check_amounts(prices),
    }


DIFFERENT_BY_TOOL: tuple[GateMeasure, ...] = (
    "reviews", "review_text", "score", "panel", "tagline", "description", "rating", "decision", "price",
)  # fmt: skip
"""Measures that differ from tool to tool. All tools may share a reviewer, a side or a reviewer's verdict."""


def find_placeholders(before: Sequence[Places], after: Sequence[Places]) -> frozenset[Placeholder]:
    """Words that are no values: nearly all tools read anew have them, and few had them before."""
    users_before, users_after = _find_users(before), _find_users(after)
    placeholders: set[Placeholder] = set()
    for measure, users in users_after.items():
        tools, tools_before = (set().union(*group.values()) for group in (users, users_before[measure]))
        for words, those in users.items():
            is_new = len(users_before[measure][words]) <= PLACEHOLDER_BEFORE * len(tools_before)
            if is_new and len(those) >= max(PLACEHOLDER_TOOLS, PLACEHOLDER_SHARE * len(tools)):
                placeholders.add((measure, words))
    return frozenset(placeholders)


def _find_users(pages: Sequence[Places]) -> dict[GateMeasure, dict[str, set[str]]]:
    """Tools by measure and words."""
    users: dict[GateMeasure, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for number, places in enumerate(pages):
        for measure in DIFFERENT_BY_TOOL:
            for place in places.get(measure, ()):
                if place.words is not None and place.is_value:
                    users[measure][place.words].add(place.tool or f"page {number}")
    return users
