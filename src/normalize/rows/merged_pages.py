"""Pages with the versions of each merged field by field, the newest and richest first. What one page says, and no more.

Every table and rule of pages reads these: each page is merged once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeAlias

from verdicts.corpus.enumerations import SIDES, Side, Verdict
from verdicts.extract.model.records import Card, Decision
from verdicts.normalize.identity.page_versions import PageVersion
from verdicts.normalize.parse.values import (
    Community,
    VerdictLine,
    community,
    percent,
    readable,
    verdict_line,
    verdict_word,
)

CARD_FIELDS = tuple(field.name for field in fields(Card) if field.name not in {"side", "name", "span"})
DECISION_FIELDS = tuple(field.name for field in fields(Decision) if field.name not in {"side", "name", "span"})
"""Fields that are merged over the versions of a page."""


@dataclass(frozen=True, slots=True)
class MergedSide:
    """One tool's side of a page. `decision` is None where no version of the page has the table.

    `panel` and `community` are the votes by that table; `panel_ship` and `community_pct` are the percentages on the
    card, `chip` its word, each None where it is broken.
    """

    side: Side
    tool_id: str
    card: Card
    decision: Decision | None
    panel: VerdictLine
    community: Community
    panel_ship: int | None
    community_pct: int | None
    chip: Verdict | None


@dataclass(frozen=True, slots=True)
class MergedPage:
    """`versions` come freshest first, `sides` are A's and B's."""

    page_id: str
    versions: Sequence[PageVersion]
    sides: tuple[MergedSide, MergedSide]


Pages: TypeAlias = Sequence[MergedPage]


def merged_page(versions: Sequence[PageVersion]) -> MergedPage:
    """The page of these versions, which come freshest first."""
    return MergedPage(versions[0].page_id, versions, (_side(versions, "a"), _side(versions, "b")))


def newest_renderings(page: MergedPage) -> Sequence[PageVersion]:
    """The newest version of each rendering."""
    if len(page.versions) == 1:
        return page.versions
    return tuple({version.comparison.rendering: version for version in reversed(page.versions)}.values())


def _side(versions: Sequence[PageVersion], side: Side) -> MergedSide:
    index = SIDES.index(side)
    card = _merged_card([version.comparison.cards[index] for version in versions])
    return MergedSide(
        side=side,
        tool_id=versions[0].tool_ids[index],
        card=card,
        decision=_merged_decision([table[index] for version in versions if (table := version.comparison.decisions)]),
        panel=_panel_votes(versions, side),
        community=_community_votes(versions, side),
        panel_ship=readable(percent, card.panel_ship),
        community_pct=readable(percent, card.community),
        chip=readable(verdict_word, card.chip),
    )


def _merged_card(cards: Sequence[Card]) -> Card:
    """A field missing in the freshest version is taken from the next one that has it."""
    if len(cards) == 1:
        return cards[0]
    merged = {name: _freshest(cards, name) for name in CARD_FIELDS}
    return Card(side=cards[0].side, name=cards[0].name, span=cards[0].span, **merged)


def _merged_decision(columns: Sequence[Decision]) -> Decision | None:
    """Merged like a card; None where no version of the page has the table."""
    if len(columns) <= 1:
        return columns[0] if columns else None
    merged = {name: _freshest(columns, name) for name in DECISION_FIELDS}
    return Decision(side=columns[0].side, name=columns[0].name, span=columns[0].span, **merged)


def _freshest(parts: Sequence[Card] | Sequence[Decision], field: str) -> str | None:
    return next((value for part in parts if (value := getattr(part, field)) is not None), None)


def _panel_votes(versions: Sequence[PageVersion], side: Side) -> VerdictLine:
    """The verdict line of a side; all None where no version shows one. `versions` come freshest first."""
    for version in versions:
        raw = version.comparison.decisions[SIDES.index(side)].verdict if version.comparison.decisions else None
        if raw is not None:
            return readable(verdict_line, raw, version.profile)
    return VerdictLine(None, None, None)


def _community_votes(versions: Sequence[PageVersion], side: Side) -> Community:
    """The community's vote of a side, by the Decision table; all None where no version shows one."""
    for version in versions:
        raw = version.comparison.decisions[SIDES.index(side)].community if version.comparison.decisions else None
        if raw is not None:
            return readable(community, raw, version.profile)
    return Community(None, None)
