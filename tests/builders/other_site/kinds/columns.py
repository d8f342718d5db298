"""Which tool a column, a row or a cell is about, said in another way."""

from dataclasses import replace
from random import Random

from builders.other_site.changes import each_row, each_take
from builders.other_site.facts import SIDES
from builders.other_site.kinds.kind import ALL_MEDIA, HTML_ONLY, LABELLED, Kind
from builders.other_site.page import Cell, Grid, Page, Part, Row, text


def _names(page: Page) -> tuple[str, ...]:
    return tuple(text(page.pair.tool(side).name) for side in SIDES)


def reversed_grid(grid: Grid, names: tuple[str, ...]) -> Grid:
    """Columns B, A under a head row that says so."""
    return replace(each_row(grid, lambda row: replace(row, cells=row.cells[::-1])), heads=names[::-1])


def decision_reversed(page: Page, _: Random) -> Page:
    return replace(page, decision=tuple(reversed_grid(grid, _names(page)) for grid in page.decision))


def scorecard_reversed(page: Page, _: Random) -> Page:
    return replace(page, scorecard=tuple(reversed_grid(grid, _names(page)) for grid in page.scorecard))


def both_reversed(page: Page, random: Random) -> Page:
    return scorecard_reversed(decision_reversed(page, random), random)


def head_row(page: Page, _: Random) -> Page:
    return replace(page, scorecard=tuple(replace(grid, heads=_names(page)) for grid in page.scorecard))


def _each_of(page: Page):
    """The cells that show a take, with the row they stand in."""
    rows = (row for grid in page.scorecard for row in grid.rows if isinstance(row, Row))
    return [(row, cell) for row in rows for cell in row.cells if cell.take is not None]


def _take_rows(page: Page, cells) -> Grid:
    """One row a take: seat, tool, head, text."""
    rows = []
    for row, cell in cells:
        head = tuple(part for part in cell.parts if part.role in ("head", "verdict"))
        rest = tuple(part for part in cell.parts if part.role not in ("head", "verdict"))
        tool = Part("value", text(page.pair.tool(cell.side).name))
        rows.append(Row(row.label, (Cell(cell.side, (tool,)), Cell(cell.side, head), Cell(cell.side, rest, cell.take))))
    return Grid(tuple(rows), heads=("Tool", "Score", "Take"), corner="Reviewer")


def by_take(page: Page, _: Random) -> Page:
    return replace(page, scorecard=(_take_rows(page, _each_of(page)),), doubtful_gaps=True)


def by_take_and_tool(page: Page, _: Random) -> Page:
    """One row a take, all of one tool first."""
    cells = sorted(_each_of(page), key=lambda found: found[1].side)
    return replace(page, scorecard=(_take_rows(page, cells),), doubtful_gaps=True)


def by_tool(page: Page, _: Random) -> Page:
    """A scorecard a tool, under its name."""
    found = _each_of(page)
    grids = tuple(
        Grid(tuple(Row(row.label, (cell,)) for row, cell in found if cell.side == side), title=name)
        for side, name in zip(SIDES, _names(page), strict=True)
    )
    return replace(page, scorecard=grids, doubtful_gaps=True)


def decision_turned(page: Page, _: Random) -> Page:
    """A row a tool, a column a label."""

    def turned(grid: Grid) -> Grid:
        rows = [row for row in grid.rows if isinstance(row, Row)]
        heads = tuple("".join(part.html for part in row.label) for row in rows)
        lines = (
            Row((Part("label", name),), tuple(row.cells[number] for row in rows))
            for number, name in enumerate(grid.heads or ())
        )
        return Grid(tuple(lines), heads=heads)

    return replace(page, decision=tuple(map(turned, page.decision)))


def names_in_cells(page: Page, _: Random) -> Page:
    def cell(cell: Cell, _) -> Cell:
        name = text(page.pair.tool(cell.side or "a").name)
        return replace(cell, parts=(Part("tool", name), *cell.parts))

    return each_take(page, cell)


def title_reversed(page: Page, _: Random) -> Page:
    return replace(page, title=f"{page.pair.b.name} vs {page.pair.a.name}")


def _kind(name, page, *touches, media=HTML_ONLY, **more):
    return Kind("columns", name, page, touches=frozenset(touches), media=media, **more)


KINDS = (
    _kind("names in every cell", names_in_cells, "cell names", "names"),
    _kind("title reversed", title_reversed, "title", "names", media=ALL_MEDIA),
    _kind("scorecard with a head row", head_row, "scorecard", needs_columns=True),
    _kind("Decision reversed", decision_reversed, "decision", "names", media=LABELLED, needs_columns=True),
    _kind("scorecard reversed", scorecard_reversed, "scorecard", "names", needs_columns=True),
    _kind("Decision and scorecard reversed", both_reversed, "decision", "scorecard", "names", needs_columns=True),
    _kind("Decision turned", decision_turned, "decision", "decision rows", "rows", "names", needs_columns=True),
    _kind("one row a take", by_take, "scorecard", "rows", "gaps", "names", needs_columns=True),
    _kind("one row a take, tool by tool", by_take_and_tool, "scorecard", "rows", "gaps", "names", needs_columns=True),
    _kind("a scorecard a tool", by_tool, "scorecard", "rows", "gaps", "names"),
)
