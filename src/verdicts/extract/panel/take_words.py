"""The words of each take: the first text of its cell and those like it in the same element. The rest is reported."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from string import ascii_letters, digits
from typing import TypeAlias

from msgspec import Struct

from verdicts.extract.html.elements import HEADINGS
from verdicts.extract.model.blocks import Block, count_shared_depth
from verdicts.extract.panel.profile import SENTENCE_ENDS
from verdicts.extract.panel.take_cells import Cells, SeatedCell
from verdicts.extract.panel.texts import SHORT_MAX, Labels, Texts

REPEATS_MIN = 2
"""Takes that must share a form."""

SENTENCE_MIN = 25
"""From this many characters on, a take ends with a sentence."""

UNFINISHED = frozenset(f"{ascii_letters}{digits},;:-–—")
"""Signs that end no sentence. Emoji, and letters of scripts without full stops, may."""

CUT_OFF = ("…", "...")
"""Endings of a text that continues elsewhere."""

MISSED_SHARE = 8
"""One take in so many may lack something that all others have."""

ILLUSTRATIONS = frozenset({"pre", "code", "samp", "figcaption", "td", "th"})
"""Elements within a take that need no full stop: code, a caption, a table of figures."""

_HIDDEN = re.compile(r"hidden|display:\s?none")
_NAMED = re.compile(r"(?:[^\s:!?]+ ){0,4}[^\s:!?]+:(?:\s|$)|@\w|[↳↪⤷]")
_VOICE = re.compile(
    r"[.!?…”\"')\]]\s*((?:[(\[]?[^\W\d_a-z][\w.’'-]*(?: [\w.’'-]+){0,3}(?::| [—–-])\s+[“\"(]?[^\W\d_a-z]|@\w|[↳↪⤷]).*)"
)
"""Words of someone else inside a text: `It failed. Editor’s note: They`, `(Jane: No)`. No take of 5,229 has one."""
_VOICE_SIGNS = (":", "@", " \u2014", " \u2013", " -", "↳", "↪", "⤷")
"""One of these is in each: to look for them takes a tenth of the time."""

Form: TypeAlias = tuple[tuple[str, str | None], ...]
"""The elements around a text that are not around the head of its cell, each with its classes."""


class TakeWords(Struct, frozen=True):
    """The texts of each take, by the first text of its head, and the doubtful texts among and beside them.

    `others` are the remaining texts of the section.
    """

    own: Mapping[int, Sequence[int]]
    unproven: Mapping[int, Sequence[int]]
    others: Sequence[int]


def read_words(texts: Texts, cells: Cells, *, own_behind: bool) -> TakeWords:
    """The texts of each take. `own_behind`: the words of a cell stand before its head."""
    heads = {cell.opening.first: cell.opening for cell in cells.cells}
    within = {index for opening in heads.values() for index in range(opening.first, opening.last + 1)}
    labels = {*heads, *cells.reviewers, *cells.labels, *cells.copies}
    owners = Labels(texts, heads if own_behind else labels, own_behind=own_behind)
    region: dict[int, list[int]] = {first: [] for first in heads}
    others: list[int] = []
    for index, block in enumerate(texts):
        if block.text and index not in within and index not in labels:
            owner = owners.find_owner(index)
            (others if owner is None else region.get(owner, others)).append(index)
    _deal_runs(texts, cells.cells, region)
    cut: dict[int, list[int]] = {}
    bounded: set[int] = set()
    firsts = sorted(heads)
    for first, own in region.items():
        around = texts.widest_element(first, firsts)
        inside = [index for index in own if around is not None and index in around]
        bounded |= {first} if inside else set()
        cut[first] = inside or own
        others += [index for index in own if index not in cut[first]]
    takes = {first: own for first, own in cut.items() if heads[first].is_take}
    others += [index for first, own in cut.items() if first not in takes for index in own]
    others += _cut_footer(takes, bounded)
    kept, unproven = _find_flow(texts, takes)
    # Without an element around them, only the first text surely belongs to a take.
    unproven = {
        first: proof if first in bounded else sorted({*proof, *kept[first][1:]}) for first, proof in unproven.items()
    }
    return TakeWords(kept, unproven, sorted(others))


def _deal_runs(texts: Texts, cells: Sequence[SeatedCell], region: dict[int, list[int]]) -> None:
    """Heads side by side above as many elements of words: each head owns one, in order."""
    for _, row in groupby(cells, key=lambda cell: cell.row):
        openings = sorted((cell.opening for cell in row), key=lambda opening: opening.first)
        takes = [opening for opening in openings if opening.is_take]
        *before, last = [region[opening.first] for opening in openings]
        if not takes or any(before) or not last or (takes == openings[-1:]):
            continue
        depth = len(_common(texts, last))
        keyed = groupby(last, key=lambda index: texts[index].path[depth : depth + 1] or index)
        parts = [[*part] for _, part in keyed]
        if len(parts) == len(takes):
            region |= {opening.first: [] for opening in openings}
            region |= {opening.first: part for opening, part in zip(takes, parts, strict=True)}


def _common(texts: Texts, numbers: Sequence[int]) -> tuple[int, ...]:
    path = texts[numbers[0]].path
    for index in numbers:
        path = path[: count_shared_depth(path, texts[index].path)]
    return path


def _cut_footer(takes: dict[int, list[int]], bounded: set[int]) -> list[int]:
    """Cuts the texts after the last take, if no element holds it and all other takes are one text."""
    last = max(takes, default=None)
    if last is None or last in bounded or len(takes) < REPEATS_MIN:
        return []
    if any(len(own) != 1 for first, own in takes.items() if first != last):
        return []
    footer, takes[last] = takes[last][1:], takes[last][:1]
    return footer


# The flow of words in a cell.


def _find_flow(texts: Texts, takes: Mapping[int, list[int]]) -> tuple[Mapping[int, list[int]], Mapping[int, list[int]]]:
    """The texts of each take, and the texts in doubt.

    A take begins with the first text of the form that nearly all takes have, and goes on to the last text of this form
    in the same element. What stands between belongs to it, in doubt, if it is no aside: code, a quotation, a caption.
    The items of a list belong to it behind a colon. A short text without a full stop heads the words of others.
    """
    plain = {first: _without_attached(texts, own) for first, own in takes.items()}
    kept: dict[int, list[int]] = {first: own if len(own) == 1 else [] for first, own in plain.items()}
    unproven: dict[int, list[int]] = {first: [] for first in takes}
    if all(map(kept.__getitem__, plain)):
        return kept, unproven
    full = {first: own for first, own in plain.items() if own}
    usual, forms = _usual_form(texts, full)
    for first, own in full.items():
        start = next((index for index in own if forms[index] == usual), own[0])
        cut = _find_other_words(texts, takes[first], start)
        left = [index for index in own if index not in cut and index >= start]
        flow = [at for at in left if forms[at] == forms[start] and texts[at].path == texts[start].path]
        colon = next((index for index in flow if texts[index].text.endswith(":")), len(texts))
        sure = {*flow, *(index for index in left if index > colon and _is_item(forms[index]))}
        if len(own) > 1:
            sure = {at for at in sure if (at == start and len(flow) == 1) or _NAMED.match(texts[at].text) is None}
        between = {index for index in own if start < index < flow[-1] and not _is_aside(texts, index)}
        # `<p>First words</p><div hidden><p>and the rest</p></div>`: certain if the first words end in no sentence.
        hidden = {at for at in left if at > start and _is_hidden_rest(texts, at, first, start)}
        sure |= hidden if is_cut(texts[flow[-1]].text) else set()
        # The whole of a text that a narrower window cuts: `The primitive is…`
        stems = tuple(text.rstrip(".… ") for at in flow if (text := texts[at].text).endswith(CUT_OFF))
        sure |= {index for index in left if stems and texts[index].text.startswith(stems)}
        kept[first] = _without_copies(texts, sorted({*sure, *flow, *between, *hidden}))
        unproven[first] = [index for index in own if index not in sure]
    return kept, unproven


def _without_copies(texts: Texts, own: Sequence[int]) -> list[int]:
    """Without a text that another one repeats or goes on with."""
    words = [texts[index].text for index in own]

    def is_repeated(position: int) -> bool:
        text = words[position]
        start = text.rstrip(".… ")
        is_begun = any(len(whole) > len(text) and whole.startswith(start) for whole in words)
        return text in words[:position] or (is_begun and (text.endswith(CUT_OFF) or len(text) > SENTENCE_MIN))

    return [index for position, index in enumerate(own) if not is_repeated(position)]


def _usual_form(texts: Texts, takes: Mapping[int, Sequence[int]]) -> tuple[Form | None, Mapping[int, Form]]:
    """The first form of texts that nearly all takes have, and the form of each. Classes that differ mean nothing."""
    least = min(len(takes), max(REPEATS_MIN, len(takes) - len(takes) // MISSED_SHARE))
    for has_classes in (True, False):
        forms = {
            index: _form(texts[first], texts[index], has_classes=has_classes)
            for first, own in takes.items()
            for index in own
        }
        counted = Counter(form for own in takes.values() for form in dict.fromkeys(forms[index] for index in own))
        # `Builder on Alpha` is a heading over the words in a dialog.
        often = (form for form, count in counted.items() if count >= least and not (form and form[-1][0] in HEADINGS))
        if (usual := next(often, None)) is not None:
            break
    return usual, forms


def _find_other_words(texts: Texts, own: Sequence[int], start: int) -> set[int]:
    """The texts behind a label, up to the end of its element."""
    cut: set[int] = set()
    element: tuple[int, ...] | None = None
    # The lines of a dump are not elements, so a label cannot head them.
    for index in own if texts[start].path else ():
        is_open = element is not None and texts[index].is_within(element)
        if index > start and not is_open and _is_label(texts, index, start):
            element, is_open = texts[index].path, True
        if is_open:
            cut.add(index)
    return cut


def _is_hidden_rest(texts: Texts, index: int, head: int, start: int) -> bool:
    """Whether a text is like the beginning of the take but for a hidden element around it."""
    block = texts[index]
    apart = block.elements[count_shared_depth(texts[head].path, block.path) :]
    shown_tags = [tag for tag, attributes in apart if not any(map(_HIDDEN.search, (*attributes, *attributes.values())))]
    return len(shown_tags) < len(apart) and shown_tags == [tag for tag, _ in _form(texts[head], texts[start])]


def _is_aside(texts: Texts, index: int) -> bool:
    return texts.is_advert(index) or any(tag == "aside" for tag, _ in texts[index].elements)


def _without_attached(texts: Texts, own: Sequence[int]) -> list[int]:
    """The texts of a take without buttons, badges and counts. A text alone may look like one."""
    left = [index for index in own if not texts.hangs_on_take(index)] if len(own) > 1 else []
    return left or [index for index in own if not texts[index].is_control]


def _form(head: Block, block: Block, *, has_classes: bool = False) -> Form:
    apart = block.elements[count_shared_depth(head.path, block.path) :]
    return tuple((tag, attributes.get("class") if has_classes else None) for tag, attributes in apart)


def _is_label(texts: Texts, index: int, start: int) -> bool:
    """Whether a text behind the beginning of a take heads other words: `Comments`, `Jane`, a button.

    An item of a list needs no full stop.
    """
    block, text = texts[index], texts[index].text
    if texts.is_more(index) or not any(map(str.isalnum, text)):
        return False
    if block.elements and block.elements[-1][0] in ILLUSTRATIONS:
        return False
    is_open = _is_open(text) and not _is_item(_form(texts[start], block))
    return is_open or block.is_key or block.level != texts[start].level or texts.hangs_on_take(index)


def _is_open(text: str) -> bool:
    """A short text that ends no sentence."""
    return len(text) <= SHORT_MAX and not text.endswith(SENTENCE_ENDS)


def _is_item(form: Form) -> bool:
    """An item of a list whose classes say nothing."""
    return bool(form) and form[-1][0] == "li" and not any(classes for _, classes in form[-2:])


def other_voice(text: str) -> str | None:
    """The words in a text of a take that begin with a name or a label of their own, as replies do."""
    match = _VOICE.search(text) if any(sign in text for sign in _VOICE_SIGNS) else None
    return None if match is None else match[1]


def is_cut(text: str) -> bool:
    """Whether a text may go on elsewhere: it ends in dots or in no sentence, or a quotation stays open."""
    is_open = text.count("“") > text.count("”")
    return is_open or text.endswith(CUT_OFF) or (len(text) > SENTENCE_MIN and text[-1] in UNFINISHED)
