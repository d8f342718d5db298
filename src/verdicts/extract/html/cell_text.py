"""The content of a cell: its text as a browser shows it, or the meaning of its icons.

Follows innerText in the HTML standard: an element's own `display` separates its text from its neighbours.
`<b>$20</b><span>/mo</span>` is `$20/mo`, `<div>$20</div><div>a month</div>` is `$20 a month`. Blocks of a page also
separate some inline elements: there a label and its value are two `<span>`, and a reader needs both (`html_blocks`). A
cell is one value.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from verdicts.extract.html.elements import (
    BLOCK_CLASSES,
    BLOCK_TAGS,
    CONTROL_ROLE,
    CONTROLS,
    ICON_TAGS,
    SCREEN_READER_CLASSES,
    STRUCK,
    STRUCK_STYLE,
    Element,
    is_hidden,
    squeeze_style,
)
from verdicts.extract.html.icons import accessible_name, icon_meaning, is_icon, read_icon_classes, shallow_text
from verdicts.extract.model.blocks import clean

_DISPLAY = re.compile(r"display:([a-z-]++)")
_INLINE_DISPLAYS = ("inline", "contents")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
"""Letters that only an icon font draws."""


@dataclass(frozen=True, slots=True)
class CellText:
    """The content of a cell, without struck texts. `text` is None for an empty cell, and if it `is_unreadable`."""

    text: str | None
    links: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    """Meanings of icons beside the text, or of the readable icons of an unreadable cell."""
    parts: tuple[str, ...] = ()
    """Its texts by element, if there are several: `Sale`, `Alpha`, `$9`."""
    is_inferred: bool = False
    """The text comes from an icon or is for screen readers: nobody sees these words."""
    is_unreadable: bool = False
    """It shows an icon without a meaning, and no text."""


EMPTY = CellText(None)


class _End(Enum):
    """Marks the end of an element in the walk."""

    BLOCK = auto()
    NAMED = auto()
    CONTROL = auto()


@dataclass(slots=True)
class _Heard:
    """Everything collected in the walk, and the ends of the open elements."""

    around: Counter[_End] = field(default_factory=Counter)
    seen: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    icons: list[tuple[str | None, bool]] = field(default_factory=list)
    """The meaning of each, and whether it is the icon's name."""
    has_ornament: bool = False
    """It shows an icon without a meaning that is marked as decoration."""

    def read(self, text: str) -> None:
        if not text.isascii() and _PRIVATE.search(text):
            text = _PRIVATE.sub("", text)
            self.icon(None)
        self.seen.append(text)

    def icon(self, says: str | None, *, is_name: bool = False) -> None:
        if not self.around[_End.NAMED]:
            self.icons.append((says, is_name))


def cell_text(cell: Element, ids: Mapping[str, Element]) -> CellText:
    """The content of a cell. `ids`: elements of the page for `aria-labelledby`."""
    attributes, children = cell.attributes, cell.children
    if not attributes and len(children) == 1 and isinstance(children[0], str) and children[0].isascii():
        return CellText(clean(children[0]) or None)
    heard = _Heard()
    stack: list[Element | str | _End] = [*children[::-1]]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            heard.read(node)
        elif isinstance(node, _End):
            heard.around[node] -= 1
            if node is _End.BLOCK:
                heard.seen.append(" ")
        else:
            stack += _enter(node, heard, ids)
    text = clean("".join(heard.seen))
    says = tuple(says for says, _ in heard.icons if says is not None)
    links = tuple(heard.links)
    if text:
        parts = tuple(filter(None, map(clean, heard.seen)))
        return CellText(text, links, says, parts if len(parts) > 1 else ())
    words, is_whole = _read_icons(heard, accessible_name(cell, ids), says, attributes)
    if not is_whole:
        return CellText(None, links, says, is_unreadable=True)
    return CellText(words or None, links, is_inferred=bool(words))


_MARKED = BLOCK_TAGS | STRUCK | ICON_TAGS | CONTROLS | {"br", "i"}
"""Tags with a meaning even without an attribute."""


def _enter(element: Element, heard: _Heard, ids: Mapping[str, Element]) -> list[Element | str | _End]:
    """The next steps of the walk: nothing for an element that is hidden or struck, an icon, or for screen readers."""
    tag, attributes, inside = element.tag, element.attributes, element.children[::-1]
    if not attributes and tag not in _MARKED:
        return [*inside]
    classes, style = attributes.get("class", "").split(), squeeze_style(attributes.get("style", ""))
    if tag in STRUCK or STRUCK_STYLE in style or STRUCK_STYLE in classes or is_hidden(attributes):
        return []
    if tag == "br":
        heard.seen.append(" ")
        return []
    if not SCREEN_READER_CLASSES.isdisjoint(classes):
        heard.spoken.append(shallow_text(element))
        return []
    name = accessible_name(element, ids)
    if is_icon(element):
        _read_icon(element, name, heard)
        return []
    if tag == "a" and (target := attributes.get("href")):
        heard.links.append(target)
    ends: list[_End] = []
    if _is_block(tag, classes, style):
        ends.append(_End.BLOCK)
        heard.seen.append(" ")
    if tag in CONTROLS or attributes.get("role") == CONTROL_ROLE:
        ends.append(_End.CONTROL)
    elif name is not None:
        heard.icon(name, is_name=True)
        ends.append(_End.NAMED)
    if (title := attributes.get("title")) and _End.NAMED not in ends:
        heard.titles.append(title)
    heard.around.update(ends)
    return [*ends, *inside]


def _is_block(tag: str, classes: list[str], style: str) -> bool:
    """Whether an element's text stands apart, by its own `display` or its tag's."""
    if (display := _DISPLAY.search(style)) is not None:
        return not display[1].startswith(_INLINE_DISPLAYS)
    return tag in BLOCK_TAGS or not BLOCK_CLASSES.isdisjoint(classes)


def _read_icon(icon: Element, name: str | None, heard: _Heard) -> None:
    says = name or icon_meaning(icon)
    if says is None and (icon.attributes.get("alt") == "" or icon.attributes.get("aria-hidden") == "true"):
        heard.has_ornament = True
    else:
        heard.icon(None if heard.around[_End.CONTROL] else says, is_name=name is not None)


def _read_icons(
    heard: _Heard, name: str | None, says: tuple[str, ...], attributes: Mapping[str, str]
) -> tuple[str, bool]:
    """The content of a cell without text: the first of its names, and whether all icons have a meaning."""
    spoken = clean(" ".join(heard.spoken))
    titles = clean(" ".join([*heard.titles, attributes.get("title", "")]))
    has_unnamed = any(meaning is None for meaning, _ in heard.icons)
    if name is not None:
        return name, True
    if any(is_name for _, is_name in heard.icons):
        return " ".join(says), not has_unnamed
    if spoken or titles:
        return spoken or titles, True
    is_drawn = heard.has_ornament or read_icon_classes(attributes.get("class", "")) is not None
    return " ".join(says), not has_unnamed and (bool(says) or not is_drawn)
