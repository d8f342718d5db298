"""Tables with a column, or a row, for tools whose names are known: rows of values, and what was left over. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verdicts.corpus.enumerations import NamesIn
from verdicts.extract.generic.grid_lines import PARTS, Line, Lines, lines_of, turned
from verdicts.extract.generic.list_words import LABEL_MAX
from verdicts.extract.generic.name_heads import heads_of
from verdicts.extract.grids.grid import ALIGNED, Defect, Flaw, Grid
from verdicts.extract.html.cell_text import CellText
from verdicts.extract.html.icon_words import NO
from verdicts.extract.model.records import ComparedRow, Doubt, DoubtRule

NAME_LINES_MAX = 3
"""Rows or columns from the edge among which the names stand: behind a rank, a picture."""

NAMES_MIN = 2

TELLS = re.compile(r"[\d$€£¥₹]")
"""What is left over and has one of these may be a price, a rating, a limit of one of the tools."""

_RANK = re.compile(r"#?\d{1,3}\.?")

_EXPECTED: dict[Flaw, str] = {
    "overlap": "a place for each cell of a table",
    "cut_span": "cells that end with their group of rows",
    "ragged_row": "a cell in each place of a table",
    "too_large": "tables that a person can read",
    "nested_too_deep": "tables that a person can read",
    "copies_differ": "tables with the same heads that say the same",
}

_Columns = Mapping[int, Mapping[str, int]]
"""By the place of a tool: its columns, by what their heads say beside its name."""


@dataclass(frozen=True, slots=True)
class TableReading:
    """What a table says of tools. `links`: where each name leads. `left_over`: texts that belong to none of them."""

    names_in: NamesIn
    rows: tuple[ComparedRow, ...]
    links: tuple[str | None, ...]
    left_over: tuple[str, ...]
    doubts: tuple[Doubt, ...]


def read_table_of(grid: Grid, names: Sequence[str]) -> TableReading | None:
    """What a table says of the tools of these names; None where fewer than two head its columns or its rows.

    A value that an icon shows without saying it is None, and told; so is what is left over and has a number.
    """
    lines: Lines = lines_of(grid)
    ways: list[tuple[NamesIn, Lines, int, _Columns]] = []
    if lines:
        both: tuple[tuple[NamesIn, Lines], ...] = (("columns", lines), ("rows", turned(lines)))
        ways = [(names_in, way, *found) for names_in, way in both if (found := _name_line(way, names)) is not None]
    ways.sort(key=lambda way: -len(way[3]))
    if not ways or (len(ways) > 1 and len(ways[0][3]) == len(ways[1][3])):
        return None
    names_in, way, number, columns = ways[0]
    head, others = way[number], (*way[:number], *way[number + 1 :])
    of_tools = {column for of_one in columns.values() for column in of_one.values()}
    label = next((column for column in range(len(head.cells)) if column not in of_tools), None)
    if label is None or not _are_labels(grid, [line.cells[label].text or "" for line in others]):
        return None
    left_over = tuple(_left_over(head, others, of_tools, label))
    return TableReading(
        names_in,
        tuple(_rows(others, columns, label, len(names))),
        tuple(_link(head, columns.get(place)) for place in range(len(names))),
        left_over,
        tuple(_doubts(grid, others, of_tools, label, left_over)),
    )


def _name_line(lines: Lines, names: Sequence[str]) -> tuple[int, _Columns] | None:
    """The line with most of the names, and whose its columns are.

    Behind the first one it has them all, or stands below lines without words.
    """
    best: tuple[int, _Columns] | None = None
    for number, line in enumerate(lines[:NAME_LINES_MAX]):
        texts = [said.text or "" for said in line.cells]
        columns = heads_of(texts, names)
        most = NAMES_MIN - 1 if best is None else len(best[1])
        is_head = len(columns) == len(names) or all(
            not said.text or _RANK.fullmatch(said.text) for before in lines[:number] for said in before.cells[1:]
        )
        if len(columns) > most and is_head:
            best = number, columns
    return best


def _are_labels(grid: Grid, texts: Sequence[str]) -> bool:
    """Whether these name attributes. Cards of tools beside another card are aligned parts, too."""
    return grid.shape not in ALIGNED or all(len(text) <= LABEL_MAX for text in texts)


def _rows(lines: Lines, columns: _Columns, label: int, tools: int) -> Iterator[ComparedRow]:
    is_plain = all(len(of_one) == 1 for of_one in columns.values())
    besides = [""] if is_plain else list(dict.fromkeys(said for of_one in columns.values() for said in of_one))
    for line in lines:
        text = line.cells[label].text
        for beside in besides if text else ():
            places = [
                next(iter(columns[tool].values()))
                if is_plain and tool in columns
                else columns.get(tool, {}).get(beside)
                for tool in range(tools)
            ]
            values = tuple(None if place is None else line.cells[place].text for place in places)
            # A heading within the table may span all columns but one.
            if text and any(values) and {*values} - {None} != {text}:
                yield ComparedRow("attribute", f"{text}{PARTS}{beside}" if beside else text, values, line.section)


def _left_over(head: Line, lines: Lines, of_tools: set[int], label: int) -> Iterator[str]:
    """Texts beside the columns of tools, but for a run of ranks, and those of lines without a label."""
    for column, head_cell in enumerate(head.cells):
        texts = [text for line in lines if (text := line.cells[column].text)]
        if column != label and column not in of_tools and not _are_ranks(texts):
            yield from (head_cell.text, *texts) if head_cell.text else texts
    for line in lines:
        if not line.cells[label].text:
            yield from (text for column in sorted(of_tools) if (text := line.cells[column].text))


def _are_ranks(texts: Sequence[str]) -> bool:
    ranks = [text.strip("#.") for text in texts]
    return len(ranks) > 1 and ranks == [str(rank) for rank in range(1, len(ranks) + 1)]


def _doubts(grid: Grid, lines: Lines, of_tools: set[int], label: int, left_over: Sequence[str]) -> Iterator[Doubt]:
    """What is wrong with the table, icons that say nothing, and numbers that belong to no tool."""
    for defect in grid.defects:
        rule: DoubtRule = "copies_differ" if defect.flaw == "copies_differ" else "flawed_table"
        yield Doubt(rule, None, _EXPECTED[defect.flaw], _place(defect))
    places = sorted(of_tools)
    cells = [(line, line.cells[column]) for line in lines for column in places]
    crossed = [cell for _, cell in cells if cell.text and NO in cell.beside]
    if crossed:
        yield Doubt("unread_text", None, f"the text {crossed[0].text!r} alone", "a cross beside it")
    unreadable = [line for line in lines if any(line.cells[column].is_unreadable for column in places)]
    if unreadable:
        first = unreadable[0].cells[label].text
        more = f", and in {len(unreadable) - 1} rows more" if len(unreadable) > 1 else ""
        yield Doubt("unreadable_cell", None, "values in words", f"an icon without a name for {first!r}{more}")
    telling = [text for text in left_over if TELLS.search(text)]
    if telling:
        more = f", and {len(telling) - 1} texts more" if len(telling) > 1 else ""
        yield Doubt("left_over", None, "numbers of a table that belong to one of its tools", f"{telling[0]!r}{more}")


def _link(head: Line, of_tool: Mapping[str, int] | None) -> str | None:
    """Where the cell with the name leads, if to one place."""
    cells: list[CellText] = [head.cells[column] for column in (of_tool or {}).values()]
    links = {link for cell in cells for link in cell.links}
    return links.pop() if len(links) == 1 else None


def _place(defect: Defect) -> str:
    return f"{defect.flaw.replace('_', ' ')} at row {defect.row + 1}, column {defect.column + 1}"
