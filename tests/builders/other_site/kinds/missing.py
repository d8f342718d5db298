"""What stands where a seat has not judged a tool."""

from dataclasses import replace
from random import Random

from builders.other_site.changes import each_cell
from builders.other_site.facts import SIDES, Pair, with_takes
from builders.other_site.kinds.kind import HTML_ONLY, LABELLED, LINEAR, Kind
from builders.other_site.page import Cell, Page, Part

WORDS = ("-", "—", "Abstained", "N/A", "No verdict yet", "Did not review", "Not reviewed", "Pending")
SPINNER = '<svg class="animate-spin" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/></svg>'


def with_gaps(pair: Pair, random: Random) -> Pair:
    """At least one seat of each tool's row stays empty, in different rows; each tool keeps a take."""
    if len(pair.seats) < 2:
        tool = pair.b
        take = next(iter(tool.takes.values()))
        pair = replace(pair, seats=(*pair.seats, "Creator"))
        pair = with_takes(pair, "b", {"Creator": take})
    if all(len(pair.tool(side).takes) < len(pair.seats) for side in SIDES):
        return pair
    gaps = dict(zip(SIDES, random.sample(pair.seats, k=2), strict=True))
    for side, gap in gaps.items():
        takes = pair.tool(side).takes
        if len(takes) == len(pair.seats) and len(takes) > 1:
            pair = with_takes(pair, side, {seat: take for seat, take in takes.items() if seat != gap})
    return pair


def _gaps_as(change):
    def changed(page: Page, _: Random) -> Page:
        def cell(cell: Cell) -> Cell:
            return change(cell) if any(part.role == "missing" for part in cell.parts) else cell

        return replace(page, scorecard=tuple(each_cell(grid, cell) for grid in page.scorecard))

    return changed


def _word(word):
    return _gaps_as(lambda cell: replace(cell, parts=(Part("missing", word),)))


def doubtful(change):
    """A gap that nothing on the page calls one: it need not be recorded as missing."""
    return lambda page, random: replace(change(page, random), doubtful_gaps=True)


def _kind(name, page, media=LABELLED, **more):
    return Kind("missing", name, page, touches=frozenset({"gaps"}), media=media, facts=with_gaps, **more)


KINDS = (
    *(_kind(f"{word} for a take", _word(word)) for word in WORDS),
    _kind("Loading... for a take", doubtful(_word("Loading..."))),
    _kind("empty cell", doubtful(_gaps_as(lambda cell: replace(cell, parts=()))), HTML_ONLY, doubtful_in=LINEAR),
    _kind("spinner only", doubtful(_gaps_as(lambda cell: replace(cell, parts=(Part("block", SPINNER),)))), HTML_ONLY),
    _kind(
        "cell absent",
        doubtful(_gaps_as(lambda cell: replace(cell, parts=(), is_absent=True))),
        HTML_ONLY,
        demand="right or doubted",
    ),
)
