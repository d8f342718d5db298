"""Forms of a take's head: its score and its verdict."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from builders.other_site.facts import SIDES, Take
from builders.other_site.kinds.kind import ALL_MEDIA, HTML_ONLY, LABELLED, kinds_of
from builders.other_site.page import (
    Cell,
    Grid,
    GridPart,
    Notice,
    Page,
    Part,
    Row,
    each_card,
    each_grid,
    each_row,
    each_seat,
    each_take,
    html_of,
    swapped,
    text,
    with_block,
)


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


FORMS = {
    "scale of ten": lambda take: f"{_short(take.score / 10)}/10 · {take.verdict}",
    "no scale": lambda take: f"{take.score} · {take.verdict}",
    "would ship": lambda take: f"{take.score}/100 · would {take.verdict}",
    "verdict first, no scale": lambda take: f"{take.verdict} {take.score}",
    "score in brackets": lambda take: f"{take.verdict.title()} ({take.score})",
    "spaces and dash": lambda take: f"{take.score} / 100 — {take.verdict}",
    "verdict first": lambda take: f"{take.verdict} · {take.score}/100",
    "out of": lambda take: f"{take.score} out of 100, {take.verdict}",
    "percent": lambda take: f"{take.score}% · {take.verdict}",
    "scale of five": lambda take: f"{_short(take.score / 20)}/5 · {take.verdict}",
    "pipe": lambda take: f"{take.score}/100 | {take.verdict.title()}",
    "upper case": lambda take: f"{take.score}/100 · {take.verdict.upper()}",
}
"""The whole head as one text."""

MARKED = {
    "inline parts": lambda take: f"<b>{take.score}</b><small>/100</small><em>{take.verdict}</em>",
    "verdict as an icon": lambda take: f"{take.score}/100 {ICON.format(take.verdict)}",
    "inline parts, spaced": lambda take: f"<b>{take.score}</b> <span>/ 100</span> <em>{take.verdict}</em>",
}

ICON = '<svg role="img" aria-label="{}" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'

MARKS = {"ship": "🚢", "skip": "⏭"}


def _form(form):
    return _cell(lambda cell, take: swapped(cell, "head", Part("head", form(take))))


def _cell(change):
    """A kind that changes every cell that shows a take."""
    return lambda page, _: each_take(page, change)


def _apart(score: str, verdict: str):
    def change(cell: Cell, take: Take) -> Cell:
        parts = Part("head", score.format(take.score)), Part("verdict", verdict.format(take.verdict))
        return swapped(cell, "head", *parts)

    return _cell(change)


def verdict_behind(cell: Cell, take: Take) -> Cell:
    cell = swapped(cell, "head", Part("head", f"{take.score}/100"))
    return replace(cell, parts=(*cell.parts, Part("verdict", take.verdict)))


def _around(before, behind=lambda _: ""):
    return _cell(
        lambda cell, take: swapped(cell, "head", Part("head", before(take) + html_of(cell, "head") + behind(take)))
    )


_heads = kinds_of("heads", "head", media=LABELLED)


HEADS = (
    *(_heads(name, _form(form)) for name, form in FORMS.items()),
    *(_heads(name, _form(form), media=HTML_ONLY) for name, form in MARKED.items()),
    _heads("labelled score and verdict", _apart("Score: {}/100", "Verdict: {}")),
    _heads("verdict in an element of its own", _apart("{}/100", "{}")),
    _heads("verdict behind the text", _cell(verdict_behind), media=HTML_ONLY),
    _heads(
        "head behind the text",
        _cell(lambda cell, _: replace(cell, parts=(*cell.parts[1:], cell.parts[0]))),
        media=HTML_ONLY,
    ),
    _heads("badge before", _around(lambda take: f"{MARKS[take.verdict]} "), "badge"),
    _heads("badge behind", _around(lambda _: "", lambda _: " Verified"), "badge"),
    _heads(
        "badge behind in an element",
        _around(lambda _: "", lambda _: ' <span class="badge">Verified</span>'),
        "badge",
        media=HTML_ONLY,
    ),
)


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

    return each_grid(each_grid(page, "scorecard", grid), "decision", grid)


def _cards(**changes):
    return lambda page, _: each_card(page, lambda card: replace(card, **changes))


def verified_reviewer(page: Page, _: Random) -> Page:
    mark = Part("block", "<div>Verified reviewer</div>")
    return each_seat(page, lambda row: replace(row, label=(*row.label, mark)))


def avatar(page: Page, _: Random) -> Page:
    """The seat's initials in a circle before it."""

    def row(row: Row) -> Row:
        circle = Part("block", f'<div class="avatar" aria-hidden="true">{row.label[0].html[:2].upper()}</div>')
        return replace(row, label=(circle, *row.label))

    return each_seat(page, row)


_furniture = kinds_of("furniture")


FURNITURE = (
    *(
        _furniture(name, _foot(foot), "foot", media=LABELLED if name in IN_DUMPS else HTML_ONLY)
        for name, foot in FEET.items()
    ),
    _furniture("date above the text", above_the_text, "foot"),
    _furniture("advert between rows", advert_between_rows, "rows"),
    _furniture("advert between cards", lambda page, _: with_block(page, "between cards", ADVERT), "between cards"),
    _furniture("sponsored box in a card", _cards(inside=SPONSORED), "in card"),
    _furniture("vote buttons before the chip", _cards(before_chip=VOTING), "before chip"),
    _furniture("verified reviewer", verified_reviewer, "seat"),
    _furniture("avatar initials", avatar, "seat"),
)


def _names(page: Page) -> tuple[str, ...]:
    return tuple(text(page.pair.tool(side).name) for side in SIDES)


def reversed_grid(grid: Grid, names: tuple[str, ...]) -> Grid:
    """Columns B, A under a head row that says so."""
    return replace(each_row(grid, lambda row: replace(row, cells=row.cells[::-1])), heads=names[::-1])


def _reversed(name: str, *parts: GridPart, **more):
    """The columns of these parts stand the other way round."""

    def change(page: Page, _: Random) -> Page:
        names = _names(page)
        for part in parts:
            page = each_grid(page, part, lambda grid: reversed_grid(grid, names))
        return page

    return _columns(name, change, *parts, "names", needs_columns=True, **more)


def head_row(page: Page, _: Random) -> Page:
    return each_grid(page, "scorecard", lambda grid: replace(grid, heads=_names(page)))


def _each_of(page: Page):
    """The cells that show a take, with the row they stand in."""
    rows = (row for grid in page.scorecard for row in grid.rows if isinstance(row, Row))
    return [(row, cell) for row in rows for cell in row.cells if cell.take is not None]


def _take_rows(page: Page, cells) -> Grid:
    """One row a take: seat, tool, head, text."""
    rows = []
    for row, cell in cells:
        head = tuple(part for part in cell.parts if part.role in ("head", "verdict"))
        rest = tuple(part for part in cell.parts if part.role not in ("head", "verdict"))
        tool = Part("value", text(page.pair.tool(cell.side).name))
        rows.append(Row(row.label, (Cell(cell.side, (tool,)), Cell(cell.side, head), Cell(cell.side, rest, cell.take))))
    return Grid(tuple(rows), heads=("Tool", "Score", "Take"), corner="Reviewer")


def by_take(page: Page, _: Random) -> Page:
    return replace(page, scorecard=(_take_rows(page, _each_of(page)),), doubtful_gaps=True)


def by_take_and_tool(page: Page, _: Random) -> Page:
    """One row a take, all of one tool first."""
    cells = sorted(_each_of(page), key=lambda found: found[1].side)
    return replace(page, scorecard=(_take_rows(page, cells),), doubtful_gaps=True)


def by_tool(page: Page, _: Random) -> Page:
    """A scorecard a tool, under its name."""
    found = _each_of(page)
    grids = tuple(
        Grid(tuple(Row(row.label, (cell,)) for row, cell in found if cell.side == side), title=name)
        for side, name in zip(SIDES, _names(page), strict=True)
    )
    return replace(page, scorecard=grids, doubtful_gaps=True)


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


def names_in_cells(page: Page, _: Random) -> Page:
    def cell(cell: Cell, _) -> Cell:
        name = text(page.pair.tool(cell.side or "a").name)
        return replace(cell, parts=(Part("tool", name), *cell.parts))

    return each_take(page, cell)


def title_reversed(page: Page, _: Random) -> Page:
    return replace(page, title=f"{page.pair.b.name} vs {page.pair.a.name}")


_columns = kinds_of("columns")


COLUMNS = (
    _columns("names in every cell", names_in_cells, "cell names", "names"),
    _columns("title reversed", title_reversed, "title", "names", media=ALL_MEDIA),
    _columns("scorecard with a head row", head_row, "scorecard", needs_columns=True),
    _reversed("Decision reversed", "decision", media=LABELLED),
    _reversed("scorecard reversed", "scorecard"),
    _reversed("Decision and scorecard reversed", "decision", "scorecard"),
    _columns("Decision turned", decision_turned, "decision", "decision rows", "rows", "names", needs_columns=True),
    _columns("one row a take", by_take, "scorecard", "rows", "gaps", "names", needs_columns=True),
    _columns(
        "one row a take, tool by tool", by_take_and_tool, "scorecard", "rows", "gaps", "names", needs_columns=True
    ),
    _columns("a scorecard a tool", by_tool, "scorecard", "rows", "gaps", "names"),
)
