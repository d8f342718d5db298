"""Whose each cell of the scorecard is: by the tools' names where they stand in it, else by the order of the page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.panel.scorecard.take_heads import Opening

TOOLS = len(SIDES)


@dataclass(frozen=True, slots=True)
class Columns:
    """Whose the cells are.

    `sides` are the sides of the cells whose tool is named, by their first text; None where the cells of a row stand in
    the `order` of the columns, as those that are not named do.

    `labels` are the texts that say so, `head` those of them over all rows. In a table, `second` is the column where
    that of the second tool begins.
    """

    sides: Mapping[int, Side] | None
    order: tuple[Side, Side] = SIDES
    labels: frozenset[int] = frozenset()
    head: frozenset[int] = frozenset()
    second: int | None = None
    is_by_tool: bool = False
    """All cells of one tool come before those of the other."""


def column_readings(texts: Sequence[Block], names: tuple[str, str], cells: Sequence[Opening]) -> Iterator[Columns]:
    """What names in the scorecard may say of its cells, the likeliest first; names may be words of a take, too.

    Raises `PageRejected` (`incomplete_scorecard`) where the head of the columns does not name both tools.
    """
    inside = {index for cell in cells for index in range(cell.first, cell.last + 1)}
    free = [index for index in range(len(texts)) if index not in inside]
    named = [index for index in free if _side(texts[index].text, names) is not None]
    shown = [index for index in named if not texts[index].is_control]
    found = False
    for candidates in (named, shown) if shown != named else (named,):
        for columns in _columns(texts, candidates, names, cells):
            found = True
            yield columns
    if found:
        return
    if any(index < cells[0].first for index in shown):
        raise PageRejected(
            "incomplete_scorecard",
            f"the tools' names stand {len(named)} times among {len(cells)} cells of the scorecard",
        )
    yield Columns(None)


def _columns(
    texts: Sequence[Block], named: Sequence[int], names: tuple[str, str], cells: Sequence[Opening]
) -> Iterator[Columns]:
    if not named:
        yield _by_place(texts, cells, None, SIDES, frozenset()) or Columns(None)
        return
    head = [index for index in named if index < cells[0].first]
    sides = _sides_of(texts, named, names)
    labels = frozenset(named)
    if len(head) >= TOOLS:
        order = _order(sides[:TOOLS])
        by_place = _by_place(texts, cells, named[:TOOLS], order, labels)
        if by_place is not None:
            yield by_place
            return
        if len(named) == TOOLS:
            yield Columns(None, order, labels, labels)
            return
    if len(named) == TOOLS and len(head) == 1:
        own = {cell.first: sides[0] if cell.first < named[1] else sides[1] for cell in cells}
        yield Columns(own, _order(sides), labels, is_by_tool=True)
    for skipped in (0, TOOLS):
        found = _name_a_cell(named[skipped:], cells) or _name_a_cell(named[skipped:], _takes(cells))
        if found is not None:
            own = dict(zip(found, _sides_of(texts, list(found.values()), names), strict=True))
            yield Columns(own, SIDES, labels, frozenset(named[:skipped]))


def _takes(cells: Sequence[Opening]) -> list[Opening]:
    return [cell for cell in cells if cell.is_take]


def _by_place(
    texts: Sequence[Block],
    cells: Sequence[Opening],
    head: Sequence[int] | None,
    order: tuple[Side, Side],
    labels: frozenset[int],
) -> Columns | None:
    """The sides by the columns of a table; None where the cells stand in no table of two columns.

    `head` are the names over the columns; a name may span several.
    """
    places = {cell.first: place for cell in cells if (place := texts[cell.first].cell) is not None}
    if len(places) != len(cells) or len({place.table for place in places.values()}) != 1:
        return None
    columns = sorted({places[cell.first].column for cell in _takes(cells)})
    if head is not None:
        columns = [place.column for index in head if (place := texts[index].cell) is not None]
    if len(columns) != TOOLS or columns[0] >= columns[1]:
        return None
    sides = {first: order[place.column >= columns[1]] for first, place in places.items()}
    return Columns(sides, order, labels, frozenset(head or ()), columns[1])


def _name_a_cell(named: Sequence[int], cells: Sequence[Opening]) -> dict[int, int] | None:
    """The name of each cell, by the first text of the cell: all stand before their cells' heads, or all behind them."""
    if len(named) != len(cells) or not cells:
        return None
    starts = [cell.first for cell in cells]
    pairs = list(zip(starts, named, strict=True))
    is_before = all(name < start for start, name in pairs) and all(
        name > start for name, start in zip(named[1:], starts, strict=False)
    )
    is_behind = all(name > start for start, name in pairs) and all(
        name < start for name, start in zip(named, starts[1:], strict=False)
    )
    return dict(pairs) if is_before or is_behind else None


def _sides_of(texts: Sequence[Block], named: Sequence[int], names: tuple[str, str]) -> list[Side]:
    if fold(names[0]) == fold(names[1]):
        return [SIDES[number % TOOLS] for number in range(len(named))]
    return [side for index in named if (side := _side(texts[index].text, names)) is not None]


def _side(text: str, names: tuple[str, str]) -> Side | None:
    if not text or len(text) > max(map(len, names)) + 4:
        return None
    folded = fold(text)
    return next((side for side, name in zip(SIDES, names, strict=True) if text == name or folded == fold(name)), None)


def _order(sides: Sequence[Side]) -> tuple[Side, Side]:
    if set(sides) != set(SIDES):
        raise PageRejected("incomplete_scorecard", "both columns of the scorecard name the same tool")
    return sides[0], sides[1]
