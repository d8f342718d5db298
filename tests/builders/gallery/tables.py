"""Articles with a table: tools in its rows or its columns."""

from collections.abc import Iterable, Sequence

from builders.gallery import styles
from builders.gallery.answers import Answer, AnsweredTool, Cell, cells_of
from builders.gallery.facts import Shelf, Tool, Turn, shelf
from builders.gallery.listicles import answered, closing
from builders.gallery.markup import Page, paragraphs, row, tag, text


def table_answer(at: Shelf, tools: Iterable[AnsweredTool] | None = None, cells: Iterable[Cell] | None = None) -> Answer:
    """The key of a page whose table says all facts of all tools, where nothing else is given."""
    own = [cell for tool in at.tools for cell in cells_of(tool.name, tool.pairs)] if cells is None else cells
    answers = [answered(tool) for tool in at.tools] if tools is None else tools
    return Answer("compares", tuple(answers), frozenset(own), prose=tuple(at.intro[:3]))


def article(at: Shelf, title: str, table: str, answer: Answer) -> Page:
    """Prose, the table, and sections that are of no tool."""
    return Page(title, "\n".join((paragraphs(at.intro[:2]), table, closing(at))), answer)


def columns(at: Shelf, corner: str, tools: Sequence[Tool]) -> tuple[list[str], list[list[str]]]:
    """Heads and rows with the tools in columns, as HTML."""
    rows = [
        [text(label), *(styles.value_cell(at, tool.name, tool.pairs[place][1]) for tool in tools)]
        for place, (label, _) in enumerate(at.tools[0].pairs)
    ]
    return [text(corner), *(styles.name_cell(at, tool) for tool in tools)], rows


def lines(at: Shelf) -> tuple[list[str], list[list[str]]]:
    """Heads and rows with the tools in rows, as HTML; some with a column of pictures, or of buttons, besides."""
    rows = [[styles.name_cell(at, tool), *(styles.value_cell(at, *pair) for pair in tool.pairs)] for tool in at.tools]
    heads = [text(at.words["tool"]), *(text(label) for label, _ in at.tools[0].pairs)]
    if at.style.columns == 1:
        return ["", *heads], [[f'<img src="/i/{place}.png" alt="">', *one] for place, one in enumerate(rows)]
    if at.style.columns == 2:
        visits = (tag("a", text(at.words["visit"].format(name=tool.name)), href=tool.address) for tool in at.tools)
        return [*heads, ""], [[*one, visit] for one, visit in zip(rows, visits, strict=True)]
    return heads, rows


def versus_columns(turn: Turn) -> tuple[Shelf, Page]:
    """`Alpha vs Beta`: a column each; the corner is empty, or says `Feature`."""
    at = shelf("versus_columns", turn, 2 + turn.form)
    heads, rows = columns(at, "" if turn.form else at.words["feature"], at.tools)
    body = [tag("tr", tag("th", one[0], scope="row"), *(tag("td", cell) for cell in one[1:])) for one in rows]
    table = tag("table", row(heads, "th"), *body)
    return at, article(at, at.title("versus"), table, table_answer(at))


def rows_with_head(turn: Turn) -> tuple[Shelf, Page]:
    """`The 6 best X`, no section of them; a row each below a `thead`."""
    at = shelf("rows_with_head", turn, 5 + turn.form)
    heads, rows = lines(at)
    table = tag("table", tag("thead", row(heads, "th")), tag("tbody", *map(row, rows)))
    return at, article(at, at.title("listing"), table, table_answer(at))


def no_head(turn: Turn) -> tuple[Shelf, Page]:
    """Nothing but `td`; names are links to places of their own."""
    at = shelf("no_head", turn, 6)
    heads, rows = lines(at)
    linked = [[tag("a", one[0], href=tool.address), *one[1:]] for tool, one in zip(at.tools, rows, strict=True)]
    strong = [tag("strong", head) for head in heads]
    return at, article(at, at.title("listing"), tag("table", *map(row, [strong, *linked])), table_answer(at))


def wordpress(turn: Turn) -> tuple[Shelf, Page]:
    """A block of WordPress with a caption, and the tools' names as headings of prose."""
    at = shelf("wordpress", turn, 5)
    heads, rows = lines(at)
    bold = [[tag("strong", one[0]), *one[1:]] for one in rows]
    inner = tag("table", tag("tbody", *map(row, [heads, *bold])), class_="has-fixed-layout")
    caption = tag("figcaption", text(at.subject.capitalize()), class_="wp-element-caption")
    figure = tag("figure", inner, caption, class_="wp-block-table is-style-stripes")
    told = "".join(tag("h2", text(tool.name)) + paragraphs(tool.prose) for tool in at.tools)
    answer = Answer(
        "compares",
        tuple(map(answered, at.tools)),
        table_answer(at).cells,
        prose=(*at.intro[:2], *(words for tool in at.tools for words in tool.prose)),
    )
    return at, Page(at.title("uncounted"), paragraphs(at.intro[:2]) + figure + told, answer)


def transposed(turn: Turn) -> tuple[Shelf, Page]:
    """A title that names no tool, and a column for each."""
    at = shelf("transposed", turn, 4)
    heads, rows = columns(at, at.words["feature"], at.tools)
    table = tag("table", tag("thead", row(heads, "th")), tag("tbody", *map(row, rows)))
    return at, article(at, at.title("listing"), table, table_answer(at))


def sections_within(turn: Turn) -> tuple[Shelf, Page]:
    """Titles over the whole width part the rows."""
    at = shelf("sections_within", turn, 3)
    heads, rows = columns(at, "", at.tools)
    width = len(heads)
    parts = [("Money", rows[:1]), ("Opinions", rows[1:3]), ("Facts", rows[3:])]
    body = "".join(
        tag("tr", tag("th" if turn.form else "td", title, colspan=str(width))) + "".join(map(row, inner))
        for title, inner in parts
    )
    table = tag("table", tag("thead", row(heads, "th")), tag("tbody", body))
    return at, article(at, at.title("versus"), table, table_answer(at))


def two_row_heads(turn: Turn) -> tuple[Shelf, Page]:
    """Two columns of prices below one head."""
    at = shelf("two_row_heads", turn, 5)
    monthly, yearly = "Monthly", "Yearly"
    prices = {tool.name: (f"${tool.amount}", f"${float(tool.amount) * 10:.0f}") for tool in at.tools}
    heads = tag(
        "tr", tag("th", "Tool", rowspan="2"), tag("th", "Pricing", colspan="2"), tag("th", "Rating", rowspan="2")
    )
    below = row([monthly, yearly], "th")
    rows = [row([text(tool.name), *prices[tool.name], f"{tool.rating}/5"]) for tool in at.tools]
    cells = [
        Cell(tool.name, label, value)
        for tool in at.tools
        for label, value in (
            (f"Pricing {monthly}", prices[tool.name][0]),
            (f"Pricing {yearly}", prices[tool.name][1]),
            ("Rating", f"{tool.rating}/5"),
        )
    ]
    tools = [AnsweredTool(tool.name, rating=f"{tool.rating}/5") for tool in at.tools]
    table = tag("table", tag("thead", heads, below), tag("tbody", *rows))
    title = at.title("versus") if turn.form else at.title("listing")
    return at, article(at, title, table, table_answer(at, tools, cells))


def french_table(turn: Turn) -> tuple[Shelf, Page]:
    """`Alpha vs Beta : le comparatif`, with a comma in numbers."""
    at = shelf("french_table", turn, 3, "fr")
    heads, rows = columns(at, at.words["feature"], at.tools)
    table = tag("table", tag("thead", row(heads, "th")), tag("tbody", *map(row, rows)))
    return at, article(at, at.title("versus"), table, table_answer(at))


TABLES = (
    versus_columns,
    rows_with_head,
    no_head,
    wordpress,
    transposed,
    sections_within,
    two_row_heads,
    french_table,
)
