"""The opening of a scorecard cell: score and verdict in any form, or words for a missing take."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from verdicts.corpus.text import FULL_WIDTH
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.profile import PageWords
from verdicts.extract.panel.texts import SHORT_MAX, Texts

TAKE_MIN = 20
"""From this length on, the text after a head is a take: `64/100 · ship ▲ 3` has none."""

LABELS_MAX = 120
"""The most characters of a text of labels: `Builder on Alpha — 88/100 · ship`."""

PARTS_MAX = 4
"""The most texts side by side in one head: `Score`, `88/100`, `Verdict`, `ship`."""

STARS = 5
"""Drawn stars are a score if they are so many, full and empty ones: `★★★★☆`."""

_JOINTS = " \t:·•|,/()[]—–-"
_JOINING_WORDS = ("on ", "of ", "for ", "about ")
_DIGIT = re.compile(r"\d")

Kind: TypeAlias = Literal["score", "number", "verdict", "fill", "sign", "other"]
"""`fill` is a word that may be beside score and verdict; `number` has no scale."""


class Token(NamedTuple):
    """A part of a text. `score` is the score with its scale, `88/100`, if it is one."""

    kind: Kind
    text: str
    score: str | None = None


@lru_cache(maxsize=8192)
def head_tokens(text: str, words: PageWords) -> tuple[Token, ...]:
    """The parts of a text, in order; cached, as reviewers, heads and labels recur from page to page."""
    tokens = []
    # `８８／１００` is a score. `²/100` is none, and `88²/100` has the mark of a footnote.
    for match in words.head_token.finditer(text.translate(FULL_WIDTH)):
        kind, score = match.lastgroup, None
        if kind == "stars":
            kind = "score" if len(match[0]) == STARS else "sign"
            score = f"{sum(star in '★⭐' for star in match[0])}/{STARS}"
        elif kind == "score":
            scale = match["scale"]
            score = f"{match['of_scale'].replace(',', '.')}/{scale}" if scale else f"{match['of_hundred']}/100"
        tokens.append(Token(cast("Kind", kind), match[0], score))
    return tuple(_without_confidence(tokens))


def _without_confidence(tokens: Sequence[Token]) -> Iterator[Token]:
    """`88/100 · ship · 72% sure` has one score: the percentage and its word are beside it."""
    has_score = any(token.kind == "score" and not token.text.endswith("%") for token in tokens)
    is_beside = False
    for token in tokens:
        is_word = is_beside and token.kind == "other"
        is_beside = has_score and token.kind == "score" and token.text.endswith("%")
        yield token._replace(kind="fill") if is_beside or is_word else token


@lru_cache(maxsize=8192)
def head_kinds(text: str, words: PageWords) -> frozenset[Kind]:
    return frozenset(token.kind for token in head_tokens(text, words))


def is_head(text: str, words: PageWords) -> bool:
    """Whether a text has a score or a verdict, and nothing that a head cannot have."""
    kinds = head_kinds(text, words) if 0 < len(text) <= LABELS_MAX else frozenset()
    return "other" not in kinds and ("score" in kinds or "verdict" in kinds)


def says_no_take(text: str, words: PageWords) -> bool:
    """`No panel take`, a dash, an empty cell."""
    return text in words.no_value or (len(text) <= SHORT_MAX and fold(text) == words.no_take)


def says_score(text: str, words: PageWords) -> bool:
    """Whether a text has a score on a scale, alone or with a verdict, or before the words of a take."""
    if _DIGIT.search(text, 0, SHORT_MAX) is None:
        return False
    if words.head_before_take.match(text) is not None:
        return True
    tokens = head_tokens(text, words) if len(text) <= SHORT_MAX else ()
    kinds = {token.kind for token in tokens}
    is_on_scale = any(token.kind == "score" and token.text[-1] != "%" for token in tokens)
    return "score" in kinds and ("verdict" in kinds or (is_on_scale and "other" not in kinds))


def take_parts(page: Texts, section: range, names: tuple[str, str]) -> Texts:
    """The section's texts; lines, labels and heads in one block are separated."""
    words = page.words
    labels = tuple(sorted({*words.reviewers, *map(str.casefold, names)}, key=len, reverse=True))
    texts: list[Block] = []
    numbers: list[int] = []
    for index in section:
        block = page[index]
        lines = _lines(block, labels, words) if block.lines else (block.text,)
        pieces = [piece for line in lines for piece in _pieces(line, labels, words)]
        texts += [block] if len(pieces) == 1 else [*map(block.with_text, pieces)]
        numbers += [page.numbers[index]] * len(pieces)
    return Texts(texts, words, numbers)


def _lines(block: Block, labels: tuple[str, ...], words: PageWords) -> Sequence[str]:
    """The lines of a text if one is a head, a reviewer or a name; else the whole text."""
    has_label = any(fold(line) in {*labels, words.no_take} or is_head(line, words) for line in block.lines)
    return block.lines if has_label else (block.text,)


def _pieces(line: str, labels: tuple[str, ...], words: PageWords) -> Sequence[str]:
    if line[:1].isdigit() and not (len(line) <= SHORT_MAX and is_head(line, words)):
        before = words.head_before_take.match(line)
        rest = "" if before is None else line[before.end() :]
        if before is not None and (len(rest) >= TAKE_MIN):
            return (before["head"], rest)
    folded = line.casefold() if len(line) <= LABELS_MAX else ""
    if folded in labels or not folded.startswith(labels):
        return (line,)
    return _labels(line, labels, words)


def _labels(text: str, labels: tuple[str, ...], words: PageWords) -> Sequence[str]:
    """Splits `Builder on Alpha`, `Alpha — 88/100 · ship` into labels and head. Other texts stay whole."""
    pieces_before: list[str] = []
    rest = text
    while rest and len(pieces_before) < 2:
        folded = rest.casefold()
        label = next(
            (label for label in labels if folded.startswith(label) and not rest[len(label) :][:1].isalnum()), None
        )
        if label is None:
            break
        pieces_before.append(rest[: len(label)])
        rest = rest[len(label) :].strip(_JOINTS)
        rest = rest.removeprefix(next((word for word in _JOINING_WORDS if rest.startswith(word)), ""))
    is_taken_apart = not rest or fold(rest) == words.no_take or is_head(rest, words)
    pieces = (*pieces_before, rest) if rest else tuple(pieces_before)
    return pieces if len(pieces) > 1 and is_taken_apart else (text,)


class Opening(Struct, frozen=True):
    """The opening of a cell, and the numbers of its first and last text.

    Without `score` and `verdict` the cell has no take.
    """

    first: int
    last: int
    score: str | None = None
    verdict: str | None = None

    @property
    def is_take(self) -> bool:
        return self.score is not None or self.verdict is not None

    @property
    def is_full(self) -> bool:
        return self.score is not None and self.verdict is not None


def openings(texts: Texts) -> Iterator[list[Opening]]:
    """The ways to find the openings of cells, in page order: with score and verdict, or with one of both."""
    none = [Opening(index, index) for index, block in enumerate(texts) if says_no_take(block.text, texts.words)]
    heads = _at_one_scale(_runs(texts))
    full = [head for head in heads if head.is_full]
    for way in (full, heads) if heads != full else (full,):
        taken = _list_positions(way)
        free = [opening for opening in none if opening.first not in taken]
        if way:
            yield sorted([*way, *free], key=lambda opening: opening.first)


def _list_positions(heads: Sequence[Opening]) -> set[int]:
    return {index for head in heads for index in range(head.first, head.last + 1)}


def _runs(texts: Texts) -> Iterator[Opening]:
    """Heads in one text, or in several side by side: `88`, `/100`, `ship`."""
    words = texts.words
    may_stand = [0 < len(block.text) <= SHORT_MAX and block.text not in words.no_value for block in texts]
    says = [may and words.fact.search(block.text) is not None for may, block in zip(may_stand, texts, strict=True)]
    index = 0
    while index < len(texts):
        end = index
        while end < min(index + PARTS_MAX, len(texts)) and may_stand[end]:
            end += 1
        for last in range(end - 1, index - 1, -1):
            head = _head(texts, index, last) if says[last] else None
            if head is not None:
                yield head
                index = last
                break
        index += 1


def _head(texts: Texts, first: int, last: int) -> Opening | None:
    parts, words = texts[first : last + 1], texts.words
    if first != last:
        if "other" in head_kinds(parts[0].text, words):
            return None
        # Texts in separate elements may be two cells.
        longest = max((part.path for part in parts), key=len)
        if any(part.path != longest[: len(part.path)] for part in parts):
            return None
    head = _read_head(" ".join(part.text for part in parts), words)
    return None if head is None else Opening(first, last, *head)


@lru_cache(maxsize=8192)
def _read_head(text: str, words: PageWords) -> tuple[str | None, str | None] | None:
    """Score and verdict in a text without anything else."""
    tokens = head_tokens(text, words)
    kinds = [token.kind for token in tokens]
    scores = kinds.count("score") or kinds.count("number")
    if "other" in kinds or scores > 1 or kinds.count("verdict") > 1 or not ("verdict" in kinds or "score" in kinds):
        return None
    if "number" in kinds and any("/" in token.text for token in tokens if token.kind == "sign"):
        return None
    by_kind = {token.kind: token.score or token.text for token in tokens}
    return by_kind.get("score") or by_kind.get("number"), by_kind.get("verdict")


def _at_one_scale(runs: Iterator[Opening]) -> list[Opening]:
    """Numbers without a scale are out of a hundred if one is above ten; else their scale is unknown."""
    heads = list(runs)
    bare = [head for head in heads if head.score is not None and "/" not in head.score]
    is_of_hundred = any(float(head.score or 0) > 10 for head in bare)
    return [replace(head, score=f"{head.score}/100") if head in bare and is_of_hundred else head for head in heads]
