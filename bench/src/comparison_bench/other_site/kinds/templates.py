"""What a kind changes by templates alone: `kinds.toml` says which, and what their slots stand for."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

from comparison_bench.other_site.facts import SIDES, Take
from comparison_bench.other_site.page import (
    CardView,
    Cell,
    Grid,
    GridPart,
    Notice,
    Page,
    Part,
    Stat,
    each_card,
    each_cell,
    each_decision,
    each_grid,
    each_reviewer,
    each_row,
    each_stat,
    each_take,
    each_value,
    html_of,
    swapped,
    text,
    with_block,
)

PageChange: TypeAlias = Callable[[Page, Random], Page]
Pairs: TypeAlias = Sequence[tuple[str, str]]

STRANGER = "Somebody Else 9"
MARKS = {"ship": "🚢", "skip": "⏭"}


def head(score: str, verdict: str | None = None) -> PageChange:
    """A take's head in one part, or its score and its verdict in two."""

    def cell(cell: Cell, take: Take) -> Cell:
        parts = [Part("head", _said(score, cell, take))]
        parts += [Part("verdict", _said(verdict, cell, take))] if verdict else []
        return swapped(cell, "head", *parts)

    return lambda page, _: each_take(page, cell)


def _said(template: str, cell: Cell, take: Take) -> str:
    slots = {
        "": html_of(cell, "head"),
        "score": f"{take.score}",
        "tenths": _short(take.score / 10),
        "fifths": _short(take.score / 20),
        "verdict": take.verdict,
        "Verdict": take.verdict.title(),
        "VERDICT": take.verdict.upper(),
        "mark": MARKS[take.verdict],
    }
    return re.sub(r"\{(\w*)\}", lambda found: slots[found[1]], template)


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def gap(word: str) -> PageChange:
    """A cell without a take says this, or is not there at all."""

    def cell(cell: Cell) -> Cell:
        if all(part.role != "missing" for part in cell.parts):
            return cell
        if word == "absent":
            return replace(cell, parts=(), is_absent=True)
        return replace(cell, parts=(Part("block" if "<" in word else "missing", word),) if word else ())

    return lambda page, _: each_cell(page, cell)


def _with(cell: Cell, place: int, form: str, random: Random) -> Cell:
    """The cell with a block there, whose numbers are drawn for it."""
    html = re.sub(r"\{(\d+)-(\d+)\}", lambda n: str(random.randint(int(n[1]), int(n[2]))), form)
    return replace(cell, parts=(*cell.parts[:place], Part("block", html), *cell.parts[place:]))


def between_rows(html: str) -> PageChange:
    def grid(grid: Grid) -> Grid:
        return replace(grid, rows=tuple([each for row in grid.rows for each in (row, Notice(html))][:-1]))

    return lambda page, _: each_grid(each_grid(page, "scorecard", grid), "decision", grid)


def card(**templates: str) -> PageChange:
    """Fields of the cards."""

    def change(card: CardView) -> CardView:
        changed: dict[str, Any] = {name: put(form, getattr(card, name) or "") for name, form in templates.items()}
        return replace(card, **changed)

    return lambda page, _: each_card(page, change)


def put(template: str, inside: str) -> str:
    return template.replace("{}", inside)


def page(**fields: Any) -> PageChange:
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    return lambda page, _: replace(page, **given)


def _rewritten(pairs: Pairs, html: str) -> str:
    for pattern, new in pairs:
        html = re.sub(pattern, new, html)
    return html


def letters(*pairs: tuple[str, str]) -> PageChange:
    """Every text of cards and takes that has no markup in it."""

    def plain(html: str) -> str:
        return html if "<" in html else _rewritten(pairs, html)

    def card(card: CardView) -> CardView:
        stats = tuple(Stat(plain(stat.label), plain(stat.value)) for stat in card.stats)
        return replace(card, stats=stats, tagline=plain(card.tagline), description=plain(card.description))

    def cell(cell: Cell, _: Take) -> Cell:
        parts = (part if part.role == "block" else replace(part, html=plain(part.html)) for part in cell.parts)
        return replace(cell, parts=tuple(parts))

    return lambda page, _: each_take(each_card(page, card), cell)


def price(template: str) -> PageChange:
    def cell(cell: Cell) -> Cell:
        return swapped(cell, "value", Part("value", put(template, "".join(part.html for part in cell.parts))))

    return lambda page, _: each_value(page, "Pricing", cell)


def names(page: Page) -> tuple[str, str]:
    a, b = (text(page.pair.tool(side).name) for side in SIDES)
    return a, b


def reversed_grid(grid: Grid, heads: tuple[str, ...]) -> Grid:
    """Columns B, A under a head row that says so."""
    return replace(each_row(grid, lambda row: replace(row, cells=row.cells[::-1])), heads=heads[::-1])


def reversed_columns(*parts: GridPart) -> PageChange:
    def change(page: Page, _: Random) -> Page:
        heads = names(page)
        for part in parts:
            page = each_grid(page, part, lambda grid: reversed_grid(grid, heads))
        return page

    return change


TEMPLATES: dict[str, Callable[..., PageChange]] = {
    "head": head,
    "gap": gap,
    # Under every take, and between its head and its text.
    "foot": lambda form: (
        lambda page, random: each_take(page, lambda cell, _: _with(cell, len(cell.parts), form, random))
    ),
    "above": lambda form: lambda page, random: each_take(page, lambda cell, _: _with(cell, 1, form, random)),
    "between_rows": between_rows,
    "reviewer_behind": lambda html: (
        lambda page, _: each_reviewer(page, lambda row: replace(row, label=(*row.label, Part("block", html))))
    ),
    "block": lambda place, html: lambda page, _: with_block(page, place, html),
    "card": card,
    "page": page,
    # The numbers of the cards and their labels.
    "stat": lambda form: lambda page, _: each_stat(page, lambda stat: replace(stat, value=put(form, stat.value))),
    "stat_label": lambda form: lambda page, _: each_stat(page, lambda stat: replace(stat, label=put(form, stat.label))),
    "number": lambda *pairs: (
        lambda page, _: each_stat(page, lambda stat: replace(stat, value=_rewritten(pairs, stat.value)))
    ),
    "text": letters,
    "price": price,
    "decision_label": lambda form: (
        lambda page, _: each_decision(
            page, lambda row: replace(row, label=(Part("label", put(form, row.label[0].html)),))
        )
    ),
    "reversed": reversed_columns,
    # The head row of a table has another name than a card.
    "stranger": lambda part: (
        lambda page, _: each_grid(page, part, lambda grid: replace(grid, heads=(names(page)[0], STRANGER)))
    ),
}


def by_template(name: str, given: Any) -> PageChange:
    """The change that an entry of `kinds.toml` has under this name."""
    make = TEMPLATES[name]
    return make(**given) if isinstance(given, dict) else make(*given) if isinstance(given, list) else make(given)
