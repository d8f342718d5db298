"""Tables with a column, or a row, for each tool that a title names. Pure."""

from collections.abc import Iterator, Sequence

from selectolax.lexbor import LexborHTMLParser

from extract.generic.stated import key
from extract.grids.grid import Defect, Flaw, Grid
from extract.grids.page_grids import page_grids
from extract.html.cell_text import CellText
from extract.html.icon_words import NO
from extract.html.seen import whole_body
from extract.model.records import ComparedRow, Doubt, DoubtRule

_EXPECTED: dict[Flaw, str] = {
    "overlap": "a place for each cell of a table",
    "cut_span": "cells that end with their group of rows",
    "ragged_row": "a cell in each place of a table",
    "too_large": "tables that a person can read",
    "nested_too_deep": "tables that a person can read",
    "copies_differ": "tables with the same heads that say the same",
}


def compared_tables(tree: LexborHTMLParser, names: Sequence[str]) -> tuple[tuple[ComparedRow, ...], tuple[Doubt, ...]]:
    """The rows of all tables that compare the tools of these names, in their order; and what is in doubt of them.

    A value that an icon shows without saying it is None, and told. Cuts what nobody reads out of the tree.
    """
    body = whole_body(tree) if len(names) > 1 else None
    rows: list[ComparedRow] = []
    doubts: list[Doubt] = []
    for grid in () if body is None else page_grids(body):
        places = grid.places()
        for turned in (places, [list(column) for column in zip(*places, strict=True)]):
            columns = _columns([said.text or "" for said in turned[0]], names) if turned else None
            if columns is not None:
                rows += _rows(turned, columns)
                doubts += _doubts(grid, turned, columns)
                break
    return tuple(rows), tuple(doubts)


def _rows(table: Sequence[Sequence[CellText]], columns: Sequence[int]) -> Iterator[ComparedRow]:
    label = _label(table, columns)
    for row in table[1:] if label is not None else ():
        values = tuple(row[column].text for column in columns)
        text = row[label or 0].text
        # A cell over the whole table is a heading inside it.
        if text and any(values) and set(values) != {text}:
            yield ComparedRow("attribute", text, values)


def _doubts(grid: Grid, table: Sequence[Sequence[CellText]], columns: Sequence[int]) -> Iterator[Doubt]:
    """What is wrong with the table, and the icons that say nothing."""
    for defect in grid.defects:
        rule: DoubtRule = "copies_differ" if defect.flaw == "copies_differ" else "flawed_table"
        yield Doubt(rule, None, _EXPECTED[defect.flaw], _place(defect))
    crossed = [row[column] for row in table[1:] for column in columns if row[column].text and NO in row[column].beside]
    if crossed:
        yield Doubt("unread_text", None, f"the text {crossed[0].text!r} alone", "a cross beside it")
    unreadable = [row for row in table[1:] if any(row[column].is_unreadable for column in columns)]
    if unreadable:
        label = _label(table, columns)
        first = None if label is None else unreadable[0][label].text
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
