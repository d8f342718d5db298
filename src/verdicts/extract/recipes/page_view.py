"""A page text by text, for a person who writes a recipe. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from verdicts.extract.html.html_page import Page
from verdicts.extract.model.blocks import Block, clean, text_blocks

SHAPES_TOLD = 10

PART_MIN = 30
"""The fewest characters of a text that is a part of a value, or of a value in a text: a paragraph of a review."""

REPEATED_MIN, REPEATED_MAX = 2, 200
"""The number of elements with one selector that may be the records of a page."""


class SeenText(NamedTuple):
    """A text of the page, its kind (`heading 2`, `table 1, row 2, column 1`), and a selector for it.

    `fills`: the fields that it was read into; empty if it was not read.
    """

    what: str
    where: str
    text: str
    fills: str


class PageView(NamedTuple):
    """The texts of a page in order, and its repeated elements with their number, largest first."""

    texts: tuple[SeenText, ...]
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
    filled = dict.fromkeys(labels, "a label")
    fields: dict[str, list[str]] = defaultdict(list)
    for name, of_field in values.items():
        for value in dict.fromkeys(value for value in of_field if value is not None):
            fields[value].append(name)
    filled |= {value: ", ".join(names) for value, names in fields.items()}
    if not is_html:
        return PageView(
            tuple(_describe_block(block, filled) for block in text_blocks(html.decode(errors="replace"))), ()
        )
    page = Page(html, url)
    blocks = page.blocks()
    title = page.tree.css_first("title")
    titled = "" if title is None else clean(title.text(deep=True))
    head = [SeenText("title", "title", titled, filled.get(titled, ""))] if titled else []
    return PageView((*head, *(_describe_block(block, filled) for block in blocks)), _shapes(blocks))


def _describe_block(block: Block, filled: Mapping[str, str]) -> SeenText:
    what = "text"
    if block.cell is not None:
        what = f"table {block.cell.table + 1}, row {block.cell.row + 1}, column {block.cell.column + 1}"
    elif block.level is not None:
        what = f"heading {block.level}"
    elif block.is_control:
        what = "button"
    elif block.is_key:
        what = "label"
    selectors = [_selector(*element) for element in block.elements]
    around = [selector for selector in selectors[:-1] if "." in selector][-1:]
    where = selectors[-1:] if selectors and "." in selectors[-1] else [*around, *selectors[-1:]]
    return SeenText(what, " ".join(where), block.text, _fills(block.text, filled))


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


def _shapes(blocks: Sequence[Block]) -> tuple[tuple[str, int], ...]:
    """Repeated elements with several texts, and their number."""
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    parts: Counter[tuple[int, ...]] = Counter()
    for block in blocks:
        for depth, element in enumerate(block.elements[: len(block.path)], start=1):
            path, selector = block.path[:depth], _selector(*element)
            parts[path] += 1
            sizes[selector] += len(block.text)
            counts[selector] += parts[path] == REPEATED_MIN
    repeated = (name for name, _ in sizes.most_common() if "." in name)
    return tuple((name, counts[name]) for name in repeated if REPEATED_MIN <= counts[name] <= REPEATED_MAX)[
        :SHAPES_TOLD
    ]


def _selector(tag: str, attributes: Mapping[str, str]) -> str:
    """`div.card`: the tag and its first class that a selector can contain unescaped."""
    names = attributes.get("class", "").split()
    plain = (name for name in names if name.replace("-", "").replace("_", "").isalnum() and name[0].isalpha())
    name = next(plain, None)
    # An element with a role may have the tag of its role.
    own = f'[role="{attributes["role"]}"]' if "role" in attributes else tag
    return own if name is None else f"{own}.{name}"
