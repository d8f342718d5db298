"""Blocks: the text units of a page in reading order. Every page format becomes blocks for the same grammar."""

import re
from collections.abc import Mapping
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

_INVISIBLE = re.compile(
    "[\x80-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)
"""C1 controls, possible line breaks, and direction marks."""
_TURNED = re.compile("\u202e([^\u202c]*)\u202c?")
"""A text that is shown from its end to its beginning: `51$` is `$15`."""
_JOINERS = re.compile(r"(?<![^\x00-\u024f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\u024f])")
"""They shape Persian and Indic letters and emoji; beside a Latin letter they are noise."""
_NOISE = re.compile(f"{_INVISIBLE.pattern[:-1]}\u200c\u200d]")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|[lr][ds]quo|[mn]dash|hellip|#39|#x27);")
_AMPERSAND = re.compile(rf"&(?!{_ENTITY.pattern[1:]})")
REMEMBERED_MAX = 300
"""The most characters of a cached text: a hostile page cannot fill the cache."""
_BETWEEN_SYMBOLS = re.compile(r"[^\w“\"]*(.*[\w.!?”\")])?", re.DOTALL)


class Cell(NamedTuple):
    """A block's position in a table: the table's number on the page, row and column, all from 0."""

    table: int
    row: int
    column: int


class Block(Struct, frozen=True, gc=False):
    """One text unit, and its markup.

    `level` is a heading's (1 to 6), `href` the target of the first link in or around the text. `path` numbers the
    elements around the text's own, outermost first: equal numbers mean the same element, nothing else. `elements` are
    these and the own one, each with tag and attributes. `is_key`: the head of a row or column, the term of a definition
    or a key of data; `is_inline`: one of several inline elements side by side; `is_control`: a button's text;
    `is_strong`: an element of bold words alone, often a heading. `lines` are those of `text` if it has forced line
    breaks. A text dump has none of these. An empty `text` is an empty table cell.
    """

    text: str
    level: int | None = None
    href: str | None = None
    path: tuple[int, ...] = ()
    elements: tuple[tuple[str, Mapping[str, str]], ...] = ()
    cell: Cell | None = None
    is_key: bool = False
    is_inline: bool = False
    is_control: bool = False
    is_strong: bool = False
    lines: tuple[str, ...] = ()

    def with_text(self, text: str) -> "Block":
        """The unit with another text."""
        return replace(self, text=text, lines=())

    def is_within(self, path: tuple[int, ...]) -> bool:
        """Whether the element with this path is around the text."""
        return self.path[: len(path)] == path


def clean(text: str) -> str:
    """The text with single spaces and without invisible characters. Words stay as they are."""
    # Nearly every text is clean, and a search for superfluous spaces takes a tenth of the time.
    if text.isprintable() and "  " not in text and text[:1] != " " != text[-1:]:
        return text
    if not text.isascii() and _NOISE.search(text):
        text = _TURNED.sub(lambda turned: turned[1][::-1], text)
        text = _JOINERS.sub("", _INVISIBLE.sub("", text))
    return " ".join(text.split())


def fold(text: str) -> str:
    """A label's form for comparisons: `Panel verdict:`, `PANEL VERDICT` and `📊 Panel verdict` are equal."""
    return _folded_before(text) if len(text) <= REMEMBERED_MAX else _fold_case(text)


def _fold_case(text: str) -> str:
    folded = text.casefold()
    if folded[:1].isalnum() and folded[-1:].isalnum():
        return folded
    between = _BETWEEN_SYMBOLS.match(folded)
    assert between is not None
    return between[1] or ""


_folded_before = lru_cache(maxsize=4096)(_fold_case)
"""A page folds each text five times, and pages of a site share their labels."""


def text_blocks(text: str) -> tuple[Block, ...]:
    """The non-empty lines of a dump, in order. Tabs separate the cells of a table row.

    If no `&` stands alone, the dump is escaped.
    """
    text = text if _AMPERSAND.search(text) else _ENTITY.sub(lambda match: unescape(match[0]), text)
    return tuple(Block(part) for line in text.splitlines() for part in map(clean, line.split("\t")) if part)


def count_shared_depth(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    if first == second:
        return len(first)
    depth = 0
    for number, other in zip(first, second, strict=False):
        if number != other:
            break
        depth += 1
    return depth
