"""Lists of tools in boxes without headings: a name, a price or a rating, maybe a number. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise, takewhile

from verdicts.extract.generic.bare_values import PRICE_ALONE, has_unit, is_price, is_rating
from verdicts.extract.generic.label_words import NUMBER_ALONE, PLAN_WORDS, is_beside_name, is_invitation
from verdicts.extract.generic.naming import Named, is_name
from verdicts.extract.generic.promise import Promise
from verdicts.extract.generic.section_values import Listed, ToolList, read_sections
from verdicts.extract.generic.sections import Section, list_labels
from verdicts.extract.generic.stated import key
from verdicts.extract.model.blocks import Block, count_shared_depth

BOXES_MIN = 4
"""The fewest boxes: three with prices are the plans of one tool."""

SHARE = 0.8
"""The share of boxes with a price, a rating or a number, and of distinct names."""

LINKED_NAME_MAX = 250
"""The most characters of a name: shops write uses and colours into it."""

_DETAILS = (is_price, is_rating, NUMBER_ALONE.fullmatch)

_NO_NAME = re.compile(r"[\d\W]*$|\W?\d[\d.,]*\s?(?:/|out of|von|sur|de)\s?\d")
"""Linked texts that are no names: `4.7 out of 5 stars`, `1,204`."""

_QUOTE = re.compile(r"(?<!\S)\(?[+-][$€£]?\d[\d.,]*%?")
"""The change of a price in a box of the stock market: `+0.45`, `-1.2%`."""


def read_boxes(blocks: Sequence[Block], promise: Promise) -> ToolList | None:
    """The tools of the boxes that the title promises: the first linked text of a box is the name."""
    if not promise.is_list and promise.count is None:
        return None
    lists = (boxes for boxes in _boxes(blocks, _arounds(blocks)) if _is_list(boxes))
    best = max(lists, key=len, default=None)
    return None if best is None else read_sections([box for box in best if _has_detail(box)])


def _arounds(blocks: Sequence[Block]) -> set[tuple[tuple[int, ...], int]]:
    """Elements with prices, ratings or numbers in elements that are alike, and the depth at which these part.

    It is their parent, or that of their rows.
    """
    alike: dict[object, list[tuple[int, ...]]] = defaultdict(list)
    for block in blocks:
        kinds = [kind for kind in _DETAILS if kind(block.text)]
        if kinds and block.level is None and block.cell is None:
            alike[kinds[0], tuple(tag for tag, _ in block.elements)].append(block.path)
    arounds: set[tuple[tuple[int, ...], int]] = set()
    for paths in alike.values():
        shared = [0, *(count_shared_depth(one, other) for one, other in pairwise(paths)), 0]
        parts = zip(paths, shared[:-1], shared[1:], strict=True)
        parents = [path[: max(before, behind)] for path, before, behind in parts]
        counts = Counter((around, len(parent)) for parent in parents for around in (parent, parent[:-1]))
        arounds.update(around for around, count in counts.items() if count >= BOXES_MIN)
        whole = paths[0][: min(shared[1:-1], default=0)]
        if len({path[: len(whole) + 1] for path in paths}) >= BOXES_MIN:
            arounds.add((whole, len(whole)))
    return arounds


def _boxes(blocks: Sequence[Block], arounds: Set[tuple[tuple[int, ...], int]]) -> Iterator[list[Listed]]:
    """For each of these, the elements at its depth with a linked name, as sections."""
    found: dict[object, dict[object, list[Block]]] = defaultdict(lambda: defaultdict(list))
    lengths = {(len(around), depth) for around, depth in arounds}
    for block in blocks:
        for length, depth in lengths:
            around = block.path[:length], depth
            if len(block.path) > depth and around in arounds:
                found[around][block.path[: depth + 1]].append(block)
    yield from (
        [listed for box in boxes.values() if (listed := _read_box(box)) is not None] for boxes in found.values()
    )


def _read_box(box: Sequence[Block]) -> Listed | None:
    linked = (block for block in box if block.href and _may_be_name(block.text))
    name = next(linked, None) or next(filter(_is_name_alone, box), None)
    if name is None or any(_QUOTE.search(block.text) for block in box):
        return None
    numbers = (NUMBER_ALONE.fullmatch(block.text) for block in takewhile(lambda block: block is not name, box))
    rank = next((int(number[1]) for number in numbers if number is not None), None)
    body = tuple(block for block in box if block is not name)
    return Listed(Named(rank, name.text, None, None, None, name.text), Section(name, body))


def _is_name_alone(block: Block) -> bool:
    """Whether a text without a link can be the name of its box: no badge, no award, no value."""
    text = block.text
    is_other = block.is_control or is_beside_name(text)
    return text[:1].isalnum() and _may_be_name(text) and is_name(text) and not is_other


def _may_be_name(text: str) -> bool:
    is_link = is_invitation(text) or text.endswith(("→", "›", "»"))
    return 1 < len(text) <= LINKED_NAME_MAX and not (is_link or PRICE_ALONE.search(text) or _NO_NAME.match(text))


def _is_list(boxes: Sequence[Listed]) -> bool:
    names = {key(box.named.name) for box in boxes}
    if len(boxes) < BOXES_MIN or min(sum(map(_has_detail, boxes)), len(names)) < SHARE * len(boxes):
        return False
    # Opinions have names and ratings, too; dishes and plans have names and prices.
    are_linked = all(box.section.heading.href for box in boxes)
    proven = sum(map(_is_proven, boxes))
    plans = sum(name in PLAN_WORDS for name in names)
    return are_linked or (len(names) == len(boxes) and proven >= SHARE * len(boxes) and 2 * plans < len(boxes))


def _is_proven(box: Listed) -> bool:
    """Whether a box has a number, a price with a unit or beside a rating, or labels of values."""
    prices, ratings = box.section.bare_values
    is_priced = bool(prices) and (bool(ratings) or has_unit(prices[0]))
    return box.named.rank is not None or is_priced or len(list_labels(box.section)) > 1


def _has_detail(box: Listed) -> bool:
    return box.named.rank is not None or any(box.section.bare_values)
