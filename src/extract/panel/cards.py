"""The two tool cards. Labels give the numbers, the page's title `A vs B` the names, the order everything else."""

from collections.abc import Sequence
from dataclasses import fields

from corpus.enumerations import SIDES, Side
from extract.model.blocks import Block, fold
from extract.model.errors import PageRejected
from extract.model.records import Card, Decision, Span
from extract.panel.page_words import PERCENT, UNLABELLED, CardField, PageWords
from extract.panel.sections import Sections, is_monogram

LABELLED_ALONE = tuple(
    field.name
    for field in fields(Card)
    if field.name not in {"side", "name", "slug", "panel_ship", "entry", "span", *UNLABELLED}
)
"""Fields that only a label tells: what stands beside none is absent."""


VALUE_MAX = 40
"""Characters of a value such as `Free`: longer texts are descriptions."""


def read_cards(
    blocks: Sequence[Block], sections: Sections, decisions: Sequence[Decision], words: PageWords
) -> tuple[Card, Card]:
    """The two cards, A then B.

    `decisions` (both, or none) repeats category and tagline, which tells them from what stands beside them.

    Raises `PageRejected` (`incomplete_card`).
    """
    first, second = decisions or (None, None)
    return _read_card(blocks, sections, "a", first, words), _read_card(blocks, sections, "b", second, words)


def _read_card(
    blocks: Sequence[Block], sections: Sections, side: Side, decision: Decision | None, words: PageWords
) -> Card:
    column = SIDES.index(side)
    section, panel = sections.cards[column], sections.panels[column]
    name_index = sections.title.name_blocks[column]
    name = blocks[name_index].text
    is_value_first = _is_percent(blocks, panel - 1) and not (
        _is_percent(blocks, panel + 1) and fold(blocks[panel - 2].text) in words.stats
    )
    labelled, used = _labelled(blocks, section, name_index, words, is_value_first=is_value_first)
    panel_ship = labelled.get("panel_ship")
    if panel_ship is None or "entry" not in labelled:
        missing = "a panel percentage" if panel_ship is None else f"'{words.profile.card.entry}'"
        raise PageRejected("incomplete_card", f"the card of {name} lacks {missing}")
    free = [index for index in section if index not in used and index != name_index]
    free = [index for index in free if blocks[index].text and not is_monogram(blocks[index].text, name)]
    head = [index for index in free if index < panel]
    tail = [index for index in free if index > panel]
    chip = next((index for index in head if index > name_index and fold(blocks[index].text) in words.chips), None)
    category = _repeated_or_first(
        blocks, [index for index in head if index < name_index], None if decision is None else decision.category
    )
    tagline = _repeated_or_first(
        blocks,
        [index for index in head if index > name_index and index != chip],
        None if decision is None else decision.best_for,
    )
    description = " ".join(blocks[index].text for index in tail) or None
    links = (words.tool_link.search(blocks[index].href or "") for index in (name_index, *section))
    slug = next((link["slug"] for link in links if link is not None), None)
    return Card(
        side=side,
        name=name,
        slug=slug,
        tagline=labelled.get("tagline", tagline),
        category=labelled.get("category", category),
        chip=labelled.get("chip", None if chip is None else blocks[chip].text),
        panel_ship=panel_ship,
        entry=labelled["entry"],
        description=labelled.get("description", description),
        span=Span(section.start, section.stop - 1),
        **{field: labelled.get(field) for field in LABELLED_ALONE},
    )


def _is_percent(blocks: Sequence[Block], index: int) -> bool:
    return 0 <= index < len(blocks) and PERCENT.fullmatch(blocks[index].text) is not None


def _labelled(
    blocks: Sequence[Block], section: range, name_index: int, words: PageWords, *, is_value_first: bool
) -> tuple[dict[CardField, str | None], set[int]]:
    """The values that stand beside a label, and the numbers of the blocks that hold these labels and values.

    A value may read like a label (the category `Community`): a block that is a value already is no label, and the
    labels of numbers stand behind the name.
    """
    values: dict[CardField, str | None] = {}
    used: set[int] = set()
    for index in section:
        field = words.card_labels.get(fold(blocks[index].text))
        beside = index - 1 if is_value_first and field not in UNLABELLED else index + 1
        is_before_name = field is not None and field not in UNLABELLED and index <= name_index
        if field is None or field in values or index in used or is_before_name:
            continue
        if beside not in section or beside in used or not _may_be(field, blocks, index, beside, words):
            if field == "community":
                # The innertext rendering prints the word and no value.
                used.add(index)
            continue
        text = blocks[beside].text
        values[field] = None if text in words.no_value else text
        used |= {index, beside}
    return values, used


def _may_be(field: CardField, blocks: Sequence[Block], label: int, value: int, words: PageWords) -> bool:
    """Whether a block can be the value of a label beside it."""
    text = blocks[value].text
    match field:
        case "panel_ship":
            return PERCENT.fullmatch(text) is not None
        case "community":
            return text in words.no_value or PERCENT.fullmatch(text) is not None
        case "chip":
            return fold(text) in words.chips
        case "category" | "tagline" | "description":
            # Only a table or data has a label here: the word beside a card's name is its category itself.
            return (blocks[label].cell is not None and blocks[label].cell != blocks[value].cell) or blocks[label].is_key
    return fold(text) not in words.stats and len(text) <= VALUE_MAX


def _repeated_or_first(blocks: Sequence[Block], candidates: Sequence[int], repeated: str | None) -> str | None:
    """The candidate that the Decision table repeats; without one the first."""
    texts = [blocks[index].text for index in candidates]
    if repeated in texts:
        return repeated
    return texts[0] if texts else None
