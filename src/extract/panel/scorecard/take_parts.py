"""The texts of the scorecard, one for each thing that they say: lines, labels and heads in one block taken apart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.words.head_tokens import head_kinds
from verdicts.extract.panel.words.page_words import PageWords

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
