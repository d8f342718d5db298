"""The parts of what may open a take, told once for each text: seats, heads and labels recur from page to page."""

from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias, cast

from verdicts.extract.panel.words.page_words import PageWords

Kind: TypeAlias = Literal["score", "number", "verdict", "fill", "sign", "other"]
"""`fill` is a word that may stand beside score and verdict; `number` one that names no scale."""

FACTS = frozenset({"score", "number", "verdict"})


class Token(NamedTuple):
    """A part of a text. `score` is the score with its scale, `88/100`, where the part is one."""

    kind: Kind
    text: str
    score: str | None = None
    is_on_scale: bool = False


@lru_cache(maxsize=8192)
def head_tokens(text: str, words: PageWords) -> tuple[Token, ...]:
    """The parts of a text, in order."""
    tokens = []
    for match in words.head_token.finditer(text):
        score = None
        if match.lastgroup == "score":
            scale = match["scale"]
            score = f"{match['of_scale'].replace(',', '.')}/{scale}" if scale else f"{match['of_hundred']}/100"
        tokens.append(Token(cast("Kind", match.lastgroup), match[0], score, match["scale"] is not None))
    return tuple(tokens)


@lru_cache(maxsize=8192)
def head_kinds(text: str, words: PageWords) -> frozenset[Kind]:
    """The kinds of parts that a text has."""
    return frozenset(token.kind for token in head_tokens(text, words))
