"""How pages write the parts of a tool's section: one style a page, drawn with its facts."""

from collections.abc import Callable

from builders.gallery.facts import Shelf, Tool
from builders.gallery.markup import items, row, tag, text


def heading(at: Shelf, level: str, words: str, tool: Tool) -> str:
    """A heading: plain, bold, with an anchor, as a link to the tool, or with a badge."""
    said = text(words)
    contents = (
        said,
        tag("strong", said),
        tag("span", class_="ez-toc-section", id="s") + said + tag("span", class_="ez-toc-section-end"),
        tag("a", said, href=tool.address, rel="nofollow"),
        tag("span", said) + tag("a", "#", href="#s", class_="anchor", aria_hidden="true"),
    )
    return tag(level, contents[at.style.heading % len(contents)])


def facts(at: Shelf, pairs: list[tuple[str, str]]) -> str:
    """Labels and values: in a list, in paragraphs, in boxes, in a table of two columns, as definitions."""
    return _FACTS[at.style.facts % len(_FACTS)]([(text(label), text(value)) for label, value in pairs])


def _list(pairs: list[tuple[str, str]]) -> str:
    return tag("ul", *(tag("li", tag("strong", f"{label}:"), f" {value}") for label, value in pairs))


def _colon_outside(pairs: list[tuple[str, str]]) -> str:
    return tag("ul", *(tag("li", tag("strong", label), f": {value}") for label, value in pairs))


def _paragraphs(pairs: list[tuple[str, str]]) -> str:
    return "".join(tag("p", tag("b", f"{label}:"), f" {value}") for label, value in pairs)


def _one_paragraph(pairs: list[tuple[str, str]]) -> str:
    return tag("p", "<br>\n".join(f"<strong>{label}:</strong> {value}" for label, value in pairs))


def _table(pairs: list[tuple[str, str]]) -> str:
    return tag("table", *(tag("tr", tag("th", label, scope="row"), tag("td", value)) for label, value in pairs))


def _plain_table(pairs: list[tuple[str, str]]) -> str:
    return tag("figure", tag("table", tag("tbody", *map(row, pairs))), class_="wp-block-table")


def _boxes(pairs: list[tuple[str, str]]) -> str:
    lines = (tag("div", tag("span", label, class_="k"), tag("span", value, class_="v")) for label, value in pairs)
    return tag("div", *lines, class_="specs")


def _definitions(pairs: list[tuple[str, str]]) -> str:
    return tag("dl", *(tag("dt", label) + tag("dd", value) for label, value in pairs))


_FACTS: tuple[Callable[[list[tuple[str, str]]], str], ...] = (
    _list,
    _colon_outside,
    _paragraphs,
    _one_paragraph,
    _table,
    _plain_table,
    _boxes,
    _definitions,
)


def for_and_against(at: Shelf, tool: Tool, level: str) -> str:
    """What is for it and against it: below headings, below bold words, or in two columns."""
    both = ((at.words["pros"][0], tool.pros), (at.words["cons"][0], tool.cons))
    if at.style.lists == 0:
        return "".join(tag(level, text(label)) + items(entries) for label, entries in both)
    if at.style.lists == 1:
        return "".join(tag("p", tag("strong", f"{text(label)}:")) + items(entries) for label, entries in both)
    if at.style.lists == 2:
        columns = (tag("div", tag(level, text(label)), items(entries), class_="col") for label, entries in both)
        return tag("div", *columns, class_="columns")
    heads = row([text(label) for label, _ in both], "th")
    return tag("table", tag("thead", heads), tag("tbody", row([items(entries) for _, entries in both])))


def name_cell(at: Shelf, tool: Tool) -> str:
    """A tool's name in a table: plain, bold, as a link, beside its picture, over what it is called for."""
    said = text(tool.name)
    forms = (
        said,
        tag("strong", said),
        tag("a", said, href=tool.address),
        f'<img src="/logos/{len(said)}.svg" alt="{said} logo">{said}',
        f'<img src="/logos/{len(said)}.svg" alt="">' + tag("span", said),
        tag("p", tag("strong", tag("a", said, href=tool.address))),
    )
    return forms[at.style.names % len(forms)]


def value_cell(at: Shelf, label: str, value: str) -> str:
    """What a table says of a tool: plain, in a paragraph, as a list of one, behind its label for narrow windows."""
    said = text(value)
    forms = (
        said,
        tag("p", said),
        tag("ul", tag("li", said)),
        tag("span", f"{text(label)}:", class_="sr-only") + f" {said}",
        tag("div", text(label), class_="md:hidden") + tag("div", said),
        tag("span", said, class_="badge"),
    )
    return forms[at.style.values % len(forms)]
