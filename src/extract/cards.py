"""The two tool cards. Labels give the numbers, the page's own `A vs B` gives the names, the order gives the rest."""

from collections.abc import Sequence
from dataclasses import dataclass

from extract.blocks import Block, clean, fold
from extract.errors import PageRejected
from extract.labels import CHIPS, COMMUNITY, ENTRY, NO_VALUE, PANEL_SHIP, PERCENT, TOOL_LINK, VERSUS
from extract.records import Card, Decision, Side, Span

DESCRIPTION_MIN_LENGTH = 60
"""Between a card's `Entry` and the next card's name stand description and category; alone, a long one is the former."""


@dataclass(frozen=True, slots=True)
class CardNames:
    """The two names and the blocks they stand in on the cards."""

    title: str
    at: tuple[int, int]
    names: tuple[str, str]


def find_names(blocks: Sequence[Block], section: range) -> CardNames:
    """The names of A and B: the two card blocks x and y for which the page's title reads `x vs y`.

    A name may hold ` vs ` itself, so the title is never split; it is put together again from the cards.
    Raises `PageRejected` (`incomplete_card`).
    """
    panels = _panels(blocks, section)
    titles = [index for index in section if VERSUS in blocks[index].text and index < panels[0]]
    for title in titles:
        text = _title(blocks[title].text)
        for first in range(title + 1, panels[0]):
            rest = text.removeprefix(blocks[first].text + VERSUS)
            if not blocks[first].text or rest == text:
                continue
            second = next((index for index in range(panels[0] + 1, panels[1]) if blocks[index].text == rest), None)
            if second is not None:
                return CardNames(text, (first, second), (blocks[first].text, rest))
    raise PageRejected("incomplete_card", "no 'A vs B' on the page fits the names of its two cards")


def _title(text: str) -> str:
    """A breadcrumb reads `Compare/A vs B`, a page's title `A vs B: Which AI Tool Should You Ship? — Ship or Skip`."""
    return clean(text.removeprefix("Compare/"))


def _panels(blocks: Sequence[Block], section: range) -> tuple[int, int]:
    found = [index for index in section if PANEL_SHIP in fold(blocks[index].text)]
    found = [index for index in found if len(blocks[index].text) <= len(PANEL_SHIP) + 8]
    if len(found) != 2:
        raise PageRejected(
            "incomplete_card", f"'Panel ship' stands {len(found)} times before the takes, where two cards have it"
        )
    return found[0], found[1]


def read_cards(
    blocks: Sequence[Block], section: range, names: CardNames, decisions: Sequence[Decision]
) -> tuple[Card, Card]:
    """The two cards, A then B. `decisions` helps to tell a category from a tagline where both lack a label."""
    panels = _panels(blocks, section)
    between = _second_card_start(blocks, names, panels, decisions)
    first = _read_card(blocks, range(_first_card_start(blocks, names), between), "a", names.at[0], panels[0])
    second = _read_card(blocks, range(between, section.stop), "b", names.at[1], panels[1])
    return first, second


def _is_monogram(text: str, name: str) -> bool:
    return len(text) == 1 and text.casefold() == name[:1].casefold()


def _first_card_start(blocks: Sequence[Block], names: CardNames) -> int:
    """The category stands before the name, the monogram before the category."""
    start = names.at[0]
    if start > 0 and VERSUS not in blocks[start - 1].text and len(blocks[start - 1].text) < DESCRIPTION_MIN_LENGTH:
        start -= 1
    if start > 0 and _is_monogram(blocks[start - 1].text, names.names[0]):
        start -= 1
    return start


def _second_card_start(
    blocks: Sequence[Block], names: CardNames, panels: tuple[int, int], decisions: Sequence[Decision]
) -> int:
    """Between the first card's `Entry` and the second name: description, then monogram and category in any order."""
    entry = next((index for index in range(panels[0] + 1, names.at[1]) if fold(blocks[index].text) == ENTRY), panels[0])
    start = names.at[1]
    category = decisions[1].category if decisions else None
    while start - 1 > entry:
        text = blocks[start - 1].text
        is_category = start == names.at[1] and (text == category or len(text) < DESCRIPTION_MIN_LENGTH)
        is_category = is_category or (start == names.at[1] - 1 and text == category)
        if not is_category and not _is_monogram(text, names.names[1]):
            break
        start -= 1
    return start


def _read_card(blocks: Sequence[Block], section: range, side: Side, name_at: int, panel_at: int) -> Card:
    name = blocks[name_at].text
    values_first = _percent(blocks, panel_at - 1) is not None
    panel_ship = _percent(blocks, panel_at) or _percent(blocks, panel_at - 1 if values_first else panel_at + 1)
    community_at = _label(blocks, range(panel_at + 1, section.stop), COMMUNITY)
    entry_at = _label(blocks, range(panel_at + 1, section.stop), ENTRY)
    if panel_ship is None or entry_at is None:
        missing = "a panel percentage" if panel_ship is None else "'Entry'"
        raise PageRejected("incomplete_card", f"the card of {name} lacks {missing}")
    before, after = (1, 0) if values_first else (0, 1)
    community = None if community_at is None else _percent(blocks, community_at - before + after)
    entry = blocks[entry_at - before + after].text
    rest = range(entry_at + 1 + after, section.stop)
    description = " ".join(blocks[index].text for index in rest if not _is_noise(blocks[index], name))
    head = [index for index in range(section.start, panel_at) if index != name_at]
    head = [index for index in head if not _is_noise(blocks[index], name) and not PERCENT.fullmatch(blocks[index].text)]
    chip = next((blocks[at].text for at in head if at > name_at and fold(blocks[at].text) in CHIPS), None)
    category = next((blocks[index].text for index in head if index < name_at), None)
    tagline = next((blocks[index].text for index in head if index > name_at and blocks[index].text != chip), None)
    links = (TOOL_LINK.search(blocks[index].href or "") for index in (name_at, *section))
    slug = next((link["slug"] for link in links if link is not None), None)
    return Card(
        side=side,
        name=name,
        slug=slug,
        tagline=tagline,
        category=category,
        chip=chip,
        panel_ship=panel_ship,
        community=community,
        entry=None if entry in NO_VALUE or fold(entry) == COMMUNITY else entry,
        description=description or None,
        span=Span(section.start, section.stop - 1),
    )


def _percent(blocks: Sequence[Block], index: int) -> str | None:
    """`75%` where the block is just that, or `75% Panel ship` where label and value share one."""
    if not 0 <= index < len(blocks):
        return None
    found = PERCENT.search(blocks[index].text)
    is_value = found is not None and len(blocks[index].text) <= len(found[0]) + len(PANEL_SHIP) + 3
    return found[0] if found is not None and is_value else None


def _label(blocks: Sequence[Block], section: range, label: str) -> int | None:
    return next((index for index in section if fold(blocks[index].text) == label), None)


def _is_noise(block: Block, name: str) -> bool:
    return _is_monogram(block.text, name) or not block.text
