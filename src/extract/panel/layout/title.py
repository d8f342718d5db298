"""The page's `A vs B`, and the blocks of the two cards that hold the names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from verdicts.extract.model.blocks import Block, clean, fold
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.panel.layout.furniture import is_monogram
from verdicts.extract.panel.words.page_words import PageWords

TITLE_MAX = 200
"""Characters of a title that is found by its names alone; a description that names both tools is longer."""


@dataclass(frozen=True, slots=True)
class Title:
    """The title as printed, the two names, and the numbers of the blocks on the cards that hold them.

    The name of the card that stands first comes first, also where the title has it second. `block` is the title's own.
    """

    text: str
    names: tuple[str, str]
    name_blocks: tuple[int, int]
    block: int


def find_title(blocks: Sequence[Block], places: tuple[Sequence[int], Sequence[int]], words: PageWords) -> Title:
    """The two card blocks x and y for which the page's title reads `x vs y`, or `y vs x`.

    `places` are the blocks that may hold the name of each card, the likeliest first. A name may hold ` vs ` itself, so
    every way to split a title is tried against the cards.

    Raises `PageRejected` (`incomplete_card`).
    """
    for fits in (is_name, partial(_is_name_with_badge, words)):
        for number, text, names in titles(blocks, words):
            for first, second in (names, names[::-1]):
                first_block = next((index for index in places[0] if fits(blocks[index], first)), None)
                second_block = next((index for index in places[1] if fits(blocks[index], second)), None)
                if first_block is not None and second_block is not None:
                    return Title(text, (first, second), (first_block, second_block), number)
    found = _title_in_other_words(blocks, places, words)
    if found is None:
        raise PageRejected(
            "incomplete_card", f"no 'A{words.title_separator}B' on the page fits the names of its two cards"
        )
    return found


def _title_in_other_words(
    blocks: Sequence[Block], places: tuple[Sequence[int], Sequence[int]], words: PageWords
) -> Title | None:
    """A text that holds the names of both cards, where headings or links say what these are: `Compare A and B`."""
    marked = [[index for index in place if _is_marked(blocks[index], words)] for place in places]
    for number, block in enumerate(blocks):
        if len(block.text) > TITLE_MAX or not block.text:
            continue
        for first in marked[0]:
            for second in marked[1]:
                names = (blocks[first].text, blocks[second].text)
                if number not in {first, second} and _holds_both(block.text, names):
                    return Title(clean(block.text.removeprefix(words.breadcrumb)), names, (first, second), number)
    return None


def _is_marked(block: Block, words: PageWords) -> bool:
    is_link = words.tool_link.search(block.href or "") is not None
    return len(block.text) > 1 and (is_link or (block.level is not None and fold(block.text) not in words.labels))


def _holds_both(text: str, names: tuple[str, str]) -> bool:
    """Whether both names stand in a text, apart: `Alpha 2` alone is not `Alpha` and `Alpha 2`."""
    longer, shorter = sorted(names, key=len, reverse=True)
    return longer in text and shorter in text.replace(longer, " ", 1)


def titles(blocks: Sequence[Block], words: PageWords) -> Iterator[tuple[int, str, tuple[str, str]]]:
    """Every text that may be the title, with every way to split it: its block, the text, the two names."""
    separator = words.title_separator
    for number, block in enumerate(blocks):
        if separator in block.text:
            text = clean(block.text.removeprefix(words.breadcrumb))
            start = text.find(separator)
            while start >= 0:
                yield number, text, (text[:start], text[start + len(separator) :])
                start = text.find(separator, start + 1)


def is_name(block: Block, name: str) -> bool:
    """Whether a block is a name and nothing else."""
    return block.text == name


def _is_name_with_badge(words: PageWords, block: Block, name: str) -> bool:
    """`Alpha New`, `A Alpha`: an element inside the name's own."""
    text = block.text
    if not text.startswith(name) and not text.endswith(name):
        return False
    beside = clean(text.removeprefix(name) if text.startswith(name) else text.removesuffix(name))
    return fold(beside) in words.badges or is_monogram(beside, name)
