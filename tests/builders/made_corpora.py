"""Random corpora with the truth beside every row: which reviewer of which tool's panel wrote each take.

A world has tools with panels of seats, one take per seat, and pages of two tools. Popular tools are on many pages
(Zipf). Families of sibling tools share sentences, some tools share their name, and some copies of a take have other
white space, quotes, dashes or Unicode form, are truncated, or edited. Some pages lack all labels, a few a take.
"""

import random
import tomllib
import unicodedata
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from pathlib import Path

_VOCABULARY = tomllib.loads(Path(__file__).with_name("made_words.toml").read_text(encoding="utf-8"))
GLUE, THINGS, DEEDS, MANNERS = (_VOCABULARY[kind].split() for kind in ("glue", "things", "deeds", "manners"))

REVIEWERS = ("Builder", "Skeptic", "Futurist", "PM", "Founder", "Creator")

PANELS = ((0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 2), (0, 1, 3), (0, 1, 2, 3, 4))
PANEL_WEIGHTS = (50, 20, 12, 10, 8)
"""Reviewers of a panel, and how frequent it is: mostly four reviewers, some have three."""

TAKES_A_TOOL = 27
"""Appearances per tool of the world: 100,000 rows have 15,000 reviews."""

FAMILY_SHARE = 0.15
ENTRY_SHARE = 0.5
"""Tools with an older sibling, one of whose sentences stands in each of their takes; and how many of these are entries
of the same product rather than another version. Names are chosen from 40,000, so some are shared by chance."""

NOISY_SHARE = 0.17
LOST_TAKE_SHARE = 0.005
"""Unlabelled pages on which one take is missing though its tool has it elsewhere."""


@dataclass(frozen=True, slots=True)
class MadeTool:
    """`reviewers` and `takes` side by side; `votes` says which of them ship."""

    number: int
    slug: str
    name: str
    tagline: str
    reviewers: tuple[int, ...]
    takes: tuple[str, ...]
    votes: tuple[bool, ...]
    family: int
    maker: str
    family_name: str

    @property
    def product(self) -> tuple[int, str]:
        """What it is an entry of: its family, unless its name has a number of its own."""
        return self.family, self.name


@dataclass(frozen=True, slots=True)
class MadeTake:
    """A take as a page shows it. `reviewer` and `is_b` are the truth, whether or not the page shows them."""

    text: str
    reviewer: int
    is_b: bool
    noise: str


@dataclass(frozen=True, slots=True)
class MadePage:
    """Takes in reading order: row by row, A before B."""

    number: int
    a: MadeTool
    b: MadeTool
    is_labelled: bool
    takes: tuple[MadeTake, ...]


def make_pages(
    appearances: int, *, seed: int, labelled: float, takes_a_tool: int = TAKES_A_TOOL, noisy: float = NOISY_SHARE
) -> Iterator[MadePage]:
    """Pages with at least this many appearances. `labelled` is the share of pages with reviewers, scores and sides.

    `takes_a_tool` is the density of the world: with 6, most tools are on one page or two.
    """
    chance = random.Random(seed)
    tools = make_tools(max(appearances // takes_a_tool, 4), chance)
    popularity = list(accumulate(1 / (rank + 8) for rank in range(len(tools))))
    pairs: set[tuple[int, int]] = set()
    made = number = 0
    while made < appearances:
        first, second = (bisect(popularity, chance.random() * popularity[-1]) for _ in "ab")
        pair = (first, second) if tools[first].slug < tools[second].slug else (second, first)
        if first == second or pair in pairs:
            continue
        pairs.add(pair)
        page = _page(number, tools[pair[0]], tools[pair[1]], chance.random() < labelled, noisy, chance)
        number += 1
        made += len(page.takes)
        yield page


def make_tools(count: int, chance: random.Random) -> list[MadeTool]:
    """The tools of a world, the popular ones first."""
    tools: list[MadeTool] = []
    for number in range(count):
        elder = chance.choice(tools) if tools and chance.random() < FAMILY_SHARE else None
        reviewers = elder.reviewers if elder else PANELS[chance.choices(range(len(PANELS)), PANEL_WEIGHTS)[0]]
        maker = chance.choice(DEEDS) if elder is None else elder.maker
        name = f"{chance.choice(MANNERS)} {chance.choice(THINGS)}".title() if elder is None else elder.family_name
        is_entry = elder is None or chance.random() < ENTRY_SHARE
        takes = tuple(_take(chance, elder.takes[reviewer] if elder else None) for reviewer in range(len(reviewers)))
        tools.append(
            MadeTool(
                number=number,
                slug=f"{maker}-{name.lower().replace(' ', '-')}-{chance.choice(THINGS)}-{number}",
                name=name if is_entry else f"{name} {number % 97 + 2}",
                maker=maker,
                family_name=name,
                tagline=_sentence(chance, 5),
                reviewers=reviewers,
                takes=takes,
                votes=tuple(chance.random() < 0.8 for _ in reviewers),
                family=elder.family if elder else number,
            )
        )
    return tools


def _take(chance: random.Random, elder: str | None) -> str:
    sentences = [_sentence(chance, chance.randint(9, 20)) for _ in range(chance.choice((3, 3, 4, 4, 5)))]
    if elder is not None:
        sentences[chance.randrange(len(sentences))] = elder.split(". ")[0].rstrip(".") + "."
    return " ".join(sentences)


_WORDS = (GLUE, THINGS, DEEDS, MANNERS)
_PATTERN = (0, 3, 1, 2, 0, 1, 0, 0, 3, 1, 0, 2, 0, 1, 0, 3, 1, 0, 2, 0, 1)


def _sentence(chance: random.Random, words: int) -> str:
    start = chance.randrange(len(_PATTERN))
    sentence = [chance.choice(_WORDS[_PATTERN[(start + index) % len(_PATTERN)]]) for index in range(words)]
    variety = chance.random()
    if variety < 0.2:
        sentence[words // 2] += " —"
    elif variety < 0.35:
        sentence[words // 2] = f"“{sentence[words // 2]}”"
    elif variety < 0.5:
        sentence[1] += "’s"
    elif variety < 0.6:
        sentence[-1] = f"${chance.randint(5, 90)}/mo"
    return " ".join(sentence).capitalize() + "."


def _page(number: int, a: MadeTool, b: MadeTool, is_labelled: bool, noisy: float, chance: random.Random) -> MadePage:
    cells = sorted(
        chain(
            ((reviewer, False, text) for reviewer, text in zip(a.reviewers, a.takes, strict=True)),
            ((reviewer, True, text) for reviewer, text in zip(b.reviewers, b.takes, strict=True)),
        )
    )
    if not is_labelled and chance.random() < LOST_TAKE_SHARE:
        del cells[chance.randrange(len(cells))]
    takes = []
    for reviewer, is_b, text in cells:
        noise = chance.choices(KINDS, WEIGHTS)[0] if chance.random() < noisy else "none"
        takes.append(MadeTake(NOISE[noise](text, chance), reviewer, is_b, noise))
    return MadePage(number, a, b, is_labelled, tuple(takes))


Noise = Callable[[str, random.Random], str]


def _as_it_is(text: str, _chance: random.Random) -> str:
    return text


def _spaces(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    for index in chance.sample(range(len(words)), 3):
        words[index] += chance.choice((" ", "\u00a0", "\n"))
    return " ".join(words)


def _quotes(text: str, _chance: random.Random) -> str:
    plain = text.translate(str.maketrans("“”’", '""\''))
    return plain if plain != text else f"“{text}”"


def _dashes(text: str, chance: random.Random) -> str:
    return text.replace(" —", chance.choice(("–", "--", " - "))) if "—" in text else text.replace(". ", " – ", 1)


def _form(text: str, _chance: random.Random) -> str:
    wide = {ord(sign): ord(sign) + 0xFEE0 for sign in "0123456789"}
    return unicodedata.normalize("NFD", text).translate(wide).replace("fi", "\ufb01").replace(".", "\u2024", 1)


def _cut(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    return " ".join(words[: max(int(len(words) * chance.uniform(0.45, 0.9)), 14)]).rstrip(".,—– ")


def _ellipsis(text: str, chance: random.Random) -> str:
    return _cut(text, chance) + chance.choice(("…", "...", " …"))


def _edit(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    for _ in range(chance.randint(1, 3)):
        index = chance.randrange(len(words))
        edit = chance.random()
        if edit < 0.6:
            words[index] = chance.choice(THINGS)
        elif edit < 0.8:
            words.insert(index, chance.choice(MANNERS))
        else:
            del words[index]
    return " ".join(words)


def _both(text: str, chance: random.Random) -> str:
    return _ellipsis(_edit(_spaces(text, chance), chance), chance)


NOISE: dict[str, Noise] = {
    "none": _as_it_is,
    "spaces": _spaces,
    "quotes": _quotes,
    "dashes": _dashes,
    "form": _form,
    "cut": _cut,
    "ellipsis": _ellipsis,
    "edit": _edit,
    "both": _both,
}
KINDS: Sequence[str] = [kind for kind in NOISE if kind != "none"]
WEIGHTS = tuple(chain(repeat(15, 4), (12, 12, 12, 4)))
