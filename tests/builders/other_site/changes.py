"""Changes of a page that kinds are made of."""

from collections.abc import Callable
from dataclasses import replace

from builders.other_site.facts import Take
from builders.other_site.page import CardView, Cell, Grid, Notice, Page, Part, Place, Role, Row, Stat


def each_row(grid: Grid, change: Callable[[Row], Row]) -> Grid:
    return replace(grid, rows=tuple(change(row) if isinstance(row, Row) else row for row in grid.rows))


def each_cell(grid: Grid, change: Callable[[Cell], Cell]) -> Grid:
    return each_row(grid, lambda row: replace(row, cells=tuple(change(cell) for cell in row.cells)))


def each_take(page: Page, change: Callable[[Cell, Take], Cell]) -> Page:
    """The page with every cell that shows a take changed."""
    grids = (each_cell(grid, lambda cell: change(cell, cell.take) if cell.take else cell) for grid in page.scorecard)
    return replace(page, scorecard=tuple(grids))


def each_card(page: Page, change: Callable[[CardView], CardView]) -> Page:
    return replace(page, cards=tuple(change(card) for card in page.cards))


def each_stat(page: Page, change: Callable[[Stat], Stat]) -> Page:
    return each_card(page, lambda card: replace(card, stats=tuple(change(stat) for stat in card.stats)))


def each_seat(page: Page, change: Callable[[Row], Row]) -> Page:
    """The page with every row of the scorecard changed."""
    return replace(page, scorecard=tuple(each_row(grid, change) for grid in page.scorecard))


def each_decision(page: Page, change: Callable[[Row], Row]) -> Page:
    return replace(page, decision=tuple(each_row(grid, change) for grid in page.decision))


def each_value(page: Page, label: str, change: Callable[[Cell], Cell]) -> Page:
    """The page with the cells of one row of the Decision table changed."""

    def changed(row: Row) -> Row:
        return replace(row, cells=tuple(map(change, row.cells))) if is_of(row, label) else row

    return each_decision(page, changed)


def is_of(row: Row | Notice, label: str) -> bool:
    return isinstance(row, Row) and row.label[0].html.startswith(label)


def with_block(page: Page, place: Place, html: str) -> Page:
    return replace(page, blocks=(*page.blocks, (place, html)))


def swapped(cell: Cell, role: Role, *parts: Part) -> Cell:
    """The cell with its parts of one role replaced, where the first of them stood."""
    at = next(number for number, part in enumerate(cell.parts) if part.role == role)
    kept = [part for part in cell.parts if part.role != role]
    return replace(cell, parts=(*kept[:at], *parts, *kept[at:]))


def html_of(cell: Cell, role: Role) -> str:
    return next(part.html for part in cell.parts if part.role == role)
