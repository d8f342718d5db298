"""Reads the promises of a page's title and first heading: names, a number of tools, a list, a comparison. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import takewhile

from verdicts.extract.generic.label_words import (
    ADVICE_WORDS,
    KIND_WORDS,
    LIST_WORDS,
    LIST_WORDS_WITHIN,
    NAME_MAX,
    NAME_PARTS,
    NUMBER_WORDS,
    OTHER_WORDS,
    PLAN_WORDS,
    PRICE,
    QUESTION_WORDS,
    REVIEW_WORDS,
    TESTED_WORDS,
    TOOL_WORDS,
    remove_rank,
)
from verdicts.extract.generic.stated import key
from verdicts.extract.model.blocks import Block, fold

VERSUS = re.compile(r"\s(?:vs\.?|versus)\s", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(vs\.?|versus|compar\w+|alternatives?|\w*vergleiche?s?|alternativen|vergelijking\w*|porównanie|jämför\w*)\b|比較",
    re.IGNORECASE,
)
_ENUMERATED = re.compile(r"([^,?:—|]+(?:, [^,?:—|]+)*),? (?:or|oder|ou|o|of|eller|или) ([^,?:—|]+)")
"""Names from which a title asks to choose: `Alpha, Beta or Gamma: which suits you?`."""

_PARTS = re.compile(r"\s?(?::\s|\||–|—|\?|,\s|\s-\s)")
"""Between the parts of a title: `Choosing a builder: Alpha vs. Beta | A site`."""
_BEHIND = re.compile(
    r"\s(?:comparison|compared|reviews?|reviewed|differences?|vergleich|im\s\w+|comparatif|comparativa|pricing|"
    r"(?:in\s|\()?20\d\d\)?|which|what|who|how|when|for)\b.*",
    re.IGNORECASE,
)
"""Words behind the names of a title: `Alpha vs Beta Comparison 2026`."""

_COUNTER = re.compile(r"(?<![\d.,])(\d{1,3})(?:社|選|選び|台|個|本|款|个|种|가지|곳)")
"""A number of things where no space parts words: `人気ドメイン会社7社を徹底比較`."""

_SITE = re.compile(r"(.*\S)\s[|–—-]\s(.+)")

_AHEAD = re.compile(r"^(?:compare|comparing|comparison of|vergleich(?:e|en)?|comparer|comparar)\s", re.IGNORECASE)
"""Words before the names of a title: `Compare Alpha vs. Beta`."""

FOR = frozenset({"for", "für", "pour", "para", "per", "voor", "для"})
"""Words before an audience, or a use."""

COUNTED_WORDS_MAX = 4
"""The most words from a number to the tools that it counts."""

YEAR_DIGITS = 4
"""A number of so many digits is a year: `2026 test`."""

COUNT_MAX = 150
"""The most tools that a title may promise. `Best 365 apps` is a name."""


@dataclass(frozen=True, slots=True)
class Promise:
    """The promises of titles. `count` is a number of tools, `is_list`: the best of a kind, `compares`: tools or others.

    A number of tips, trends or ways does not promise tools.
    """

    titles: tuple[str, ...]
    names: tuple[str, ...]
    count: int | None
    is_list: bool
    compares: bool
    is_of_others: bool = False
    """It promises places, people, dishes, or kinds of things."""

    @property
    def is_made(self) -> bool:
        """Whether the titles promise tools."""
        return (
            self.is_list
            or self.compares
            or (not self.is_of_others and any(map(_asks_for_a_list, _without_site(self.titles))))
            or any(map(_prices_several, self.titles))
        )


def heads_in(blocks: Iterable[Block]) -> frozenset[str]:
    """The keys of the lines in cells and headings: names of a title stand there without the words around them."""
    found = (block for block in blocks if block.cell is not None or block.is_strong or (block.level or 1) > 1)
    lines = (remove_rank(line) for block in found for line in (block.text, *block.lines))
    return frozenset(key(part) for line in lines for part in (line, NAME_PARTS.split(line, maxsplit=1)[0]))


def read_promise(titles: Sequence[str], heads: Set[str] = frozenset()) -> Promise:
    """`titles`: of the page, and its first headings. `heads`: lines of its cells and headings, by key."""
    parts = [part for title in _without_site(titles) if not _is_single_review(title) for part in _PARTS.split(title)]
    lists = [part for part in parts if promises_list(part) and fold(part.split()[0]) not in QUESTION_WORDS]
    are_tools = not any(map(_promises_others, titles))
    is_given = are_tools and not any(map(is_advice, lists))
    return Promise(
        tuple(titles),
        next(filter(None, (_names(title, heads) for title in titles)), ()) if are_tools else (),
        next((count for part in parts if (count := _count(part)) is not None), None) if is_given else None,
        is_given and bool(lists),
        is_given and any(_COMPARES.search(title) for title in titles),
        not are_tools,
    )


def _without_site(titles: Sequence[str]) -> Iterator[str]:
    """The titles without the name of the site, which ends the first of several: `Kestrel | Best Mail Tools`."""
    for place, title in enumerate(titles):
        parted = _SITE.fullmatch(title) if place == 0 and len(titles) > 1 else None
        has_site = parted is not None and not any(key(parted[2]) in key(other) for other in titles[1:])
        yield parted[1] if parted is not None and has_site else title


def _asks_for_a_list(title: str) -> bool:
    return promises_list(title) and not (is_advice(title) or _is_single_review(title))


def _is_single_review(title: str) -> bool:
    """Whether a title is that of a review of one thing: `Kestrel Review 2026: Best Mail Client for Teams?`."""
    first = _PARTS.split(title)[0]
    words = {fold(word) for word in first.split()}
    return not (REVIEW_WORDS.isdisjoint(words) or promises_list(first) or _COMPARES.search(first))


def _promises_others(title: str) -> bool:
    """Whether it promises places, people, dishes, or asks which kind of a thing is better."""
    words = {part for word in title.split() for part in (fold(word), fold(word).rpartition("-")[2])}
    return not words.isdisjoint(OTHER_WORDS) or (VERSUS.search(title) is not None and not words.isdisjoint(KIND_WORDS))


def _prices_several(title: str) -> bool:
    """`AI tools BDT price 2026`: prices of several tools."""
    words = {fold(word) for word in title.split()}
    return not PRICE.isdisjoint(words) and any(word.endswith("s") for word in words & TOOL_WORDS)


def promises_list(title: str) -> bool:
    words = [fold(word) for word in title.split()]
    return not LIST_WORDS.isdisjoint(words) or any(word in title for word in LIST_WORDS_WITHIN) or _counts_tools(words)


def _counts_tools(words: Sequence[str]) -> bool:
    """`Nine note-taking apps I tried`, `18 Kindersitze im Test`: a number, and behind it tools, or a test of them."""
    first = next((place for place, word in enumerate(words) if word in NUMBER_WORDS or word.isdecimal()), None)
    if first is not None and not TESTED_WORDS.isdisjoint(words[first + 2 :]) and len(words[first]) < YEAR_DIGITS:
        return True
    return first is not None and any(
        word.endswith("s") and word in TOOL_WORDS for word in words[first + 1 :][:COUNTED_WORDS_MAX]
    )


def is_named_in(titles: Sequence[str], name: str) -> bool:
    return any(f" {key(name)} " in f" {key(title)} " for title in titles)


def has_audience(award: str) -> bool:
    """Whether an award says whom a tool is best for, or what: `Best for offices`, not `Best overall`."""
    return not FOR.isdisjoint(fold(award).split())


def is_advice(title: str) -> bool:
    """Whether it promises ideas or people: `10 trends`, `The best actors`; not whom tools are for: `for founders`."""
    words = takewhile(lambda word: word not in FOR, (fold(word) for word in title.split()))
    return not ADVICE_WORDS.isdisjoint(words)


def _count(title: str) -> int | None:
    """The promised number of tools: `The 12 Best Notion Alternatives in 2026` says 12, `Alpha 40 vs Beta` none."""
    numbers = [word.strip("()[]:,#") for word in (*title.split(), *_COUNTER.findall(title))]
    counts = {int(word) for word in numbers if word.isascii() and word.isdecimal() and len(word) <= 3}
    counts |= {NUMBER_WORDS[folded] for word in numbers if (folded := word.casefold()) in NUMBER_WORDS}
    counts = {count for count in counts if 2 <= count <= COUNT_MAX}
    is_promise = (promises_list(title) or _COMPARES.search(title)) and not VERSUS.search(title)
    return counts.pop() if len(counts) == 1 and is_promise else None


def _names(title: str, heads: Set[str]) -> tuple[str, ...]:
    """The names of `Alpha vs Beta: which is better in 2026? | A site`."""
    part = next((part for part in _PARTS.split(title) if VERSUS.search(part)), None)
    chosen = _ENUMERATED.match(title) if part is None and _asks(title) else None
    if chosen is not None and not all(name.strip()[:1].isupper() for name in (*chosen[1].split(", "), chosen[2])):
        return ()
    if part is None and chosen is None:
        return ()
    first, *others = VERSUS.split(part) if part is not None else [*chosen[1].split(", "), chosen[2]] if chosen else []
    first = _AHEAD.sub("", first)
    ends = first.split()
    first = _alone((" ".join(ends[position:]) for position in range(len(ends))), first, heads)
    *before, last = (first, *others)
    words = last.split()
    positions = [
        len(words),
        *(position for position in range(len(words) - 1, 0, -1) if not words[position][0].isupper()),
    ]
    last = _alone((" ".join(words[:position]) for position in positions), _BEHIND.sub("", last), heads)
    names = tuple(name.strip() for name in (*before, last))
    return names if all(0 < len(name) <= NAME_MAX for name in names) else ()


def _asks(title: str) -> bool:
    """`Alpha or Beta?`, `Alpha or Beta: which suits you`."""
    return "?" in title or any(
        fold(part.split()[0]) in QUESTION_WORDS for part in _PARTS.split(title)[1:] if part.strip()
    )


def _alone(forms: Iterable[str], name: str, heads: Set[str]) -> str:
    """The longest of these forms of a name that is a head: without small words behind, `Node.js in production`."""
    return next((one for one in forms if key(one) in heads and key(one) not in PLAN_WORDS), name)
