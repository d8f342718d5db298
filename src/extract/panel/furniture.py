"""Texts of a page that are none of its facts: pictures, adverts, buttons, links; and what is left without them. Pure."""

from collections.abc import Iterable, Sequence

from corpus.enumerations import Side
from extract.model.blocks import Block, fold
from extract.model.records import Doubt
from extract.panel.page_words import PERCENT, PageWords

SHOWN_MAX = 200
"""Characters of an unread text that a doubt quotes."""


def is_monogram(text: str, name: str) -> bool:
    """The card's picture: the first letter of its name."""
    return len(text) == 1 and text.casefold() == name[:1].casefold()


def is_decoration(block: Block, words: PageWords) -> bool:
    """`★`, `New`, `Sponsored`: hung beside the facts, none of them."""
    text = block.text
    if not text or len(text) > words.badge_max:
        return False
    is_symbol = len(text) <= 3 and text != "/" and not any(character.isalnum() for character in text)
    return fold(text) in words.badges or (is_symbol and text not in words.no_value)


def is_furniture(block: Block, words: PageWords) -> bool:
    """Says nothing about the tools: an empty text, a button, `Visit site`, an advert's label."""
    if not block.text or block.is_control or block.text in words.no_value:
        return True
    return (len(block.text) <= words.furniture_max and fold(block.text) in words.furniture) or is_decoration(
        block, words
    )


def unread(
    blocks: Sequence[Block], left: Iterable[int], side: Side | None, known: Iterable[str], where: str, words: PageWords
) -> list[Doubt]:
    """A doubt for each run of texts in `left` that is neither furniture nor repeats something in `known`."""
    repeated = {fold(text) for text in known}
    doubts: list[Doubt] = []
    run: list[str] = []
    last = None
    for index in left:
        block = blocks[index]
        if is_furniture(block, words) or fold(block.text) in repeated:
            continue
        if last is not None and index > last + 1:
            doubts.append(_doubt(run, side, where))
            run = []
        run.append(block.text)
        last = index
    if run:
        doubts.append(_doubt(run, side, where))
    return doubts


def _doubt(texts: Sequence[str], side: Side | None, where: str) -> Doubt:
    shown = " / ".join(texts)
    return Doubt("unread_text", side, where, shown if len(shown) <= SHOWN_MAX else f"{shown[: SHOWN_MAX - 3]}...")


def is_percent(text: str) -> bool:
    """`75%`, `66.7 %`."""
    return PERCENT.fullmatch(text) is not None
