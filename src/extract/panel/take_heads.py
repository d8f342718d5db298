"""What opens a cell of the scorecard: score and verdict in any form, or words that say there is no take."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.page_words import FACTS, PageWords, Token, head_kinds, head_tokens

TAKE_MIN = 20
"""Characters of what follows a head in one text before it is a take: `64/100 · ship ▲ 3` has none."""

LABEL_MAX = 120
"""Characters of a text of labels alone: `Builder on Alpha — 88/100 · ship`."""

_JOINTS = " \t:·•|,/()[]—–-"
_JOINING_WORDS = ("on ", "of ", "for ", "about ")


@dataclass(frozen=True, slots=True)
class Parts:
    """Texts in the order of the page; `origins` are the numbers of the page's blocks that they stand in."""

    texts: tuple[Block, ...]
    origins: tuple[int, ...]


def take_parts(
    blocks: Sequence[Block], section: range, names: tuple[str, str], words: PageWords, *, heads_may_end_it: bool
) -> Parts:
    """The section's texts. `heads_may_end_it` takes a head off the end of a take, too."""
    labels = tuple(sorted({*words.seats, *map(str.casefold, names)}, key=len, reverse=True))
    texts: list[Block] = []
    origins: list[int] = []
    for index in section:
        block = blocks[index]
        pieces = [
            piece
            for line in _lines(block, labels, words)
            for piece in _pieces(line, labels, words, heads_may_end_it=heads_may_end_it)
        ]
        if len(pieces) == 1:
            texts.append(block)
        else:
            texts += [replace(block, text=piece, breaks=()) for piece in pieces]
        origins += [index] * len(pieces)
    return Parts(tuple(texts), tuple(origins))


def _lines(block: Block, labels: tuple[str, ...], words: PageWords) -> Sequence[str]:
    """The lines of a text of which one is a head, a reviewer or a name; another text whole."""
    if not block.breaks:
        return (block.text,)
    starts = [0, *(place + 1 for place in block.breaks)]
    ends = [*block.breaks, len(block.text)]
    lines = [block.text[start:end] for start, end in zip(starts, ends, strict=True)]
    return lines if any(_says_place(line, labels, words) for line in lines) else (block.text,)


def _pieces(line: str, labels: tuple[str, ...], words: PageWords, *, heads_may_end_it: bool) -> Sequence[str]:
    before = words.head_before_take.match(line) if line[:1].isdigit() else None
    if before is not None:
        rest = line[before.end() :]
        if len(rest) >= TAKE_MIN or words.furniture.fullmatch(rest) is not None:
            return (before["head"], rest)
    behind = words.head_behind_take.search(line) if heads_may_end_it else None
    if behind is not None and behind.start() >= TAKE_MIN:
        return (line[: behind.start()], behind["head"])
    if len(line) > LABEL_MAX or not line.casefold().startswith(labels):
        return (line,)
    return _labels(line, labels, words)


def _says_place(line: str, labels: tuple[str, ...], words: PageWords) -> bool:
    folded = fold(line)
    return folded in labels or folded == words.no_take or is_head(line, words)


def is_head(text: str, words: PageWords) -> bool:
    """Whether a text says a score or a verdict, and nothing that no head may say."""
    kinds = head_kinds(text, words) if 0 < len(text) <= LABEL_MAX else frozenset()
    return "other" not in kinds and ("score" in kinds or "verdict" in kinds)


def _labels(text: str, labels: tuple[str, ...], words: PageWords) -> Sequence[str]:
    """`Builder on Alpha`, `Alpha — 88/100 · ship`: the labels, and the head behind them. Other texts stay whole."""
    found: list[str] = []
    rest = text
    while rest and len(found) < 2:
        folded = rest.casefold()
        label = next((label for label in labels if folded.startswith(label) and _ends(rest, len(label))), None)
        if label is None:
            break
        found.append(rest[: len(label)])
        rest = rest[len(label) :].strip(_JOINTS)
        word = next((word for word in _JOINING_WORDS if rest.startswith(word)), "")
        rest = rest.removeprefix(word)
    is_taken_apart = not rest or fold(rest) == words.no_take or is_head(rest, words)
    return (*found, *([rest] if rest else [])) if len(found) + bool(rest) > 1 and is_taken_apart else (text,)


def _ends(text: str, place: int) -> bool:
    return place == len(text) or not text[place].isalnum()


HEAD_MAX = 60
"""Characters of a text that may be a head, with its badges; takes are longer."""

PARTS_MAX = 4
"""Texts side by side that may be one head: `Score`, `88/100`, `Verdict`, `ship`."""

LABEL_WORD_MAX = 20
LABEL_WORD_REPEATS = 2
"""A word that stands in the scorecard as often, and is no longer, may be the label of what follows it."""

_DIGIT = re.compile(r"\d")

UNKNOWN_WORDS_MAX = 3
"""Words in a head that no profile knows: `88/100 · ship Verified reviewer`."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What opens a cell, and the numbers of the first and the last text that say it.

    Neither `score` nor `verdict` means that the cell says there is no take. `closing` is the text of a verdict that
    stands behind the take.
    """

    first: int
    last: int
    score: str | None = None
    verdict: str | None = None
    closing: int | None = None

    @property
    def is_take(self) -> bool:
        return self.score is not None or self.verdict is not None

    @property
    def is_full(self) -> bool:
        return self.score is not None and self.verdict is not None


def openings(texts: Sequence[Block], words: PageWords) -> Iterator[list[Opening]]:
    """Every way to tell what opens the cells, the strictest first; each in the order of the page.

    A later way takes more texts for heads, in case the first leaves a row without its two cells.
    """
    none = [Opening(index, index) for index, block in enumerate(texts) if says_no_take(block.text, words)]
    for heads in _ways(texts, words):
        if heads:
            taken = {index for head in heads for index in range(head.first, head.last + 1)}
            free = [opening for opening in none if opening.first not in taken]
            yield sorted([*heads, *free], key=lambda opening: opening.first)


def _ways(texts: Sequence[Block], words: PageWords) -> Iterator[list[Opening]]:
    strict = _at_one_scale(list(_runs(texts, words, parts_max=PARTS_MAX)))
    full = [head for head in strict if head.is_full]
    yield full
    apart = _at_one_scale(list(_runs(texts, words, parts_max=1)))
    yield _around_the_take([head for head in apart if not head.is_full])
    across = _at_one_scale(list(_runs(texts, words, parts_max=PARTS_MAX, is_across=True)))
    yield [head for head in across if head.is_full]
    yield strict
    taken = {index for head in strict for index in range(head.first, head.last + 1)}
    loose = list(_loose(texts, words, taken))
    if loose:
        yield sorted([*full, *loose], key=lambda head: head.first)


def says_no_take(text: str, words: PageWords) -> bool:
    """`No panel take`, a dash, an empty cell."""
    return text in words.no_value or (len(text) <= HEAD_MAX and fold(text) == words.no_take)


def says_score(text: str, words: PageWords) -> bool:
    """Whether a text gives a score on a scale, alone or with a verdict, perhaps before the words of a take."""
    if _DIGIT.search(text, 0, HEAD_MAX) is None:
        return False
    if words.head_before_take.match(text) is not None:
        return True
    tokens = head_tokens(text, words) if len(text) <= HEAD_MAX else ()
    kinds = {token.kind for token in tokens}
    is_on_scale = any(token.is_on_scale for token in tokens)
    return "score" in kinds and ("verdict" in kinds or (is_on_scale and "other" not in kinds))


def _runs(texts: Sequence[Block], words: PageWords, *, parts_max: int, is_across: bool = False) -> Iterator[Opening]:
    """Heads in one text, or in several side by side: `88`, `/100`, `ship`.

    `is_across` says whether these may stand in elements of their own, as the heads of two cells do, too.
    """
    repeated = Counter(block.text for block in texts if len(block.text) <= LABEL_WORD_MAX)
    may_stand = [0 < len(block.text) <= HEAD_MAX and block.text not in words.no_value for block in texts]
    says = [may and words.fact.search(block.text) is not None for may, block in zip(may_stand, texts, strict=True)]
    index = 0
    while index < len(texts):
        end = index
        while end < min(index + parts_max, len(texts)) and may_stand[end]:
            end += 1
        for last in range(end - 1, index - 1, -1):
            head = _head(texts, index, last, words, repeated, is_across=is_across) if says[last] else None
            if head is not None:
                yield head
                index = last
                break
        index += 1


def _head(
    texts: Sequence[Block],
    first: int,
    last: int,
    words: PageWords,
    repeated: Mapping[str, int],
    *,
    is_across: bool,
) -> Opening | None:
    if last > first and "other" in head_kinds(texts[first].text, words):
        return None
    parts = texts[first : last + 1]
    if last > first and not is_across and not _stand_together(parts):
        return None
    said = [parts[0].text, *(part.text for part in parts[1:] if not _is_label(part, repeated, words))]
    tokens = head_tokens(" ".join(said), words)
    kinds = [token.kind for token in tokens]
    scores = kinds.count("score") or kinds.count("number")
    if "other" in kinds or scores > 1 or kinds.count("verdict") > 1 or not ("verdict" in kinds or "score" in kinds):
        return None
    if "number" in kinds and any("/" in token.text for token in tokens if token.kind == "sign"):
        return None
    if last > first and not _add_up(parts, tokens, words):
        return None
    return _opening(first, last, tokens)


def _is_label(part: Block, repeated: Mapping[str, int], words: PageWords) -> bool:
    """`Vote` between score and verdict: one word that recurs, and says neither."""
    if repeated[part.text] < LABEL_WORD_REPEATS or " " in part.text:
        return False
    return head_kinds(part.text, words) == {"other"}


def _stand_together(parts: Sequence[Block]) -> bool:
    """Whether no text stands in an element of its own beside that of another: these may be two cells."""
    longest = max((part.path for part in parts), key=len)
    return all(part.path == longest[: len(part.path)] for part in parts)


def _add_up(parts: Sequence[Block], tokens: Sequence[Token], words: PageWords) -> bool:
    """Whether each text adds to the head: a verdict to a score, a scale to a number, a score to its label."""
    told = [head_kinds(part.text, words) & FACTS for part in parts]
    facts = len({token.kind for token in tokens} & FACTS)
    is_scale_apart = any(token.kind == "score" for token in tokens) and not any("score" in kinds for kinds in told)
    return bool(told[-1]) and (sum(map(bool, told)) <= facts or is_scale_apart)


def _opening(first: int, last: int, tokens: Sequence[Token]) -> Opening:
    score = next((token.score for token in tokens if token.score is not None), None)
    number = next((token.text for token in tokens if token.kind == "number"), None)
    verdict = next((token.text for token in tokens if token.kind == "verdict"), None)
    return Opening(first, last, score or number, verdict)


def _at_one_scale(heads: Sequence[Opening]) -> list[Opening]:
    """Numbers that name no scale are of a hundred where one of them is above ten; below that their scale is unknown."""
    bare = [head for head in heads if head.score is not None and "/" not in head.score]
    is_of_hundred = any(float(head.score or 0) > 10 for head in bare)
    return [replace(head, score=f"{head.score}/100") if head in bare and is_of_hundred else head for head in heads]


def _loose(texts: Sequence[Block], words: PageWords, taken: set[int]) -> Iterator[Opening]:
    """Short texts with score and verdict between words that no profile knows: `88/100 · gets a ship`.

    A word that turns the verdict round makes it none.
    """
    for index, block in enumerate(texts):
        text = block.text
        if index in taken or not text or len(text) > HEAD_MAX or text[-1] in ".!?":
            continue
        tokens = head_tokens(text, words)
        kinds = Counter(token.kind for token in tokens)
        unknown = [token.text.casefold() for token in tokens if token.kind == "other"]
        has_both = kinds["score"] + kinds["number"] == 1 == kinds["verdict"]
        if has_both and len(unknown) <= UNKNOWN_WORDS_MAX and words.negations.isdisjoint(unknown):
            yield _opening(index, index, tokens)


def _around_the_take(partial: Sequence[Opening]) -> list[Opening]:
    """`88/100` before each take and `ship` behind it: one head a pair. Empty where they do not alternate."""
    before, behind = partial[::2], partial[1::2]
    if not partial or len(before) != len(behind):
        return []
    pairs = list(zip(before, behind, strict=True))
    if any(first.score is None or second.verdict is None or second.first - first.last < 2 for first, second in pairs):
        return []
    return [replace(first, verdict=second.verdict, closing=second.last) for first, second in pairs]
