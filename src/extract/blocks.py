"""Blocks: the text units of a page in reading order. Every rendering becomes blocks, and one grammar reads them."""

import re
from dataclasses import dataclass

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060\ufeff\u00ad"))
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Block:
    """One text unit and what is known of it.

    `level` is a heading's (1 to 6), `href` the target of the first link in or around the text, `parent` a number that
    blocks with the same parent element share. A text dump knows none of them. An empty `text` is an empty table cell.
    """

    text: str
    level: int | None = None
    href: str | None = None
    parent: int | None = None


def clean(text: str) -> str:
    """The text as a reader sees it: runs of white space are one space, invisible characters gone. Words stay."""
    return _SPACES.sub(" ", text.translate(_INVISIBLE)).strip()


def fold(text: str) -> str:
    """A label's form for comparing: `Panel verdict:` and `PANEL VERDICT` are the same label."""
    return text.casefold().rstrip(": ")
