"""The numbers of a card: which value belongs to which label, whatever stands first. Pure."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import product

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.panel.layout.elements import only_other
from verdicts.extract.panel.words.page_words import PERCENT, UNLABELLED, CardField, PageWords

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
