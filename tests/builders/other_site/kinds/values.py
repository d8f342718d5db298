"""Forms of values and labels: what is struck, hidden, split or made of strange characters."""

import re
from dataclasses import replace
from random import Random

from builders.other_site.changes import each_card, each_decision, each_stat, each_take, each_value, swapped
from builders.other_site.kinds.kind import ALL_MEDIA, HTML_ONLY, LABELLED, Kind
from builders.other_site.page import CardView, Cell, Page, Part, Row

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


def _kind(name, page, *touches, media=HTML_ONLY, **more):
    return Kind("values", name, page, touches=frozenset(touches), media=media, **more)


def _labels_kind(name, where, doubtful_in=frozenset()):
    """In one table with both cards the labels stand where the table's own are."""
    unchanged = frozenset({"one_table"})
    return _kind(name, _labels(where), "stat labels", without=unchanged, doubtful_in=doubtful_in)


KINDS = (
    _kind("struck price", _value("Pricing", lambda html: f"<del>$99/mo</del> {html}"), "price"),
    _kind("struck price, s", _value("Pricing", lambda html: f"<s>Pro $49/mo</s> {html}"), "price"),
    _kind("tooltip in price", _value("Pricing", lambda html: html + TOOLTIP), "price"),
    _kind("footnote in price", _value("Pricing", lambda html: f"{html}<sup>1</sup>"), "price"),
    _kind("footnote link in price", _value("Pricing", lambda html: f'{html}<sup><a href="#n2">[2]</a></sup>'), "price"),
    _kind(
        "tooltip in description",
        _card(lambda card: replace(card, description=card.description + TOOLTIP)),
        "description",
    ),
    _kind("tooltip in a number's label", _stat_labels(lambda label: label + TOOLTIP), "stats"),
    _kind("tooltip in a Decision label", labels_explained, "labels"),
    _kind("hidden attribute", _hidden("<span hidden>Old text</span>"), "chip", "description"),
    _kind("display none", _hidden('<span style="display: none">Old text</span>'), "chip", "description"),
    _kind("doubled for screen readers", _card(doubled_for_readers), "stats"),
    _kind("introduced for screen readers", _card(introduced_for_readers), "chip"),
    _kind("chip as an icon", _card(chip_as_icon), "chip"),
    _kind("icon before the chip", _card(icon_before_chip), "chip"),
    _labels_kind("labels above", "above"),
    _labels_kind("labels below", "below", doubtful_in=frozenset({"definitions"})),
    _labels_kind("labels to the left", "left"),
    _labels_kind("labels to the right", "right"),
    _labels_kind("labels in the last row", "last row"),
    _kind("unit in an element", _stat(lambda value: re.sub(r"^(\d+)%$", r"<b>\1</b><i>%</i>", value)), "stats"),
    _kind("space before the unit", _stat(lambda value: value.replace("%", " %")), "stats", media=ALL_MEDIA),
    _kind("narrow space before the unit", _stat(lambda value: value.replace("%", "\u202f%")), "stats", media=ALL_MEDIA),
    _kind("bidi marks", _stat(lambda value: f"{LRM}{value}{RLM}"), "stats", media=ALL_MEDIA),
    _kind(
        "bidi isolates round names",
        _card(lambda card: replace(card, name=f"{ISOLATE}{card.name}{POP}")),
        "card name",
        media=ALL_MEDIA,
    ),
    _kind("no-break spaces", _everywhere(lambda text: text.replace(" ", NBSP)), "characters", media=LABELLED),
    _kind(
        "zero-width spaces",
        _everywhere(lambda text: ZERO_WIDTH_AFTER.sub(ZERO_WIDTH, text)),
        "characters",
        media=LABELLED,
    ),
    _kind("soft hyphens", _everywhere(lambda text: MID_WORD.sub(SOFT_HYPHEN, text)), "characters", media=LABELLED),
    _kind("comment nodes", _everywhere(lambda text: re.sub(r"(\d+)", rf"{COMMENT}\1{COMMENT}", text)), "characters"),
    _kind("wrapped source lines", _everywhere(wrapped), "characters"),
)
