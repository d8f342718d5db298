"""Reads tables about tools that the title, the sections or the tables themselves name. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from verdicts.corpus.enumerations import GridReason, NamesIn
from verdicts.extract.generic.axis import Finding, PageNames, find_axis, is_filled, is_genuine
from verdicts.extract.generic.bare_values import is_price, is_rating
from verdicts.extract.generic.heads import NAME_LINES_MAX, NAMES_MIN, find_columns, price_in, with_bare_heads
from verdicts.extract.generic.label_words import (
    FEATURE_WORDS,
    NAME_PARTS,
    NUMBER_ALONE,
    classify_label,
    remove_rank,
)
from verdicts.extract.generic.naming import read_rank
from verdicts.extract.generic.promise import Promise
from verdicts.extract.generic.stated import key
from verdicts.extract.grids.grid import PARTS, Flaw, Grid, Line, Lines, read_lines, transpose
from verdicts.extract.html.cell_text import EMPTY, CellText
from verdicts.extract.html.icons import NO, YES
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.fact_lines import count_lines, group_lines
from verdicts.extract.model.records import Doubt, DoubtRule, Fact, PageGrid

TELLS = re.compile(r"[\d$€£¥₹]")
"""A left-over text with one of these may be a tool's price, rating or limit."""

_EMOJI_FORM = "\ufe0f"
MARKS = {**dict.fromkeys("✓✔✅☑", YES), **dict.fromkeys("✗✘❌✖✕", NO)}
"""Characters that are a whole value: `✔️`."""

_EXPECTED: dict[Flaw, str] = {
    "overlap": "a place for each cell of a table",
    "cut_span": "cells that end with their group of rows",
    "ragged_row": "a cell in each place of a table",
    "too_large": "tables that a person can read",
    "nested_too_deep": "tables that a person can read",
    "copies_differ": "tables with the same heads that say the same",
}

_Columns = Mapping[int, Mapping[str, int]]
"""For each tool: its columns, by the text beside its name in their heads."""


@dataclass(frozen=True, slots=True)
class TableReading:
    """What a table says of tools.

    `facts` have the numbers of its lines, and what stands beside the names: address, price, rank. `left_over`: other
    texts.
    """

    names_in: NamesIn
    facts: tuple[Fact, ...]
    left_over: tuple[str, ...]
    doubts: tuple[Doubt, ...]


def read_table(grid: Grid, names: Sequence[str]) -> TableReading | None:
    """The facts of a table about these tools; None if fewer than two of them head columns or rows.

    An icon without meaning gives None and a doubt; a left-over text with a number gives a doubt.
    """
    lines: Lines = read_lines(grid)
    ways: list[tuple[NamesIn, Lines, int, _Columns]] = []
    if lines:
        both: tuple[tuple[NamesIn, Lines], ...] = (("columns", lines), ("rows", transpose(lines)))
        ways = [(names_in, way, *found) for names_in, way in both if (found := _name_line(way, names)) is not None]
    ways.sort(key=lambda way: -len(way[3]))
    if not ways or (len(ways) > 1 and len(ways[0][3]) == len(ways[1][3])):
        return None
    names_in, way, number, columns = ways[0]
    if sum(map(len, columns.values())) == len(way[number].cells):
        if grid.shape == "parts":
            # Entries of a list, which are sections.
            return None
        # Narrow windows: `Overall rating 4.8` in each cell.
        way = (*map(_with_label, way[:number]), Line((EMPTY, *way[number].cells)), *map(_with_label, way[number + 1 :]))
        columns = {tool: {words: column + 1 for words, column in of_one.items()} for tool, of_one in columns.items()}
    head, others = way[number], (*way[:number], *way[number + 1 :])
    of_tools = {column for of_one in columns.values() for column in of_one.values()}
    label, *more = (column for column in range(len(head.cells)) if column not in of_tools)
    if grid.shape == "parts" and any(_is_value(line.cells[label].text or "") for line in others):
        # `07` and `$12` beside those of the tools: another entry of a list.
        return None
    if more and more[0] == label + 1:
        others = (*_with_whole_labels(others, label),)
    left_over = tuple(_list_unread(head, others, of_tools, label))
    return TableReading(
        names_in,
        (*_read_labelled_facts(others, columns, label), *_read_name_facts(head, way[:number], columns)),
        left_over,
        tuple(_doubts(grid, others, of_tools, label, left_over)),
    )


def _is_value(text: str) -> bool:
    return any((NUMBER_ALONE.fullmatch(text), is_price(text), is_rating(text)))


def _with_label(line: Line) -> Line:
    """A line without a label whose cells all begin with it: before them, the words that they share."""
    texts = [cell.text.split() for cell in line.cells if cell.text]
    shared = [words[0] for words in takewhile(lambda words: len({*words}) == 1, zip(*texts, strict=False))]
    label = " ".join(shared)
    if len(texts) < NAMES_MIN or not label or any(len(words) == len(shared) for words in texts):
        return Line((EMPTY, *line.cells), line.section)
    rest = (replace(cell, text=cell.text.removeprefix(label).strip()) if cell.text else cell for cell in line.cells)
    return Line((CellText(label), *rest), line.section)


def _with_whole_labels(lines: Lines, label: int) -> Iterator[Line]:
    """Lines whose labels stand twice, each with the text beside it that tells them apart: `Monthly` beside `Price`."""
    labels = Counter(line.cells[label].text for line in lines)
    pairs = Counter((line.cells[label].text, line.cells[label + 1].text) for line in lines)
    for line in lines:
        cell, beside = line.cells[label : label + 2]
        is_told = cell.text and beside.text and labels[cell.text] > 1 and pairs[cell.text, beside.text] == 1
        joined = (replace(cell, text=f"{cell.text}{PARTS}{beside.text}"), EMPTY) if is_told else (cell, beside)
        yield Line((*line.cells[:label], *joined, *line.cells[label + 2 :]), line.section)


def _name_line(lines: Lines, names: Sequence[str]) -> tuple[int, _Columns] | None:
    """The line with most of the names, and their columns.

    After the first line it must have all names, or be below lines without words.
    """
    best: tuple[int, _Columns] | None = None
    for number, line in enumerate(lines[:NAME_LINES_MAX]):
        texts = [cell.text or "" for cell in line.cells]
        columns = find_columns(texts, names)
        most = NAMES_MIN - 1 if best is None else len(best[1])
        is_head = len(columns) == len(names) or all(
            not cell.text or NUMBER_ALONE.fullmatch(cell.text) for before in lines[:number] for cell in before.cells[1:]
        )
        if len(columns) > most and is_head:
            best = number, columns
    return best


def _read_labelled_facts(lines: Lines, columns: _Columns, label: int) -> Iterator[Fact]:
    is_plain = all(len(of_one) == 1 for of_one in columns.values())
    besides = [""] if is_plain else list(dict.fromkeys(words for of_one in columns.values() for words in of_one))
    number = 0
    for line in lines:
        text = line.cells[label].text
        for beside in besides if text else ():
            by_tool = {
                tool: next(iter(of_one.values())) if is_plain else of_one.get(beside)
                for tool, of_one in sorted(columns.items())
            }
            cells = {tool: line.cells[column].text for tool, column in by_tool.items() if column is not None}
            values = {tool: MARKS.get(value.strip(_EMOJI_FORM), value) for tool, value in cells.items() if value}
            # A heading in the table may span all columns but one.
            if text and values and {*values.values()} != {text}:
                named = f"{text}{PARTS}{beside}" if beside else text
                for tool, value in values.items():
                    yield Fact(tool, value, "table", named, line=number, section=line.section)
                number += 1


def _read_name_facts(head: Line, before: Lines, columns: _Columns) -> Iterator[Fact]:
    """What stands beside the names: an address, a price, and the number in the head or in a line before it."""
    counted = next((line for line in before if _are_ranks([cell.text for cell in line.cells[1:] if cell.text])), None)
    for tool, of_one in sorted(columns.items()):
        own_columns = [*of_one.values()]
        links = {link for column in own_columns for link in head.cells[column].links}
        if len(links) == 1:
            yield Fact(tool, links.pop(), "table", property="url")
        if len(own_columns) == 1 and (price := price_in(head.cells[own_columns[0]])) is not None:
            yield Fact(tool, price, "table", property="price")
        ranked = (head if counted is None else counted).cells[own_columns[0]].text or ""
        rank = ranked.strip("#.") if counted is not None else str(read_rank(ranked))
        if len(own_columns) == 1 and rank.isdecimal():
            yield Fact(tool, rank, "table", property="rank")


def _list_unread(head: Line, lines: Lines, of_tools: set[int], label: int) -> Iterator[str]:
    """Texts beside the columns of tools, except a run of ranks, and those of lines without a label."""
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
    """Flaws of the table, icons without meaning, and numbers that belong to no tool."""
    for defect in grid.defects:
        rule: DoubtRule = "copies_differ" if defect.flaw == "copies_differ" else "flawed_table"
        detail = f"{defect.flaw.replace('_', ' ')} at row {defect.row + 1}, column {defect.column + 1}"
        yield Doubt(rule, None, _EXPECTED[defect.flaw], detail)
    tool_columns = sorted(of_tools)
    cells = [(line, line.cells[column]) for line in lines for column in tool_columns]
    crossed = [cell for _, cell in cells if cell.text and NO in cell.beside]
    if crossed:
        yield Doubt("unread_text", None, f"the text {crossed[0].text!r} alone", "a cross beside it")
    unreadable = [line for line in lines if any(line.cells[column].is_unreadable for column in tool_columns)]
    if unreadable:
        text = unreadable[0].cells[label].text
        first = repr(text) if text else "a row without a label"
        more = f", and in {len(unreadable) - 1} rows more" if len(unreadable) > 1 else ""
        yield Doubt("unreadable_cell", None, "values in words", f"an icon without a name for {first}{more}")
    telling = [text for text in left_over if TELLS.search(text)]
    if telling:
        more = f", and {len(telling) - 1} texts more" if len(telling) > 1 else ""
        yield Doubt("left_over", None, "numbers of a table that belong to one of its tools", f"{telling[0]!r}{more}")


PHRASE_MAX = 4
"""The most words of a name in a title: `Alpha Writer Pro` in `Why we left Alpha Writer Pro`."""

HEADS_SHOWN = 4

PLACES_KEPT_MAX = 2_000
"""The most cells of a table with kept texts: 100 tools with 20 attributes."""


def names_on(blocks: Iterable[Block], promise: Promise, grids: Iterable[Grid]) -> PageNames:
    """Names on a page outside a table, and what its title promises."""
    outside = (block for block in blocks if block.cell is None)
    headings = [remove_rank(block.text) for block in outside if block.level is not None or block.is_strong]
    keys = {key(part) for heading in headings for part in (heading, NAME_PARTS.split(heading, maxsplit=1)[0])}
    for title in promise.titles:
        words = key(title).split()
        keys |= {
            " ".join(words[start : start + count])
            for count in range(1, PHRASE_MAX + 1)
            for start in range(len(words) - count + 1)
        }
    lines = Counter(
        frozenset(filter(None, map(key, map(remove_rank, line))))
        for heads, *rows in (grid.texts() for grid in grids if is_genuine(grid))
        for line in ([row[0] for row in rows], heads[1:])
    )
    return PageNames(frozenset(keys), promise, lines)


@dataclass(frozen=True, slots=True)
class TablesRead:
    """The names of tools in the tables of a page, known ones first, what they say of them, and all tables of data."""

    names: tuple[str, ...]
    facts: tuple[Fact, ...]
    grids: tuple[PageGrid, ...]
    doubts: tuple[Doubt, ...]


def read_tables(
    grids: Sequence[Grid], names: Sequence[str], page: Callable[[], PageNames], *, is_promised: bool, has_sections: bool
) -> TablesRead:
    """The facts of tables about the tools with these names; without names, about the tools that the tables name.

    `page` gives the names on the page, and is called only without `names`. `is_promised`: the title promises a
    comparison; unread tables then give a doubt, and those of prices or ratings always. `has_sections`: the tools'
    sections were read.
    """
    grids = [*map(with_bare_heads, grids)]
    filled = [] if names else [grid for grid in grids if is_filled(grid)]
    findings = {
        id(grid): find_axis(grid, page_names) for page_names in ((page(),) if filled else ()) for grid in filled
    }
    axes = [finding.axis for finding in findings.values() if finding.axis is not None]
    # If one table has as many tools as the title says, the tables beside it name no other tools.
    counted = sorted((axis for axis in axes if "count" in axis.evidence), key=lambda axis: -axis.points)
    axes = counted[:1] or axes
    tool_names = names or list({key(name): name for axis in axes for name in axis.names}.values())
    readings = [(grid, read_table(grid, tool_names) if len(tool_names) > 1 else None) for grid in grids]
    kept: list[PageGrid] = []
    facts: list[Fact] = []
    lines = 0
    for grid, reading in readings:
        if reading is not None:
            # A table and its copy for narrow windows are one.
            repeated = find_repeated(reading.facts, facts)
            new = [fact for fact in reading.facts if fact.line not in repeated]
            facts += number_facts(new, lines, len(kept))
            lines = count_lines(facts)
        if reading is not None or is_genuine(grid):
            kept.append(_keep_grid(grid, findings.get(id(grid)), reading))
    read = [reading for _, reading in readings if reading is not None]
    doubts = [doubt for reading in read for doubt in reading.doubts]
    unread = [grid for grid in grids if _may_compare(grid, names, has_sections=has_sections)]
    if not is_promised:
        unread = [grid for grid in unread if is_genuine(grid) and _is_value_table(grid, findings)]
    if not lines and unread:
        unclear = f"tables without clear names of tools: {len(unread)}"
        doubts.append(Doubt("axis_unclear", None, "cells that name tools", unclear))
    if names:
        unread_grids = [grid for grid, reading in readings if reading is None and is_genuine(grid)]
        doubts += map(_doubt_other_table, [grid for grid in unread_grids if _is_value_table(grid, findings)])
    names_read, facts_read = (tuple(tool_names), tuple(facts)) if lines else ((), ())
    return TablesRead(names_read, facts_read, tuple(kept), tuple(doubts))


def find_repeated(facts: Sequence[Fact], known_facts: Sequence[Fact]) -> frozenset[int]:
    """The lines of these facts with the label and values of a known line."""
    values = {*_lines(known_facts).values()}
    return frozenset(line for line, of_line in _lines(facts).items() if of_line in values)


def _lines(facts: Iterable[Fact]) -> dict[int, tuple[str, frozenset[tuple[int, str]]]]:
    """Label and values of each line."""
    return {
        line: (fold(of_line[0].label or ""), frozenset((fact.tool, fact.value) for fact in of_line))
        for line, of_line in group_lines(facts).items()
    }


def number_facts(facts: Iterable[Fact], lines: int, grid: int | None) -> Iterator[Fact]:
    """The facts with their lines counted from `lines` on, and those with a label as of this table."""
    for fact in facts:
        yield fact if fact.line is None else replace(fact, line=lines + fact.line, grid=grid)


def _may_compare(grid: Grid, names: Sequence[str], *, has_sections: bool) -> bool:
    """Whether a reader would look for tools in this grid. Cards are already read as sections."""
    if has_sections:
        return is_genuine(grid) and _heads_begin_with(grid, names)
    return is_genuine(grid) or (grid.shape == "parts" and _heads_begin_with(grid, names))


def _is_value_table(grid: Grid, findings: Mapping[int, Finding]) -> bool:
    """Whether a table says prices or ratings of several things that are not plans, or has features over its labels.

    `Hersteller/Modell | Preis | Note` on a page with the title `Kindersitztest`, `Feature | Alpha | Beta`.
    """
    finding = findings.get(id(grid))
    lines = read_lines(grid)
    is_of_plans = finding is not None and finding.reason == "plans"
    if is_of_plans or not lines:
        return False
    is_of_features = len(lines[0].cells) > NAMES_MIN and key(lines[0].cells[0].text or "") in FEATURE_WORDS
    return is_of_features or any(map(_has_values, (lines, transpose(lines))))


def _has_values(lines: Lines) -> bool:
    heads = [classify_label(cell.text or "") for cell in lines[0].cells]
    columns = [column for column, kind in enumerate(heads) if kind in {"price", "rating"}]
    filled = (sum(TELLS.search(line.cells[column].text or "") is not None for line in lines[1:]) for column in columns)
    return any(count >= NAMES_MIN for count in filled)


def _doubt_other_table(grid: Grid) -> Doubt:
    """A table beside the tools of a page that heads its lines with other names, or writes them in its own way."""
    heads = [text for text in grid.texts()[0] if text]
    detail = f"a table with {', '.join(map(repr, heads[:HEADS_SHOWN]))}"
    return Doubt("left_over", None, "tables of prices or ratings headed by the tools of the page", detail)


def _heads_begin_with(grid: Grid, names: Sequence[str]) -> bool:
    """Whether two of these names begin texts of its first row, or of its first column, or begin with them."""
    texts = grid.texts()
    edges = (texts[0] if texts else [], [row[0] for row in texts if row])
    return any(sum(any(_begins(key(text), key(name)) for text in edge) for name in names) > 1 for edge in edges)


def _begins(text: str, name: str) -> bool:
    return text.startswith(name) or (text != "" and name.startswith(f"{text} "))


def _keep_grid(grid: Grid, finding: Finding | None, reading: TableReading | None) -> PageGrid:
    reason: GridReason = "names_known" if reading is not None else "other_tools"
    if finding is not None and (reading is None or finding.axis is not None):
        reason = finding.reason
    return PageGrid(
        reason,
        None if reading is None else reading.names_in,
        0 if finding is None else finding.points,
        () if finding is None else tuple(sorted(finding.evidence)),
        grid.caption,
        () if reading is None else reading.left_over,
        tuple(map(tuple, grid.texts())) if grid.rows * grid.columns <= PLACES_KEPT_MAX else None,
    )
