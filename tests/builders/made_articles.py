"""Articles of a made language, each as several readers of a page would give it, with the article beside every text.

Shares no code and no word with `made_corpora`: words are syllables, a few frequent and most rare, and what differs is
what readers of real pages differ in: headings, lists and code left out, a menu around, the end cut, other signs.
"""

import random
from collections.abc import Callable, Iterator
from itertools import accumulate
from random import Random
from typing import NamedTuple

_SYLLABLES = [first + vowel + last for first in "bdfgklmnprstvz" for vowel in "aeiou" for last in ("", "n", "r", "s")]
_WORDS = 4_000
_EDITED = 0.04
"""Share of words that an editor changes."""


class Rendering(NamedTuple):
    """A text, the article it renders, and how."""

    article: int
    way: str
    text: str


class _Part(NamedTuple):
    kind: str
    text: str


def renderings(articles: int, *, seed: int) -> Iterator[Rendering]:
    """Six renderings of each article, of 90 to 900 words."""
    chance = random.Random(seed)
    vocabulary = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(_WORDS)]
    weights = list(accumulate(1 / (rank + 3) for rank in range(_WORDS)))

    def sentence() -> str:
        return " ".join(chance.choices(vocabulary, cum_weights=weights, k=chance.randint(6, 24))).capitalize() + "."

    menu = " ".join(chance.choices(vocabulary, k=12)).title()
    footer = f"{sentence()} {sentence()}"
    for number in range(articles):
        parts = [*_parts(sentence, chance)]
        for way, write in _WAYS.items():
            yield Rendering(number, way, write(parts, chance))
        yield Rendering(number, "with menu", f"{menu} {_main(parts, chance)} {footer}")


def _parts(sentence: Callable[[], str], chance: random.Random) -> Iterator[_Part]:
    yield _Part("heading", sentence())
    for _ in range(chance.randint(2, 9)):
        for _ in range(chance.randint(1, 3)):
            yield _Part("paragraph", " ".join(sentence() for _ in range(chance.randint(2, 4))))
        if chance.random() < 0.4:
            yield _Part("list", " ".join(sentence() for _ in range(2)))
        if chance.random() < 0.4:
            yield _Part("heading", sentence())


def _main(parts: list[_Part], _: random.Random) -> str:
    return "\n".join(part.text for part in parts)


def _paragraphs(parts: list[_Part], _: random.Random) -> str:
    return " ".join(part.text for part in parts if part.kind == "paragraph")


def _cut(parts: list[_Part], chance: random.Random) -> str:
    words = _main(parts, chance).split()
    return " ".join(words[: max(60, len(words) // 2)]) + " …"


def _other_signs(parts: list[_Part], chance: random.Random) -> str:
    return _main(parts, chance).replace(". ", " \N{EM DASH} ").replace(" ", "\N{NO-BREAK SPACE}", 9)


def _edit(parts: list[_Part], chance: random.Random) -> str:
    words = _main(parts, chance).split()
    return " ".join(chance.choice(words) if chance.random() < _EDITED else word for word in words)


_WAYS: dict[str, Callable[[list[_Part], random.Random], str]] = {
    "main": _main,
    "paragraphs": _paragraphs,
    "cut": _cut,
    "other signs": _other_signs,
    "edited": _edit,
}


def few_letters(chance: Random) -> list[str]:
    """Texts of a few letters, short and long, that share stretches."""
    parts = ["".join(chance.choices("abcde ", k=chance.randint(8, 60))) for _ in range(8)]
    return ["".join(chance.choices(parts, k=chance.randint(1, 7))) for _ in range(40)]


def articles(chance: Random) -> list[str]:
    """Renderings of a few articles."""
    return [item.text for item in renderings(8, seed=chance.randrange(2**32))]


def boilerplate(chance: Random) -> list[str]:
    """Takes of which more share a phrase than a run leads to, some with edits."""
    phrase = next(renderings(1, seed=chance.randrange(2**32))).text[: chance.choice((80, 160, 300))]
    own = [item.text[:240] for item in renderings(60, seed=chance.randrange(2**32)) if item.way in {"main", "edited"}]
    return [f"{phrase} {text}" for text in own[: chance.choice((30, 60, 120))]]
