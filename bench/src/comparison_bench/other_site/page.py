"""What a page shows, before any layout: cards, the Decision table, the scorecard, and the parts around them.

Strings named `html` are inline markup. A kind of page changes these records; a layout makes a document of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, Literal

from comparison_bench.other_site.facts import SIDES, Pair, Side, Take, Tool

Role = Literal["label", "reviewer", "tool", "value", "head", "verdict", "text", "missing", "note", "block"]
"""What a piece of a cell is. A `block` is markup of its own that no layout wraps."""

GridPart = Literal["decision", "scorecard"]
Place = Literal["top", "before cards", "between cards", "after cards", "after decision", "after scorecard", "bottom"]


CLOSING = (
    "Weekly AI Tool Verdicts",
    "Get the next comparison in your inbox",
    "New AI tools ship daily. We compare them before you waste an afternoon.",
    "Bookmarks",
    "Loading bookmarks...",
)
"""The lines after the scorecard. A `quotes` dump has no bookmarks."""

CUT = "\ue000"
"""Where a page is cut off."""


@dataclass(frozen=True)
class Part:
    role: Role
    html: str


@dataclass(frozen=True)
class Cell:
    """`take` is the take it shows. A cell that is absent has no element at all."""

    side: Side | None
    parts: tuple[Part, ...]
    take: Take | None = None
    is_absent: bool = False


@dataclass(frozen=True)
class Row:
    label: tuple[Part, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Notice:
    """Something over the whole width between rows."""

    html: str


@dataclass(frozen=True)
class Grid:
    """Labelled rows. `heads` are the heads of the cells' columns, None where there is no head row."""

    rows: tuple[Row | Notice, ...]
    heads: tuple[str, ...] | None = None
    corner: str = ""
    title: str | None = None


@dataclass(frozen=True)
class Stat:
    label: str
    value: str


@dataclass(frozen=True)
class CardView:
    side: Side
    slug: str
    monogram: str
    name: str
    category: str
    tagline: str
    chip: str
    stats: tuple[Stat, ...]
    description: str
    before_chip: str = ""
    inside: str = ""
    """A block after the description, within the card."""
    stat_labels: str | None = None
    """Where the labels of the numbers stand: below, above, left, right, last row. None: as the layout has it."""


@dataclass(frozen=True)
class Page:
    """`lost` names fields of the key that it does not show; `doubtful_gaps`: nothing on it says that a gap is one."""

    pair: Pair
    title: str
    cards: tuple[CardView, ...]
    decision: tuple[Grid, ...]
    scorecard: tuple[Grid, ...]
    blocks: tuple[tuple[Place, str], ...] = ()
    related: tuple[CardView, ...] = ()
    is_related_first: bool = False
    readers: Grid | None = None
    sections: tuple[str, ...] = ("cards", "decision", "scorecard")
    phone_cards: tuple[CardView, ...] = ()
    """A second pair of cards, for another width of screen."""
    has_page_copies: bool = False
    section_form: Literal["plain", "tabs", "accordions"] = "plain"
    closing: tuple[str, ...] = CLOSING
    has_end_tags: bool = True
    """HTML allows `</body></html>` to be left out."""
    lost: frozenset[str] = field(default_factory=frozenset)
    doubtful_gaps: bool = False


def text(words: str) -> str:
    return escape(words, quote=False)


def page_of(pair: Pair) -> Page:
    """The page as the site prints it, with nothing odd about it."""
    rows = tuple(
        Row(
            (Part("reviewer", text(reviewer)),),
            tuple(_take_cell(side, pair.tool(side).takes.get(reviewer)) for side in SIDES),
        )
        for reviewer in pair.reviewers
    )
    return Page(
        pair=pair,
        title=f"{pair.a.name} vs {pair.b.name}",
        cards=tuple(card_view(side, pair.tool(side)) for side in SIDES),
        decision=(decision_of(pair),),
        scorecard=(Grid(rows),),
    )


def card_view(side: Side, tool: Tool) -> CardView:
    community = "—" if tool.community is None else f"{tool.community[0]}%"
    return CardView(
        side=side,
        slug=tool.slug,
        monogram=text(tool.name[0].upper()),
        name=text(tool.name),
        category=text(tool.category),
        tagline=text(tool.tagline),
        chip=tool.chip,
        stats=(Stat("Panel ship", f"{tool.pct}%"), Stat("Community", community), Stat("Entry", tool.entry)),
        description=text(tool.description),
    )


def decision_of(pair: Pair) -> Grid:
    values = (
        ("Panel verdict", [tool.votes for tool in pair.tools]),
        ("Community", [community_votes(tool) for tool in pair.tools]),
        ("Pricing", [tool.pricing for tool in pair.tools]),
        ("Best for", [tool.tagline for tool in pair.tools]),
        ("Category", [tool.category for tool in pair.tools]),
    )
    return Grid(
        rows=tuple(labelled(label, *cells) for label, cells in values),
        heads=tuple(text(tool.name) for tool in pair.tools),
    )


def labelled(label: str, *values: str) -> Row:
    """A row of the Decision table."""
    cells = tuple(Cell(side, (Part("value", text(value)),)) for side, value in zip(SIDES, values, strict=True))
    return Row((Part("label", text(label)),), cells)


def community_votes(tool: Tool) -> str:
    return "No community votes yet" if tool.community is None else f"{tool.community[0]}% · {tool.community[1]:,} votes"


def head_of(take: Take) -> str:
    return f"{take.score}/100 · {take.verdict}"


def _take_cell(side: Side, take: Take | None) -> Cell:
    if take is None:
        return Cell(side, (Part("missing", "No panel take"),))
    return Cell(side, (Part("head", head_of(take)), Part("text", text(take.text))), take)


def each_grid(page: Page, part: GridPart, change: Callable[[Grid], Grid]) -> Page:
    changed: dict[str, Any] = {part: tuple(map(change, getattr(page, part)))}
    return replace(page, **changed)


def each_row(grid: Grid, change: Callable[[Row], Row]) -> Grid:
    return replace(grid, rows=tuple(change(row) if isinstance(row, Row) else row for row in grid.rows))


def each_cell(page: Page, change: Callable[[Cell], Cell]) -> Page:
    """The page with every cell of the scorecard changed."""
    return each_reviewer(page, lambda row: replace(row, cells=tuple(map(change, row.cells))))


def each_take(page: Page, change: Callable[[Cell, Take], Cell]) -> Page:
    """The page with every cell that shows a take changed."""
    return each_cell(page, lambda cell: change(cell, cell.take) if cell.take else cell)


def each_card(page: Page, change: Callable[[CardView], CardView]) -> Page:
    return replace(page, cards=tuple(change(card) for card in page.cards))


def each_stat(page: Page, change: Callable[[Stat], Stat]) -> Page:
    return each_card(page, lambda card: replace(card, stats=tuple(change(stat) for stat in card.stats)))


def each_reviewer(page: Page, change: Callable[[Row], Row]) -> Page:
    """The page with every row of the scorecard changed."""
    return each_grid(page, "scorecard", lambda grid: each_row(grid, change))


def each_decision(page: Page, change: Callable[[Row], Row]) -> Page:
    return each_grid(page, "decision", lambda grid: each_row(grid, change))


def each_value(page: Page, label: str, change: Callable[[Cell], Cell]) -> Page:
    """The page with the cells of one row of the Decision table changed."""

    def changed(row: Row) -> Row:
        return replace(row, cells=tuple(map(change, row.cells))) if is_of(row, label) else row

    return each_decision(page, changed)


def is_of(row: Row | Notice, label: str) -> bool:
    return isinstance(row, Row) and row.label[0].html.startswith(label)


def with_block(page: Page, place: Place, html: str) -> Page:
    return replace(page, blocks=(*page.blocks, (place, html)))


def swapped(cell: Cell, role: Role, *parts: Part) -> Cell:
    """The cell with its parts of one role replaced, where the first of them stood."""
    at = next(number for number, part in enumerate(cell.parts) if part.role == role)
    kept = [part for part in cell.parts if part.role != role]
    return replace(cell, parts=(*kept[:at], *parts, *kept[at:]))


def html_of(cell: Cell, role: Role) -> str:
    return next(part.html for part in cell.parts if part.role == role)
