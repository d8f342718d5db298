"""The words of each take: the first text of its cell and those like it in the same element. The rest is reported."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from string import ascii_letters, digits
from typing import TypeAlias

from msgspec import Struct

from verdicts.extract.html.elements import HEADINGS
from verdicts.extract.model.blocks import Block, fold, shared_depth
from verdicts.extract.panel.owners import Labels
from verdicts.extract.panel.take_cells import Cells, SeatedCell
from verdicts.extract.panel.texts import SENTENCE_ENDS, SHORT_MAX, PageWords, Texts

REPEATS_MIN = 2
"""Takes that must share an ending or beginning before it is boilerplate; also at least half of all takes."""

DATE_MAX = 24
"""The most characters of a date or a count, which varies from take to take: `3 Oct 2026`."""

SENTENCE_MIN = 25
"""From this many characters on, a take ends with a sentence."""

UNFINISHED = frozenset(f"{ascii_letters}{digits},;:-–—")
"""Signs that end no sentence. Emoji, and letters of scripts without full stops, may."""

CUT_OFF = ("…", "...")
"""Endings of a text that continues elsewhere."""

TEASER_MIN = 20
"""A text with fewer characters is a word that the whole take begins with, too."""

ENDING_MAX = 6
"""The most words after the last sentence of a take that may be boilerplate."""

MISSED_SHARE = 8
"""One take in so many may lack something that all others have."""

ILLUSTRATIONS = frozenset({"pre", "code", "samp", "figcaption", "td", "th"})
"""Elements within a take that need no full stop: code, a caption, a table of figures."""

_HIDDEN = re.compile(r"hidden|display:\s?none")
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

Form: TypeAlias = tuple[tuple[str, str | None], ...]
"""The elements around a text that are not around the head of its cell, each with its classes."""


class TakeWords(Struct, frozen=True):
    """By a head's first text, the texts of its take, and those among them and beside them that are in doubt.

    `others` are the remaining texts of the section.
    """

    own: Mapping[int, Sequence[int]]
    unproven: Mapping[int, Sequence[int]]
    others: Sequence[int]


def read_words(texts: Texts, cells: Cells, *, own_behind: bool) -> TakeWords:
    """The texts of each take. `own_behind`: the words of a cell stand before its head."""
    heads = {cell.opening.first: cell.opening for cell in cells.cells}
    within = {index for opening in heads.values() for index in range(opening.first, opening.last + 1)}
    labels = {*heads, *cells.seats, *cells.labels, *cells.copies}
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
    for first, own in region.items():
        around = texts.widest_element(first, heads) if texts[first].path else None
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
        path = path[: shared_depth(path, texts[index].path)]
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
    What stands elsewhere belongs to it if it is an item of a list or behind `Read more`, as in nearly all takes. A
    short text without a full stop heads the words of others.
    """
    recurring = _recurring_forms(texts, [own for own in takes.values() if own])
    plain = {first: _without_attached(texts, own, recurring) for first, own in takes.items()}
    if all(len(own) <= 1 for own in plain.values()):
        return plain, {first: [] for first in plain}
    # `Builder on Alpha` over the words in a dialog.
    full = {first: _without_headings(texts, own) for first, own in plain.items() if own}
    most = max(REPEATS_MIN, len(full) - len(full) // MISSED_SHARE)
    counted = Counter(text for own in full.values() if len(own) > 1 for text in {texts[index].text for index in own})
    repeated = {text for text, count in counted.items() if count >= REPEATS_MIN}
    usual, forms = _forms(texts, {first: takes[first] for first in full}, full, min(most, len(full)))
    places: dict[int, dict[int, tuple[Form, bool, bool]]] = {}
    flows: dict[int, list[int]] = {}
    for first, own in full.items():
        begins = [index for index in own if forms[index] == usual]
        start = next((index for index in begins if texts[index].text not in repeated), (*begins, *own)[0])
        cut = _words_of_others(texts, takes[first], start, repeated)
        path, left = texts[start].path, [index for index in own if index not in cut]
        places[first] = {index: (forms[index], texts[index].path == path, index < start) for index in left}
        flows[first] = [index for index, place in places[first].items() if place == (forms[start], True, False)]
    common = Counter(place for placed in places.values() for place in {*placed.values()})
    kept: dict[int, list[int]] = {first: [] for first in takes}
    unproven: dict[int, list[int]] = {first: [] for first in takes}
    for first, placed in places.items():
        flow = flows[first]
        more = next(filter(texts.is_more, takes[first]), len(texts))
        colon = next((index for index in flow if texts[index].text.endswith(":")), len(texts))
        usual_here = [index for index, place in placed.items() if common[place] >= most]
        sure = {*flow} | {index for index in placed if index > colon and _is_item(forms[index])}
        own_form = forms[flow[0]]
        sure |= {
            at for at in usual_here if at > more or _is_item(forms[at]) or (at > flow[0] and forms[at] == own_form)
        }
        # The whole of a text that a narrower window cuts: `The primitive is…`
        cuts = tuple(text.rstrip(".… ") for at in flow if (text := texts[at].text).endswith("…"))
        sure |= {index for index in usual_here if cuts and texts[index].text.startswith(cuts)}
        is_alone = len(flow) == 1
        sure = {at for at in sure if (is_alone and at == flow[0]) or _NAMED.match(texts[at].text) is None}
        between = {index for index in full[first] if flow[0] < index < flow[-1] and not _is_aside(texts, index)}
        # `<p>First words</p><div hidden><p>and the rest</p></div>`: certain if the first words end in no sentence.
        hidden = {at for at in placed if at > flow[0] and _is_hidden_rest(texts, at, first, flow[0])}
        sure |= hidden if is_cut(texts[flow[-1]].text) else set()
        kept[first] = _without_teaser(texts, sorted({*sure, *flow, *between, *hidden}))
        unproven[first] = [index for index in plain[first] if index not in sure]
    return kept, unproven


def _without_headings(texts: Texts, own: Sequence[int]) -> list[int]:
    """The texts of a cell from the first one on that is no heading of its own."""
    first = next((at for at in own if not texts[at].elements or texts[at].elements[-1][0] not in HEADINGS), own[0])
    return [index for index in own if index >= first]


def _words_of_others(texts: Texts, own: Sequence[int], start: int, repeated: set[str]) -> set[int]:
    """The texts behind a label, up to the end of its element; and labels before the take."""
    cut: set[int] = set()
    element: tuple[int, ...] | None = None
    # The lines of a dump are no elements that a label may head.
    for index in own if texts[start].path else ():
        is_open = element is not None and texts[index].is_within(element)
        if index > start and not is_open and _is_label(texts, index, start, repeated):
            element, is_open = texts[index].path, True
        if is_open or (index < start and texts[index].text in repeated):
            cut.add(index)
    return cut


def _is_hidden_rest(texts: Texts, index: int, head: int, start: int) -> bool:
    """Whether a text is like the beginning of the take but for a hidden element around it."""
    block = texts[index]
    apart = block.elements[shared_depth(texts[head].path, block.path) :]
    shown = [tag for tag, attributes in apart if not any(map(_HIDDEN.search, (*attributes, *attributes.values())))]
    return len(shown) < len(apart) and shown == [tag for tag, _ in _form(texts[head], texts[start])]


def _is_aside(texts: Texts, index: int) -> bool:
    return texts.is_advert(index) or any(tag == "aside" for tag, _ in texts[index].elements)


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
    left = [index for index in own if not texts.hangs_on_take(index)] if len(own) > 1 else []
    while left and _hanging_form(texts[left[0]]) in recurring:
        del left[0]
    while left and _hanging_form(texts[left[-1]]) in recurring:
        del left[-1]
    return left or [index for index in own if not texts[index].is_control]


def _without_teaser(texts: Texts, own: list[int]) -> list[int]:
    """Without texts that another repeats: `The primitive is…` before the whole text, or the same paragraph."""

    def is_repeated(text: str) -> bool:
        start = text.rstrip(".… ")
        return len(text) > TEASER_MIN and any(len(whole) > len(text) and whole.startswith(start) for whole in said)

    said = [texts[index].text for index in own]
    first = {text: index for index, text in zip(own[::-1], said[::-1], strict=True)}
    return [index for index, text in zip(own, said, strict=True) if first[text] == index and not is_repeated(text)]


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
    return tuple((tag, attributes.get("class") if has_classes else None) for tag, attributes in apart)


def _is_label(texts: Texts, index: int, start: int, labels: set[str]) -> bool:
    """Whether a text behind the beginning of a take heads other words: `Comments`, `Jane`, a button.

    An item of a list needs no full stop.
    """
    block, text = texts[index], texts[index].text
    if texts.is_more(index) or not any(map(str.isalnum, text)):
        return False
    if block.elements and block.elements[-1][0] in ILLUSTRATIONS:
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


def is_cut(text: str) -> bool:
    """Whether a text may go on elsewhere: it ends in dots or in no sentence, or a quotation stays open."""
    is_open = text.count("“") > text.count("”")
    return is_open or text.endswith(CUT_OFF) or (len(text) > SENTENCE_MIN and text[-1] in UNFINISHED)
