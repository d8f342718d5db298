"""The two tool cards. Labels give the numbers, the page's title `A vs B` the names, the order everything else."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields
from itertools import product

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import Block, element, fold, only_other
from verdicts.extract.model.records import Card, Decision, Doubt, PageRejected, Span
from verdicts.extract.panel.boilerplate import is_furniture, is_monogram, is_percent, unread, without_adverts
from verdicts.extract.panel.page_words import PERCENT, UNLABELLED, CardField, PageWords
from verdicts.extract.panel.sections import Sections

VALUE_MAX = 40
"""Characters of a value such as `Free`: longer texts are descriptions."""

Places = dict[CardField, int | None]
"""Field to the block of its value, None where the label stands alone."""


@dataclass(frozen=True, slots=True)
class Stats:
    """What a card's labels say, None where it is a dash, and the blocks that say it. A label alone says nothing."""

    values: Mapping[CardField, str | None]
    used: Set[int]


def read_stats(blocks: Sequence[Block], card: range, name: int, panel: int, words: PageWords) -> Stats:
    """The labelled values of a card. `name` and `panel` are the blocks of its name and of its `Panel ship`.

    A label and its value share an element, or stand side by side, or a run of labels stands beside a run of values.
    Raises `PageRejected` (`incomplete_card`) where two ways to read them are equally good and differ.
    """
    places, labels = _named_parts(blocks, card, name, words)
    taken = {*labels.values(), *(place for place in places.values() if place is not None), name}
    stats = _stat_labels(blocks, card, (name, panel), taken, words)
    taken |= set(stats.values())
    found = _beside(blocks, card, stats, taken, words)
    if found.get("panel_ship") is None or ("entry" in stats and found["entry"] is None):
        found = _beside_run(blocks, card, stats, taken, words) or found
    places |= found
    values = {
        field: None if blocks[place].text in words.no_value else blocks[place].text
        for field, place in places.items()
        if place is not None
    }
    return Stats(
        values, {*labels.values(), *stats.values(), *(place for place in places.values() if place is not None)}
    )


def _named_parts(
    blocks: Sequence[Block], card: range, name: int, words: PageWords
) -> tuple[Places, dict[CardField, int]]:
    """Category, tagline, chip and description, where they have a label: values and labels by field."""
    places: Places = {}
    labels: dict[CardField, int] = {}
    used: set[int | None] = {name}
    for index in card:
        field = words.card_labels.get(fold(blocks[index].text))
        if field is None or field not in UNLABELLED or field in places or index in used:
            continue
        value = _named_value(blocks, card, index)
        if value is None or value in used or (field == "chip" and fold(blocks[value].text) not in words.chips):
            continue
        places[field], labels[field] = value, index
        used |= {value, index}
    return places, labels


def _named_value(blocks: Sequence[Block], card: range, label: int) -> int | None:
    """Only a table, data or an element of two texts has a label here: the word before a name is its category itself."""
    following = label + 1
    if following in card:
        is_in_table = blocks[label].cell is not None and blocks[label].cell != blocks[following].cell
        if is_in_table or blocks[label].is_key:
            return following
    return only_other(blocks, label, card)


def _stat_labels(
    blocks: Sequence[Block], card: range, anchors: tuple[int, int], taken: Set[int], words: PageWords
) -> dict[CardField, int]:
    """The labels of the numbers. A category may read like one: they stand on the same side of the name."""
    name, panel = anchors
    labels: dict[CardField, int] = {"panel_ship": panel}
    for index in card:
        field = words.card_labels.get(fold(blocks[index].text))
        if field is None or field in UNLABELLED or index in taken or (index > name) != (panel > name):
            continue
        nearest = labels.get(field)
        if nearest is None or abs(index - panel) < abs(nearest - panel):
            labels[field] = index
    return labels


def _beside(
    blocks: Sequence[Block], card: range, labels: Mapping[CardField, int], taken: Set[int], words: PageWords
) -> Places:
    """The best way to give each label a value before or behind it."""
    options = [tuple(_options(blocks, card, field, label, taken, words)) for field, label in labels.items()]
    readings = []
    for choice in product(*options):
        chosen = [place for place in choice if place is not None]
        if len(chosen) == len(set(chosen)):
            places = dict(zip(labels, choice, strict=True))
            readings.append((_merit(places, labels, blocks, words), places))
    best = max(merit for merit, _ in readings)
    finest = [places for merit, places in readings if merit == best]
    if len(finest) > 1:
        raise PageRejected("incomplete_card", "which value belongs to which label of a card can be read in two ways")
    return finest[0]


def _options(
    blocks: Sequence[Block], card: range, field: CardField, label: int, taken: Set[int], words: PageWords
) -> Iterator[int | None]:
    partner = only_other(blocks, label, card)
    if partner is not None and partner not in taken and _may_be(field, blocks[partner].text, words):
        yield partner
        return
    for place in (label - 1, label + 1):
        if place in card and place not in taken and _may_be(field, blocks[place].text, words):
            yield place
    yield None


def _merit(
    places: Places, labels: Mapping[CardField, int], blocks: Sequence[Block], words: PageWords
) -> tuple[bool, bool, int, bool, int]:
    """What every card has, then as many values as possible, then one order for all."""
    entry = places.get("entry")
    behind = [place > labels[field] for field, place in places.items() if place is not None]
    return (
        places["panel_ship"] is not None,
        entry is not None,
        len(behind),
        entry is not None and fold(blocks[entry].text) in words.entries,
        max(sum(behind), len(behind) - sum(behind)),
    )


def _beside_run(
    blocks: Sequence[Block], card: range, labels: Mapping[CardField, int], taken: Set[int], words: PageWords
) -> Places | None:
    """All labels side by side, and all values in the same order before or behind them."""
    first, last = min(labels.values()), max(labels.values())
    if last - first + 1 != len(labels):
        return None
    fields = sorted(labels, key=labels.__getitem__)
    count = len(fields)
    for length in (count, count - 1):
        runs = [range(start, start + length) for start in (last + 1, first - length)]
        readings = [
            places
            for run in runs
            if run.start in card and run.stop - 1 in card and taken.isdisjoint(run)
            for places in [_in_order(blocks, fields, run, words)]
            if places is not None
        ]
        if len(readings) > 1:
            raise PageRejected("incomplete_card", "the labels of a card stand between two rows of values")
        if readings:
            return readings[0]
    return None


def _in_order(blocks: Sequence[Block], fields: Sequence[CardField], run: range, words: PageWords) -> Places | None:
    """The values of a run, one a field; the community's may be missing."""
    places: Places = {}
    rest = list(run)
    for field in fields:
        if rest and _may_be(field, blocks[rest[0]].text, words):
            places[field] = rest.pop(0)
        elif field == "community" and len(run) < len(fields):
            places[field] = None
        else:
            return None
    return None if rest else places


def _may_be(field: CardField, text: str, words: PageWords) -> bool:
    """Whether a text can be the value of a stat."""
    if field == "panel_ship":
        return PERCENT.fullmatch(text) is not None
    if field == "community":
        return text in words.no_value or PERCENT.fullmatch(text) is not None
    folded = fold(text)
    is_other = folded in words.stats or folded in words.chips or PERCENT.fullmatch(text) is not None
    return len(text) <= VALUE_MAX and not is_other


LABELLED_ALONE = tuple(
    field.name
    for field in fields(Card)
    if field.name not in {"side", "name", "slug", "panel_ship", "entry", "span", *UNLABELLED}
)
"""Fields that only a label tells: what stands beside none is absent."""

PROSE_MIN = 60
"""Characters. A shorter text beside a description is a remark, unless it ends as a sentence does."""
ITEM_MIN = 15
"""Characters. A shorter item of a list in a description is a tag."""
SENTENCE_ENDS = (".", "!", "?", "…", "”", '"', ")")


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
    free = without_adverts(blocks, [index for index in card if index not in {*stats.used, name_index}], words)
    free = [index for index in free if _is_free(blocks, index, name_index, name, words)]
    texts = _sorted(blocks, free, name_index, sections.panels[column], decision, words)
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
    doubts = []
    if made.chip is None and decision is not None and decision.verdict is not None:
        doubts.append(Doubt("copies_differ", side, f"verdict {decision.verdict}", "no chip on the card"))
    said = [value for value in (name, panel_ship, made.chip, made.category) if value]
    return made, [*doubts, *unread(blocks, texts.rest, side, said, f"a field of card {side}", words)]


def _is_free(blocks: Sequence[Block], index: int, name_index: int, name: str, words: PageWords) -> bool:
    """Whether a block can be one of a card's texts. In a card that is a button as a whole, being one means nothing."""
    block = blocks[index]
    is_repeated = block.text == name and fold(name) not in words.chips
    if not block.text or index == name_index or is_repeated or is_monogram(block.text, name):
        return False
    if blocks[name_index].is_control and block.is_control:
        return fold(block.text) not in words.links
    return not is_furniture(block, words)


def _sorted(
    blocks: Sequence[Block],
    free: Sequence[int],
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
    description, sure = _description(blocks, left, panel)
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


def _description(blocks: Sequence[Block], left: Sequence[int], panel: int) -> tuple[Sequence[int], Sequence[int]]:
    """The blocks of the description, and those of them that are beyond doubt."""
    behind = [index for index in left if index > panel]
    prose = [index for index in behind or left if _is_prose(blocks[index])]
    if not prose:
        return behind[:1], ()
    lead = prose[0]
    path = blocks[lead].path
    if not path:
        return _lines(blocks, left, behind[0] if behind else lead)
    for depth in range(1, len(path) + 1):
        own = element(blocks, path[:depth])
        if len(own) > 1 and set(own) <= set(left):
            texts = [index for index in own if _is_prose(blocks[index]) or len(blocks[index].text) >= ITEM_MIN]
            return texts, texts
    joined = [lead]
    for index in (index for index in left if index > lead):
        is_paragraph = blocks[index].path == path and len(blocks[index].text) >= PROSE_MIN
        is_item = len(blocks[index].path) > len(path) and blocks[index].path == _neighbour(blocks, index, left)
        if index != joined[-1] + 1 or not (is_paragraph or (is_item and len(blocks[index].text) >= ITEM_MIN)):
            break
        joined.append(index)
    return joined, [lead]


def _neighbour(blocks: Sequence[Block], index: int, left: Sequence[int]) -> tuple[int, ...] | None:
    """The path of the text before or behind that stands in the same list."""
    beside = [blocks[other].path for other in (index - 1, index + 1) if other in left]
    return next((path for path in beside if path == blocks[index].path), None)


def _lines(blocks: Sequence[Block], left: Sequence[int], lead: int) -> tuple[Sequence[int], Sequence[int]]:
    """The lines of a text dump from the first one on. A line goes on where the one before ends no sentence."""
    joined = [lead]
    sure = [lead]
    for index in (index for index in left if index > lead):
        is_unfinished = not blocks[joined[-1]].text.endswith(SENTENCE_ENDS)
        if index != joined[-1] + 1 or not (is_unfinished or _is_prose(blocks[index])):
            break
        joined.append(index)
        if is_unfinished and sure[-1] == joined[-2]:
            sure.append(index)
    return joined, sure


def _is_prose(block: Block) -> bool:
    return len(block.text) >= PROSE_MIN or block.text.endswith((*SENTENCE_ENDS, ","))
