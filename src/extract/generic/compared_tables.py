"""Tables with a column, or a row, for each tool that a page names. Pure."""

from collections.abc import Iterator, Sequence

from extract.generic.list_words import LABEL_MAX
from extract.generic.stated import key
from extract.grids.grid import Defect, Flaw, Grid
from extract.html.cell_text import CellText
from extract.html.icon_words import NO
from extract.model.records import ComparedRow, Doubt, DoubtRule

HEAD_LINES_MAX = 3
"""Rows or columns from the edge among which the names stand: behind a title, a rank, a picture."""

_EXPECTED: dict[Flaw, str] = {
    "overlap": "a place for each cell of a table",
    "cut_span": "cells that end with their group of rows",
    "ragged_row": "a cell in each place of a table",
    "too_large": "tables that a person can read",
    "nested_too_deep": "tables that a person can read",
    "copies_differ": "tables with the same heads that say the same",
}


def compared_tables(grids: Sequence[Grid], names: Sequence[str]) -> tuple[tuple[ComparedRow, ...], tuple[Doubt, ...]]:
    """The rows of all tables that compare the tools of these names, in their order; and what is in doubt of them.

    A value that an icon shows without saying it is None, and told.
    """
    rows: list[ComparedRow] = []
    doubts: list[Doubt] = []
    for grid in grids if len(names) > 1 else ():
        table, columns = _with_names_first(grid, names)
        label = _label(table, columns) if columns else None
        if label is not None and _are_labels(grid, [row[label].text or "" for row in table]):
            rows += _rows(table, columns, label)
            doubts += _doubts(grid, table, columns, label)
    return tuple(rows), tuple(doubts)


def _with_names_first(grid: Grid, names: Sequence[str]) -> tuple[list[list[CellText]], tuple[int, ...]]:
    """The table with the names in its first line, turned where they stand below each other, and whose column is whose.

    No columns where no line has them all. A cell over the whole width is a title of the table or of rows: no line.
    """
    titles = {cell.row for cell in grid.cells if cell.columns == grid.columns > 1}
    places = [line for row, line in enumerate(grid.places()) if row not in titles]
    for turned in (places, [list(column) for column in zip(*places, strict=True)]):
        for number, line in enumerate(turned[:HEAD_LINES_MAX]):
            columns = _columns([said.text or "" for said in line], names)
            if columns is not None:
                return [line, *turned[:number], *turned[number + 1 :]], columns
    return places, ()


def _are_labels(grid: Grid, texts: Sequence[str]) -> bool:
    """Whether these name attributes. Cards of tools beside another card are aligned parts, too."""
    return grid.shape != "parts" or all(len(text) <= LABEL_MAX for text in texts)


def _rows(table: Sequence[Sequence[CellText]], columns: Sequence[int], label: int) -> Iterator[ComparedRow]:
    for row in table[1:]:
        values = tuple(row[column].text for column in columns)
        text = row[label].text
        # A heading within the table may span all columns but one.
        if text and any(values) and set(values) != {text}:
            yield ComparedRow("attribute", text, values)


def _doubts(grid: Grid, table: Sequence[Sequence[CellText]], columns: Sequence[int], label: int) -> Iterator[Doubt]:
    """What is wrong with the table, and the icons that say nothing."""
    for defect in grid.defects:
        rule: DoubtRule = "copies_differ" if defect.flaw == "copies_differ" else "flawed_table"
        yield Doubt(rule, None, _EXPECTED[defect.flaw], _place(defect))
    crossed = [row[column] for row in table[1:] for column in columns if row[column].text and NO in row[column].beside]
    if crossed:
        yield Doubt("unread_text", None, f"the text {crossed[0].text!r} alone", "a cross beside it")
    unreadable = [row for row in table[1:] if any(row[column].is_unreadable for column in columns)]
    if unreadable:
        first = unreadable[0][label].text
        more = f", and in {len(unreadable) - 1} rows more" if len(unreadable) > 1 else ""
        yield Doubt("unreadable_cell", None, "values in words", f"an icon without a name for {first!r}{more}")


def _place(defect: Defect) -> str:
    return f"{defect.flaw.replace('_', ' ')} at row {defect.row + 1}, column {defect.column + 1}"


def _label(table: Sequence[Sequence[CellText]], columns: Sequence[int]) -> int | None:
    """The first column that is no tool's."""
    return next((column for column in range(len(table[0])) if column not in columns), None)


def _columns(head: Sequence[str], names: Sequence[str]) -> tuple[int, ...] | None:
    """Which column is whose: a head that is a name, or begins with it."""
    keys = [key(text) for text in head]
    columns = []
    for name in map(key, names):
        fitting = [column for column, head_key in enumerate(keys) if head_key == name]
        fitting += [column for column, head_key in enumerate(keys) if head_key.startswith(f"{name} ")]
        if not fitting:
            return None
        columns.append(fitting[0])
    return tuple(columns) if len(set(columns)) == len(names) else None
