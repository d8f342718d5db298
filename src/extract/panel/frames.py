"""Pages on which a part stands more than once: copies for phone and desktop, cards of other tools. Pure.

A frame is the page with one of everything. What else there is, is cut out with the widest element around it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from typing import TypeVar

from verdicts.corpus.enumerations import Side
from verdicts.extract.model.blocks import Block, shared_depth, widest_element
from verdicts.extract.model.records import Card, Comparison, Decision, Doubt, PageRejected, Span
from verdicts.extract.panel.boilerplate import is_percent
from verdicts.extract.panel.page_words import PageWords
from verdicts.extract.panel.sections import Anchors, is_name, titles

FRAMES_MAX = 8
"""Pairs of cards that are tried."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The numbers of the blocks that remain, and the `Panel ship` of both cards among them.

    `cut` are the ranges without them that hold another card of one of the tools, with its name.
    """

    kept: tuple[int, ...]
    panels: tuple[int, int]
    cut: tuple[tuple[str, range], ...]


def has_copies(anchors: Anchors) -> bool:
    """Whether a part stands on the page more often than a comparison has it."""
    return len(anchors.panels) > 2 or len(anchors.decisions) > 1 or len(anchors.scorecards) > 1


def frames(blocks: Sequence[Block], anchors: Anchors, words: PageWords) -> Iterator[Frame]:
    """The page with one pair of cards, one table and one scorecard, in every way, the likeliest first.

    Raises `PageRejected` (`incomplete_card`) where the cards are not those of the title, or of more tools than two.
    """
    title, owners = _owners(blocks, anchors, words)
    pairs = sorted(
        (
            (one, other)
            for number, one in enumerate(anchors.panels)
            for other in anchors.panels[number + 1 :]
            if {owners[one], owners[other]} == {*title.names} and owners[one] is not None
        ),
        key=lambda pair: (-_depth(blocks, *pair), anchors.panels.index(pair[1]) - anchors.panels.index(pair[0]), pair),
    )
    count = max(len(pairs), len(anchors.decisions), len(anchors.scorecards))
    for number in islice(range(count), FRAMES_MAX):
        pair = pairs[min(number, len(pairs) - 1)]
        heads = [_nearest(blocks, among, pair, number) for among in (anchors.decisions, anchors.scorecards) if among]
        _refuse_third_tool(blocks, anchors, owners, pair, title.block)
        yield _frame(blocks, anchors, owners, pair, [*heads, title.block], words)


@dataclass(frozen=True, slots=True)
class _Names:
    block: int
    names: tuple[str, str]


def _owners(blocks: Sequence[Block], anchors: Anchors, words: PageWords) -> tuple[_Names, dict[int, str | None]]:
    """The title that fits two of the cards, and whose card each `Panel ship` is on: None for another tool's."""
    everything = sorted((*anchors.panels, *anchors.decisions, *anchors.scorecards))
    places = {panel: _name_places(blocks, panel, everything) for panel in anchors.panels}
    for number, _, names in titles(blocks, words):
        owners = {
            panel: next((name for index in around for name in names if is_name(blocks[index], name)), None)
            for panel, around in places.items()
        }
        if {*names} <= {*owners.values()}:
            return _Names(number, names), owners
    raise PageRejected(
        "incomplete_card",
        f"'{words.profile.card.panel_ship}' stands {len(anchors.panels)} times on the page, "
        "and not on one card for each name of its title",
    )


def _name_places(blocks: Sequence[Block], panel: int, anchors: Sequence[int]) -> Sequence[int]:
    """The blocks that may hold the name of a card, the nearest before its `Panel ship` first."""
    card = widest_element(blocks, panel, [anchor for anchor in anchors if anchor != panel])
    before = max((anchor for anchor in anchors if anchor < panel), default=-1)
    if card is None or card.stop - card.start <= 3:
        return range(panel - 1, before, -1)
    return [*range(panel - 1, card.start - 1, -1), *range(panel + 1, card.stop), *range(card.start - 1, before, -1)]


def _depth(blocks: Sequence[Block], one: int, other: int) -> int:
    return shared_depth(blocks[one].path, blocks[other].path)


def _refuse_third_tool(
    blocks: Sequence[Block],
    anchors: Anchors,
    owners: dict[int, str | None],
    pair: tuple[int, int],
    title: int,
) -> None:
    """A card of another tool beside the two, in the same element and with no other part between, is a third one."""
    heads = (*anchors.decisions, *anchors.scorecards, title)
    for panel, owner in owners.items():
        first, last = min(panel, *pair), max(panel, *pair)
        is_beside = not any(first < head < last for head in heads)
        is_sibling = len(blocks[panel].path) == len(blocks[pair[0]].path)
        if owner is None and is_beside and is_sibling and _depth(blocks, panel, pair[0]) >= _depth(blocks, *pair):
            raise PageRejected("incomplete_card", "the page sets three tools or more side by side")


def _nearest(blocks: Sequence[Block], heads: Sequence[int], pair: tuple[int, int], number: int) -> int:
    """The head in the closest element around the cards; where several are equally close, they go by their order."""
    depths = [min(_depth(blocks, head, panel) for panel in pair) for head in heads]
    close = [head for head, depth in zip(heads, depths, strict=True) if depth == max(depths)]
    return close[min(number, len(close) - 1)]


def _frame(
    blocks: Sequence[Block],
    anchors: Anchors,
    owners: dict[int, str | None],
    pair: tuple[int, int],
    heads: Sequence[int],
    words: PageWords,
) -> Frame:
    chosen = (*pair, *heads)
    everything = sorted((*anchors.panels, *anchors.decisions, *anchors.scorecards))
    cut: set[int] = set()
    copies: list[tuple[str, range]] = []
    for anchor in everything:
        owner = owners.get(anchor)
        if owner is not None and anchor not in chosen:
            copies.append((owner, _numbers(blocks, anchor, everything)))
        if anchor in chosen or anchor in cut:
            continue
        around = widest_element(blocks, anchor, chosen)
        if around is None or (len(around) <= 2 and anchor not in anchors.panels):
            around = _flat(blocks, anchor, everything, chosen, owners, words)
        cut |= {*around} - {*chosen}
    return Frame(tuple(index for index in range(len(blocks)) if index not in cut), pair, tuple(copies))


def _numbers(blocks: Sequence[Block], panel: int, anchors: Sequence[int]) -> range:
    """Where the percentage of a `Panel ship` can stand: in its card, or beside it where the card is no element."""
    alone = widest_element(blocks, panel, [anchor for anchor in anchors if anchor != panel])
    return range(max(panel - 1, 0), min(panel + 2, len(blocks))) if alone is None or len(alone) == 1 else alone


def _flat(
    blocks: Sequence[Block],
    anchor: int,
    everything: Sequence[int],
    chosen: Sequence[int],
    owners: dict[int, str | None],
    words: PageWords,
) -> range:
    """A part that is no element of its own: to where the next one begins."""
    following = next((other for other in everything if other > anchor), len(blocks))
    if anchor not in owners:
        return range(anchor, _start(blocks, following, owners))
    if owners[anchor] is None:
        if min(chosen) < anchor < max(chosen):
            raise PageRejected(
                "incomplete_card", f"the '{words.profile.card.panel_ship}' of another tool stands between the parts"
            )
        return range(anchor, anchor + 1)
    return range(_start(blocks, anchor, owners), max(_start(blocks, following, owners), anchor + 1))


def _start(blocks: Sequence[Block], anchor: int, owners: dict[int, str | None]) -> int:
    """Where the part of an anchor begins: a card at the category before its name, anything else at the anchor."""
    owner = owners.get(anchor)
    if owner is None:
        return anchor
    name = next(index for index in range(anchor - 1, -1, -1) if is_name(blocks[index], owner))
    return max(name - 1, 0)


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
