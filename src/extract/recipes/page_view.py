"""A page text by text, for a person who writes a recipe. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.model.blocks import Block, clean
from verdicts.extract.model.records import SideBySide
from verdicts.extract.recipes.recipe import Recipe
from verdicts.extract.statements.item import Item
from verdicts.extract.statements.statements import statements

SHAPES_TOLD = 10

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


def page_view(page: bytes, url: str, compared: SideBySide | None, recipe: Recipe | None = None) -> PageView:
    """The page at `url`, and the position of each read value and of each label of its recipe."""
    tree = LexborHTMLParser(page, scripting=True)
    items = statements(tree, url).items
    title = tree.css_first("title")
    titled = "" if title is None else clean(title.text(deep=True))
    blocks = html_blocks(tree)
    elements, text = _elements(tree)
    selectors = _selectors(elements, text, {block.text for block in blocks})
    filled = {**_labels(recipe), **_filled(compared)}
    texts = [_seen(block, selectors, filled) for block in blocks]
    if titled:
        texts.insert(0, SeenText("title", "title", titled, filled.get(titled, "")))
    return PageView(tuple(texts), tuple(_stated(items, filled)), _shapes(elements))


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
    fills = filled.get(block.text) or filled.get(block.text.partition(":")[2].strip(), "")
    return SeenText(what, selectors.get(block.text, ""), block.text, fills)


def _stated(items: list[Item], filled: Mapping[str, str]) -> Iterator[SeenText]:
    for item in items:
        types = ", ".join(sorted(item.types)) or "item"
        for name, values in item.properties.items():
            for value in values:
                text = value if isinstance(value, str) else f"({', '.join(sorted(value.types)) or 'item'})"
                yield SeenText(f"statement {types}", name, text, filled.get(text, ""))


@dataclass(slots=True)
class _Element:
    """An element below the body. `around`: a selector's beginning, from the nearest outer element with a class.

    Its text is from `begin` to `end` of the page's. `before` letters precede it and it has `letters`, both without
    white space. `parts`: its child elements with text.
    """

    own: str
    around: str
    begin: int
    before: int
    end: int = 0
    letters: int = 0
    parts: int = 0


def _elements(tree: LexborHTMLParser) -> tuple[list[_Element], str]:
    """All elements below the body in order, and the text of the page.

    One walk for all: asking each element for its text would be quadratic in the depth.
    """
    elements: list[_Element] = []
    inside: list[_Element] = []
    texts: list[str] = []
    length = letters = 0
    stack: list[LexborNode | _Element] = []
    if tree.body is not None:
        stack += [*tree.body.iter(include_text=True)][::-1]
    while stack:
        node = stack.pop()
        if isinstance(node, _Element):
            node.end, node.letters = length, letters - node.before
            inside.pop()
            if inside and (node.letters or node.end == node.begin):
                inside[-1].parts += 1
        elif node.is_text_node:
            texts.append(node.text(deep=False))
            length += len(texts[-1])
            letters += _letters(texts[-1])
        elif node.is_element_node:
            around = ""
            if inside:
                around = f"{inside[-1].own} " if "." in inside[-1].own else inside[-1].around
            element = _Element(_own(node), around, length, letters)
            elements.append(element)
            inside.append(element)
            stack.append(element)
            stack += [*node.iter(include_text=True)][::-1]
    return elements, "".join(texts)


def _letters(text: str) -> int:
    return sum(map(len, clean(text).split()))


def _selectors(elements: Sequence[_Element], text: str, seen: Set[str]) -> dict[str, str]:
    """A selector of the innermost element with each text in `seen`; if several have it, of the last one."""
    wanted = {_letters(one) for one in seen}
    selectors: dict[str, str] = {}
    texts: dict[tuple[int, int], str] = {}
    for element in elements:
        if element.letters and element.letters in wanted:
            place = element.before, element.letters
            if place not in texts:
                texts[place] = clean(text[element.begin : element.end])
            own = element.own
            selectors[texts[place]] = own if "." in own else f"{element.around}{own}"
    return selectors


def _shapes(elements: Sequence[_Element]) -> tuple[tuple[str, int], ...]:
    """Repeated elements with several texts, and their number."""
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for element in elements:
        if "." in element.own and element.parts > 1 and element.letters:
            counts[element.own] += 1
            sizes[element.own] += element.letters
    repeated = [name for name, _ in sizes.most_common() if REPEATED_MIN <= counts[name] <= REPEATED_MAX]
    return tuple((name, counts[name]) for name in repeated[:SHAPES_TOLD])


def _own(node: LexborNode) -> str:
    """`div.card`: the tag and its first class that a selector can contain unescaped."""
    names = (node.attributes.get("class") or "").split()
    plain = (name for name in names if name.replace("-", "").replace("_", "").isalnum() and name[0].isalpha())
    name = next(plain, None)
    return f"{node.tag}" if name is None else f"{node.tag}.{name}"


def _labels(recipe: Recipe | None) -> dict[str, str]:
    kinds = () if recipe is None else (recipe.tools, recipe.reviews)
    return {label: "a label" for records in kinds if records is not None for label in records.labels}


def _filled(compared: SideBySide | None) -> dict[str, str]:
    fills: dict[str, dict[str, None]] = {}
    for name, values in ({} if compared is None else field_values(compared)).items():
        for value in values:
            if value is not None:
                fills.setdefault(value, {})[name] = None
    return {value: ", ".join(names) for value, names in fills.items()}


def field_values(compared: SideBySide) -> dict[str, list[str | None]]:
    """The values of each field in record order: `tools.price`, `rows.Seats`, `reviews.author`.

    Fields without a value are left out. Repeated attributes get a number: `rows.Good 2`.
    """
    found: dict[str, list[str | None]] = {}
    for kind, records in (("tools", compared.tools), ("reviews", compared.reviews)):
        for name in (*(records[0].__dataclass_fields__ if records else ()),):
            values = [getattr(record, name) for record in records]
            if any(value is not None for value in values):
                found[f"{kind}.{name}"] = [None if value is None else str(value) for value in values]
    numbers: Counter[str] = Counter()
    for row in compared.rows:
        numbers[row.attribute] += 1
        number = f" {numbers[row.attribute]}" if numbers[row.attribute] > 1 else ""
        found[f"rows.{row.attribute}{number}"] = [*row.values]
    return found
