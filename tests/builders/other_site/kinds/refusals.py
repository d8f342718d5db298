"""Pages that contradict themselves or are not all there: whoever reads them must say so."""

from dataclasses import replace
from random import Random

from builders.other_site.changes import each_cell, each_stat
from builders.other_site.facts import SIDES, Take, Tool
from builders.other_site.kinds.columns import reversed_grid
from builders.other_site.kinds.kind import ALL_MEDIA, HTML_ONLY, LABELLED, Kind
from builders.other_site.page import Cell, Page, Part, decision_of, text

STRANGER = "Somebody Else 9"


def cut(page: Page, _: Random) -> Page:
    return replace(page, is_cut=True)


def _with_other_votes(page: Page, change) -> Page:
    """The page as it is, and a Decision table whose second tool has other votes."""
    other = replace(page.pair, b=change(page.pair.b))
    return replace(page, decision=(decision_of(other),))


def _one_vote_more(tool: Tool) -> Tool:
    """Another seat that would ship it, which the scorecard does not have."""
    return replace(tool, takes={**tool.takes, "Nobody": Take(80, "ship", ("",))})


def votes_and_takes_differ(page: Page, _: Random) -> Page:
    return _with_other_votes(page, _one_vote_more)


def decisions_differ(page: Page, _: Random) -> Page:
    other = replace(page.pair, a=replace(page.pair.a, pricing="Studio $77/mo"))
    return replace(page, decision=(*page.decision, decision_of(_with_a_voter(other))))


def _with_a_voter(pair):
    return replace(pair, b=_one_vote_more(pair.b))


def take_lost(page: Page, random: Random) -> Page:
    """One take is not there, though it was counted."""
    shown = [cell for grid in page.scorecard for row in grid.rows for cell in row.cells if cell.take]
    lost = random.choice(shown)

    def cell(cell: Cell) -> Cell:
        return Cell(cell.side, (Part("missing", "No panel take"),)) if cell is lost else cell

    return replace(page, scorecard=tuple(each_cell(grid, cell) for grid in page.scorecard))


def scorecard_lost(page: Page, _: Random) -> Page:
    return replace(page, scorecard=())


def takes_loading(page: Page, _: Random) -> Page:
    """The takes come later, and never came."""

    def cell(cell: Cell) -> Cell:
        return Cell(cell.side, (Part("missing", "Loading..."),))

    return replace(page, scorecard=tuple(each_cell(grid, cell) for grid in page.scorecard))


def card_and_votes_differ(page: Page, _: Random) -> Page:
    def value(stat):
        if stat.label != "Panel ship":
            return stat
        return replace(stat, value=f"{(int(stat.value[:-1]) + 37) % 100}%")

    return each_stat(page, value)


def _stranger_in(part):
    """The head row of a table has another name than a card."""

    def change(page: Page, _: Random) -> Page:
        names = (text(page.pair.a.name), STRANGER)
        grids = tuple(replace(grid, heads=names) for grid in getattr(page, part))
        return replace(page, **{part: grids})

    return change


def stranger_reversed(page: Page, _: Random) -> Page:
    names = (STRANGER, text(page.pair.b.name))
    return replace(page, scorecard=tuple(reversed_grid(grid, names) for grid in page.scorecard))


def seat_given_twice(page: Page, _: Random) -> Page:
    """The last row once more, with the takes of the two tools exchanged."""

    def grid(grid):
        last = grid.rows[-1]
        cells = tuple(replace(cell, side=side) for cell, side in zip(last.cells[::-1], SIDES, strict=True))
        return replace(grid, rows=(*grid.rows, replace(last, cells=cells)))

    return replace(page, scorecard=tuple(map(grid, page.scorecard)))


def _kind(name, page, *touches, media=HTML_ONLY, **more):
    return Kind("refusals", name, page, touches=frozenset(touches), media=media, demand="doubted", **more)


SCORES = ("scorecard", "rows", "gaps", "head", "foot", "text", "cell names", "badge", "readers", "characters")

KINDS = (
    _kind("cut off in a take", cut, "copies", "form", "footer", "related", media=ALL_MEDIA),
    _kind("votes and takes differ", votes_and_takes_differ, "decision", "decision rows", "rows", media=LABELLED),
    _kind("two Decision tables that differ", decisions_differ, "decision", "decision rows", "rows", media=LABELLED),
    _kind("take lost", take_lost, *SCORES, media=LABELLED),
    _kind("scorecard lost", scorecard_lost, *SCORES, "sections", "after scorecard"),
    _kind("takes still loading", takes_loading, *SCORES, media=LABELLED),
    _kind("card and votes differ", card_and_votes_differ, "stats", "stat labels", media=LABELLED),
    _kind("Decision head names another tool", _stranger_in("decision"), "decision", "names", media=LABELLED),
    _kind("scorecard head names another tool", _stranger_in("scorecard"), "scorecard", "names", needs_columns=True),
    _kind("reversed head names another tool", stranger_reversed, "scorecard", "names", needs_columns=True),
    _kind("row given twice, exchanged", seat_given_twice, *SCORES, media=LABELLED),
)
