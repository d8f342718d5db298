"""Tables whose cells are drawn, struck, noted, copied or put together out of other elements."""

from dataclasses import replace

from builders.gallery.answers import Answer, AnsweredTool, Cell, cells_of
from builders.gallery.facts import Shelf, Turn, shelf
from builders.gallery.markup import Page, paragraphs, row, tag, text
from builders.gallery.tables import article, columns, lines, table_answer

_DRAWN = {True: '<path d="M5 13l4 4L19 7"/>', False: '<path d="M6 18L18 6M6 6l12 12"/>'}


def _features(at: Shelf) -> dict[str, list[bool]]:
    """Which tools have which features."""
    return {feature: [at.random.random() < 0.6 for _ in at.tools] for feature in at.words["features"]}


def _feature_page(at: Shelf, icons: dict[bool, str], words: dict[bool, str] | None) -> Page:
    """A table of features, each an icon; `words` is what icons say, None where they say nothing."""
    features = _features(at)
    heads = [text(at.words["feature"]), *(text(tool.name) for tool in at.tools)]
    rows = [row([text(feature), *(icons[has] for has in of_tools)]) for feature, of_tools in features.items()]
    cells = [
        Cell(tool.name, feature, words[has])
        for feature, of_tools in (features.items() if words else ())
        for tool, has in zip(at.tools, of_tools, strict=True)
        if words
    ]
    tools = [AnsweredTool(tool.name) for tool in at.tools]
    breaks = () if words else ("unnamed_icon",)
    answer = Answer("compares", tuple(tools), frozenset(cells), breaks, prose=tuple(at.intro[:3]))
    return article(at, at.title("versus"), tag("table", row(heads, "th"), *rows), answer)


def icons(turn: Turn) -> tuple[Shelf, Page]:
    """Checks and crosses that say what they are by a label, by words for screen readers, or by an image's text."""
    at = shelf("icons", turn, 3)
    words = {True: "Included", False: "Not included"}
    forms = {
        0: lambda has: tag("svg", _DRAWN[has], role="img", aria_label=words[has]),
        1: lambda has: tag("svg", _DRAWN[has], aria_hidden="true") + tag("span", words[has], class_="sr-only"),
        2: lambda has: f'<img src="/i/{"y" if has else "n"}.png" alt="{words[has]}">',
    }
    return at, _feature_page(at, {has: forms[turn.form](has) for has in (True, False)}, words)


def unnamed_icons(turn: Turn) -> tuple[Shelf, Page]:
    """Checks and crosses that nothing but a line in a drawing tells apart."""
    at = shelf("unnamed_icons", turn, 3)
    return at, _feature_page(at, {has: tag("svg", _DRAWN[has]) for has in (True, False)}, None)


def struck_prices(turn: Turn) -> tuple[Shelf, Page]:
    """`<del>$29</del> $19`: what it cost is no price of today."""
    at = shelf("struck_prices", turn, 3)
    heads, rows = columns(at, "", at.tools)
    struck = (tag("del", "$999"), tag("s", "$1,499"), tag("span", "$999", style="text-decoration: line-through"))[
        turn.form
    ]
    rows[0] = [rows[0][0], *(f"{struck} {cell}" for cell in rows[0][1:])]
    return at, article(at, at.title("versus"), tag("table", row(heads, "th"), *map(row, rows)), table_answer(at))


def footnotes(turn: Turn) -> tuple[Shelf, Page]:
    """Numbers above the line lead to notes below the table."""
    at = shelf("footnotes", turn, 3)
    at = replace(at, style=at.style._replace(values=0))
    heads, rows = columns(at, "", at.tools)
    mark = (tag("sup", "1"), tag("sup", tag("a", "1", href="#n1")), tag("sup", tag("a", "[1]", href="#n1")))[turn.form]
    rows[0][1] += mark
    rows[3][2] += mark
    table = tag("table", row(heads, "th"), *map(row, rows))
    note = tag("p", "1 As seen in spring.", id="n1")
    return at, article(at, at.title("versus"), table + note, table_answer(at))


def copies(turn: Turn) -> tuple[Shelf, Page]:
    """The same table for wide and for narrow windows; on the last page one of them was forgotten."""
    at = shelf("copies", turn, 3)
    heads, rows = columns(at, at.words["feature"], at.tools)
    wide = tag("table", row(heads, "th"), *map(row, rows))
    if turn.form == 2:
        rows[3][1], rows[3][2] = "Until May", "Since June"
    narrow = tag("table", row(heads, "th"), *map(row, rows))
    both = tag("div", wide, class_="desktop-only") + tag("div", narrow, class_="mobile-only")
    answer = table_answer(at)
    if turn.form == 2:
        cells = answer.cells - {Cell(tool.name, *tool.pairs[3]) for tool in at.tools}
        answer = Answer(answer.claim, answer.tools, cells, ("copies_differ",), prose=answer.prose)
    return at, article(at, at.title("versus"), both, answer)


def sticky_head(turn: Turn) -> tuple[Shelf, Page]:
    """The heads are a table of their own, which stays when the other one moves."""
    at = shelf("sticky_head", turn, 3)
    heads, rows = columns(at, "", at.tools)
    head = tag("table", tag("thead", row(heads, "th")), class_="sticky")
    body = tag("table", tag("tbody", *map(row, rows)))
    return at, article(at, at.title("versus"), tag("div", head) + tag("div", body), table_answer(at))


def role_table(turn: Turn) -> tuple[Shelf, Page]:
    """A table for those who hear the page, boxes for those who see it."""
    at = shelf("role_table", turn, 4)
    heads, rows = lines(at)
    head = tag("div", *(tag("div", cell, role="columnheader") for cell in heads), role="row")
    body = [
        tag(
            "div",
            tag("div", one[0], role="rowheader"),
            *(tag("div", cell, role="cell") for cell in one[1:]),
            role="row",
        )
        for one in rows
    ]
    table = tag("div", tag("div", head, role="rowgroup"), tag("div", *body, role="rowgroup"), role="table")
    return at, article(at, at.title("versus") if turn.form else at.title("listing"), table, table_answer(at))


def box_rows(turn: Turn) -> tuple[Shelf, Page]:
    """Boxes below each other, each with as many parts."""
    at = shelf("box_rows", turn, 3)
    heads, rows = columns(at, at.words["feature"], at.tools)
    grid = tag(
        "div", *(tag("div", *(tag("div", cell) for cell in one), class_="row") for one in [heads, *rows]), class_="grid"
    )
    return at, article(at, at.title("versus"), grid, table_answer(at))


def flat_grid(turn: Turn) -> tuple[Shelf, Page]:
    """All cells beside each other in one box, which a style breaks into lines."""
    at = shelf("flat_grid", turn, 3)
    heads, rows = columns(at, at.words["feature"], at.tools)
    style = "display: grid; grid-template-columns: repeat(4, 1fr)"
    grid = tag("div", *(tag("div", cell) for one in [heads, *rows] for cell in one), style=style)
    return at, article(at, at.title("versus"), grid, table_answer(at))


def definition_lists(turn: Turn) -> tuple[Shelf, Page]:
    """A list of terms for each tool below its name."""
    at = shelf("definition_lists", turn, 3)
    parts = [
        tag("h2", text(tool.name))
        + paragraphs(tool.prose)
        + tag("dl", *(tag("dt", text(label)) + tag("dd", text(value)) for label, value in tool.pairs))
        for tool in at.tools
    ]
    answer = table_answer(at)
    prose = (*at.intro[:2], *(words for tool in at.tools for words in tool.prose))
    cells = frozenset(cell for tool in at.tools for cell in cells_of(tool.name, tool.pairs))
    main = "\n".join((paragraphs(at.intro[:2]), *parts))
    return at, Page(at.title("versus"), main, Answer("compares", answer.tools, cells, prose=prose))


DRAWN_TABLES = (
    icons,
    unnamed_icons,
    struck_prices,
    footnotes,
    copies,
    sticky_head,
    role_table,
    box_rows,
    flat_grid,
    definition_lists,
)
