"""Pages that contradict themselves or are not all there: whoever reads them must say so."""

from dataclasses import replace
from random import Random

from builders.other_site.changes import each_card, each_cell, each_take, each_value, with_block
from builders.other_site.facts import SIDES, Take, Tool
from builders.other_site.kinds.columns import reversed_grid
from builders.other_site.kinds.kind import ALL_MEDIA, HTML_ONLY, LABELLED, Kind
from builders.other_site.page import CUT, CardView, Cell, Page, Part, Row, Stat, decision_of, text

STRANGER = "Somebody Else 9"


def cut_in_a_take(page: Page, random: Random) -> Page:
    """Cut off in the middle of a take."""
    lost = random.choice(_shown(page))

    def cell(cell: Cell, _: Take) -> Cell:
        if cell is not lost:
            return cell
        at, part = next((at, part) for at, part in enumerate(cell.parts) if part.role in ("text", "block"))
        middle = 0 if "<" in part.html else len(part.html) // 2
        marked = replace(part, html=part.html[:middle] + CUT + part.html[middle:])
        return replace(cell, parts=(*cell.parts[:at], marked, *cell.parts[at + 1 :]))

    return each_take(page, cell)


def cut_in_the_decision(page: Page, _: Random) -> Page:
    return each_value(page, "Pricing", lambda cell: replace(cell, parts=(Part("value", CUT),)))


def cut_after_the_decision(page: Page, _: Random) -> Page:
    return with_block(page, "after decision", CUT)


def cut_in_a_card(page: Page, _: Random) -> Page:
    first, second = page.cards
    return replace(page, cards=(first, replace(second, description=second.description[:30] + CUT)))


def _shown(page: Page) -> list[Cell]:
    rows = (row for grid in page.scorecard for row in grid.rows if isinstance(row, Row))
    return [cell for row in rows for cell in row.cells if cell.take is not None]


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
    lost = random.choice(_shown(page))

    def cell(cell: Cell) -> Cell:
        return Cell(cell.side, (Part("missing", "No panel take"),)) if cell is lost else cell

    return replace(page, scorecard=tuple(each_cell(grid, cell) for grid in page.scorecard))


def last_row_lost(page: Page, _: Random) -> Page:
    return replace(page, scorecard=tuple(replace(grid, rows=grid.rows[:-1]) for grid in page.scorecard))


def card_copies_differ(page: Page, _: Random) -> Page:
    """A second pair of cards, for phones, that is older."""
    older = each_card(card_and_votes_differ(page, _), lambda card: replace(card, chip="Skip"))
    return replace(page, phone_cards=older.cards)


def scorecard_lost(page: Page, _: Random) -> Page:
    return replace(page, scorecard=())


def takes_loading(page: Page, _: Random) -> Page:
    """The takes come later, and never came."""

    def cell(cell: Cell) -> Cell:
        return Cell(cell.side, (Part("missing", "Loading..."),))

    return replace(page, scorecard=tuple(each_cell(grid, cell) for grid in page.scorecard))


def card_and_votes_differ(page: Page, _: Random) -> Page:
    def card(card: CardView) -> CardView:
        other = Stat("Panel ship", f"{(page.pair.tool(card.side).pct + 37) % 100}%")
        return replace(card, stats=(other, *card.stats[1:]))

    return each_card(page, card)


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
REST = ("copies", "form", "footer", "related", "bottom", "readers")

KINDS = (
    _kind("cut off in a take", cut_in_a_take, *REST, media=ALL_MEDIA),
    _kind("cut off in the Decision", cut_in_the_decision, *REST, "decision", "price", media=LABELLED),
    _kind("cut off after the Decision", cut_after_the_decision, *REST, "sections", media=LABELLED),
    _kind("cut off in a card", cut_in_a_card, *REST, "sections", "description", media=ALL_MEDIA),
    _kind("last row lost", last_row_lost, *SCORES, media=LABELLED),
    _kind("card copies that differ", card_copies_differ, "stats", "stat labels", "chip", "copies"),
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
