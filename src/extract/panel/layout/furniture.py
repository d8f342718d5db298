"""Texts of a page that are none of its facts: pictures, adverts, buttons, links; and what is left without them."""

from collections.abc import Iterable, Sequence

from verdicts.corpus.enumerations import Side
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.records import Doubt
from verdicts.extract.panel.layout.elements import element
from verdicts.extract.panel.words.page_words import PERCENT, PageWords

FURNITURE_MAX = 60
"""Characters of a text that may be a link's, a button's or an advert's label."""

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
    if len(block.text) > FURNITURE_MAX:
        return False
    return fold(block.text) in words.links or says_it_is_furniture(block.text, words) or is_decoration(block, words)


def says_it_is_furniture(text: str, words: PageWords) -> bool:
    """`Sponsored`, `Share · Report`, `12 found this helpful`."""
    return words.furniture.fullmatch(text) is not None or words.advert.fullmatch(text) is not None


def without_adverts(blocks: Sequence[Block], left: Sequence[int], words: PageWords) -> list[int]:
    """Without what names itself an advert, and without all in an element that begins with this name."""
    cut: set[int] = set()
    for index in left:
        text = blocks[index].text
        if len(text) <= FURNITURE_MAX and words.advert.match(text) is not None:
            own = element(blocks, blocks[index].path) if blocks[index].path else range(0)
            cut |= {index, *(own if own.start == index and set(own) <= set(left) else ())}
    return [index for index in left if index not in cut]


def unread(
    blocks: Sequence[Block], left: Iterable[int], side: Side | None, known: Iterable[str], where: str, words: PageWords
) -> list[Doubt]:
    """A doubt for each run of texts in `left` that is neither furniture nor repeats something in `known`."""
    repeated = {fold(text.strip()) for text in known}
    doubts: list[Doubt] = []
    run: list[str] = []
    last = None
    for index in without_adverts(blocks, [*left], words):
        block = blocks[index]
        folded = fold(block.text)
        if folded in repeated or folded in words.closing_lines or is_furniture(block, words):
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
