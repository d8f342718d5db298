"""Texts of a page that are none of its facts (pictures, adverts, buttons, links, counts), and what is left."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from verdicts.corpus.enumerations import Side
from verdicts.extract.model.blocks import Block, element, fold
from verdicts.extract.model.records import Doubt
from verdicts.extract.panel.page_words import PERCENT, PageWords

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


FURNITURE_MAX = 60
"""Characters of a text that may hang on a take: `12 people found this helpful`."""

REPEATS_MIN = 2
"""Takes that end or begin alike before what they share is furniture; they must be half of the page's takes, too."""

DATE_MAX = 24
"""Characters of a date or a count, whose words may differ from take to take: `3 Oct 2026`."""

ENDING_MAX = 6
"""Words behind the last sentence of a take that may be furniture."""

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_SENTENCE_ENDS = (".", "!", "?", "…")
_WORD = re.compile(r"[^\W\d]+")


def hangs_on_take(block: Block, words: PageWords) -> bool:
    """A button, a badge, `Share · Report`, `12 found this helpful`, `Sponsored`."""
    if block.is_control or not block.text:
        return True
    return is_advert(block, words) if len(block.text) > FURNITURE_MAX else _is_named_furniture(block.text, words)


@lru_cache(maxsize=8192)
def _is_named_furniture(text: str, words: PageWords) -> bool:
    is_sign = not any(character.isalnum() for character in text)
    is_named = fold(text) in words.badges or words.furniture.fullmatch(text) is not None
    return is_sign or is_named or words.advert.match(text) is not None


def is_advert(block: Block, words: PageWords) -> bool:
    """`Sponsored`, `Ad · Try this`."""
    return words.advert.match(block.text) is not None


def without_hung_adverts(blocks: Sequence[Block], texts: list[int], words: PageWords) -> list[int]:
    """Without adverts: where one is named as such, all that the element around the name holds."""
    named = [index for index in texts if is_advert(blocks[index], words)]
    if not named:
        return texts
    first = blocks[texts[0]].path
    around = [blocks[index].path for index in named if len(blocks[index].path) > len(first)]
    left = [
        index for index in texts if index not in named and not any(blocks[index].is_within(path) for path in around)
    ]
    return left or texts


def recurring_forms(blocks: Sequence[Block], takes: Sequence[Sequence[int]]) -> set[str]:
    """The forms of links and counts that begin or end half of the takes."""
    counted = Counter(
        form
        for texts in takes
        if len(texts) > 1
        for form in {_hanging_form(blocks[index]) for index in (texts[0], *texts[-3:]) if _may_hang(blocks[index])}
    )
    least = max(REPEATS_MIN, len(takes) / 2)
    return {form for form, count in counted.items() if form and count >= least}


def _may_hang(block: Block) -> bool:
    """A link, a count or a date, and no sentence."""
    is_short = len(block.text) <= FURNITURE_MAX and not block.text.endswith((".", "!", "?"))
    return is_short and (block.href is not None or _DIGITS.search(block.text) is not None)


def _hanging_form(block: Block) -> str:
    """The form of a text that may hang on a take. Links are of one form: `Full review by Builder →`."""
    return "link" if block.href is not None else _form(block.text)


def _form(text: str) -> str:
    """`12 found this helpful` and `3 found this helpful` are of one form, and so are two dates."""
    form = _DIGITS.sub("9", fold(text))
    return _WORD.sub("w", form) if len(form) <= DATE_MAX and "9" in form else form


def own_words(blocks: Sequence[Block], texts: Sequence[int], recurring: set[str], words: PageWords) -> list[int]:
    if len(texts) == 1:
        return [index for index in texts if not blocks[index].is_control]
    left = list(texts)
    while len(left) > 1 and _hanging_form(blocks[left[-1]]) in recurring and _may_hang(blocks[left[-1]]):
        left.pop()
    while len(left) > 1 and _hanging_form(blocks[left[0]]) in recurring and _may_hang(blocks[left[0]]):
        left.pop(0)
    left = [index for index in left if not hangs_on_take(blocks[index], words)] or [
        index for index in left if not blocks[index].is_control
    ]
    return _without_teasers(blocks, left)


def _without_teasers(blocks: Sequence[Block], texts: list[int]) -> list[int]:
    """Without a text that another one repeats and goes on with: `The primitive is…` before the whole of it."""
    said = {index: blocks[index].text for index in texts}
    return [
        index
        for index, text in said.items()
        if not any(
            other != index and whole.startswith(text.rstrip(".… ")) and len(whole) >= len(text) and text != whole
            for other, whole in said.items()
        )
    ]


def repeated_texts(blocks: Sequence[Block], takes: Iterable[Sequence[int]]) -> set[str]:
    """Texts that stand in several takes beside others: a part of each, or something that hangs on all."""
    counted = Counter(text for texts in takes if len(texts) > 1 for text in {blocks[index].text for index in texts})
    return {text for text, count in counted.items() if count >= REPEATS_MIN}


def shared_endings(takes: Mapping[int, str], words: PageWords) -> dict[int, str]:
    """The takes without the words that half of them end with, numbers aside: `… Read more`, `… 12 found this helpful`.

    These stand behind a sentence and are none. So does a count or an age that begins or ends half of them.
    """
    least = max(REPEATS_MIN, len(takes) / 2)
    if (
        sum(_may_touch_a_count(text) and words.count_beside_take.search(text) is not None for text in takes.values())
        >= least
    ):
        takes = {first: words.count_beside_take.sub("", text) for first, text in takes.items()}
    if all(text.endswith(_SENTENCE_ENDS) for text in takes.values()):
        return dict(takes)
    split = {first: text.split() for first, text in takes.items()}
    endings = Counter(ending for said in split.values() if (ending := _ending(said)))
    common = {
        ending
        for ending, count in endings.items()
        if count >= least and ("9" in ending or words.furniture.fullmatch(" ".join(ending)) is not None)
    }
    return {
        first: " ".join(said[: -len(ending)]) if (ending := _ending(said)) in common else takes[first]
        for first, said in split.items()
    }


def _may_touch_a_count(text: str) -> bool:
    return text[:1].isdigit() or not text.endswith(_SENTENCE_ENDS)


def _ending(said: Sequence[str]) -> tuple[str, ...]:
    """The form of the words behind the last sentence of a take; empty where it ends with the sentence."""
    if not said or said[-1].endswith(_SENTENCE_ENDS):
        return ()
    behind: list[str] = []
    for word in reversed(said[1:]):
        if word.rstrip("”\"'’)").endswith(_SENTENCE_ENDS):
            return tuple(reversed(behind))
        behind.append(_DIGITS.sub("9", word.casefold()))
        if len(behind) > ENDING_MAX:
            break
    return ()
