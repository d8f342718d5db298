"""What kinds of pages change in ways of their own: columns, sections, words around takes, contradictions."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from comparison_bench.other_site.facts import SIDES, WORDS, Take, Tool, pair_of
from comparison_bench.other_site.kinds.templates import STRANGER, PageChange, names, reversed_grid
from comparison_bench.other_site.page import (
    CUT,
    CardView,
    Cell,
    Grid,
    Notice,
    Page,
    Part,
    Place,
    Row,
    Stat,
    card_view,
    decision_of,
    each_card,
    each_cell,
    each_grid,
    each_reviewer,
    each_take,
    each_value,
    is_of,
    labelled,
    swapped,
    text,
    with_block,
)

CHANGES: dict[str, PageChange] = {}
"""By their names in `kinds.toml`."""


def kind(change: PageChange) -> PageChange:
    CHANGES[change.__name__] = change
    return change


@kind
def verdict_behind(page: Page, _: Random) -> Page:
    """The score before the text, the verdict behind it."""

    def cell(cell: Cell, take: Take) -> Cell:
        cell = swapped(cell, "head", Part("head", f"{take.score}/100"))
        return replace(cell, parts=(*cell.parts, Part("verdict", take.verdict)))

    return each_take(page, cell)


@kind
def head_behind(page: Page, _: Random) -> Page:
    return each_take(page, lambda cell, _: replace(cell, parts=(*cell.parts[1:], cell.parts[0])))


@kind
def avatar(page: Page, _: Random) -> Page:
    """The reviewer's initials in a circle before it."""

    def row(row: Row) -> Row:
        circle = Part("block", f'<div class="avatar" aria-hidden="true">{row.label[0].html[:2].upper()}</div>')
        return replace(row, label=(circle, *row.label))

    return each_reviewer(page, row)


@kind
def head_row(page: Page, _: Random) -> Page:
    return each_grid(page, "scorecard", lambda grid: replace(grid, heads=names(page)))


def _takes(page: Page) -> list[tuple[Row, Cell]]:
    """The cells that show a take, with the row they stand in."""
    rows = (row for grid in page.scorecard for row in grid.rows if isinstance(row, Row))
    return [(row, cell) for row in rows for cell in row.cells if cell.take is not None]


def _take_rows(page: Page, cells: Sequence[tuple[Row, Cell]]) -> Grid:
    """One row a take: reviewer, tool, head, text."""
    rows = []
    for row, cell in cells:
        head = tuple(part for part in cell.parts if part.role in ("head", "verdict"))
        rest = tuple(part for part in cell.parts if part.role not in ("head", "verdict"))
        tool = Part("value", text(page.pair.tool(cell.side or "a").name))
        rows.append(Row(row.label, (Cell(cell.side, (tool,)), Cell(cell.side, head), Cell(cell.side, rest, cell.take))))
    return Grid(tuple(rows), heads=("Tool", "Score", "Take"), corner="Reviewer")


@kind
def by_take(page: Page, _: Random) -> Page:
    return replace(page, scorecard=(_take_rows(page, _takes(page)),), doubtful_gaps=True)


@kind
def by_take_and_tool(page: Page, _: Random) -> Page:
    """One row a take, all of one tool first."""
    cells = sorted(_takes(page), key=lambda found: found[1].side or "a")
    return replace(page, scorecard=(_take_rows(page, cells),), doubtful_gaps=True)


@kind
def by_tool(page: Page, _: Random) -> Page:
    """A scorecard a tool, under its name."""
    found = _takes(page)
    grids = tuple(
        Grid(tuple(Row(row.label, (cell,)) for row, cell in found if cell.side == side), title=name)
        for side, name in zip(SIDES, names(page), strict=True)
    )
    return replace(page, scorecard=grids, doubtful_gaps=True)


@kind
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

    return each_grid(page, "decision", turned)


@kind
def names_in_cells(page: Page, _: Random) -> Page:
    def cell(cell: Cell, _: Take) -> Cell:
        name = text(page.pair.tool(cell.side or "a").name)
        return replace(cell, parts=(Part("tool", name), *cell.parts))

    return each_take(page, cell)


@kind
def title_reversed(page: Page, _: Random) -> Page:
    return replace(page, title=f"{page.pair.b.name} vs {page.pair.a.name}")


def _texts(parts: Callable[[list[str]], list[Part]]) -> PageChange:
    """A take's text in these parts, made of its sentences."""

    def cell(cell: Cell, take: Take) -> Cell:
        return swapped(cell, "text", *parts([text(sentence) for sentence in take.sentences]))

    return lambda page, _: each_take(page, cell)


def _listed(said: list[str]) -> list[Part]:
    points = "".join(f"<li>{sentence}</li>" for sentence in said[1:])
    return [Part("text", said[0]), *([Part("block", f"<ul>{points}</ul>")] if points else [])]


def _folded(said: list[str]) -> list[Part]:
    rest = "".join(f"<p>{sentence}</p>" for sentence in said[1:])
    fold = f"<details><summary>Read more</summary>{rest}</details>"
    return [Part("text", said[0]), *([Part("block", fold)] if rest else [])]


def _linked(sentence: str) -> str:
    first, _, rest = sentence.partition(" ")
    middle, _, last = rest.rpartition(" ")
    return f'<code>{first}</code> {middle} <a href="https://docs.example/x">{last}</a>'


CHANGES |= {
    "several_paragraphs": _texts(lambda said: [Part("text", sentence) for sentence in said]),
    "bullet_list": _texts(_listed),
    "rest_folded": _texts(_folded),
    "block_quotation": _texts(lambda said: [Part("block", f"<blockquote><p>{' '.join(said)}</p></blockquote>")]),
    "broken_lines": _texts(lambda said: [Part("text", "<br><br>".join(said))]),
    "quotation_marks": _texts(lambda said: [Part("text", f"“{' '.join(said)}”")]),
    "code_and_links": _texts(lambda said: [Part("text", " ".join(map(_linked, said)))]),
    "bold_lead": _texts(lambda said: [Part("text", " ".join([f"<strong>{said[0]}</strong>", *said[1:]]))]),
    # As editors and translators leave them.
    "sentences_in_spans": _texts(lambda said: [Part("text", " ".join(f"<span>{one}</span>" for one in said))]),
}


@kind
def one_row_more(page: Page, random: Random) -> Page:
    extra = labelled("Open source", *random.choice((("Yes", "No"), ("No", "Yes"), ("Partly", "No"))))
    at = random.randint(1, 5)
    return _decision(page, lambda rows: (*rows[:at], extra, *rows[at:]))


@kind
def one_row_less(page: Page, _: Random) -> Page:
    page = _decision(page, lambda rows: tuple(row for row in rows if not is_of(row, "Best for")))
    return replace(page, lost=page.lost | {"decision best_for"})


@kind
def rows_in_another_order(page: Page, random: Random) -> Page:
    return _decision(page, lambda rows: tuple(random.sample(rows, k=len(rows))))


def _decision(page: Page, change: Callable[[tuple[Row | Notice, ...]], Sequence[Row | Notice]]) -> Page:
    return each_grid(page, "decision", lambda grid: replace(grid, rows=tuple(change(grid.rows))))


@kind
def decision_twice(page: Page, _: Random) -> Page:
    return replace(page, decision=page.decision * 2)


@kind
def card_copies(page: Page, _: Random) -> Page:
    return replace(page, phone_cards=page.cards)


@kind
def related_tools(page: Page, random: Random) -> Page:
    tools = [tool for pair in (pair_of(random), pair_of(random)) for tool in pair.tools]
    names = {tool.name for tool in page.pair.tools}
    return replace(page, related=tuple(card_view("a", tool) for tool in tools if tool.name not in names))


@kind
def related_first(page: Page, random: Random) -> Page:
    return replace(related_tools(page, random), is_related_first=True)


@kind
def readers(page: Page, random: Random) -> Page:
    """A section of readers after the panel's, in the same form: a name, a score and a text."""
    names, texts = (random.sample(WORDS[pool], k=3) for pool in ("readers", "reader_reviews"))
    rows = []
    for name, said in zip(names, texts, strict=True):
        cell = Cell(None, (Part("head", f"{random.randint(30, 99)}/100 · ship"), Part("text", said)))
        rows.append(Row((Part("reviewer", text(name)),), (cell,)))
    return replace(page, readers=Grid(tuple(rows)))


@kind
def biography(page: Page, random: Random) -> Page:
    def row(row: Row) -> Row:
        return replace(row, label=(*row.label, Part("note", text(random.choice(WORDS["biographies"])))))

    return each_reviewer(page, row)


def _summary(page: Page, place: Place) -> Page:
    parts = [f"<b>{text(page.pair.tool(side).name)}</b> <span>{page.pair.tool(side).pct}%</span>" for side in SIDES]
    return with_block(page, place, f'<div class="sticky">{" vs ".join(parts)} <a href="#scores">Scores</a></div>')


@kind
def summary_on_top(page: Page, _: Random) -> Page:
    return _summary(page, "top")


@kind
def summary_at_the_bottom(page: Page, _: Random) -> Page:
    return _summary(page, "bottom")


@kind
def data_script(page: Page, _: Random) -> Page:
    """What a framework ships for its own start: the page's words once more."""
    tools = [{"name": tool.name, "panelShip": f"{tool.pct}%", "tagline": tool.tagline} for tool in page.pair.tools]
    data = json.dumps(json.dumps({"title": page.title, "labels": ["Panel ship", "Decision"], "tools": tools}))
    return with_block(page, "bottom", f"<script>self.__next_f.push([1,{data}])</script>")


@kind
def structured_data(page: Page, _: Random) -> Page:
    items = [{"@type": "SoftwareApplication", "name": tool.name} for tool in page.pair.tools]
    data = json.dumps({"@context": "https://schema.org", "@type": "ItemList", "itemListElement": items})
    return with_block(page, "top", f'<script type="application/ld+json">{data}</script>')


@kind
def cut_in_a_take(page: Page, random: Random) -> Page:
    """Cut off in the middle of a take."""
    lost = random.choice([cell for _, cell in _takes(page)])

    def cell(cell: Cell, _: Take) -> Cell:
        if cell is not lost:
            return cell
        at, part = next((at, part) for at, part in enumerate(cell.parts) if part.role in ("text", "block"))
        middle = 0 if "<" in part.html else len(part.html) // 2
        marked = replace(part, html=part.html[:middle] + CUT + part.html[middle:])
        return replace(cell, parts=(*cell.parts[:at], marked, *cell.parts[at + 1 :]))

    return each_take(page, cell)


@kind
def cut_in_the_decision(page: Page, _: Random) -> Page:
    return each_value(page, "Pricing", lambda cell: replace(cell, parts=(Part("value", CUT),)))


@kind
def cut_in_a_card(page: Page, _: Random) -> Page:
    first, second = page.cards
    return replace(page, cards=(first, replace(second, description=second.description[:30] + CUT)))


def _one_vote_more(tool: Tool) -> Tool:
    """Another reviewer that would ship it, which the scorecard does not have."""
    return replace(tool, takes={**tool.takes, "Nobody": Take(80, "ship", ("",))})


@kind
def votes_and_takes_differ(page: Page, _: Random) -> Page:
    """The second tool has other votes in the Decision table."""
    return replace(page, decision=(decision_of(replace(page.pair, b=_one_vote_more(page.pair.b))),))


@kind
def decisions_differ(page: Page, _: Random) -> Page:
    other = replace(page.pair, a=replace(page.pair.a, pricing="Studio $77/mo"), b=_one_vote_more(page.pair.b))
    return replace(page, decision=(*page.decision, decision_of(other)))


@kind
def take_lost(page: Page, random: Random) -> Page:
    """One take is not there, though it was counted."""
    lost = random.choice([cell for _, cell in _takes(page)])

    def cell(cell: Cell) -> Cell:
        return Cell(cell.side, (Part("missing", "No panel take"),)) if cell is lost else cell

    return each_cell(page, cell)


@kind
def last_row_lost(page: Page, _: Random) -> Page:
    return each_grid(page, "scorecard", lambda grid: replace(grid, rows=grid.rows[:-1]))


@kind
def card_copies_differ(page: Page, _: Random) -> Page:
    """A second pair of cards, for phones, that is older."""
    older = each_card(card_and_votes_differ(page, _), lambda card: replace(card, chip="Skip"))
    return replace(page, phone_cards=older.cards)


@kind
def takes_loading(page: Page, _: Random) -> Page:
    """The takes come later, and never came."""
    return each_cell(page, lambda cell: Cell(cell.side, (Part("missing", "Loading..."),)))


@kind
def card_and_votes_differ(page: Page, _: Random) -> Page:
    def card(card: CardView) -> CardView:
        other = Stat("Panel ship", f"{(page.pair.tool(card.side).pct + 37) % 100}%")
        return replace(card, stats=(other, *card.stats[1:]))

    return each_card(page, card)


@kind
def stranger_reversed(page: Page, _: Random) -> Page:
    names = (STRANGER, text(page.pair.b.name))
    return each_grid(page, "scorecard", lambda grid: reversed_grid(grid, names))


@kind
def reviewer_given_twice(page: Page, _: Random) -> Page:
    """The last row once more, with the takes of the two tools exchanged."""

    def grid(grid: Grid) -> Grid:
        last = grid.rows[-1]
        assert isinstance(last, Row)
        cells = tuple(replace(cell, side=side) for cell, side in zip(last.cells[::-1], SIDES, strict=True))
        return replace(grid, rows=(*grid.rows, replace(last, cells=cells)))

    return each_grid(page, "scorecard", grid)


@kind
def scorecard_turned(page: Page, _: Random) -> Page:
    """A row a tool, a column a reviewer."""

    def grid(grid: Grid) -> Grid:
        rows = [row for row in grid.rows if isinstance(row, Row)]
        heads = tuple(row.label[0].html for row in rows)
        turned = zip(names(page), zip(*(row.cells for row in rows), strict=True), strict=True)
        return Grid(tuple(Row((Part("label", name),), cells) for name, cells in turned), heads=heads, corner="Tool")

    return each_grid(page, "scorecard", grid)


@kind
def in_tabs(page: Page, _: Random) -> Page:
    """All takes of a tool in a tab that a button with its name opens."""
    buttons = "".join(f'<button role="tab">{name}</button>' for name in names(page))
    rows = [row for grid in page.scorecard for row in grid.rows if isinstance(row, Row)]
    of_a, of_b = (Grid(tuple(replace(row, cells=(row.cells[place],)) for row in rows)) for place in (0, 1))
    tabs = Notice(f'<div role="tablist">{buttons}</div>')
    return replace(page, scorecard=(replace(of_a, rows=(tabs, *of_a.rows)), of_b))


@kind
def carousel(page: Page, _: Random) -> Page:
    """The last row once more before the first, and the first behind the last."""
    return each_grid(page, "scorecard", lambda grid: replace(grid, rows=(grid.rows[-1], *grid.rows, grid.rows[0])))


@kind
def take_without_words(page: Page, random: Random) -> Page:
    """One take has score and verdict alone."""
    silent = random.choice([cell for _, cell in _takes(page)])

    def cell(cell: Cell) -> Cell:
        return replace(cell, parts=cell.parts[:1]) if cell is silent else cell

    return each_cell(page, cell)
