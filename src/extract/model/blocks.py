"""Blocks: the text units of a page in reading order. Every rendering becomes blocks, which one grammar reads."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

_INVISIBLE = re.compile(
    "[\x80-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)
"""C1 controls, places to break a line, and marks of the direction of writing."""
_JOINERS = re.compile(r"(?<![^\x00-\u024f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\u024f])")
"""They shape Persian and Indic letters and emoji; beside a Latin letter they are noise."""
_NOISE = re.compile(f"{_INVISIBLE.pattern[:-1]}\u200c\u200d]")
REMEMBERED_MAX = 300
"""Characters of a text whose folded form is remembered: what a hostile page says once is not kept."""
_BETWEEN_SYMBOLS = re.compile(r"[^\w“\"]*(.*[\w.!?”\")])?", re.DOTALL)


class Cell(NamedTuple):
    """Where a block stands in a table: number of the table on the page, row and column, all from 0."""

    table: int
    row: int
    column: int


@dataclass(slots=True)  # a frozen one takes six times as long to make, and a page has a hundred
class Block:
    """One text unit, and what the markup says about it.

    `level` is a heading's (1 to 6), `href` the target of the first link in or around the text. `path` numbers the
    elements around the one that holds the text, outermost first: only that equal ones are the same element means
    something. `is_key` holds for the head of a row or column, the term of a definition and a key of data; `is_inline`
    for one of several inline elements that stand side by side, `is_control` for what a button says. `breaks` are the
    places of the spaces in `text` that stand for a forced line break. In a text dump all of these are absent. An empty
    `text` is an empty table cell.
    """

    text: str
    level: int | None = None
    href: str | None = None
    path: tuple[int, ...] = ()
    cell: Cell | None = None
    is_key: bool = False
    is_inline: bool = False
    is_control: bool = False
    breaks: tuple[int, ...] = ()

    def is_within(self, path: tuple[int, ...]) -> bool:
        """Whether the element with this path is one of those around the text."""
        return self.path[: len(path)] == path


def clean(text: str) -> str:
    """The text with runs of white space as one space and without invisible characters. Words stay as they are."""
    if not text.isascii() and _NOISE.search(text):
        text = _JOINERS.sub("", _INVISIBLE.sub("", text))
    return " ".join(text.split())


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """A label's form for comparing: `Panel verdict:`, `PANEL VERDICT` and `📊 Panel verdict` are the same label."""
    return _folded_before(text) if len(text) <= REMEMBERED_MAX else _folded(text)


def _folded(text: str) -> str:
    folded = text.casefold()
    if folded[:1].isalnum() and folded[-1:].isalnum():
        return folded
    between = _BETWEEN_SYMBOLS.match(folded)
    assert between is not None
    return between[1] or ""


_folded_before = lru_cache(maxsize=4096)(_folded)
"""A page asks for each of its texts five times, and pages of a site have their labels in common."""


def text_blocks(text: str) -> tuple[Block, ...]:
    """The non-empty lines of a dump, in order. Tabs stand between the cells of a table's row."""
    return tuple(Block(part) for line in text.splitlines() for part in map(clean, line.split("\t")) if part)


def shared_depth(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """How many elements are around both."""
    if first == second:
        return len(first)
    depth = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        depth += 1
    return depth
