"""Articles with a table: tools in its rows or its columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from comparison_bench.gallery.facts import (
    LAYOUTS,
    Answer,
    AnsweredTool,
    Cell,
    Layouts,
    Page,
    Shelf,
    Tool,
    add_layout,
    make_cells,
    paragraphs,
    part,
    render_template,
    row,
    tag,
    text,
)
from comparison_bench.gallery.listicles import make_answer, make_closing


def table_answer(at: Shelf, tools: Iterable[AnsweredTool] | None = None, cells: Iterable[Cell] | None = None) -> Answer:
    """The key of a page whose table has all facts of all tools, unless given otherwise."""
    own = [cell for tool in at.tools for cell in make_cells(tool.name, tool.pairs)] if cells is None else cells
    answers = [make_answer(tool) for tool in at.tools] if tools is None else tools
    return Answer("compares", tuple(answers), frozenset(own), prose=tuple(at.intro[:3]))


def article(at: Shelf, title: str, table: str, answer: Answer) -> Page:
    """Prose, the table, and sections that belong to no tool."""
    return Page(title, "\n".join((paragraphs(at.intro[:2]), table, make_closing(at))), answer)


def name_cell(at: Shelf, tool: Tool) -> str:
    return part("names", at.style.names, said=text(tool.name), address=tool.address)


def value_cell(at: Shelf, label: str, value: str) -> str:
    return part("values", at.style.values, said=text(value), label=text(label))


def columns(at: Shelf, corner: str, tools: Sequence[Tool]) -> tuple[list[str], list[list[str]]]:
    """Heads and rows with the tools in columns, as HTML."""
    rows = [
        [text(label), *(value_cell(at, tool.name, tool.pairs[place][1]) for tool in tools)]
        for place, (label, _) in enumerate(at.tools[0].pairs)
    ]
    return [text(corner), *(name_cell(at, tool) for tool in tools)], rows


def lines(at: Shelf) -> tuple[list[str], list[list[str]]]:
    """Heads and rows with the tools in rows, as HTML; some with a column of pictures, or of buttons, besides."""
    rows = [[name_cell(at, tool), *(value_cell(at, *pair) for pair in tool.pairs)] for tool in at.tools]
    heads = [text(at.words["tool"]), *(text(label) for label, _ in at.tools[0].pairs)]
    if at.style.columns == 1:
        return ["", *heads], [[f'<img src="/i/{place}.png" alt="">', *one] for place, one in enumerate(rows)]
    if at.style.columns == 2:
        visits = (tag("a", text(at.words["visit"].format(name=tool.name)), href=tool.address) for tool in at.tools)
        return [*heads, ""], [[*one, visit] for one, visit in zip(rows, visits, strict=True)]
    return heads, rows


def by_template(at: Shelf, declared: Mapping[str, Any]) -> Page:
    """A page of `layouts.toml`."""

    def choose_value(name: str) -> str:
        value: str | list[str] = declared.get(name, "")
        return value if isinstance(value, str) else value[at.form]

    corner = at.words.get(choose_value("corner"), "")
    heads, rows = columns(at, corner, at.tools) if "names_in" in declared else lines(at)
    html = render_template(declared["html"], heads=heads, rows=rows, tools=at.tools, form=at.form)
    return article(at, at.title(choose_value("title")), html, table_answer(at))


def wordpress(at: Shelf) -> Page:
    """A block of WordPress with a caption, and the tools' names as headings of prose."""
    heads, rows = lines(at)
    bold = [[tag("strong", one[0]), *one[1:]] for one in rows]
    inner = tag("table", tag("tbody", *map(row, [heads, *bold])), class_="has-fixed-layout")
    caption = tag("figcaption", text(at.subject.capitalize()), class_="wp-element-caption")
    figure = tag("figure", inner, caption, class_="wp-block-table is-style-stripes")
    told = "".join(tag("h2", text(tool.name)) + paragraphs(tool.prose) for tool in at.tools)
    answer = Answer(
        "compares",
        tuple(map(make_answer, at.tools)),
        table_answer(at).cells,
        prose=(*at.intro[:2], *(words for tool in at.tools for words in tool.prose)),
    )
    return Page(at.title("uncounted"), paragraphs(at.intro[:2]) + figure + told, answer)


def two_row_heads(at: Shelf) -> Page:
    """Two columns of prices below one head."""
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
    title = at.title("versus") if at.form else at.title("listing")
    return article(at, title, table, table_answer(at, tools, cells))


_DRAWN = {True: '<path d="M5 13l4 4L19 7"/>', False: '<path d="M6 18L18 6M6 6l12 12"/>'}


def _features(at: Shelf) -> dict[str, list[bool]]:
    """Which tools have which features."""
    return {feature: [at.random.random() < 0.6 for _ in at.tools] for feature in at.words["features"]}


def icons(at: Shelf) -> Page:
    """Checks and crosses with a meaning by a label, by words for screen readers, or by an image's text."""
    words = {True: "Included", False: "Not included"}
    forms = {
        0: lambda has: tag("svg", _DRAWN[has], role="img", aria_label=words[has]),
        1: lambda has: tag("svg", _DRAWN[has], aria_hidden="true") + tag("span", words[has], class_="sr-only"),
        2: lambda has: f'<img src="/i/{"y" if has else "n"}.png" alt="{words[has]}">',
    }
    features = _features(at)
    heads = [text(at.words["feature"]), *(text(tool.name) for tool in at.tools)]
    rows = [row([text(feature), *map(forms[at.form], of_tools)]) for feature, of_tools in features.items()]
    cells = [
        Cell(tool.name, feature, words[has])
        for feature, of_tools in features.items()
        for tool, has in zip(at.tools, of_tools, strict=True)
    ]
    answer = table_answer(at, [AnsweredTool(tool.name) for tool in at.tools], cells)
    return article(at, at.title("versus"), tag("table", row(heads, "th"), *rows), answer)


def footnotes(at: Shelf) -> Page:
    """Numbers above the line lead to notes below the table."""
    at = replace(at, style=at.style._replace(values=0))
    heads, rows = columns(at, "", at.tools)
    mark = (tag("sup", "1"), tag("sup", tag("a", "1", href="#n1")), tag("sup", tag("a", "[1]", href="#n1")))[at.form]
    rows[0][1] += mark
    rows[3][2] += mark
    table = tag("table", row(heads, "th"), *map(row, rows))
    note = tag("p", "1 As seen in spring.", id="n1")
    return article(at, at.title("versus"), table + note, table_answer(at))


def copies(at: Shelf) -> Page:
    """The same table for wide and for narrow windows."""
    heads, rows = columns(at, at.words["feature"], at.tools)
    table = tag("table", row(heads, "th"), *map(row, rows))
    both = tag("div", table, class_="desktop-only") + tag("div", table, class_="mobile-only")
    return article(at, at.title("versus"), both, table_answer(at))


def definition_lists(at: Shelf) -> Page:
    """A list of terms for each tool below its name."""
    parts = [
        tag("h2", text(tool.name))
        + paragraphs(tool.prose)
        + tag("dl", *(tag("dt", text(label)) + tag("dd", text(value)) for label, value in tool.pairs))
        for tool in at.tools
    ]
    answer = table_answer(at)
    prose = (*at.intro[:2], *(words for tool in at.tools for words in tool.prose))
    cells = frozenset(cell for tool in at.tools for cell in make_cells(tool.name, tool.pairs))
    main = "\n".join((paragraphs(at.intro[:2]), *parts))
    return Page(at.title("versus"), main, Answer("compares", answer.tools, cells, prose=prose))


_MADE = (wordpress, two_row_heads, icons, footnotes, copies, definition_lists)
TABLES: Layouts = {}
for _name, _declared in LAYOUTS["tables"].items():
    _make = {made.__name__: made for made in _MADE}.get(_name) or partial(by_template, declared=_declared)
    add_layout(TABLES, _name, _make, _declared["count"], _declared.get("language", "en"))
