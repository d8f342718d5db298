"""A page text by text, for a person who writes a recipe. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from verdicts.extract.html.elements import Element
from verdicts.extract.html.page import Page
from verdicts.extract.model.blocks import Block, clean, text_blocks
from verdicts.extract.statements.item import Item
from verdicts.extract.statements.statements import statements

SHAPES_TOLD = 10

PART_MIN = 30
"""The fewest characters of a text that is a part of a value, or of a value in a text: a paragraph of a review."""

TEXT_MAX = 1_000
"""The most letters of a text that gets a selector."""

REPEATED_MIN, REPEATED_MAX = 2, 200
"""The number of elements with one selector that may be the records of a page."""


@dataclass(frozen=True, slots=True)
class SeenText:
    """A text of the page, its kind (`heading 2`, `table 1, row 2, column 1`), and a selector for it.

    `fills`: the fields that it was read into; empty if it was not read.
    """

    what: str
    where: str
    text: str
    fills: str


@dataclass(frozen=True, slots=True)
class PageView:
    """The texts of a page in order, its statements, and its repeated elements with their number, largest first."""

    texts: tuple[SeenText, ...]
    stated: tuple[SeenText, ...]
    shapes: tuple[tuple[str, int], ...]


def page_view(
    html: bytes,
    url: str,
    values: Mapping[str, Sequence[str | None]],
    labels: Iterable[str] = (),
    *,
    is_html: bool = True,
) -> PageView:
    """The page at `url`, and the position of each of the `values` that were read, and of the labels before them."""
    filled = {**dict.fromkeys(labels, "a label"), **_filled(values)}
    if not is_html:
        return PageView(tuple(_seen(block, {}, filled) for block in text_blocks(html.decode(errors="replace"))), (), ())
    page = Page(html, url)
    title = page.tree.css_first("title")
    titled = "" if title is None else clean(title.text(deep=True))
    elements = _elements(page.seen())
    selectors = {shown.text: shown.selector for shown in elements if shown.letters <= TEXT_MAX}
    texts = [_seen(block, selectors, filled) for block in page.blocks()]
    if titled:
        texts.insert(0, SeenText("title", "title", titled, filled.get(titled, "")))
    return PageView(tuple(texts), tuple(_stated(statements(page).items, filled)), _shapes(elements))


def _seen(block: Block, selectors: Mapping[str, str], filled: Mapping[str, str]) -> SeenText:
    what = "text"
    if block.cell is not None:
        what = f"table {block.cell.table + 1}, row {block.cell.row + 1}, column {block.cell.column + 1}"
    elif block.level is not None:
        what = f"heading {block.level}"
    elif block.is_control:
        what = "button"
    elif block.is_key:
        what = "label"
    return SeenText(what, selectors.get(block.text, ""), block.text, _fills(block.text, filled))


def _fills(text: str, filled: Mapping[str, str]) -> str:
    """The fields that a text was read into: whole, behind its label, in parts (`88/100 · ship`), as a part."""
    fills = filled.get(text) or filled.get(text.partition(":")[2].strip(), "")
    if fills:
        return fills
    parts = [filled.get(part.strip(), "") for part in text.split("·")]
    if any(parts):
        return ", ".join(dict.fromkeys(part for part in parts if part))
    whole = (
        fields
        for value, fields in filled.items()
        if min(len(text), len(value)) >= PART_MIN and (text in value or value in text)
    )
    return next(whole, "")


def _stated(items: list[Item], filled: Mapping[str, str]) -> Iterator[SeenText]:
    for item in items:
        types = ", ".join(sorted(item.types)) or "item"
        for name, values in item.properties.items():
            for value in values:
                text = value if isinstance(value, str) else f"({', '.join(sorted(value.types)) or 'item'})"
                yield SeenText(f"statement {types}", name, text, filled.get(text, ""))


@dataclass(slots=True)
class _Shown:
    """An element with text. `near`: the selector of the nearest element with a class, itself or around it.

    `letters` do not count white space; `text` is whole up to TEXT_MAX letters. `parts`: its child elements with text.
    """

    own: str
    near: str
    written: list[str] = field(default_factory=list)
    letters: int = 0
    parts: int = 0
    text: str = ""

    @property
    def selector(self) -> str:
        return self.own if self.own == self.near or not self.near else f"{self.near} {self.own}"


def _elements(body: Element) -> list[_Shown]:
    """All elements below the body, in order."""
    elements: list[_Shown] = []
    inside = [_Shown("", "")]
    stack: list[Element | str | _Shown] = [*body.children[::-1]]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            inside[-1].written.append(node)
            inside[-1].letters += sum(map(len, node.split()))
        elif isinstance(node, _Shown):
            inside.pop()
            # Whole texts of all elements would be quadratic in the depth.
            written = "".join(node.written)[: 2 * TEXT_MAX]
            node.text = clean(written)
            inside[-1].written.append(written)
            inside[-1].letters += node.letters
            inside[-1].parts += node.letters > 0 or not node.written
        else:
            own = _own(node)
            shown = _Shown(own, own if "." in own else inside[-1].near)
            elements.append(shown)
            inside.append(shown)
            stack += [shown, *node.children[::-1]]
    return elements


def _shapes(elements: Sequence[_Shown]) -> tuple[tuple[str, int], ...]:
    """Repeated elements with several texts, and their number."""
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for element in elements:
        if "." in element.own and element.parts > 1 and element.letters:
            counts[element.own] += 1
            sizes[element.own] += element.letters
    repeated = [name for name, _ in sizes.most_common() if REPEATED_MIN <= counts[name] <= REPEATED_MAX]
    return tuple((name, counts[name]) for name in repeated[:SHAPES_TOLD])


def _own(element: Element) -> str:
    """`div.card`: the tag and its first class that a selector can contain unescaped."""
    tag, attributes = element.tag, element.attributes
    names = attributes.get("class", "").split()
    plain = (name for name in names if name.replace("-", "").replace("_", "").isalnum() and name[0].isalpha())
    name = next(plain, None)
    # An element with a role may have the tag of its role.
    own = f'[role="{attributes["role"]}"]' if "role" in attributes else tag
    return own if name is None else f"{own}.{name}"


def _filled(values: Mapping[str, Sequence[str | None]]) -> dict[str, str]:
    fills: dict[str, dict[str, None]] = {}
    for name, of_field in values.items():
        for value in of_field:
            if value is not None:
                fills.setdefault(value, {})[name] = None
    return {value: ", ".join(names) for value, names in fills.items()}
