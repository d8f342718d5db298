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
        self._rows: dict[int, dict[int, list[tuple[int, int]]]] = {}
        """By table and row, the column and the number of each label."""
        for number in self.numbers:
            if (cell := texts[number].cell) is not None:
                self._rows.setdefault(cell.table, {}).setdefault(cell.row, []).append((cell.column, number))

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
        rows = self._rows.get(cell.table) if cell is not None else None
        if cell is None or rows is None:
            return None
        beside = rows.get(cell.row, [])
        left = [label for label in beside if label[0] <= cell.column]
        if left:
            column, number = max(left)
            return number if column < cell.column else None
        nearest = max((row for row in rows if row < cell.row), default=-1)
        heads = rows.get(nearest, [])
        over = [head for head in heads if head[0] <= cell.column]
        if over and (len(heads) > 1 or (cell.table, nearest) not in self._filled):
            return max(over)[1]
        if beside:
            return min(beside)[1]
        below = [(row, number) for row in rows for column, number in rows[row] if column == cell.column]
        is_alone = len(rows) == 1 and len(rows[min(rows)]) == 1
        return min(below)[1] if below and nearest < 0 and not is_alone else None

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
