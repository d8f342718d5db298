"""The words of each take: the content of its cell, without buttons, counts and adverts."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from verdicts.extract.model.blocks import Block, Cell, fold, shared_depth
from verdicts.extract.model.records import PageRejected
from verdicts.extract.panel.take_rows import SeatedCell
from verdicts.extract.panel.texts import BOILERPLATE_MAX, PageWords, Texts

PROSE_MIN = 60
"""From this many characters on, a text is no label, seat or boilerplate."""

REPEATS_MIN = 2
"""Takes that must share an ending or beginning before it is boilerplate; also at least half of all takes."""

DATE_MAX = 24
"""The most characters of a date or a count, which varies from take to take: `3 Oct 2026`."""

ENDING_MAX = 6
"""The most words after the last sentence of a take that may be boilerplate."""

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_SENTENCE_ENDS = (".", "!", "?", "…")
_WORD = re.compile(r"[^\W\d]+")


@dataclass(frozen=True, slots=True)
class CellTexts:
    """`own` are the texts of each cell, by its head's first text; `outside` others in its region.

    `unbounded` are cells without an element of their own.
    """

    own: Mapping[int, list[int]]
    outside: tuple[int, ...]
    unbounded: frozenset[int]


def cell_texts(texts: Texts, cells: Sequence[SeatedCell]) -> CellTexts:
    """The texts of each take.

    Paragraphs, lists, quotations and folded parts all belong to their take. Known boilerplate does not, nor does a
    button, link or count that ends half of the takes. Raises `PageRejected` (`incomplete_scorecard`) if the words
    beside a head belong to another cell.
    """
    paths = _cell_paths(texts, cells)
    found: dict[int, list[int]] = {}
    outside: list[int] = []
    for cell in cells:
        within = _within(texts, cell)
        own = [index for index in within if texts[index].is_within(paths[cell.opening.first])]
        own = _without_adverts(texts, _of_one_cell(texts, own))
        outside += [index for index in within if index not in own]
        found[cell.opening.first] = own
    trailing = _behind_the_last(found, [cell.opening.first for cell in cells if cell.opening.is_take], paths)
    takes = {first: [index for index in own if index not in trailing] for first, own in found.items()}
    recurring = _recurring_forms(texts, [own for own in takes.values() if own])
    kept = {first: _own_words(texts, own, recurring) for first, own in takes.items()}
    return CellTexts(kept, (*outside, *trailing), frozenset(first for first, path in paths.items() if not path))


def _within(texts: Texts, cell: SeatedCell) -> list[int]:
    return [index for index in cell.region if texts[index].text and index != cell.opening.closing]


def _cell_paths(texts: Texts, cells: Sequence[SeatedCell]) -> dict[int, tuple[int, ...]]:
    """The path of each cell's own element, by the head's first text; empty without one."""
    heads = {cell.opening.first: _common(texts, range(cell.opening.first, cell.opening.last + 1)) for cell in cells}
    numbers = sorted(heads)
    found: dict[int, tuple[int, ...]] = {}
    for cell in cells:
        number = cell.opening.first
        place = numbers.index(number)
        near = [numbers[other] for other in (place - 1, place + 1) if 0 <= other < len(numbers)]
        within = _within(texts, cell)
        own = _alone(texts, heads[number], near)
        if own and within and not any(texts[index].is_within(own) for index in within):
            head = range(number, cell.opening.last + 1)
            held = [block for index, block in enumerate(texts) if index not in head and block.is_within(own)]
            if any(len(block.text) > PROSE_MIN for block in held):
                raise PageRejected("incomplete_scorecard", f"the words beside a score of {cell.seat} are not its own")
            nearest = within[0] if cell.region.start > cell.opening.last else within[-1]
            own = _alone(texts, _common(texts, [number, nearest]), near)
        found[number] = own
    return found


def _alone(texts: Texts, path: tuple[int, ...], others: Iterable[int]) -> tuple[int, ...]:
    """The outermost of these elements without the others."""
    shared = max((shared_depth(path, texts[other].path) for other in others), default=0)
    return path[: shared + 1] if shared < len(path) else ()


def _common(texts: Texts, numbers: Sequence[int]) -> tuple[int, ...]:
    path = texts[numbers[0]].path
    for index in numbers:
        path = path[: shared_depth(path, texts[index].path)]
    return path


def _of_one_cell(texts: Texts, own: list[int]) -> list[int]:
    """In a table with an extra column (a date, a count), only the texts of the longest cell."""
    lengths: Counter[Cell | None] = Counter()
    for index in own:
        lengths[texts[index].cell] += len(texts[index].text)
    longest = [cell for cell, _ in lengths.most_common(1)]
    return [index for index in own if texts[index].cell in longest]


def _without_adverts(texts: Texts, own: list[int]) -> list[int]:
    """Removes adverts: all texts of the element around an advert's label."""
    named = [index for index in own if texts.is_advert(index)]
    if not named:
        return own
    first = texts[own[0]].path
    around = [texts[index].path for index in named if len(texts[index].path) > len(first)]
    left = [index for index in own if index not in named and not any(map(texts[index].is_within, around))]
    return left or own


def _behind_the_last(
    found: Mapping[int, list[int]], takes: Iterable[int], paths: Mapping[int, tuple[int, ...]]
) -> list[int]:
    """Texts after the last take, if no element holds it and all other takes are one text: a footer."""
    unbounded = sorted(first for first in takes if not paths[first])
    if len(unbounded) < 2 or any(len(found[first]) != 1 for first in unbounded[:-1]):
        return []
    return found[unbounded[-1]][1:]


def _recurring_forms(texts: Texts, takes: Sequence[Sequence[int]]) -> set[str]:
    """The forms of links and counts that begin or end half of the takes."""
    counted = Counter(
        form for own in takes if len(own) > 1 for form in {_hanging_form(texts[index]) for index in (own[0], *own[-3:])}
    )
    least = max(REPEATS_MIN, len(takes) / 2)
    return {form for form, count in counted.items() if form and count >= least}


def _hanging_form(block: Block) -> str | None:
    """The form of a link, a count or a date beside a take; None for a sentence.

    All links have one form, `Full review by Builder →`; so have `12 found this helpful` and `3 found this helpful`, and
    two dates.
    """
    if len(block.text) > BOILERPLATE_MAX or block.text.endswith((".", "!", "?")):
        return None
    if block.href is not None:
        return "link"
    if _DIGITS.search(block.text) is None:
        return None
    form = _DIGITS.sub("9", fold(block.text))
    return _WORD.sub("w", form) if len(form) <= DATE_MAX and "9" in form else form


def _own_words(texts: Texts, own: Sequence[int], recurring: set[str]) -> list[int]:
    if len(own) == 1:
        return [index for index in own if not texts[index].is_control]
    left = list(own)
    while len(left) > 1 and _hanging_form(texts[left[-1]]) in recurring:
        left.pop()
    while len(left) > 1 and _hanging_form(texts[left[0]]) in recurring:
        left.pop(0)
    left = [index for index in left if not texts.hangs_on_take(index)] or [
        index for index in left if not texts[index].is_control
    ]
    # A longer text repeats a teaser: `The primitive is…` before the whole text.
    said = {index: texts[index].text for index in left}
    return [
        index
        for index, text in said.items()
        if not any(
            whole.startswith(text.rstrip(".… ")) and len(whole) >= len(text) and text != whole
            for whole in said.values()
        )
    ]


def repeated_texts(texts: Texts, takes: Iterable[Sequence[int]]) -> set[str]:
    """Texts that several takes have beside others: a part of each, or an attachment of all."""
    counted = Counter(text for own in takes if len(own) > 1 for text in {texts[index].text for index in own})
    return {text for text, count in counted.items() if count >= REPEATS_MIN}


def without_shared_endings(takes: Mapping[int, str], words: PageWords) -> Mapping[int, str]:
    """The takes without the ending that half of them share, numbers aside: `… Read more`.

    The ending follows a sentence and is no sentence. A count or an age that begins or ends half of them is removed,
    too.
    """
    least = max(REPEATS_MIN, len(takes) / 2)
    touched = [text for text in takes.values() if text[:1].isdigit() or not text.endswith(_SENTENCE_ENDS)]
    if sum(words.count_beside_take.search(text) is not None for text in touched) >= least:
        takes = {first: words.count_beside_take.sub("", text) for first, text in takes.items()}
    endings = {first: _ending(text) for first, text in takes.items()}
    common = {
        ending
        for ending, count in Counter(endings.values()).items()
        if ending and count >= least and ("9" in ending or words.boilerplate.fullmatch(" ".join(ending)) is not None)
    }
    return {
        first: " ".join(text.split()[: -len(endings[first])]) if endings[first] in common else text
        for first, text in takes.items()
    }


def _ending(text: str) -> tuple[str, ...]:
    """The form of the words after the last sentence of a take; empty if it ends with the sentence."""
    behind: list[str] = []
    for word in reversed(text.split()[1:]):
        if word.rstrip("”\"'’)").endswith(_SENTENCE_ENDS):
            return tuple(reversed(behind))
        behind.append(_DIGITS.sub("9", word.casefold()))
        if len(behind) > ENDING_MAX:
            break
    return ()
