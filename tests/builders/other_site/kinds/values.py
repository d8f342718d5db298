"""Forms of values and labels: what is struck, hidden, split or made of strange characters."""

import re
from dataclasses import replace
from random import Random

from builders.other_site.facts import SIDES, Take, Tool
from builders.other_site.kinds.kind import ALL_MEDIA, LABELLED, kinds_of
from builders.other_site.kinds.layout import reversed_grid
from builders.other_site.page import (
    CUT,
    CardView,
    Cell,
    Page,
    Part,
    Row,
    Stat,
    decision_of,
    each_card,
    each_cell,
    each_decision,
    each_grid,
    each_stat,
    each_take,
    each_value,
    swapped,
    text,
    with_block,
)

NBSP, LRM, RLM, ISOLATE, POP = "\u00a0", "\u200e", "\u200f", "\u2068", "\u2069"
ZERO_WIDTH, SOFT_HYPHEN = "\u200b", "\u00ad"
COMMENT = "<!-- -->"

ZERO_WIDTH_AFTER = re.compile(r"(?<=[/—])")
MID_WORD = re.compile(r"(?<=[a-z]{5})(?=[a-z]{4})")


def _value(label, form):
    def change(cell: Cell) -> Cell:
        return swapped(cell, "value", Part("value", form(_html(cell))))

    return lambda page, _: each_value(page, label, change)


def _html(cell: Cell) -> str:
    return "".join(part.html for part in cell.parts)


def _card(change):
    return lambda page, _: each_card(page, change)


def _stat(form):
    """A kind whose cards print their numbers in another form."""

    def page(page: Page, _: Random) -> Page:
        return each_stat(page, lambda stat: replace(stat, value=form(stat.value)))

    return page


def _stat_labels(form):
    return lambda page, _: each_stat(page, lambda stat: replace(stat, label=form(stat.label)))


def labels_explained(page: Page, _: Random) -> Page:
    """A tooltip in each label of the Decision table."""

    def row(row: Row) -> Row:
        label = row.label[0].html + '<span role="tooltip">How we count this</span>'
        return replace(row, label=(Part("label", label),))

    return each_decision(page, row)


def _labels(where):
    return _card(lambda card: replace(card, stat_labels=where))


def _everywhere(form):
    """A kind that changes every text of cards and takes that has no markup in it."""

    def plain(html: str) -> str:
        return html if "<" in html else form(html)

    def card(card: CardView) -> CardView:
        stats = tuple(replace(stat, value=plain(stat.value), label=plain(stat.label)) for stat in card.stats)
        return replace(card, stats=stats, tagline=plain(card.tagline), description=plain(card.description))

    def cell(cell: Cell, _) -> Cell:
        shown = tuple(replace(part, html=plain(part.html)) if part.role != "block" else part for part in cell.parts)
        return replace(cell, parts=shown)

    return lambda page, _: each_take(each_card(page, card), cell)


def wrapped(text: str) -> str:
    """Every word on a source line of its own."""
    return "\n        " + text.replace(" ", "\n        ") + "\n    "


def doubled_for_readers(card: CardView) -> CardView:
    """The number once for the eye, once for screen readers."""
    twice = '<span aria-hidden="true">{0}</span><span class="sr-only">{0}</span>'
    return replace(card, stats=tuple(replace(stat, value=twice.format(stat.value)) for stat in card.stats))


def introduced_for_readers(card: CardView) -> CardView:
    return replace(
        card,
        chip=f'<span class="sr-only">Panel verdict: </span>{card.chip}',
        tagline=f'<span class="visually-hidden">Tagline: </span>{card.tagline}',
    )


def chip_as_icon(card: CardView) -> CardView:
    icon = f'<svg role="img" aria-label="{card.chip}" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'
    return replace(card, chip=icon)


def icon_before_chip(card: CardView) -> CardView:
    return replace(card, chip=f'<svg aria-hidden="true" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg> {card.chip}')


def _hidden(span):
    def card(card: CardView) -> CardView:
        return replace(card, tagline=card.tagline + span, description=span + card.description, chip=card.chip + span)

    return _card(card)


TOOLTIP = '<span role="tooltip">Checked by the desk every Monday</span>'


_values = kinds_of("values")


def _labels_kind(name, where, doubtful_in=frozenset()):
    """In one table with both cards the labels stand where the table's own are."""
    unchanged = frozenset({"one_table"})
    return _values(name, _labels(where), "stat labels", without=unchanged, doubtful_in=doubtful_in)


VALUES = (
    _values("struck price", _value("Pricing", lambda html: f"<del>$99/mo</del> {html}"), "price"),
    _values("struck price, s", _value("Pricing", lambda html: f"<s>Pro $49/mo</s> {html}"), "price"),
    _values("tooltip in price", _value("Pricing", lambda html: html + TOOLTIP), "price"),
    _values("footnote in price", _value("Pricing", lambda html: f"{html}<sup>1</sup>"), "price"),
    _values(
        "footnote link in price", _value("Pricing", lambda html: f'{html}<sup><a href="#n2">[2]</a></sup>'), "price"
    ),
    _values(
        "tooltip in description",
        _card(lambda card: replace(card, description=card.description + TOOLTIP)),
        "description",
    ),
    _values("tooltip in a number's label", _stat_labels(lambda label: label + TOOLTIP), "stats"),
    _values("tooltip in a Decision label", labels_explained, "labels"),
    _values("hidden attribute", _hidden("<span hidden>Old text</span>"), "chip", "description"),
    _values("display none", _hidden('<span style="display: none">Old text</span>'), "chip", "description"),
    _values("doubled for screen readers", _card(doubled_for_readers), "stats"),
    _values("introduced for screen readers", _card(introduced_for_readers), "chip"),
    _values("chip as an icon", _card(chip_as_icon), "chip"),
    _values("icon before the chip", _card(icon_before_chip), "chip"),
    _labels_kind("labels above", "above"),
    _labels_kind("labels below", "below", doubtful_in=frozenset({"definitions"})),
    _labels_kind("labels to the left", "left"),
    _labels_kind("labels to the right", "right"),
    _labels_kind("labels in the last row", "last row"),
    _values("unit in an element", _stat(lambda value: re.sub(r"^(\d+)%$", r"<b>\1</b><i>%</i>", value)), "stats"),
    _values("space before the unit", _stat(lambda value: value.replace("%", " %")), "stats", media=ALL_MEDIA),
    _values(
        "narrow space before the unit", _stat(lambda value: value.replace("%", "\u202f%")), "stats", media=ALL_MEDIA
    ),
    _values("bidi marks", _stat(lambda value: f"{LRM}{value}{RLM}"), "stats", media=ALL_MEDIA),
    _values(
        "bidi isolates round names",
        _card(lambda card: replace(card, name=f"{ISOLATE}{card.name}{POP}")),
        "card name",
        media=ALL_MEDIA,
    ),
    _values("no-break spaces", _everywhere(lambda text: text.replace(" ", NBSP)), "characters", media=LABELLED),
    _values(
        "zero-width spaces",
        _everywhere(lambda text: ZERO_WIDTH_AFTER.sub(ZERO_WIDTH, text)),
        "characters",
        media=LABELLED,
    ),
    _values("soft hyphens", _everywhere(lambda text: MID_WORD.sub(SOFT_HYPHEN, text)), "characters", media=LABELLED),
    _values("comment nodes", _everywhere(lambda text: re.sub(r"(\d+)", rf"{COMMENT}\1{COMMENT}", text)), "characters"),
    _values("wrapped source lines", _everywhere(wrapped), "characters"),
)


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


def _one_vote_more(tool: Tool) -> Tool:
    """Another seat that would ship it, which the scorecard does not have."""
    return replace(tool, takes={**tool.takes, "Nobody": Take(80, "ship", ("",))})


def votes_and_takes_differ(page: Page, _: Random) -> Page:
    """The second tool has other votes in the Decision table."""
    return replace(page, decision=(decision_of(replace(page.pair, b=_one_vote_more(page.pair.b))),))


def decisions_differ(page: Page, _: Random) -> Page:
    other = replace(page.pair, a=replace(page.pair.a, pricing="Studio $77/mo"), b=_one_vote_more(page.pair.b))
    return replace(page, decision=(*page.decision, decision_of(other)))


def take_lost(page: Page, random: Random) -> Page:
    """One take is not there, though it was counted."""
    lost = random.choice(_shown(page))

    def cell(cell: Cell) -> Cell:
        return Cell(cell.side, (Part("missing", "No panel take"),)) if cell is lost else cell

    return each_cell(page, cell)


def last_row_lost(page: Page, _: Random) -> Page:
    return each_grid(page, "scorecard", lambda grid: replace(grid, rows=grid.rows[:-1]))


def card_copies_differ(page: Page, _: Random) -> Page:
    """A second pair of cards, for phones, that is older."""
    older = each_card(card_and_votes_differ(page, _), lambda card: replace(card, chip="Skip"))
    return replace(page, phone_cards=older.cards)


def takes_loading(page: Page, _: Random) -> Page:
    """The takes come later, and never came."""
    return each_cell(page, lambda cell: Cell(cell.side, (Part("missing", "Loading..."),)))


def card_and_votes_differ(page: Page, _: Random) -> Page:
    def card(card: CardView) -> CardView:
        other = Stat("Panel ship", f"{(page.pair.tool(card.side).pct + 37) % 100}%")
        return replace(card, stats=(other, *card.stats[1:]))

    return each_card(page, card)


def _stranger_in(part):
    """The head row of a table has another name than a card."""

    def change(page: Page, _: Random) -> Page:
        names = (text(page.pair.a.name), STRANGER)
        return each_grid(page, part, lambda grid: replace(grid, heads=names))

    return change


def stranger_reversed(page: Page, _: Random) -> Page:
    names = (STRANGER, text(page.pair.b.name))
    return each_grid(page, "scorecard", lambda grid: reversed_grid(grid, names))


def seat_given_twice(page: Page, _: Random) -> Page:
    """The last row once more, with the takes of the two tools exchanged."""

    def grid(grid):
        last = grid.rows[-1]
        cells = tuple(replace(cell, side=side) for cell, side in zip(last.cells[::-1], SIDES, strict=True))
        return replace(grid, rows=(*grid.rows, replace(last, cells=cells)))

    return each_grid(page, "scorecard", grid)


_refusals = kinds_of("refusals", demand="doubted")


SCORES = ("scorecard", "rows", "gaps", "head", "foot", "text", "cell names", "badge", "readers", "characters")
REST = ("copies", "form", "footer", "related", "bottom", "readers")

REFUSALS = (
    _refusals("cut off in a take", cut_in_a_take, *REST, media=ALL_MEDIA),
    _refusals("cut off in the Decision", cut_in_the_decision, *REST, "decision", "price", media=LABELLED),
    _refusals("cut off after the Decision", cut_after_the_decision, *REST, "sections", media=LABELLED),
    _refusals("cut off in a card", cut_in_a_card, *REST, "sections", "description", media=ALL_MEDIA),
    _refusals("last row lost", last_row_lost, *SCORES, media=LABELLED),
    _refusals("card copies that differ", card_copies_differ, "stats", "stat labels", "chip", "copies"),
    _refusals("votes and takes differ", votes_and_takes_differ, "decision", "decision rows", "rows", media=LABELLED),
    _refusals("two Decision tables that differ", decisions_differ, "decision", "decision rows", "rows", media=LABELLED),
    _refusals("take lost", take_lost, *SCORES, media=LABELLED),
    _refusals("scorecard lost", lambda page, _: replace(page, scorecard=()), *SCORES, "sections", "after scorecard"),
    _refusals("takes still loading", takes_loading, *SCORES, media=LABELLED),
    _refusals("card and votes differ", card_and_votes_differ, "stats", "stat labels", media=LABELLED),
    _refusals("Decision head names another tool", _stranger_in("decision"), "decision", "names", media=LABELLED),
    _refusals("scorecard head names another tool", _stranger_in("scorecard"), "scorecard", "names", needs_columns=True),
    _refusals("reversed head names another tool", stranger_reversed, "scorecard", "names", needs_columns=True),
    _refusals("row given twice, exchanged", seat_given_twice, *SCORES, media=LABELLED),
)
