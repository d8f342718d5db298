"""The words of each take: what stands in its cell, without the furniture that the site hangs on it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from extract.model.blocks import Block, Cell, fold, shared_depth
from extract.model.errors import PageRejected
from extract.panel.scorecard.take_rows import SeatedCell
from extract.panel.words.page_words import PageWords

FURNITURE_MAX = 60
"""Characters of a text that may hang on a take: `12 people found this helpful`."""

PROSE_MIN = 60
"""Characters of a text that is no label, no seat and no furniture."""

REPEATS_MIN = 2
"""Takes that end or begin alike before what they share is furniture; they must be half of the page's takes, too."""

DATE_MAX = 24
"""Characters of a date or a count, whose words may differ from take to take: `3 Oct 2026`."""

ENDING_MAX = 6
"""Words behind the last sentence of a take that may be furniture."""

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_SENTENCE_ENDS = (".", "!", "?", "…")
_WORD = re.compile(r"[^\W\d]+")


@dataclass(frozen=True, slots=True)
class CellTexts:
    """`own` are the texts of each cell, by the first text of its head; `outside` those of its region that are no part.

    `unbounded` are the cells that no element holds alone.
    """

    own: Mapping[int, list[int]]
    outside: tuple[int, ...]
    unbounded: frozenset[int]


def cell_paths(blocks: Sequence[Block], cells: Sequence[SeatedCell]) -> dict[int, tuple[int, ...]]:
    """For the head of each cell the path of the element that holds this cell alone; empty where there is none.

    Keys are the numbers of the heads' first texts. Raises `PageRejected` (`incomplete_scorecard`) where the element
    holds other words than those that the order of the page gives to the cell: they are those of another.
    """
    heads = {cell.opening.first: _common(blocks, range(cell.opening.first, cell.opening.last + 1)) for cell in cells}
    numbers = sorted(heads)
    found: dict[int, tuple[int, ...]] = {}
    for cell in cells:
        number = cell.opening.first
        place = numbers.index(number)
        near = [numbers[other] for other in (place - 1, place + 1) if 0 <= other < len(numbers)]
        within = [index for index in cell.region if blocks[index].text and index != cell.opening.closing]
        own = _alone(blocks, heads[number], near)
        if own and within and not any(blocks[index].path[: len(own)] == own for index in within):
            if any(len(blocks[index].text) > PROSE_MIN for index in _held(blocks, own, cell)):
                raise PageRejected("incomplete_scorecard", f"the words beside a score of {cell.seat} are not its own")
            nearest = within[0] if cell.region.start > cell.opening.last else within[-1]
            own = _alone(blocks, _common(blocks, [number, nearest]), near)
        found[number] = own
    return found


def _held(blocks: Sequence[Block], path: tuple[int, ...], cell: SeatedCell) -> list[int]:
    """Texts that an element holds besides the head of a cell."""
    inside = range(cell.opening.first, cell.opening.last + 1)
    return [index for index, block in enumerate(blocks) if index not in inside and block.path[: len(path)] == path]


def _alone(blocks: Sequence[Block], path: tuple[int, ...], others: Sequence[int]) -> tuple[int, ...]:
    """The outermost of these elements that does not hold the others, too."""
    shared = max((shared_depth(path, blocks[other].path) for other in others), default=0)
    return path[: shared + 1] if shared < len(path) else ()


def _common(blocks: Sequence[Block], texts: Sequence[int]) -> tuple[int, ...]:
    path = blocks[texts[0]].path
    for index in texts:
        path = path[: shared_depth(path, blocks[index].path)]
    return path


def cell_texts(blocks: Sequence[Block], cells: Sequence[SeatedCell], words: PageWords) -> CellTexts:
    """The texts of each take.

    Paragraphs, lists, quotations and folded parts all belong to the take that they stand with. What is named
    furniture, or is a button, a link or a count that ends half of the takes, does not.
    """
    paths = cell_paths(blocks, cells)
    found: dict[int, list[int]] = {}
    outside: list[int] = []
    for cell in cells:
        opening, path = cell.opening, paths[cell.opening.first]
        within = [index for index in cell.region if blocks[index].text and index != opening.closing]
        own = [index for index in within if blocks[index].path[: len(path)] == path]
        own = _without_adverts(blocks, _of_one_cell(blocks, own), words)
        outside += [index for index in within if index not in own]
        found[opening.first] = own
    trailing = _behind_the_last(found, cells, paths)
    outside += trailing
    takes = {first: [index for index in texts if index not in trailing] for first, texts in found.items()}
    recurring = _recurring(blocks, [texts for texts in takes.values() if texts])
    kept = {first: _own_words(blocks, texts, recurring, words) for first, texts in takes.items()}
    return CellTexts(kept, tuple(outside), frozenset(first for first, path in paths.items() if not path))


def _behind_the_last(
    found: Mapping[int, list[int]], cells: Sequence[SeatedCell], paths: Mapping[int, tuple[int, ...]]
) -> list[int]:
    """What stands behind the last take where no element holds it, and all other takes are one text: a footer."""
    unbounded = [cell.opening.first for cell in cells if cell.opening.is_take and not paths[cell.opening.first]]
    if len(unbounded) < 2 or any(len(found[first]) != 1 for first in sorted(unbounded)[:-1]):
        return []
    return found[max(unbounded)][1:]


def _of_one_cell(blocks: Sequence[Block], texts: list[int]) -> list[int]:
    """In a table with a column for more than head and take (a date, a count), the texts of the longest cell alone."""
    if len(texts) < 2 or len({blocks[index].cell for index in texts}) < 2:
        return texts
    lengths: Counter[Cell | None] = Counter()
    for index in texts:
        lengths[blocks[index].cell] += len(blocks[index].text)
    longest = lengths.most_common(1)[0][0]
    return [index for index in texts if blocks[index].cell == longest]


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


def _without_adverts(blocks: Sequence[Block], texts: list[int], words: PageWords) -> list[int]:
    """Without adverts: where one is named as such, all that the element around the name holds."""
    named = [index for index in texts if is_advert(blocks[index], words)]
    if not named:
        return texts
    first = blocks[texts[0]].path
    around = [blocks[index].path for index in named if len(blocks[index].path) > len(first)]
    left = [
        index
        for index in texts
        if index not in named and not any(blocks[index].path[: len(path)] == path for path in around)
    ]
    return left or texts


def _recurring(blocks: Sequence[Block], takes: Sequence[Sequence[int]]) -> set[str]:
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


def _own_words(blocks: Sequence[Block], texts: Sequence[int], recurring: set[str], words: PageWords) -> list[int]:
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
