"""The two tool cards: labels identify the numbers, the page's title `A vs B` the names, the order everything else."""

import re
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import fields
from typing import TypeAlias

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import Card, Decision, Doubt, PageRejected
from verdicts.extract.panel.page_parts import Sections
from verdicts.extract.panel.profile import PERCENT, SENTENCE_ENDS, UNLABELLED, CardField
from verdicts.extract.panel.take_words import is_cut
from verdicts.extract.panel.texts import SHORT_MAX, Labels, Texts, is_monogram

LABELLED_ALONE = tuple(
    field.name
    for field in fields(Card)
    if field.name not in {"side", "name", "slug", "panel_ship", "entry", "span", *UNLABELLED}
)
"""Fields that only a label identifies: without one they are absent."""

_SHARE = re.compile(r"\d{1,2}\s?/\s?\d{1,2}")
"""Votes for a tool of all votes: `3/4`."""

VALUE_MAX = 40
"""The most characters of a value such as `Free`: longer texts are descriptions."""


def read_cards(
    page: Texts, sections: Sections, decisions: Sequence[Decision]
) -> tuple[tuple[Card, Card], Sequence[Doubt]]:
    """Both cards, A then B. `decisions` (both, or empty) repeat category and tagline, so that these can be recognized.

    Raises `PageRejected` (`incomplete_card`).
    """
    (card_a, doubts_a), (card_b, doubts_b) = (
        _read_card(page, sections, side, decision)
        for side, decision in zip(SIDES, decisions or (None, None), strict=True)
    )
    return (card_a, card_b), (*doubts_a, *doubts_b)


def _read_card(page: Texts, sections: Sections, side: Side, decision: Decision | None) -> tuple[Card, list[Doubt]]:
    column = SIDES.index(side)
    card, name_index, name = sections.cards[column], sections.title.name_blocks[column], sections.title.names[column]
    panel = sections.panels[column]
    labelled, used = _read_labelled(page, card, name_index, panel)
    panel_ship = labelled.get("panel_ship")
    if panel_ship is None or "entry" not in labelled:
        missing = "a panel percentage" if panel_ship is None else f"'{page.words.profile.card.entry}'"
        raise PageRejected("incomplete_card", f"the card of {name} lacks {missing}")
    taken = {*used, name_index}
    free = [index for index in card if index not in taken and _is_free(page, index, name_index, name)]
    repeated = (None, None) if decision is None else (decision.category, decision.best_for)
    if name == repeated[0]:
        # A tool may be named like its category.
        free = sorted({*free, *(index for index in card if index < name_index and page[index].text == name)})
    # Texts without a label are identified by the Decision table's copy, else by their position.
    chip = next((index for index in free if page.folded[index] in page.words.chips), None)
    remark = None if chip is not None else next(filter(None, (_chip(page, index) for index in free)), None)
    chip = remark[0] if remark is not None else chip
    left = [index for index in free if index != chip]
    before = [index for index in left if index < name_index]
    category = _find_repeated_or_first(page, left, before, repeated[0])
    left = [index for index in left if index != category]
    behind = [index for index in left if index > name_index and (index < panel or panel < name_index)]
    tagline = _find_repeated_or_first(page, left, behind, repeated[1])
    left = [index for index in left if index != tagline and not page.is_percent(index)]
    description, sure = _description(page, left, panel)
    rest = [index for index in free if index not in {category, tagline, *sure} and (index != chip or remark)]
    links = (page.words.tool_link.search(page[index].href or "") for index in (name_index, *card))

    def text(field: CardField, *blocks: int | None) -> str | None:
        return labelled.get(field, " ".join(page[index].text for index in blocks if index is not None) or None)

    made = Card(
        side=side,
        name=name,
        slug=next((link["slug"] for link in links if link is not None), None),
        tagline=text("tagline", tagline),
        category=text("category", category),
        chip=text("chip", chip) if remark is None else remark[1],
        panel_ship=panel_ship,
        entry=labelled["entry"],
        description=text("description", *description),
        span=page.span(card),
        **{field: labelled.get(field) for field in LABELLED_ALONE},
    )
    doubts = []
    if made.chip is None and decision is not None and decision.verdict is not None:
        doubts.append(Doubt("copies_differ", side, f"verdict {decision.verdict}", "no chip on the card"))
    if panel_ship[:2] == "0%" and page.words.profile.values.verdicts.get(made.chip or "") == "ship":
        doubts.append(Doubt("unread_text", side, "the panel's percentage", f"{panel_ship} · {made.chip}"))
    if made.description is not None and is_cut(made.description):
        doubts.append(Doubt("unread_text", side, "the whole description", made.description[-60:]))
    read_values = [value for value in (name, panel_ship, made.chip, made.category) if value]
    return made, [*doubts, *page.doubt_unread(rest, side, read_values, f"a field of card {side}")]


def _chip(page: Texts, index: int) -> tuple[int, str] | None:
    """The chip before a remark: `Ship · high confidence`."""
    word, joint, _ = page[index].text.partition(" · ")
    return (index, word) if joint and fold(word) in page.words.chips else None


def _is_free(page: Texts, index: int, name_index: int, name: str) -> bool:
    """Whether a block can be a text of the card. If the whole card is a button, `is_control` means nothing."""
    text = page[index].text
    is_repeated = text == name and fold(name) not in page.words.chips
    if not text or is_repeated or is_monogram(text, name):
        return False
    return (page[name_index].is_control and page[index].is_control) or not page.is_boilerplate(index)


def _find_repeated_or_first(
    page: Texts, among: Sequence[int], usual: Collection[int], repeated: str | None
) -> int | None:
    """The text that the Decision table repeats, at any position; else the first at its usual position."""
    repeats = [index for index in among if page[index].text == repeated]
    return next((index for index in repeats if index in usual), next(iter((*repeats, *usual)), None))


def _description(page: Texts, left: Sequence[int], panel: int) -> tuple[Sequence[int], Sequence[int]]:
    """The blocks of the description, and those among them that are certain."""
    behind = [index for index in left if index > panel]
    prose = [index for index in behind or left if _is_prose(page, index)]
    if not prose:
        return behind[:1], ()
    return ([prose[0]], [prose[0]]) if page[prose[0]].path else _lines(page, left, behind[0] if behind else prose[0])


def _lines(page: Texts, left: Sequence[int], lead: int) -> tuple[Sequence[int], Sequence[int]]:
    """The lines of a text dump from the first one on. A line continues one that ends no sentence."""
    joined = [lead]
    sure = [lead]
    for index in (index for index in left if index > lead):
        is_unfinished = not page[joined[-1]].text.endswith(SENTENCE_ENDS)
        if index != joined[-1] + 1 or not (is_unfinished or _is_prose(page, index)):
            break
        joined.append(index)
        if is_unfinished and sure[-1] == joined[-2]:
            sure.append(index)
    return joined, sure


def _is_prose(page: Texts, index: int) -> bool:
    text = page[index].text
    return len(text) >= SHORT_MAX or text.endswith((*SENTENCE_ENDS, ","))


# The values that have a label.

Places: TypeAlias = Mapping[CardField, int | None]
"""Field to the block of its value; None for a label alone."""


def _read_labelled(page: Texts, card: range, name: int, panel: int) -> tuple[Mapping[CardField, str | None], Set[int]]:
    """A card's values by label (None for a dash), and their blocks. A label alone says nothing.

    `name` and `panel` are the blocks of its name and of its `Panel ship`. Where no element decides, all values stand
    behind their labels, or all before. Raises `PageRejected` (`incomplete_card`) if both are as good.
    """
    labels = _find_labels(page, card, name, panel)
    taken = {name, *labels.values()}
    fields = {index: [field for field in labels if _may_be(page, field, index)] for index in card if index not in taken}
    owners = Labels(page, labels.values())
    places = others = _find_values(fields, labels, owners)
    if owners.has_guessed:
        others = _find_values(fields, labels, Labels(page, labels.values(), own_behind=True))
    merit, other_merit = _rate_values(page, places), _rate_values(page, others)
    if merit == other_merit and places != others:
        raise PageRejected("incomplete_card", "labels and values of a card can be matched in two ways")
    best, other = (others, places) if other_merit > merit else (places, others)
    values = {field: at for field, at in best.items() if at is not None}
    values |= {
        field: at for field, at in other.items() if field not in values and at is not None and at not in values.values()
    }
    said = {field: page[place].text for field, place in values.items()}
    no_value = page.words.no_value
    return (
        {field: None if text in no_value else text for field, text in said.items()},
        {*labels.values(), *values.values()},
    )


def _find_labels(page: Texts, card: range, name: int, panel: int) -> dict[CardField, int]:
    """The labels of the numbers, and terms of a list."""
    labels: dict[CardField, int] = {"panel_ship": panel}
    for index in card:
        field = page.words.card_labels.get(page.folded[index])
        if field is None or index == name or (field in UNLABELLED and not page[index].is_key):
            continue
        nearest = labels.get(field)
        if nearest is None or abs(index - panel) < abs(nearest - panel):
            labels[field] = index
    return labels


def _rate_values(page: Texts, values: Places) -> tuple[bool, bool, int, bool]:
    """How well values fit their labels."""
    entry = values.get("entry")
    count = sum(index is not None for index in values.values())
    is_usual = entry is not None and page.folded[entry] in page.words.entries
    return values["panel_ship"] is not None, entry is not None, count, is_usual


def _find_values(
    fields: Mapping[int, Sequence[CardField]], labels: Mapping[CardField, int], owners: Labels
) -> dict[CardField, int | None]:
    """The nearest text that each label owns and that may be its value. `fields`: what each text may be."""
    owned = {label: field for field, label in labels.items()}
    by_field: dict[CardField, int | None] = dict.fromkeys(labels)
    for index, possible in fields.items():
        owner = owners.find_owner(index) if possible else None
        if owner is None or owned[owner] not in possible:
            continue
        nearest = by_field[owned[owner]]
        if nearest is None or abs(index - owner) < abs(nearest - owner):
            by_field[owned[owner]] = index
    return by_field


def _may_be(page: Texts, field: CardField, index: int) -> bool:
    text, folded, words = page[index].text, page.folded[index], page.words
    if field in UNLABELLED:
        return field != "chip" or folded in words.chips
    if len(text) > VALUE_MAX:
        return False
    is_percent = PERCENT.fullmatch(text) is not None
    if field in {"panel_ship", "community"}:
        return is_percent or _SHARE.fullmatch(text) is not None or (field == "community" and text in words.no_value)
    return not (is_percent or folded in words.stats or folded in words.chips)
