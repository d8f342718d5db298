"""The texts of a page with the words of its site: their elements, and which are no facts.

A profile's words are folded and compiled into patterns, once per profile.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from itertools import count
from typing import Literal, TypeAlias, get_args

from msgspec.structs import asdict

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import Block, fold, shared_depth
from verdicts.extract.model.records import Doubt, Span
from verdicts.extract.panel.profile import SiteProfile

CardField: TypeAlias = str
"""A labelled field of `Card`: the keys of a profile's `[card]` except `name`."""

UNLABELLED: frozenset[CardField] = frozenset({"category", "tagline", "chip", "description"})
"""Parts of a card with labels only in tables and data; elsewhere their order identifies them."""

DecisionField: TypeAlias = Literal["verdict", "community", "pricing", "best_for", "category"]

PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s?(?:%|per\s?cent)", re.IGNORECASE)
"""`75%`, `66.7 %`, `75 percent`."""

SENTENCE_ENDS = (".", "!", "?", "…", "”", '"', ")")

_JOINT = r"[\s·•|,:()\u2013\u2014-]"
_NUMBER = r"\d{1,3}(?:[.,]\d{1,2})?"


class PageWords:
    """Texts are folded unless stated otherwise; labels map to the record's field."""

    def __init__(self, profile: SiteProfile) -> None:
        page, card, decision = profile.page, profile.card, profile.decision
        scorecard, values = profile.scorecard, profile.values
        self.profile = profile
        # As printed.
        self.title_separator, self.breadcrumb = page.title_separator, page.breadcrumb
        self.no_value = frozenset({*page.no_value, ""})
        self.opening_marks = frozenset(opening for opening, _ in page.quotation_marks)
        # Heads of parts, and words that identify a page.
        self.eyebrow, self.closing_lines = fold(page.eyebrow), _folded(page.closing_lines)
        self.decision, self.scorecard, self.no_take = fold(decision.head), fold(scorecard.head), fold(scorecard.no_take)
        self.column_heads = _folded(scorecard.column_heads)
        # Labels. Those of `stats` are on every card; `name_labels` head the column of the names.
        self.panel_ship, self.entry = fold(card.panel_ship), fold(card.entry)
        self.card_labels: Mapping[str, CardField] = {
            fold(text): field
            for field, texts in asdict(card).items()
            if field != "name"
            for text in ((texts,) if isinstance(texts, str) else texts)
        }
        self.stats = tuple(label for label, field in self.card_labels.items() if field not in UNLABELLED)
        self.name_labels = _folded(card.name)
        self.decision_labels: Mapping[str, DecisionField] = {
            fold(getattr(decision, field)): field for field in get_args(DecisionField)
        }
        self.decision_verdict = fold(decision.verdict)
        heads = {self.decision, self.scorecard, self.no_take}
        self.labels = frozenset({*self.card_labels, *self.decision_labels, *heads})
        # Values and their badges.
        self.chips, self.entries = _folded(values.verdicts), _folded(values.entries)
        self.community_votes = tuple(map(str.casefold, values.community_votes))
        self.badges, self.price_badges = _folded(page.badges), _folded(page.price_badges)
        self.badge_max, self.links = max(map(len, page.badges), default=0) + 3, _folded(page.links)
        self.seats = _folded(profile.seats)

        pattern = partial(re.compile, flags=re.IGNORECASE)
        # The end of an address of a tool's own page.
        self.tool_link = re.compile(rf"{re.escape(profile.addresses.tool_path)}(?P<slug>[a-z0-9-]+)/?(?:[?#].*)?$")
        # `Panel ship: 75%`: label, joint, value; `75% Panel ship`; the labels in `75% Panel ship · Free Entry`.
        stats = _any_of(self.stats)
        self.label_and_value = pattern(rf"[^\w“\"]*({stats})(\s*:\s*|\s+|)(.{{1,40}})")
        self.value_and_label = pattern(rf"(?:[^\w“\"—–-])*(.{{1,12}}?)\s?({stats})")
        self.stats_in_a_row = pattern(rf"({stats})")
        # A verdict in the Decision table, `Ship · 3 ship / 1 skip`.
        self.verdict_value = pattern(rf"({_any_of(map(str.casefold, values.verdicts))})(?![^\W\d]).*")
        # `Builder · ships weekly`, `The Skeptic (CTO)`, `01 Builder`, `Builder:`, and a counter, `Builder12`.
        seat = rf"(?P<seat>{_any_of(profile.seats)})(?:\d{{0,3}}[^\w]{{0,3}}$|\s?[·•|,:(\u2013\u2014-])"
        self.seat_with_remark = pattern(rf"[^\w“\"]{{0,5}}(?:\d{{1,2}}[.)]?\s)?(?:the\s)?{seat}")
        # Adverts: `Sponsored`, `Ad · Try this`.
        self.advert = pattern(rf"(?:{_any_of(page.adverts)})(?:$|\s?[:·•|\u2013\u2014-]|\sby\s)")
        # Whole texts attached to a take: `Share · Report`, `12 found this helpful`.
        actions, counted = _any_of(page.actions), _any_of(page.counted)
        part = rf"(?:(?:{actions})\b|\d[\d.,]*+\s?k?\s?(?:{counted})\b|(?:{counted})\b)"
        between = r"[^\w“”\"'’.!]"
        self.boilerplate = pattern(rf"{between}*+{part}(?>(?:{between}++{part})*){between}*+")
        # A count or an age that touches the words of a take: `29 days agoThe demo`, `so.12 likes`.
        count = rf"\d[\d.,]{{0,12}}+\s?(?:{counted})"
        self.count_beside_take = re.compile(rf"^(?i:{count})\s?(?=[^\W\d_a-z]|[“\"])|(?<=[.!?”\"…])\s?(?i:{count})$")
        # A verdict is a separate word, but numbers may touch it between elements: `88/100ship8 days ago`.
        verdict = rf"(?<![^\W\d])(?:{_any_of(values.verdicts)})(?![^\W\d]|['’-]\w)"
        # `88⁄100` has a fraction slash.
        scale, fill = _any_of(("/", "\u2044", *scorecard.scale_words)), _any_of(scorecard.head_words)
        # A part of every head of a take; a head before the words of a take in one text.
        self.fact = pattern(rf"\d|{verdict}")
        score = rf"{_NUMBER}(?:\s?(?:{scale})\s?(?:100|10|5)(?!\d)|\s?%)"
        head = rf"(?P<head>{score}{_JOINT}{{0,5}}(?:(?:{fill})\s)?{verdict})"
        self.head_before_take = pattern(rf"{head}{_JOINT}{{0,5}}(?=\S)")
        # Parts of a head. `-1/100` is no score of 1: the row says that it is out of range. `(was 79)` is no score.
        number = rf"(?:(?<!\S)[-\u2212])?{_NUMBER}"
        of_scale = rf"(?P<of_scale>{number})\s?(?:{scale})\s?(?P<scale>100|10|5)(?![\d%]|[.,]\d)"
        self.head_token = pattern(
            rf"(?P<stars>[★⭐]+[☆✩]*)"
            rf"|(?P<score>(?<![\w.,])(?:{of_scale}|(?P<of_hundred>{_NUMBER})\s?%))"
            rf"|(?P<number>(?<![\d.,]){_NUMBER}(?![\w%]))"
            rf"|(?P<verdict>{verdict})"
            # Grades of a school, `B+`, say no score.
            rf"|(?P<fill>\b(?:{fill})\b|(?<![\w.])(?-i:[A-F])[+\u2212-]?(?![\w'’]))"
            # An earlier score: `(was 79/100 · skip)`.
            rf"|(?P<sign>\((?!(?:{fill})\b)[^\W\d]+\s{_NUMBER}(?:/100?|%)?(?:{_JOINT}{{0,5}}{verdict})?\)"
            rf"|[^\w\s“”\"'’.!?]+)"
            r"|(?P<other>[\w'’]+|\S)"
        )


@cache
def page_words(profile: SiteProfile) -> PageWords:
    return PageWords(profile)


def _any_of(texts: Iterable[str]) -> str:
    """A pattern for one of several texts, the longest first."""
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))


def _folded(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, texts))


TOOLS = len(SIDES)

SHORT_MAX = 60
"""The most characters of a label, a head, a category or a remark; descriptions and takes are longer.

`12 people found this helpful`, `88/100 · ship Verified reviewer`, `The panel has not reviewed this one yet`.
"""

SHOWN_MAX = 200
"""Characters of an unread text in a doubt."""


class Texts(tuple[Block, ...]):
    """The texts of a page, or of a part of it, in order. Other code refers to them by number.

    `numbers` are those of the page's blocks that they come from; spans count these.
    """

    words: PageWords
    numbers: Sequence[int]
    _elements: dict[int, tuple[Mapping[int | None, int], Mapping[int | None, int]]]
    """By depth, the first and the last block of each element."""

    def __new__(cls, blocks: Iterable[Block], words: PageWords, numbers: Sequence[int] | None = None) -> "Texts":
        made = super().__new__(cls, blocks)
        made.words, made._elements = words, {}
        made.numbers = range(len(made)) if numbers is None else numbers
        return made

    def part(self, kept: Iterable[int]) -> "Texts":
        kept = [*kept]
        part = Texts((self[index] for index in kept), self.words, [self.numbers[index] for index in kept])
        part.folded = [self.folded[index] for index in kept]
        return part

    def span(self, indices: Sequence[int]) -> Span:
        numbers = indices if isinstance(self.numbers, range) else [*map(self.numbers.__getitem__, indices)]
        return Span(min(numbers), max(numbers))

    @cached_property
    def folded(self) -> Sequence[str]:
        return [fold(block.text) for block in self]

    @cached_property
    def paths(self) -> Sequence[tuple[int, ...]]:
        return [block.path for block in self]

    def element(self, index: int, depth: int) -> range:
        """From the first to the last block of the element at this depth around a block."""
        if depth not in self._elements:
            around = [path[depth - 1] if len(path) >= depth else None for path in self.paths]
            backwards = range(len(around) - 1, -1, -1)
            self._elements[depth] = dict(zip(around[::-1], backwards, strict=True)), dict(zip(around, count()))
        first, last = self._elements[depth]
        number = self.paths[index][depth - 1]
        return range(first[number], last[number] + 1)

    def widest_element(self, anchor: int, others: Iterable[int]) -> range | None:
        """The blocks of the widest element with `anchor` and none of the `others`, if there is one."""
        path, others = self[anchor].path, [*others]
        # Those next to it share the most: the texts are in the order of the page.
        before = max((other for other in others if other < anchor), default=None)
        behind = min((other for other in others if other > anchor), default=None)
        beside = (self[other].path for other in (before, behind) if other is not None)
        depth = 1 + max((shared_depth(path, other) for other in beside), default=0)
        return self.element(anchor, depth) if depth <= len(path) else None

    def is_percent(self, index: int) -> bool:
        return PERCENT.fullmatch(self[index].text) is not None

    def is_boilerplate(self, index: int) -> bool:
        """Nothing about the tools: an empty text, a button, `Visit site`, an advert's label."""
        block = self[index]
        if not block.text or block.is_control or block.text in self.words.no_value:
            return True
        return len(block.text) <= SHORT_MAX and _is_boilerplate(block.text, self.words)

    def hangs_on_take(self, index: int) -> bool:
        """A button, a badge, `Share · Report`, `12 found this helpful`, `Sponsored`."""
        block = self[index]
        if block.is_control or not block.text:
            return True
        is_long = len(block.text) > SHORT_MAX
        return self.is_advert(index) if is_long else _hangs(block.text, self.words)

    def is_more(self, index: int) -> bool:
        """`Read more`: it heads the rest of a text."""
        return self.folded[index] in self.words.links

    def is_advert(self, index: int) -> bool:
        """`Sponsored`, `Ad · Try this`."""
        return self.words.advert.match(self[index].text) is not None

    def without_adverts(self, left: Sequence[int]) -> list[int]:
        """Removes adverts, and all texts of elements that begin with an advert's label."""
        cut: set[int] = set()
        for index in left:
            if len(self[index].text) <= SHORT_MAX and self.is_advert(index):
                own = self.element(index, len(self[index].path)) if self[index].path else range(0)
                cut |= {index, *(own if own.start == index and set(own) <= set(left) else ())}
        return [index for index in left if index not in cut]

    def unread(self, left: Iterable[int], side: Side | None, known: Iterable[str], where: str) -> list[Doubt]:
        """A doubt for each run of texts in `left` that is neither boilerplate nor in `known`."""
        repeated = {fold(text.strip()) for text in known} | self.words.closing_lines
        runs: list[list[int]] = []
        for index in self.without_adverts([*left]):
            if self.folded[index] in repeated or self.is_boilerplate(index):
                continue
            if not runs or index > runs[-1][-1] + 1:
                runs.append([])
            runs[-1].append(index)
        shown = [" / ".join(self[index].text for index in run) for run in runs]
        cut = [text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 3]}..." for text in shown]
        return [Doubt("unread_text", side, where, text) for text in cut]


@lru_cache(maxsize=8192)
def _is_boilerplate(text: str, words: PageWords) -> bool:
    is_named = fold(text) in words.links or words.advert.fullmatch(text) is not None
    return is_named or words.boilerplate.fullmatch(text) is not None or is_decoration(text, words)


@lru_cache(maxsize=8192)
def _hangs(text: str, words: PageWords) -> bool:
    is_sign = not any(character.isalnum() for character in text)
    is_named = fold(text) in words.badges or words.boilerplate.fullmatch(text) is not None
    return is_sign or is_named or words.advert.match(text) is not None


def is_decoration(text: str, words: PageWords) -> bool:
    """`★`, `New`, `Sponsored`: attached to facts, but no fact."""
    if not text or len(text) > words.badge_max:
        return False
    is_symbol = len(text) <= 3 and text != "/" and not any(character.isalnum() for character in text)
    return fold(text) in words.badges or (is_symbol and text not in words.no_value)


def is_monogram(text: str, name: str) -> bool:
    """The card's picture: the first letter of its name."""
    return len(text) == 1 and text.casefold() == name[:1].casefold()
