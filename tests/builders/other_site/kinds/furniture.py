"""Buttons, links, counts and adverts between what belongs to the page."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from builders.other_site.changes import each_card, each_seat, each_take, with_block
from builders.other_site.facts import Take
from builders.other_site.kinds.kind import HTML_ONLY, LABELLED, Kind
from builders.other_site.page import Cell, Grid, Notice, Page, Part, Row

ADVERT = (
    '<div class="ad"><span>Advertisement</span>'
    '<a href="https://ads.example/go">Hosted runners, first month free</a></div>'
)
SPONSORED = (
    '<div class="promo"><small>Sponsored</small><a href="https://ads.example/db">Try a database that sleeps</a></div>'
)
VOTING = '<button type="button">▲</button><span>128</span><button type="button">▼</button>'

Foot = Callable[[Random], str]

FEET: dict[str, Foot] = {
    "found helpful": lambda random: f"<div>{random.randint(2, 90)} found this helpful</div>",
    "share and report": lambda _: '<div><a href="#">Share</a> · <a href="#">Report</a></div>',
    "read more": lambda _: '<a href="/reviewer/x">Read more</a>',
    "translate": lambda _: '<button type="button">Translate</button>',
    "date": lambda random: f"<time>{random.randint(2, 29)} days ago</time>",
    "helpful, yes or no": lambda _: "<div>Helpful? <button>Yes</button> <button>No</button></div>",
    "upvotes": lambda random: f"<div><button>▲</button>{random.randint(2, 90)}</div>",
    "copy link": lambda _: '<button type="button">Copy link</button>',
    "advert in a cell": lambda _: ADVERT,
}
"""Under every take."""

IN_DUMPS = {"found helpful", "share and report", "read more", "date"}


def _foot(foot: Foot):
    def change(page: Page, random: Random) -> Page:
        def cell(cell: Cell, _: Take) -> Cell:
            return replace(cell, parts=(*cell.parts, Part("block", foot(random))))

        return each_take(page, cell)

    return change


def above_the_text(page: Page, random: Random) -> Page:
    """A date between head and text."""

    def cell(cell: Cell, _: Take) -> Cell:
        head, *rest = cell.parts
        return replace(cell, parts=(head, Part("block", f"<time>{random.randint(2, 29)} days ago</time>"), *rest))

    return each_take(page, cell)


def advert_between_rows(page: Page, _: Random) -> Page:
    def grid(grid: Grid) -> Grid:
        rows = [each for row in grid.rows for each in (row, Notice(ADVERT))][:-1]
        return replace(grid, rows=tuple(rows))

    return replace(page, scorecard=tuple(map(grid, page.scorecard)), decision=tuple(map(grid, page.decision)))


def advert_between_cards(page: Page, _: Random) -> Page:
    return with_block(page, "between cards", ADVERT)


def sponsored_in_card(page: Page, _: Random) -> Page:
    return each_card(page, lambda card: replace(card, inside=SPONSORED))


def votes_before_chip(page: Page, _: Random) -> Page:
    return each_card(page, lambda card: replace(card, before_chip=VOTING))


def verified_reviewer(page: Page, _: Random) -> Page:
    mark = Part("block", "<div>Verified reviewer</div>")
    return each_seat(page, lambda row: replace(row, label=(*row.label, mark)))


def avatar(page: Page, _: Random) -> Page:
    """The seat's initials in a circle before it."""

    def row(row: Row) -> Row:
        circle = Part("block", f'<div class="avatar" aria-hidden="true">{row.label[0].html[:2].upper()}</div>')
        return replace(row, label=(circle, *row.label))

    return each_seat(page, row)


def _kind(name, page, touches, media=HTML_ONLY):
    return Kind("furniture", name, page, touches=frozenset({touches}), media=media)


KINDS = (
    *(_kind(name, _foot(foot), "foot", LABELLED if name in IN_DUMPS else HTML_ONLY) for name, foot in FEET.items()),
    _kind("date above the text", above_the_text, "foot"),
    _kind("advert between rows", advert_between_rows, "rows"),
    _kind("advert between cards", advert_between_cards, "between cards"),
    _kind("sponsored box in a card", sponsored_in_card, "in card"),
    _kind("vote buttons before the chip", votes_before_chip, "before chip"),
    _kind("verified reviewer", verified_reviewer, "seat"),
    _kind("avatar initials", avatar, "seat"),
)
