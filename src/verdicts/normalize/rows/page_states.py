"""What a page shows of its two tools, from one version to the next.

A value stays until a version shows another value or removes it. A version removes a value if the version before it, in
the same rendering, had the value. A rendering that never had the value does not remove it, and neither does a version
that was read only in part (`discrepancies` has a row for it).
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.records import Card, Decision
from verdicts.normalize.identity.page_versions import PageVersion, has_whole_panels
from verdicts.normalize.parse.typed_page import TypedCard, TypedDecision
from verdicts.normalize.parse.values import NO_COMMUNITY, NO_PANEL, Community, VerdictLine

Part = TypeVar("Part", TypedCard, TypedDecision)

_PRINTED_AS = {
    "panel_ship_pct": "panel_ship",
    "community_pct": "community",
    "panel": "verdict",
    "panel_verdict_raw": "verdict",
    "community_raw": "community",
}
"""The printed field of a typed one, where its name differs."""

REPEATED_AS = {"tagline": "best_for", "category": "category"}
"""Fields of the card that the Decision table repeats. A page takes back what it shows nowhere."""


class MergedSide(NamedTuple):
    """One tool's side of a page. `decision` is None until a version of the page has the table."""

    side: Side
    tool_id: str
    card: TypedCard
    decision: TypedDecision | None

    @property
    def panel(self) -> VerdictLine:
        return NO_PANEL if self.decision is None else self.decision.panel

    @property
    def community(self) -> Community:
        return NO_COMMUNITY if self.decision is None else self.decision.community


class PageState(NamedTuple):
    """What a page shows from a version on, of A and of B."""

    version: PageVersion
    sides: tuple[MergedSide, MergedSide]


def list_page_states(versions: Sequence[PageVersion]) -> list[PageState]:
    """The states of a page, one for each version. Versions come oldest first."""
    first, second = (_list_side_states(versions, index) for index in range(len(SIDES)))
    return [PageState(*of_version) for of_version in zip(versions, zip(first, second, strict=True), strict=True)]


def _list_side_states(versions: Sequence[PageVersion], index: int) -> list[MergedSide]:
    states: list[MergedSide] = []
    card, column = None, None
    had: dict[tuple[str, type], set[str]] = defaultdict(set)
    for version in versions:
        printed, typed, rendering = version.printed, version.comparison, version.head.rendering
        printed_card, table = printed.cards[index], printed.decisions[index] if printed.decisions else None
        is_whole = _is_whole(version, index)
        on_card, in_table = had[rendering, Card], had[rendering, Decision]
        repeated = {name for name, repeat in REPEATED_AS.items() if table and getattr(table, repeat) is not None}
        card = _update_part(card, typed.cards[index], printed_card, on_card, repeated if is_whole else on_card)
        if table is not None:
            repeated = {repeat for name, repeat in REPEATED_AS.items() if getattr(printed_card, name) is not None}
            column = _update_part(column, typed.decisions[index], table, in_table, repeated if is_whole else in_table)
        states.append(MergedSide(SIDES[index], version.head.tool_ids[index], card, column))
    return states


def _is_whole(version: PageVersion, index: int) -> bool:
    """Whether nothing of a side was left unread. A page without its scorecard is not whole."""
    doubted = {doubt.side for doubt in version.printed.doubts}
    return not doubted & {None, SIDES[index]} and has_whole_panels(version)


def _update_part(
    before: Part | None, typed: Part, printed: Card | Decision, had: set[str], kept: Collection[str]
) -> Part:
    """The part with what is printed now, and without what is lost. A broken value counts: an older one would be wrong.

    `had` are the fields that this rendering had, and becomes those that it has; `kept` are never lost.
    """
    fields = {name: _PRINTED_AS.get(name, name) for name in typed.__struct_fields__}
    has = {field for field in fields.values() if getattr(printed, field) is not None}
    lost = had - has - {*kept}
    had |= has
    had -= lost
    if before is None:
        return typed
    changed = has | lost
    return replace(before, **{name: getattr(typed, name) for name, field in fields.items() if field in changed})
