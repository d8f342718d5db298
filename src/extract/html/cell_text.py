"""What a cell says: its text as a browser shows it, or what its icons say.

The rules are those of innerText in the HTML standard: the `display` of an element parts its text from what is beside
it, never the neighbour's tag. `<b>$20</b><span>/mo</span>` is `$20/mo`, `<div>$20</div><div>a month</div>` is
`$20 a month`. Blocks of a page part some inline elements, too: there a label and its value are `<span>` by `<span>`,
and a reader needs both (`html_blocks`). A cell is one value.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from verdicts.extract.html.elements import (
    BLOCK_CLASSES,
    BLOCK_TAGS,
    CONTROL_ROLE,
    CONTROLS,
    HIDDEN_CLASSES,
    HIDDEN_STYLES,
    ICON_TAGS,
    SCREEN_READER_CLASSES,
    STRUCK,
    STRUCK_STYLE,
    TOOLTIP_ROLE,
    Element,
    attributes_of,
    is_noted_amount,
    raised_text,
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
    """What a cell says. `text` is None where it says nothing, and where it `is_unreadable`."""

    text: str | None
    was: tuple[str, ...] = ()
    """Texts that are struck out: `$29` of `<del>$29</del> $19`."""
    notes: tuple[str, ...] = ()
    """Marks of footnotes, as printed."""
    links: tuple[str, ...] = ()
    """Targets of its links, in order."""
    beside: tuple[str, ...] = ()
    """What icons say beside the text, or those of an unreadable cell that do say something."""
    is_inferred: bool = False
    """The text is what an icon says, or text for screen readers: nobody sees these words."""
    is_unreadable: bool = False
    """It shows an icon that says nothing, and no text."""


EMPTY = CellText(None)


class _End(Enum):
    """Stands in the walk behind what an element holds."""

    BLOCK = auto()
    STRUCK = auto()
    SPOKEN = auto()
    NAMED = auto()
    CONTROL = auto()


@dataclass(slots=True)
class _Heard:
    """What the walk has gathered, and the elements around it by the way they end."""

    around: dict[_End, int] = field(default_factory=lambda: dict.fromkeys(_End, 0))
    seen: list[str] = field(default_factory=list)
    struck: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    icons: list[tuple[str | None, bool]] = field(default_factory=list)
    """What each says, and whether it has this for a name."""
    has_ornament: bool = False
    """It shows an icon that says nothing and is marked as one that need not."""
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
    """What a cell says. `ids`: elements of the page that `aria-labelledby` may name."""
    _, attributes, children = cell
    if not attributes and len(children) == 1 and isinstance(children[0], str) and children[0].isascii():
        return CellText(clean(children[0]) or None)
    heard = _Heard()
    of_cell = attributes_of(attributes)
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
    return _said(heard, accessible_name(cell, of_cell, ids), of_cell)


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Whether an element is not shown, as its own attributes say."""
    if "hidden" in attributes or attributes.get("role") == TOOLTIP_ROLE:
        return True
    if attributes.get("aria-hidden") == "true" and attributes.get("href", "").startswith("#"):
        return True
    style = attributes.get("style")
    if style and any(hidden in _squeezed(style) for hidden in HIDDEN_STYLES):
        return True
    return not HIDDEN_CLASSES.isdisjoint(attributes.get("class", "").split())


def _entered(element: Element, heard: _Heard, ids: Mapping[str, Element]) -> list[Element | str | _End]:
    """What the walk goes on with: nothing of an element that is not shown, is an icon or a footnote's mark."""
    tag, written, children = element
    if not written and tag not in _MARKED:
        return [*children[::-1]]
    attributes = attributes_of(written)
    if is_hidden(attributes) or _is_told(element, attributes, heard, ids):
        return []
    if tag == "a" and (target := attributes.get("href")):
        heard.links.append(target)
    ends = _ends(tag, attributes)
    if _End.CONTROL not in ends and (name := accessible_name(element, attributes, ids)) is not None:
        heard.icon(name, is_name=True)
        ends.append(_End.NAMED)
    elif title := attributes.get("title"):
        heard.titles.append(title)
    for end in ends:
        heard.around[end] += 1
    if _End.BLOCK in ends:
        heard.part()
    return [*ends, *children[::-1]]


def _is_told(element: Element, attributes: Mapping[str, str], heard: _Heard, ids: Mapping[str, Element]) -> bool:
    """Whether an element is told as a whole: a forced break, an icon, a raised mark."""
    tag, _, children = element
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
    if not is_icon(tag, attributes, children):
        return False
    name = accessible_name(element, attributes, ids)
    says = name or icon_meaning(element, attributes)
    if says is None and (attributes.get("alt") == "" or attributes.get("aria-hidden") == "true"):
        heard.has_ornament = True
    else:
        heard.icon(None if heard.around[_End.CONTROL] else says, is_name=name is not None)
    return True


_MARKED = BLOCK_TAGS | STRUCK | ICON_TAGS | CONTROLS | {"sup", "br", "i"}
"""Tags that mean something without an attribute."""


def _ends(tag: str, attributes: Mapping[str, str]) -> list[_End]:
    """What an element is to its text; its `display` is its tag's unless it says another."""
    ends = []
    classes = attributes.get("class", "").split()
    style = _squeezed(attributes.get("style", ""))
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
        return CellText(text, was, notes, links, said)
    words, is_whole = _words(heard, name, said, attributes)
    if not is_whole:
        return CellText(None, was, notes, links, said, is_unreadable=True)
    return CellText(words or None, was, notes, links, is_inferred=bool(words))


def _words(heard: _Heard, name: str | None, said: tuple[str, ...], attributes: Mapping[str, str]) -> tuple[str, bool]:
    """What a cell without text says, by the first of its names, and whether no icon is left that says nothing."""
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


def _squeezed(style: str) -> str:
    return style.replace(" ", "").lower()
