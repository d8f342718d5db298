"""A page as its reader sees it, text by text, for a person who writes a recipe. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from extract.html.html_blocks import html_blocks
from extract.model.blocks import Block, clean
from extract.model.records import SideBySide
from extract.recipes.recipe import Recipe
from extract.statements.item import Item
from extract.statements.statements import statements

ELEMENTS_MAX = 20_000
"""Elements of a page whose selectors are shown."""

SHAPES_TOLD = 10

REPEATED_MIN, REPEATED_MAX = 2, 200
"""So many elements of one selector may be the records of a page."""


@dataclass(frozen=True, slots=True)
class SeenText:
    """A text of the page: what it is (`heading 2`, `table 1, row 2, column 1`), and a selector for it.

    `fills`: the fields that it was read into, empty for one that is left over.
    """

    what: str
    where: str
    text: str
    fills: str


@dataclass(frozen=True, slots=True)
class PageView:
    """The texts of a page in its order, what it states, and its repeated elements with their number, largest first."""

    texts: tuple[SeenText, ...]
    stated: tuple[SeenText, ...]
    shapes: tuple[tuple[str, int], ...]


def page_view(page: bytes, url: str, compared: SideBySide | None, recipe: Recipe | None = None) -> PageView:
    """The page at `url`, and where each value that was read of it stands, and each label of its recipe."""
    tree = LexborHTMLParser(page, scripting=True)
    items = statements(tree, url).items
    title = tree.css_first("title")
    titled = "" if title is None else clean(title.text(deep=True))
    blocks = html_blocks(tree)
    selectors, shapes = _selectors(tree)
    filled = {**_labels(recipe), **_filled(compared)}
    texts = [_seen(block, selectors, filled) for block in blocks]
    if titled:
        texts.insert(0, SeenText("title", "title", titled, filled.get(titled, "")))
    return PageView(tuple(texts), tuple(_stated(items, filled)), tuple(shapes))


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


def _selectors(tree: LexborHTMLParser) -> tuple[dict[str, str], list[tuple[str, int]]]:
    """A selector of the innermost element with each text, and the repeated elements that have several texts."""
    selectors: dict[str, str] = {}
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for node in tree.css("body *")[:ELEMENTS_MAX]:
        text = clean(node.text(deep=True))
        if not text:
            continue
        own = _own(node)
        selectors[text] = own if "." in own else f"{_around(node)}{own}"
        if "." in own and sum(not child.text(deep=True).isspace() for child in node.iter()) > 1:
            counts[own] += 1
            sizes[own] += len(text)
    repeated = [name for name, _ in sizes.most_common() if REPEATED_MIN <= counts[name] <= REPEATED_MAX]
    return selectors, [(name, counts[name]) for name in repeated[:SHAPES_TOLD]]


def _own(node: LexborNode) -> str:
    """`div.card`: the tag and the first class that may stand in a selector as it is."""
    names = (node.attributes.get("class") or "").split()
    plain = (name for name in names if name.replace("-", "").replace("_", "").isalnum() and name[0].isalpha())
    name = next(plain, None)
    return f"{node.tag}" if name is None else f"{node.tag}.{name}"


def _around(node: LexborNode) -> str:
    parent = node.parent
    while parent is not None and parent.tag not in {"body", "html"}:
        if "." in (own := _own(parent)):
            return f"{own} "
        parent = parent.parent
    return ""


def _labels(recipe: Recipe | None) -> dict[str, str]:
    kinds = () if recipe is None else (recipe.tools, recipe.reviews)
    return {label: "a label" for records in kinds if records is not None for label in records.labels}


def _filled(compared: SideBySide | None) -> dict[str, str]:
    """The fields that each value was read into."""
    fills: dict[str, dict[str, None]] = {}
    for name, values in ({} if compared is None else field_values(compared)).items():
        for value in values:
            if value is not None:
                fills.setdefault(value, {})[name] = None
    return {value: ", ".join(names) for value, names in fills.items()}


def field_values(compared: SideBySide) -> dict[str, list[str | None]]:
    """The values of each field in the order of their records: `tools.price`, `rows.Seats`, `reviews.author`.

    Fields that no record has are left out. An attribute with several rows has a number behind the first: `rows.Good 2`.
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
