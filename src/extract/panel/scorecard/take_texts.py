"""The words of each take: what stands in its cell, without what hangs on it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verdicts.extract.model.blocks import Block, Cell, shared_depth
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.panel.scorecard.take_furniture import own_words, recurring_forms, without_adverts
from verdicts.extract.panel.scorecard.take_rows import SeatedCell
from verdicts.extract.panel.words.page_words import PageWords

PROSE_MIN = 60
"""Characters of a text that is no label, no seat and no furniture."""


@dataclass(frozen=True, slots=True)
class CellTexts:
    """`own` are the texts of each cell, by the first text of its head; `outside` those of its region that are no part.

    `unbounded` are the cells that no element holds alone.
    """

    own: Mapping[int, list[int]]
    outside: tuple[int, ...]
    unbounded: frozenset[int]


def cell_paths(blocks: Sequence[Block], cells: Sequence[SeatedCell]) -> dict[int, tuple[int, ...]]:
    """For the head of each cell the path of the element that holds this cell alone; empty where there is none.

    Keys are the numbers of the heads' first texts. Raises `PageRejected` (`incomplete_scorecard`) where the element
    holds other words than those that the order of the page gives to the cell: they are those of another.
    """
    heads = {cell.opening.first: _common(blocks, range(cell.opening.first, cell.opening.last + 1)) for cell in cells}
    numbers = sorted(heads)
    found: dict[int, tuple[int, ...]] = {}
    for cell in cells:
        number = cell.opening.first
        place = numbers.index(number)
        near = [numbers[other] for other in (place - 1, place + 1) if 0 <= other < len(numbers)]
        within = [index for index in cell.region if blocks[index].text and index != cell.opening.closing]
        own = _alone(blocks, heads[number], near)
        if own and within and not any(blocks[index].is_within(own) for index in within):
            if any(len(blocks[index].text) > PROSE_MIN for index in _held(blocks, own, cell)):
                raise PageRejected("incomplete_scorecard", f"the words beside a score of {cell.seat} are not its own")
            nearest = within[0] if cell.region.start > cell.opening.last else within[-1]
            own = _alone(blocks, _common(blocks, [number, nearest]), near)
        found[number] = own
    return found


def _held(blocks: Sequence[Block], path: tuple[int, ...], cell: SeatedCell) -> list[int]:
    """Texts that an element holds besides the head of a cell."""
    inside = range(cell.opening.first, cell.opening.last + 1)
    return [index for index, block in enumerate(blocks) if index not in inside and block.is_within(path)]


def _alone(blocks: Sequence[Block], path: tuple[int, ...], others: Sequence[int]) -> tuple[int, ...]:
    """The outermost of these elements that does not hold the others, too."""
    shared = max((shared_depth(path, blocks[other].path) for other in others), default=0)
    return path[: shared + 1] if shared < len(path) else ()


def _common(blocks: Sequence[Block], texts: Sequence[int]) -> tuple[int, ...]:
    path = blocks[texts[0]].path
    for index in texts:
        path = path[: shared_depth(path, blocks[index].path)]
    return path


def cell_texts(blocks: Sequence[Block], cells: Sequence[SeatedCell], words: PageWords) -> CellTexts:
    """The texts of each take.

    Paragraphs, lists, quotations and folded parts all belong to the take that they stand with. What is named
    furniture, or is a button, a link or a count that ends half of the takes, does not.
    """
    paths = cell_paths(blocks, cells)
    found: dict[int, list[int]] = {}
    outside: list[int] = []
    for cell in cells:
        opening, path = cell.opening, paths[cell.opening.first]
        within = [index for index in cell.region if blocks[index].text and index != opening.closing]
        own = [index for index in within if blocks[index].is_within(path)]
        own = without_adverts(blocks, _of_one_cell(blocks, own), words)
        outside += [index for index in within if index not in own]
        found[opening.first] = own
    trailing = _behind_the_last(found, cells, paths)
    outside += trailing
    takes = {first: [index for index in texts if index not in trailing] for first, texts in found.items()}
    recurring = recurring_forms(blocks, [texts for texts in takes.values() if texts])
    kept = {first: own_words(blocks, texts, recurring, words) for first, texts in takes.items()}
    return CellTexts(kept, tuple(outside), frozenset(first for first, path in paths.items() if not path))


def _behind_the_last(
    found: Mapping[int, list[int]], cells: Sequence[SeatedCell], paths: Mapping[int, tuple[int, ...]]
) -> list[int]:
    """What stands behind the last take where no element holds it, and all other takes are one text: a footer."""
    unbounded = [cell.opening.first for cell in cells if cell.opening.is_take and not paths[cell.opening.first]]
    if len(unbounded) < 2 or any(len(found[first]) != 1 for first in sorted(unbounded)[:-1]):
        return []
    return found[max(unbounded)][1:]


def _of_one_cell(blocks: Sequence[Block], texts: list[int]) -> list[int]:
    """In a table with a column for more than head and take (a date, a count), the texts of the longest cell alone."""
    if len(texts) < 2 or len({blocks[index].cell for index in texts}) < 2:
        return texts
    lengths: Counter[Cell | None] = Counter()
    for index in texts:
        lengths[blocks[index].cell] += len(blocks[index].text)
    longest = lengths.most_common(1)[0][0]
    return [index for index in texts if blocks[index].cell == longest]
