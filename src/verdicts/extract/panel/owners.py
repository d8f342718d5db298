"""Labels and what they own. Pure.

A label owns what stands in its row, else in its column, else in the closest element around both, else what follows it.
"""

from bisect import bisect_left
from collections.abc import Collection, Set
from functools import cached_property

from verdicts.extract.panel.texts import Texts


class Labels:
    """Labels of one kind among the texts of a page: rows, columns, reviewers, tools or heads of takes.

    `own_behind`: where no element decides, a label owns what stands before it. `are_rows`: a label with an element of
    its own owns nothing outside.
    """

    def __init__(
        self, texts: Texts, numbers: Collection[int], *, own_behind: bool = False, are_rows: bool = False
    ) -> None:
        self.texts, self.numbers = texts, sorted({*numbers})
        self.own_behind, self.are_rows = own_behind, are_rows
        self._cells: dict[int, list[tuple[int, int, int]]] = {}
        for number in self.numbers:
            if (cell := texts[number].cell) is not None:
                self._cells.setdefault(cell.table, []).append((cell.row, cell.column, number))

    @cached_property
    def _filled(self) -> Set[tuple[int, int]]:
        """Rows with other texts: their only label owns nothing below them."""
        labels = {*self.numbers}
        others = (block.cell for at, block in enumerate(self.texts) if block.text and at not in labels)
        return {cell[:2] for cell in others if cell is not None}

    def find_owner(self, index: int) -> int | None:
        """The number of the label that owns a text; None if no label does."""
        found = self._owner_in_table(index)
        return self._owner_in_element(index) if found is None else found

    def _owner_in_table(self, index: int) -> int | None:
        """The label to the left, else in the nearest row of labels above, else to the right or below.

        A label over several columns counts in all of them. Labels in the text's own cell are no heads of it.
        """
        cell = self.texts[index].cell
        labels = self._cells.get(cell.table) if cell is not None else None
        if cell is None or labels is None or any((row, column) == cell[1:] for row, column, _ in labels):
            return None
        beside = [(column, number) for row, column, number in labels if row == cell.row]
        if any(column < cell.column for column, _ in beside):
            return max(pair for pair in beside if pair[0] < cell.column)[1]
        above = [label for label in labels if label[0] < cell.row]
        nearest = max((row for row, _, _ in above), default=-1)
        heads = [(column, number) for row, column, number in above if row == nearest]
        over = [head for head in heads if head[0] <= cell.column]
        if over and (len(heads) > 1 or (cell.table, nearest) not in self._filled):
            return max(over)[1]
        if beside:
            return min(beside)[1]
        below = [(row, column, number) for row, column, number in labels if row > cell.row and column == cell.column]
        return min(below)[2] if below and len(labels) > 1 and not above else None

    def _owner_in_element(self, index: int) -> int | None:
        numbers = self.numbers
        for depth in range(len(self.texts[index].path), 0, -1):
            around = self.texts.element(index, depth)
            first, last = bisect_left(numbers, around.start), bisect_left(numbers, around.stop)
            if last - first == 1:
                return numbers[first]
            if first < last:
                return self._neighbour(index, first, last)
        return self._neighbour(index, 0, len(numbers))

    def _neighbour(self, index: int, first: int, last: int) -> int | None:
        """The label before a text, or behind it, among those from `first` to `last`."""
        place = bisect_left(self.numbers, index) - (not self.own_behind)
        found = self.numbers[place] if first <= place < last else None
        if found is None or not self.are_rows:
            return found
        row = self.texts.widest_element(found, self.numbers)
        return None if row is not None and len(row) > 1 and index not in row else found
