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
    is_noted_amount,
    raised_text,
    squeezed,
    superscript_text,
)
from verdicts.extract.html.icons import accessible_name, icon_meaning, is_icon, meaning_of_class
from verdicts.extract.model.blocks import clean

_DISPLAY = re.compile(r"display:([a-z-]++)")
_INLINE_DISPLAYS = ("inline", "contents")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
"""Letters that only an icon font draws."""


@dataclass(frozen=True, slots=True)
class CellText:
    """The content of a cell. `text` is None for an empty cell, and if it `is_unreadable`."""

    text: str | None
    was: tuple[str, ...] = ()
    """Struck texts: `$29` in `<del>$29</del> $19`."""
    notes: tuple[str, ...] = ()
    """Footnote marks, as printed."""
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
    STRUCK = auto()
    SPOKEN = auto()
    NAMED = auto()
    CONTROL = auto()


@dataclass(slots=True)
class _Heard:
    """Everything collected in the walk, and the ends of the open elements."""

    around: Counter[_End] = field(default_factory=Counter)
    seen: list[str] = field(default_factory=list)
    struck: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    icons: list[tuple[str | None, bool]] = field(default_factory=list)
    """The meaning of each, and whether it is the icon's name."""
    has_ornament: bool = False
    """It shows an icon without a meaning that is marked as decoration."""
    before: str = ""
    """The text before a superscript in the same block."""

    def read(self, text: str) -> None:
        if self.around[_End.SPOKEN]:
            self.spoken.append(text)
        elif self.around[_End.STRUCK]:
            self.struck.append(text)
        else:
            if not text.isascii() and _PRIVATE.search(text):
                text = _PRIVATE.sub("", text)
                self.icon(None)
            self.seen.append(text)
            self.before = text or self.before

    def part(self) -> None:
        for texts in (self.seen, self.struck, self.spoken):
            if texts:
                texts.append(" ")
        self.before = ""

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
                heard.part()
            elif node is _End.STRUCK and not heard.around[node]:
                heard.struck.append("\n")
        else:
            stack += _entered(node, heard, ids)
    return _said(heard, accessible_name(cell, ids), attributes)


def _entered(element: Element, heard: _Heard, ids: Mapping[str, Element]) -> list[Element | str | _End]:
    """The next steps of the walk: nothing for a hidden element, an icon or a footnote mark."""
    tag, attributes, children = element.tag, element.attributes, element.children
    if not attributes and tag not in _MARKED:
        return [*children[::-1]]
    if is_hidden(attributes) or _is_told(element, heard, ids):
        return []
    if tag == "a" and (target := attributes.get("href")):
        heard.links.append(target)
    ends = _ends(tag, attributes)
    if _End.CONTROL not in ends and (name := accessible_name(element, ids)) is not None:
        heard.icon(name, is_name=True)
        ends.append(_End.NAMED)
    elif title := attributes.get("title"):
        heard.titles.append(title)
    heard.around.update(ends)
    if _End.BLOCK in ends:
        heard.part()
    return [*ends, *children[::-1]]


def _is_told(element: Element, heard: _Heard, ids: Mapping[str, Element]) -> bool:
    """Whether an element is handled as a whole: a forced break, an icon, a raised mark."""
    tag, attributes = element.tag, element.attributes
    if tag == "br":
        heard.part()
        return True
    if tag == "sup" and (raised := raised_text(element, heard.before)) is not None:
        mark = superscript_text(element)[0]
        if raised and not is_noted_amount(heard.before, mark):
            heard.read(raised)
        else:
            heard.notes.append(mark)
        return True
    if not is_icon(element):
        return False
    name = accessible_name(element, ids)
    says = name or icon_meaning(element)
    if says is None and (attributes.get("alt") == "" or attributes.get("aria-hidden") == "true"):
        heard.has_ornament = True
    else:
        heard.icon(None if heard.around[_End.CONTROL] else says, is_name=name is not None)
    return True


_MARKED = BLOCK_TAGS | STRUCK | ICON_TAGS | CONTROLS | {"sup", "br", "i"}
"""Tags with a meaning even without an attribute."""


def _ends(tag: str, attributes: Mapping[str, str]) -> list[_End]:
    """How an element ends its text, by its own `display` or its tag's."""
    ends = []
    classes = attributes.get("class", "").split()
    style = squeezed(attributes.get("style", ""))
    is_block = tag in BLOCK_TAGS or not BLOCK_CLASSES.isdisjoint(classes)
    if (display := _DISPLAY.search(style)) is not None:
        is_block = not display[1].startswith(_INLINE_DISPLAYS)
    if is_block:
        ends.append(_End.BLOCK)
    if tag in STRUCK or STRUCK_STYLE in style or STRUCK_STYLE in classes:
        ends.append(_End.STRUCK)
    if not SCREEN_READER_CLASSES.isdisjoint(classes):
        ends.append(_End.SPOKEN)
    if tag in CONTROLS or attributes.get("role") == CONTROL_ROLE:
        ends.append(_End.CONTROL)
    return ends


def _said(heard: _Heard, name: str | None, attributes: Mapping[str, str]) -> CellText:
    text = clean("".join(heard.seen))
    was = tuple(filter(None, map(clean, "".join(heard.struck).split("\n"))))
    said = tuple(says for says, _ in heard.icons if says is not None)
    notes, links = tuple(heard.notes), tuple(heard.links)
    if text:
        parts = tuple(filter(None, map(clean, heard.seen)))
        return CellText(text, was, notes, links, said, parts if len(parts) > 1 else ())
    words, is_whole = _words(heard, name, said, attributes)
    if not is_whole:
        return CellText(None, was, notes, links, said, is_unreadable=True)
    return CellText(words or None, was, notes, links, is_inferred=bool(words))


def _words(heard: _Heard, name: str | None, said: tuple[str, ...], attributes: Mapping[str, str]) -> tuple[str, bool]:
    """The content of a cell without text: the first of its names, and whether all icons have a meaning."""
    spoken = clean("".join(heard.spoken))
    titles = clean(" ".join([*heard.titles, attributes.get("title", "")]))
    if name is not None:
        return name, True
    if any(is_name for _, is_name in heard.icons):
        return " ".join(said), all(says is not None for says, _ in heard.icons)
    if spoken or titles:
        return spoken or titles, True
    has_unnamed = any(says is None for says, _ in heard.icons)
    is_drawn = heard.has_ornament or meaning_of_class(attributes.get("class", "")) is not None
    return " ".join(said), not has_unnamed and (bool(said) or not is_drawn)
