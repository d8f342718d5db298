"""The answer key: what a reader of a page sees on it, whatever its form."""

from dataclasses import dataclass

from builders.other_site.facts import SIDES, Side, Tool
from builders.other_site.kinds.kind import Medium
from builders.other_site.page import Page, community_votes

Values = dict[str, str | None]


@dataclass(frozen=True)
class TakeKey:
    """`side`, `seat`, `score` (of 100) and `verdict` are None where the page has lost them."""

    text: str
    side: Side | None
    seat: str | None
    score: float | None
    verdict: str | None


@dataclass(frozen=True)
class Key:
    """Fields of both tools, by side, and the takes. `gaps` are the seats that have not judged a tool.

    `may_lack_gaps`: nothing on the page calls them so.
    """

    cards: dict[Side, Values]
    decisions: dict[Side, Values]
    takes: tuple[TakeKey, ...]
    gaps: tuple[tuple[str, Side], ...]
    may_lack_gaps: bool


def key_of(page: Page, medium: Medium, *, is_linked: bool) -> Key:
    pair = page.pair
    takes = tuple(
        _unlabelled(take.text) if medium == "quotes" else TakeKey(take.text, side, seat, take.score, take.verdict)
        for seat in pair.seats
        for side in SIDES
        if (take := pair.tool(side).takes.get(seat)) is not None
    )
    gaps = tuple((seat, side) for seat in pair.seats for side in SIDES if seat not in pair.tool(side).takes)
    return Key(
        cards={side: _card(pair.tool(side), medium, is_linked=is_linked) for side in SIDES},
        decisions={} if medium == "quotes" else {side: _decision(pair.tool(side), page) for side in SIDES},
        takes=takes,
        gaps=() if medium == "quotes" else gaps,
        may_lack_gaps=page.doubtful_gaps,
    )


def _unlabelled(text: str) -> TakeKey:
    return TakeKey(text, None, None, None, None)


def _card(tool: Tool, medium: Medium, *, is_linked: bool) -> Values:
    return {
        "name": tool.name,
        "slug": tool.slug if is_linked else None,
        "tagline": tool.tagline,
        "category": tool.category,
        "chip": None if medium == "quotes" else tool.chip,
        "panel_ship": str(tool.pct),
        "community": None if tool.community is None else str(tool.community[0]),
        "entry": tool.entry,
        "description": tool.description,
    }


def _decision(tool: Tool, page: Page) -> Values:
    values: Values = {
        "verdict": tool.votes,
        "community": community_votes(tool),
        "pricing": tool.pricing,
        "best_for": tool.tagline,
        "category": tool.category,
    }
    return {name: None if f"decision {name}" in page.lost else value for name, value in values.items()}
