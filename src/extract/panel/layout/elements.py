"""Elements of the page, as the paths of its blocks tell them: which blocks one element holds, alone or with others."""

from collections.abc import Iterable, Sequence

from verdicts.extract.model.blocks import Block, shared_depth


def element(blocks: Sequence[Block], path: tuple[int, ...]) -> range:
    """From the first to the last block within the element that a path ends in."""
    depth, number = len(path), path[-1]
    within = (index for index, block in enumerate(blocks) if block.path[depth - 1 : depth] == (number,))
    first = next(within, None)
    if first is None:
        return range(0)
    backwards = reversed(range(len(blocks)))
    return range(first, next(index for index in backwards if blocks[index].path[depth - 1 : depth] == (number,)) + 1)


def widest_element(blocks: Sequence[Block], anchor: int, others: Iterable[int]) -> range | None:
    """The blocks of the widest element that holds `anchor` and none of `others`. None where no element does."""
    path = blocks[anchor].path
    depth = 1 + max((shared_depth(path, blocks[other].path) for other in others), default=0)
    return element(blocks, path[:depth]) if depth <= len(path) else None


def only_other(blocks: Sequence[Block], index: int, among: range) -> int | None:
    """The one block that shares the closest element with `index`. None where several do, and where paths are lost."""
    path = blocks[index].path
    for depth in range(len(path), 0, -1):
        first = last = index
        while first > among.start and blocks[first - 1].path[:depth] == path[:depth]:
            first -= 1
            if index - first > 1:
                return None
        while last + 1 < among.stop and blocks[last + 1].path[:depth] == path[:depth]:
            last += 1
            if last - first > 1:
                return None
        if last > first:
            return first if first != index else last
    return None
