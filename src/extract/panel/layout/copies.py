"""What the copies of a part say otherwise than the part that was read."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import TypeVar

from verdicts.corpus.enumerations import Side
from verdicts.extract.model.blocks import Block
from verdicts.extract.model.records import Card, Comparison, Decision, Doubt, Span
from verdicts.extract.panel.layout.furniture import is_percent

Named = TypeVar("Named", Card, Decision)

PLACES = frozenset({"side", "span", "position", "row"})
"""Fields that say where a record stood, not what it says."""


def differences(read: Comparison, copy: Comparison) -> Iterator[Doubt]:
    """One doubt for each value that a copy has otherwise. What only one of the two shows is no contradiction."""
    for card, other in zip(read.cards, _in_order(read.cards, copy.cards), strict=True):
        yield from _fields(card.side, card, other)
    for column, table in zip(read.decisions, _in_order(read.decisions, copy.decisions), strict=False):
        yield from _fields(column.side, column, table)
    takes, others = ({(take.seat, take.text, take.score, take.verdict) for take in page.takes} for page in (read, copy))
    if others and takes != others:
        seats = sorted({take[0] or "a reviewer" for take in takes ^ others})
        yield Doubt("copies_differ", None, f"{len(takes)} takes", f"other takes by {', '.join(seats)}")


def _in_order(read: Sequence[Named], copy: Sequence[Named]) -> Sequence[Named]:
    """The records of a copy, whose cards may stand in the other order, in that of what was read."""
    is_turned = [record.name for record in read] == [record.name for record in copy][::-1]
    return copy[::-1] if is_turned and len({record.name for record in read}) > 1 else copy


def _fields(side: Side, read: Card | Decision, copy: Card | Decision) -> Iterator[Doubt]:
    for field in fields(read):
        value, other = getattr(read, field.name), getattr(copy, field.name)
        if field.name not in PLACES and None not in {value, other} and value != other:
            yield Doubt("copies_differ", side, f"{field.name} {value}", f"{field.name} {other}")


def other_percentages(
    blocks: Sequence[Block], read: Comparison, copies: Sequence[tuple[str, range]]
) -> Iterator[Doubt]:
    """One doubt for each copy of a card, whole or not, that shows percentages and not the panel's."""
    for name, around in copies:
        shown = [blocks[index].text for index in around if is_percent(blocks[index].text)]
        for card in read.cards:
            if card.name == name and shown and card.panel_ship not in shown:
                yield Doubt("copies_differ", card.side, f"panel_ship {card.panel_ship}", f"panel_ship {shown[0]}")


def with_numbers(comparison: Comparison, numbers: Sequence[int]) -> Comparison:
    """The comparison with its spans counted in the blocks of the whole page, of which `numbers` were read."""

    def span(of: Span) -> Span:
        return Span(numbers[of.first], numbers[of.last])

    first, second = (replace(card, span=span(card.span)) for card in comparison.cards)
    return replace(
        comparison,
        cards=(first, second),
        decisions=tuple(replace(column, span=span(column.span)) for column in comparison.decisions),
        takes=tuple(replace(take, span=span(take.span)) for take in comparison.takes),
        missing_takes=tuple(replace(cell, span=span(cell.span)) for cell in comparison.missing_takes),
    )
