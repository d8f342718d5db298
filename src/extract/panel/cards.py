"""The two tool cards. Labels give the numbers, the page's title `A vs B` the names, the order everything else."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from corpus.enumerations import SIDES, Side
from extract.model.blocks import Block, fold
from extract.model.errors import PageRejected
from extract.model.records import Card, Decision, Doubt, Span
from extract.panel.elements import element
from extract.panel.furniture import is_furniture, is_monogram, is_percent, unread
from extract.panel.page_words import UNLABELLED, PageWords
from extract.panel.sections import Sections
from extract.panel.stats import read_stats

LABELLED_ALONE = tuple(
    field.name
    for field in fields(Card)
    if field.name not in {"side", "name", "slug", "panel_ship", "entry", "span", *UNLABELLED}
)
"""Fields that only a label tells: what stands beside none is absent."""

PROSE_MIN = 25
"""Characters. A shorter text beside a description is a remark, not a part of it."""


@dataclass(frozen=True, slots=True)
class Cards:
    """Both cards, A then B, and what stands on them beside their fields."""

    cards: tuple[Card, Card]
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class _Texts:
    """The blocks of a card that have no label, by what they are. `rest` is none of them."""

    category: int | None
    tagline: int | None
    chip: int | None
    description: tuple[int, ...]
    rest: tuple[int, ...]


def read_cards(blocks: Sequence[Block], sections: Sections, decisions: Sequence[Decision], words: PageWords) -> Cards:
    """The two cards. `decisions` (both, or none) repeats category and tagline, which tells them from their neighbours.

    Raises `PageRejected` (`incomplete_card`).
    """
    first, second = decisions or (None, None)
    of_a, doubts_of_a = _read_card(blocks, sections, "a", first, words)
    of_b, doubts_of_b = _read_card(blocks, sections, "b", second, words)
    return Cards((of_a, of_b), (*doubts_of_a, *doubts_of_b))


def _read_card(
    blocks: Sequence[Block], sections: Sections, side: Side, decision: Decision | None, words: PageWords
) -> tuple[Card, list[Doubt]]:
    column = SIDES.index(side)
    card, name_index, name = sections.cards[column], sections.title.name_blocks[column], sections.title.names[column]
    stats = read_stats(blocks, card, name_index, sections.panels[column], words)
    labelled = stats.values
    panel_ship = labelled.get("panel_ship")
    if panel_ship is None or "entry" not in labelled:
        missing = "a panel percentage" if panel_ship is None else f"'{words.profile.card.entry}'"
        raise PageRejected("incomplete_card", f"the card of {name} lacks {missing}")
    free = [index for index in card if index not in stats.used and _is_free(blocks, index, name_index, name, words)]
    texts = _sorted(blocks, free, card, name_index, sections.panels[column], decision, words)
    links = (words.tool_link.search(blocks[index].href or "") for index in (name_index, *card))
    description = " ".join(blocks[index].text for index in texts.description) or None

    def text(index: int | None) -> str | None:
        return None if index is None else blocks[index].text

    made = Card(
        side=side,
        name=name,
        slug=next((link["slug"] for link in links if link is not None), None),
        tagline=labelled.get("tagline", text(texts.tagline)),
        category=labelled.get("category", text(texts.category)),
        chip=labelled.get("chip", text(texts.chip)),
        panel_ship=panel_ship,
        entry=labelled["entry"],
        description=labelled.get("description", description),
        span=Span(card.start, card.stop - 1),
        **{field: labelled.get(field) for field in LABELLED_ALONE},
    )
    said = [value for value in (name, panel_ship, made.chip, made.category) if value]
    return made, unread(blocks, texts.rest, side, said, f"a field of card {side}", words)


def _is_free(blocks: Sequence[Block], index: int, name_index: int, name: str, words: PageWords) -> bool:
    """Whether a block can be one of a card's texts. In a card that is a button as a whole, being one means nothing."""
    block = blocks[index]
    is_repeated = block.text == name and fold(name) not in words.chips
    if not block.text or index == name_index or is_repeated or is_monogram(block.text, name):
        return False
    if blocks[name_index].is_control and block.is_control:
        return fold(block.text) not in words.furniture
    return not is_furniture(block, words)


def _sorted(
    blocks: Sequence[Block],
    free: Sequence[int],
    card: range,
    name: int,
    panel: int,
    decision: Decision | None,
    words: PageWords,
) -> _Texts:
    """What the unlabelled texts of a card are: by what the Decision table repeats, else by where they stand."""
    chip = next((index for index in free if fold(blocks[index].text) in words.chips), None)
    left = [index for index in free if index != chip]
    category = _repeated_or_first(
        blocks, left, [index for index in left if index < name], None if decision is None else decision.category
    )
    left = [index for index in left if index != category]
    tagline = _repeated_or_first(
        blocks,
        left,
        [index for index in left if index > name and (index < panel or panel < name)],
        None if decision is None else decision.best_for,
    )
    left = [index for index in left if index != tagline and not is_percent(blocks[index].text)]
    description, sure = _description(blocks, left, card, panel)
    return _Texts(
        category,
        tagline,
        chip,
        tuple(description),
        tuple(index for index in free if index not in {category, tagline, chip, *sure}),
    )


def _repeated_or_first(
    blocks: Sequence[Block], among: Sequence[int], usual: Sequence[int], repeated: str | None
) -> int | None:
    """The text that the Decision table repeats, wherever it stands; without one the first in its usual place."""
    told = [index for index in among if blocks[index].text == repeated]
    return next((index for index in told if index in usual), next(iter((*told, *usual)), None))


def _description(
    blocks: Sequence[Block], left: Sequence[int], card: range, panel: int
) -> tuple[Sequence[int], Sequence[int]]:
    """The blocks of the description, and those of them that are beyond doubt: one text, or an element of its own."""
    behind = [index for index in left if index > panel]
    prose = [index for index in behind or left if _is_prose(blocks[index])]
    if not prose:
        return behind[:1], ()
    lead = prose[0]
    path = blocks[lead].path
    own = next(
        (within for depth in range(1, len(path) + 1) if set(within := element(blocks, path[:depth])) <= set(left)),
        range(lead, lead + 1),
    )
    listed = [index for index in own if index >= lead and (_is_prose(blocks[index]) or len(blocks[index].text) >= 15)]
    if len(listed) > 1:
        return listed, listed
    return [index for index in prose if index >= lead], [lead]


def _is_prose(block: Block) -> bool:
    return len(block.text) >= PROSE_MIN or block.text.endswith((".", "!", "?", ","))
