"""The page's `A vs B`, and the blocks of the two cards that hold the names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extract.model.blocks import Block, clean
from extract.model.errors import PageRejected
from extract.panel.page_words import PageWords


@dataclass(frozen=True, slots=True)
class Title:
    """The title as printed, its two names, and the numbers of the blocks on the cards that hold them. A, then B."""

    text: str
    names: tuple[str, str]
    name_blocks: tuple[int, int]


def find_title(blocks: Sequence[Block], panels: tuple[int, int], words: PageWords) -> Title:
    """The two card blocks x and y for which the page's title reads `x vs y`. `panels` are the blocks of `Panel ship`.

    A name may hold ` vs ` itself, so every way to split a title is tried against the cards.

    Raises `PageRejected` (`incomplete_card`).
    """
    separator = words.title_separator
    for block in blocks:
        if separator not in block.text:
            continue
        text = clean(block.text.removeprefix(words.breadcrumb))
        for first, second in _splits(text, separator):
            first_block = _last(blocks, range(panels[0]), first)
            second_block = _last(blocks, range(panels[0] + 1, panels[1]), second)
            if first_block is not None and second_block is not None:
                return Title(text, (first, second), (first_block, second_block))
    raise PageRejected("incomplete_card", f"no 'A{separator}B' on the page fits the names of its two cards")


def _splits(title: str, separator: str) -> Iterator[tuple[str, str]]:
    start = title.find(separator)
    while start >= 0:
        yield title[:start], title[start + len(separator) :]
        start = title.find(separator, start + 1)


def _last(blocks: Sequence[Block], among: range, text: str) -> int | None:
    return next((index for index in reversed(among) if blocks[index].text == text), None)
