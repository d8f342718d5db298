"""Articles of a made language, each as several readers of a page would give it, with the article beside every text.

Shares no code and no word with `made_corpora`: words are syllables, a few frequent and most rare, and what differs is
what readers of real pages differ in: headings, lists and code left out, a menu around, the end cut, other signs.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import accumulate
from random import Random
from typing import NamedTuple

from verdicts.extract.model.records import Span, Take
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.dedup.mentions import Mention, TextIds
from verdicts.normalize.identity.ids import ToolAlias
from verdicts.normalize.identity.page_versions import VersionHead

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


def _edited(parts: list[_Part], chance: random.Random) -> str:
    words = _main(parts, chance).split()
    return " ".join(chance.choice(words) if chance.random() < _EDITED else word for word in words)


_WAYS: dict[str, Callable[[list[_Part], random.Random], str]] = {
    "main": _main,
    "paragraphs": _paragraphs,
    "cut": _cut,
    "other signs": _other_signs,
    "edited": _edited,
}


TOOLS = ("alpha", "beta", "gamma", "delta", "name one", "name two")
HOSTS = ("one.example", "two.example", "three.example")


@dataclass(frozen=True)
class Known:
    """All mentions of a corpus, the ids that its tools had before, and their hosts."""

    mentions: Sequence[Mention]
    aliases: Mapping[str, ToolAlias]
    hosts: Mapping[str, str]


@dataclass(frozen=True)
class Page:
    """Tools as its cards name them, and takes with the side that labels them."""

    number: int
    day: str
    tools: tuple[str, str]
    host: str | None
    takes: tuple[tuple[str, int | None], ...]


@dataclass
class World:
    """Pages by number; claims are tool and day by name; hosts by tool."""

    chance: Random
    texts: list[str]
    pages: dict[int, Page] = field(default_factory=dict)
    claims: dict[str, tuple[str, str]] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)
    made: int = 0

    def known(self) -> Known:
        aliases = {name: ToolAlias(name, tool, name, None, since) for name, (tool, since) in self.claims.items()}
        ids = TextIds()
        return Known([*self._mentions(aliases, ids)], aliases, dict(self.hosts))

    def _mentions(self, aliases: dict[str, ToolAlias], ids: TextIds) -> Iterator[Mention]:
        for page in self.pages.values():
            final = tuple(aliases[tool].tool_id if tool in aliases else tool for tool in page.tools)
            early = tuple(
                name if name in aliases and aliases[name].since > page.day else tool
                for name, tool in zip(page.tools, final, strict=True)
            )
            head = _head(page, (final[0], final[1]), (early[0], early[1]))
            for position, (text, side) in enumerate(page.takes):
                label = None if side is None else final[side]
                owner = None if label is None else early[final.index(label)]
                take = Take(position, None, None, None, None, None, text, Span(0, 0))
                yield Mention(ids.of(text, head.early_ids, owner), head, take, label)

    def night(self, day: str) -> None:
        """A few changes."""
        for _ in range(self.chance.randint(1, 6)):
            self._change(day)

    def _change(self, day: str) -> None:
        chance, number = self.chance, self.chance.choice([*self.pages] or [0])
        kind = chance.random()
        if kind < 0.6 or not self.pages:
            self.made += 1
            late = chance.random() < 0.15
            self.pages[self.made] = self._page(self.made, f"{chance.randint(1, int(day)):02d}" if late else day)
        elif kind < 0.7:
            del self.pages[number]
        elif kind < 0.8:
            page = self.pages[number]
            self.pages[number] = replace(self._page(number, page.day), tools=page.tools)
        elif kind < 0.9:
            name = chance.choice(TOOLS[4:])
            if not self.claims.pop(name, None) or chance.random() < 0.6:
                self.claims[name] = (chance.choice(TOOLS[:2]), f"{chance.randint(1, int(day)):02d}")
        else:
            tool = chance.choice(TOOLS)
            if not self.hosts.pop(tool, None) or chance.random() < 0.6:
                self.hosts[tool] = chance.choice(HOSTS)

    def _page(self, number: int, day: str) -> Page:
        chance = self.chance
        first, second = chance.sample(TOOLS, 2)
        is_labelled = chance.random() < 0.4
        takes = chance.sample(self.texts, min(chance.randint(1, 5), len(self.texts)))
        labelled = tuple((text, chance.randint(0, 1) if is_labelled else None) for text in takes)
        return Page(number, day, (first, second), chance.choice((None, *HOSTS)), labelled)


def _head(page: Page, final: tuple[str, str], early: tuple[str, str]) -> VersionHead:
    return VersionHead(
        page_id=f"page {page.number}",
        source="",
        host=page.host,
        tool_ids=final,
        early_ids=early,
        crawl=page.day,
        ingest_day=page.day,
        fetched_at=datetime(2026, 11, 1, tzinfo=UTC),
        sha256="",
        location=Location("made", page.number),
        rendering="html",
        profile="",
        title="",
        sizes=((), ()),
        is_standing=True,
    )


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
