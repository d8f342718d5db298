"""Elements as plain records, and their roles: line breaks, hidden parts, icons."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec import Struct

UNREAD = frozenset(
    [
        *("script", "style", "template", "noscript", "noembed", "noframes", "iframe", "object", "select"),
        *("textarea", "dialog"),
    ]
)
"""Elements with text that readers never see: hydration scripts repeat the content."""

STRUCK = frozenset({"del", "s", "strike"})
"""Elements with outdated content: `<del>$29</del> $19/mo` asks 19."""

UNSEEN = UNREAD | STRUCK | {"svg", "head"}
"""Elements without text of a block; icons have titles."""

SCREEN_READER_CLASSES = frozenset({"sr-only", "visually-hidden", "screen-reader-text"})
"""Frameworks' classes for screen reader text: it repeats visible text, or names an icon."""
HIDDEN_CLASSES = frozenset(
    {"tooltiptext", "tooltip-text", "headerlink", "header-anchor", "heading-anchor", "anchorjs-link", "hash-link"}
)
"""Classes of the words of tooltips, which stand in `<td class="tooltip">`, and of the `#` or `¶` after a heading."""
HIDDEN_STYLES = ("display:none", "visibility:hidden")
"""Also written with a space after the colon."""
STRUCK_STYLE = "line-through"
TOOLTIP_ROLE = "tooltip"

CONTROLS = frozenset({"button", "summary"})
CONTROL_ROLE = "button"
"""Elements, and a role, with an action as text: `Share`, `Read more`."""

VOID = frozenset(
    [
        *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input"),
        *("keygen", "link", "meta", "param", "source", "track", "wbr"),
    ]
)
"""Elements without content and end tag."""

ROLES = {
    "table": "table",
    "grid": "table",
    "treegrid": "table",
    "row": "tr",
    "cell": "td",
    "gridcell": "td",
    "columnheader": "th",
    "rowheader": "th",
}
"""ARIA's roles of tables, and the equal elements: `<div role="cell">` is read as a cell."""

PHRASING = frozenset(
    [
        *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "dfn", "em", "font", "i", "ins", "kbd"),
        *("label", "mark", "q", "ruby", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"),
    ]
)
"""Elements that do not break a line by themselves."""

BLOCK_TAGS = frozenset(
    [
        *("address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dir", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup"),
        *("hr", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search"),
        *("section", "summary", "ul", "table", "caption", "colgroup", "thead", "tbody", "tfoot", "tr", "td", "th"),
    ]
)
"""Elements that every browser shows as blocks (HTML standard, Rendering); all others are inline."""

BLOCK_CLASSES = frozenset({"block", "d-block"})
"""Classes of Tailwind and Bootstrap that make an element a block."""

STRONG = frozenset({"b", "strong"})

ICON_TAGS = frozenset({"img", "svg", "canvas", "input", "select", "textarea"})
"""Elements that show something without text of the page: pictures, and input fields."""

PROSE = frozenset(
    [
        *("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "li", "dt", "dd", "td", "th", "caption"),
        *("figcaption", "summary", "title"),
    ]
)
"""Elements with one text even from inline elements alone: `<p><b>Free</b> <i>tier</i></p>`."""

CELLS = frozenset({"td", "th", "dd"})
"""Elements that become a block even when empty: an empty cell is a missing value."""

KEYS = frozenset({"th", "dt"})

GLUED = frozenset({"li", "p", "summary"})
"""Prose elements with separate inline units if there is no text between them.

`<li><span>Panel ship</span><span>75%</span></li>` would read `Panel ship75%`.
"""

HEADINGS = {f"h{level}": level for level in range(1, 7)}


class Element(Struct, gc=False):
    """An element of a page: tag, attributes with their values, and children; never two texts side by side."""

    tag: str
    attributes: Mapping[str, str]
    children: list["Element | str"]


_OPENED = re.compile(r"(?:^|[\s_-])(?:tab|tabs|tabpanel|pane|accordion|collapse|panel)(?:[\s_-]|$)")
"""Classes of the parts of a page that a reader opens: `tab-pane`, `et_pb_tab`, `accordion-body`."""

_UNSEEN_CLASSES = SCREEN_READER_CLASSES | HIDDEN_CLASSES
_MAY_HIDE = frozenset({"hidden", "role", "aria-hidden", "style"})


def is_hidden(attributes: Mapping[str, str], *, opens: bool = False) -> bool:
    """Whether an element is hidden by its own attributes. `opens`: parts that a click opens are shown."""
    if "class" in attributes and not HIDDEN_CLASSES.isdisjoint(attributes["class"].split()):
        return True
    return not _MAY_HIDE.isdisjoint(attributes) and _is_hidden_without_class(attributes, opens=opens)


def is_unseen(attributes: Mapping[str, str], *, opens: bool = False) -> bool:
    """Whether an element's own attributes say that its text is hidden, struck, or for screen readers."""
    if "class" in attributes and not _UNSEEN_CLASSES.isdisjoint(attributes["class"].split()):
        return True
    if _MAY_HIDE.isdisjoint(attributes):
        return False
    is_struck = STRUCK_STYLE in squeeze_style(attributes.get("style", ""))
    return is_struck or _is_hidden_without_class(attributes, opens=opens)


def _is_hidden_without_class(attributes: Mapping[str, str], *, opens: bool) -> bool:
    role = attributes.get("role")
    opens = opens or role == "tabpanel" or bool(_OPENED.search(attributes.get("class", "")))
    if role == TOOLTIP_ROLE or (not opens and "hidden" in attributes):
        return True
    if attributes.get("aria-hidden") == "true" and attributes.get("href", "").startswith("#"):
        return True
    return any(hidden in squeeze_style(attributes.get("style", "")) for hidden in HIDDEN_STYLES[opens:])


def squeeze_style(style: str) -> str:
    return style.replace(" ", "").lower()


_MARK = re.compile(r"\[\w{1,3}\]|[*†‡§]{1,3}")
_NUMBERS = re.compile(r"\d{1,3}(?:\s?,\s?\d{1,3}){0,3}")
_NOTED = re.compile(r"(?:[^\W\d_][\w-]{0,38}[^\W\d_]|[%)])$")
"""A footnote's number follows a word, `99.9%`, `(beta)`. After a single letter it is a power: `x²`."""
_AMOUNT = re.compile(r"[$€£¥₹]\s?\d[\d.,]*?([.,]\d\d)?$")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

WORD_MAX = 40
"""Characters to look at before a mark."""
PARTS_MAX = 10
"""A mark has fewer elements and texts."""


def read_superscript(sup: Element, before: str) -> str | None:
    """The text to read instead of a superscript: empty for a footnote's mark. None if it stays as it is."""
    parts = [*islice(walk_parts(sup), PARTS_MAX)]
    mark = "".join(part for part in parts if isinstance(part, str)).strip()
    if len(parts) == PARTS_MAX:
        return None
    if _MARK.fullmatch(mark) or any(isinstance(part, Element) and part.tag == "a" for part in parts):
        return ""
    if _NUMBERS.fullmatch(mark) is None:
        return None
    before = before[-WORD_MAX:]
    if not before[-1:].isdigit():
        return "" if _NOTED.search(before) else None
    amount = _AMOUNT.search(before)
    # `$14.99<sup>1</sup>`, `$8<sup>2</sup>`; raised cents stay: `$14<sup>99</sup>`.
    is_noted = amount is not None and (len(mark) == 1 or amount[1] is not None)
    return "" if is_noted else mark.translate(_RAISED)


def walk_parts(element: Element) -> Iterator[Element | str]:
    """The element, and all elements and texts in it, in order."""
    stack: list[Element | str] = [element]
    while stack:
        part = stack.pop()
        yield part
        if not isinstance(part, str):
            stack += part.children[::-1]
