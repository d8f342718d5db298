"""The words of each take: the content of its cell, without buttons, counts and adverts."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from verdicts.extract.html.elements import attribute
from verdicts.extract.model.blocks import Block, Cell, fold, shared_depth
from verdicts.extract.model.records import PageRejected
from verdicts.extract.panel.take_rows import SeatedCell
from verdicts.extract.panel.texts import SENTENCE_ENDS, SHORT_MAX, PageWords, Texts

REPEATS_MIN = 2
"""Takes that must share an ending or beginning before it is boilerplate; also at least half of all takes."""

DATE_MAX = 24
"""The most characters of a date or a count, which varies from take to take: `3 Oct 2026`."""

ENDING_MAX = 6
"""The most words after the last sentence of a take that may be boilerplate."""

MISSED_SHARE = 8
"""One take in so many may lack something that all others have."""

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_NAMED = re.compile(r"(?:[^\s:!?]+ ){0,4}[^\s:!?]+:(?:\s|$)|@\w|[↳↪⤷]")
_VOICE = re.compile(
    r"[.!?…”\"')\]]\s*((?:[(\[]?[^\W\d_a-z][\w.’'-]*(?: [\w.’'-]+){0,3}(?::| [—–-])\s+[“\"(]?[^\W\d_a-z]|@\w|[↳↪⤷]).*)"
)
"""Words of someone else inside a text: `It failed. Editor’s note: They`, `(Jane: No)`. No take of 5,229 has one."""
_VOICE_SIGNS = (":", "@", " \u2014", " \u2013", " -", "↳", "↪", "⤷")
"""One of these is in each: to look for them takes a tenth of the time."""
_SENTENCE_ENDS = (".", "!", "?", "…")
_WORD = re.compile(r"[^\W\d]+")


class CellTexts(Struct, frozen=True):
    """`own` are the texts of each cell, by its head's first text; `outside` others in its region.

    `unproven` may be of someone else: they are left out, or kept if the cell has no element of its own.
    """

    own: Mapping[int, list[int]]
    outside: tuple[int, ...]
    unproven: Mapping[int, list[int]]


def cell_texts(texts: Texts, cells: Sequence[SeatedCell]) -> CellTexts:
    """The texts of each take.

    Known boilerplate does not belong to a take, nor does a button, link or count that ends half of the takes, nor what
    someone else may have said, see `_proven`. Raises `PageRejected` (`incomplete_scorecard`) if the words beside a head
    belong to another cell.
    """
    paths: dict[int, tuple[int, ...]] = {}
    found: dict[int, list[int]] = {}
    outside: list[int] = []
    heads = {cell.opening.first: _common(texts, range(cell.opening.first, cell.opening.last + 1)) for cell in cells}
    numbers = sorted(heads)
    near = dict(zip(numbers, zip([None, *numbers], [*numbers[1:], None], strict=False), strict=True))
    for cell in cells:
        within = [index for index in cell.region if texts[index].text and index != cell.opening.closing]
        others = [other for other in near[cell.opening.first] if other is not None]
        path = paths[cell.opening.first] = _cell_path(texts, cell, within, heads[cell.opening.first], others)
        own = [index for index in within if texts[index].is_within(path)]
        own = _of_one_cell(texts, own, texts[cell.opening.first].cell)
        outside += [index for index in within if index not in own]
        found[cell.opening.first] = own
    shown = [cell.opening.first for cell in cells if cell.opening.is_take]
    trailing = _behind_the_last(found, shown, paths)
    takes = {first: [index for index in own if index not in trailing] for first, own in found.items()}
    recurring = _recurring_forms(texts, [own for own in takes.values() if own])
    plain = {first: _without_attached(texts, own, recurring) for first, own in takes.items()}
    kept, unproven = _proven(texts, {first: takes[first] for first in shown if paths[first] and plain[first]}, plain)
    said = {first: _without_teaser(texts, kept.get(first, own)) for first, own in plain.items()}
    return CellTexts(said, (*outside, *trailing), {**{first: said[first][1:] for first in shown}, **unproven})


def _cell_path(
    texts: Texts, cell: SeatedCell, within: Sequence[int], around: tuple[int, ...], near: Sequence[int]
) -> tuple[int, ...]:
    """The path of a cell's own element, `around` its head and not the heads `near` it; empty without one."""
    own = _alone(texts, around, near)
    if not within or any(texts[index].is_within(own) for index in within):
        return own
    number = cell.opening.first
    head = range(number, cell.opening.last + 1)
    held = [block for index, block in enumerate(texts) if index not in head and block.is_within(own)]
    if any(len(block.text) > SHORT_MAX for block in held):
        raise PageRejected("incomplete_scorecard", f"the words beside a score of {cell.seat} belong to another cell")
    nearest = within[0] if cell.region.start > cell.opening.last else within[-1]
    return _alone(texts, _common(texts, [number, nearest]), near)


def _alone(texts: Texts, path: tuple[int, ...], others: Iterable[int]) -> tuple[int, ...]:
    """The outermost of these elements without the others."""
    shared = max((shared_depth(path, texts[other].path) for other in others), default=0)
    return path[: shared + 1] if shared < len(path) else ()


def _common(texts: Texts, numbers: Sequence[int]) -> tuple[int, ...]:
    path = texts[numbers[0]].path
    for index in numbers:
        path = path[: shared_depth(path, texts[index].path)]
    return path


def _of_one_cell(texts: Texts, own: list[int], head: Cell | None) -> list[int]:
    """In a table with an extra column (a date, a count), only the texts of the longest cell, and of tables inside."""
    if len({texts[index].cell for index in own}) < 2:
        return own
    lengths: Counter[Cell] = Counter()
    for index in own:
        if head and (cell := texts[index].cell) and cell.table == head.table:
            lengths[cell] += len(texts[index].text)
    others = [cell for cell, _ in lengths.most_common()[1:]]
    return [index for index in own if texts[index].cell not in others]


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
    if len(block.text) > SHORT_MAX or block.text.endswith((".", "!", "?")):
        return None
    if block.href is not None:
        return "link"
    if _DIGITS.search(block.text) is None:
        return None
    form = _DIGITS.sub("9", fold(block.text))
    return _WORD.sub("w", form) if len(form) <= DATE_MAX else form


def _without_attached(texts: Texts, own: Sequence[int], recurring: set[str]) -> list[int]:
    """The texts of a take without buttons, badges, links and counts. A text alone may look like one."""
    if len(own) > 1:
        left = [
            index for index in own if not texts.hangs_on_take(index) and _hanging_form(texts[index]) not in recurring
        ]
        if left:
            return left
    return [index for index in own if not texts[index].is_control]


def _without_teaser(texts: Texts, own: list[int]) -> list[int]:
    """Without texts that a longer one repeats: `The primitive is…` before the whole text."""
    said = {index: texts[index].text for index in own}
    return (
        own
        if len(own) < 2
        else [
            index
            for index, text in said.items()
            if not any(
                whole.startswith(text.rstrip(".… ")) and len(whole) >= len(text) and text != whole
                for whole in said.values()
            )
        ]
    )


# Words of the reviewer, and of others.

Form: TypeAlias = tuple[tuple[str, str | None], ...]
"""The elements around a text that are not around the head of its cell, each with its classes."""


def _proven(
    texts: Texts, takes: Mapping[int, Sequence[int]], plain: Mapping[int, list[int]]
) -> tuple[Mapping[int, list[int]], Mapping[int, list[int]]]:
    """The texts of each take without comments, replies, notes and adverts in its cell; and the texts in doubt.

    A take begins with the first text of the form that nearly all takes have, and goes on with those of this form in the
    same element, and with a list after a colon. A text at another place belongs to it if nearly all takes have one
    there, certainly if it is of this form, in a list or behind `Read more`. What follows a label never does.
    """
    if all(len(own) == 1 for own in takes.values()):
        return {}, {}
    most = max(REPEATS_MIN, len(takes) - len(takes) // MISSED_SHARE)
    counted = Counter(text for own in takes.values() if len(own) > 1 for text in {texts[index].text for index in own})
    labels = {text for text, count in counted.items() if count >= REPEATS_MIN or _NAMED.match(text)}
    usual, forms = _forms(texts, takes, plain, min(most, len(takes)))
    starts: dict[int, int] = {}
    places: dict[int, dict[int, tuple[Form, bool, bool]]] = {}
    for first, own in takes.items():
        begins = [index for index in plain[first] if forms[index] == usual]
        start = next((index for index in begins if texts[index].text not in labels), (*begins, *plain[first])[0])
        cut: set[int] = set()
        of_others: tuple[int, ...] | None = None
        for index in own:
            is_open = of_others is not None and texts[index].is_within(of_others)
            if index > start and not is_open and _is_label(texts, index, start, labels):
                of_others, is_open = texts[index].path, True
            if is_open or (index < start and texts[index].text in labels):
                cut.add(index)
        starts[first], path = start, texts[start].path
        places[first] = {
            index: (forms[index], texts[index].path == path, index < start)
            for index in plain[first]
            if index not in cut
        }
    common = Counter(place for placed in places.values() for place in {*placed.values()})
    kept: dict[int, list[int]] = {}
    unproven: dict[int, list[int]] = {}
    for first, placed in places.items():
        form = forms[starts[first]]
        flow = [index for index, place in placed.items() if place == (form, True, False)]
        usual_here = [index for index, place in placed.items() if common[place] >= most]
        more = next(filter(texts.is_more, takes[first]), len(texts))
        colon = next((index for index in flow if texts[index].text.endswith(":")), len(texts))
        sure = {*flow, *(index for index in placed if index > colon and _is_item(forms[index]))}
        sure |= {index for index in usual_here if index > more or forms[index] == form or _is_item(forms[index])}
        kept[first] = sorted({*sure, *usual_here})
        unproven[first] = [index for index in plain[first] if index not in sure]
    return kept, unproven


def _forms(
    texts: Texts, takes: Mapping[int, Sequence[int]], plain: Mapping[int, list[int]], least: int
) -> tuple[Form | None, Mapping[int, Form]]:
    """The first form in so many takes, if there is one, and those of all texts. Classes that differ mean nothing."""
    for has_classes in (True, False):
        forms = {
            index: _form(texts[first], texts[index], has_classes=has_classes)
            for first, own in takes.items()
            for index in own
        }
        counted = Counter(form for first in takes for form in dict.fromkeys(forms[index] for index in plain[first]))
        usual = next((form for form, count in counted.items() if count >= least), None)
        if usual is not None:
            break
    return usual, forms


def _form(head: Block, block: Block, *, has_classes: bool = False) -> Form:
    apart = block.elements[shared_depth(head.path, block.path) :]
    return tuple((tag, attribute(attributes, "class") if has_classes else None) for tag, attributes in apart)


def _is_label(texts: Texts, index: int, start: int, labels: Collection[str]) -> bool:
    """Whether a text behind the beginning of a take heads other words: `Comments`, `Jane`, a button.

    An item of a list needs no full stop.
    """
    block, text = texts[index], texts[index].text
    if texts.is_more(index) or not any(map(str.isalnum, text)):
        return False
    is_open = len(text) <= SHORT_MAX and not text.endswith(SENTENCE_ENDS) and not _is_item(_form(texts[start], block))
    is_head = block.is_key or block.level != texts[start].level
    return is_open or is_head or text in labels or texts.hangs_on_take(index)


def _is_item(form: Form) -> bool:
    """An item of a list whose classes say nothing."""
    return bool(form) and form[-1][0] == "li" and not any(classes for _, classes in form[-2:])


def other_voice(text: str) -> str | None:
    """The words in a text of a take that begin with a name or a label of their own, as replies do."""
    found = _VOICE.search(text) if any(sign in text for sign in _VOICE_SIGNS) else None
    return None if found is None else found[1]


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


def _is_sentence(text: str) -> bool:
    return text.rstrip("”\"'’)").endswith(_SENTENCE_ENDS)


def _ending(text: str) -> tuple[str, ...]:
    """The form of the words after the last sentence of a take; empty if it ends with the sentence."""
    if _is_sentence(text):
        return ()
    behind: list[str] = []
    for word in reversed(text.split()[1:]):
        if _is_sentence(word):
            return tuple(reversed(behind))
        behind.append(_DIGITS.sub("9", word.casefold()))
        if len(behind) > ENDING_MAX:
            break
    return ()
