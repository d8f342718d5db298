"""The two tool cards. Labels give the numbers, the page's own `A vs B` gives the names, the order gives the rest."""

from collections.abc import Sequence

from extract.model.blocks import Block, fold
from extract.model.errors import PageRejected
from extract.model.records import Card, Decision, Side, Span
from extract.panel.labels import CARD_LABELS, CHIPS, NO_VALUE, PERCENT, STATS, TOOL_LINK, CardField
from extract.panel.sections import Sections, is_monogram

UNLABELLED = frozenset({"category", "tagline", "chip", "description"})
"""Parts of a card that have a label only in tables and in data."""


def read_cards(blocks: Sequence[Block], sections: Sections, decisions: Sequence[Decision]) -> tuple[Card, Card]:
    """The two cards, A then B. `decisions` repeats category and tagline, which tells them from what stands beside them.

    Raises `PageRejected` (`incomplete_card`).
    """
    first, second = decisions or (None, None)
    return _read_card(blocks, sections, "a", first), _read_card(blocks, sections, "b", second)


def _read_card(blocks: Sequence[Block], sections: Sections, side: Side, decision: Decision | None) -> Card:
    at = "ab".index(side)
    section, name_at, panel_at = sections.cards[at], sections.names.at[at], sections.panels[at]
    name = blocks[name_at].text
    before = _is_percent(blocks, panel_at - 1) and not (
        _is_percent(blocks, panel_at + 1) and fold(blocks[panel_at - 2].text) in STATS
    )
    labelled, used = _labelled(blocks, section, name_at, is_value_first=before)
    panel_ship = labelled.get("panel_ship")
    if panel_ship is None or "entry" not in labelled:
        missing = "a panel percentage" if panel_ship is None else "'Entry'"
        raise PageRejected("incomplete_card", f"the card of {name} lacks {missing}")
    free = [index for index in section if index not in used and index != name_at]
    free = [index for index in free if blocks[index].text and not is_monogram(blocks[index].text, name)]
    head = [index for index in free if index < panel_at]
    tail = [index for index in free if index > panel_at]
    chip = next((index for index in head if index > name_at and fold(blocks[index].text) in CHIPS), None)
    category = _told_apart(
        blocks, [index for index in head if index < name_at], None if decision is None else decision.category
    )
    tagline = _told_apart(
        blocks,
        [index for index in head if index > name_at and index != chip],
        None if decision is None else decision.best_for,
    )
    description = " ".join(blocks[index].text for index in tail) or None
    links = (TOOL_LINK.search(blocks[index].href or "") for index in (name_at, *section))
    slug = next((link["slug"] for link in links if link is not None), None)
    return Card(
        side=side,
        name=name,
        slug=slug,
        tagline=labelled.get("tagline", tagline),
        category=labelled.get("category", category),
        chip=labelled.get("chip", None if chip is None else blocks[chip].text),
        panel_ship=panel_ship,
        community=labelled.get("community"),
        entry=labelled["entry"],
        description=labelled.get("description", description),
        span=Span(section.start, section.stop - 1),
    )


def _is_percent(blocks: Sequence[Block], index: int) -> bool:
    return 0 <= index < len(blocks) and PERCENT.fullmatch(blocks[index].text) is not None


def _labelled(
    blocks: Sequence[Block], section: range, name_at: int, *, is_value_first: bool
) -> tuple[dict[CardField, str | None], set[int]]:
    """What stands beside a label, and the blocks that are thereby spoken for.

    A value may read like a label: the category `Community`. What is a value already is no label, nor is what stands
    before the name one of the numbers'.
    """
    found: dict[CardField, str | None] = {}
    used: set[int] = set()
    for index in section:
        field = CARD_LABELS.get(fold(blocks[index].text))
        beside = index - 1 if is_value_first and field not in UNLABELLED else index + 1
        is_before_name = field is not None and field not in UNLABELLED and index <= name_at
        if field is None or field in found or index in used or is_before_name:
            continue
        if beside not in section or beside in used or not _may_be(field, blocks, index, beside):
            if field == "community":
                # The innertext rendering prints the word and no value.
                used.add(index)
            continue
        text = blocks[beside].text
        found[field] = None if text in NO_VALUE else text
        used |= {index, beside}
    return found, used


def _may_be(field: CardField, blocks: Sequence[Block], label: int, value: int) -> bool:
    """Whether a block can be the value of a label beside it."""
    text = blocks[value].text
    match field:
        case "panel_ship":
            return PERCENT.fullmatch(text) is not None
        case "community":
            return text in NO_VALUE or PERCENT.fullmatch(text) is not None
        case "chip":
            return fold(text) in CHIPS
        case "entry":
            return fold(text) not in STATS and len(text) <= 40
    # Only a table or data has a label here: the word beside a card's name is its category itself.
    return (blocks[label].cell is not None and blocks[label].cell != blocks[value].cell) or blocks[label].is_key


def _told_apart(blocks: Sequence[Block], candidates: Sequence[int], repeated: str | None) -> str | None:
    """The candidate that the Decision table repeats; without one the first."""
    texts = [blocks[index].text for index in candidates]
    if repeated in texts:
        return repeated
    return texts[0] if texts else None
