"""A profile's words in the form in which the grammar compares them: texts folded, patterns compiled, once a profile."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, partial
from typing import Literal, TypeAlias, get_args

from msgspec.structs import asdict

from verdicts.extract.model.blocks import fold
from verdicts.extract.panel.profile import SiteProfile

CardField: TypeAlias = str
"""A field of `Card` that has a label: the keys of a profile's `[card]` but `name`."""

UNLABELLED: frozenset[CardField] = frozenset({"category", "tagline", "chip", "description"})
"""Parts of a card that have a label only in tables and in data; elsewhere their order tells them apart."""

DecisionField: TypeAlias = Literal["verdict", "community", "pricing", "best_for", "category"]

PERCENT = re.compile(r"\d{1,3}(?:\.\d+)?\s?%")
"""`75%`, `66.7 %`."""

_JOINT = r"[\s·•|,:()\u2013\u2014-]"
_NUMBER = r"\d{1,3}(?:[.,]\d{1,2})?"


class PageWords:
    """Texts are folded unless said otherwise; labels map to the field of the record that they name."""

    def __init__(self, profile: SiteProfile) -> None:
        page, card, decision = profile.page, profile.card, profile.decision
        scorecard, values = profile.scorecard, profile.values
        self.profile = profile
        # As printed.
        self.title_separator, self.breadcrumb = page.title_separator, page.breadcrumb
        self.no_value = frozenset({*page.no_value, ""})
        self.opening_marks = frozenset(opening for opening, _ in page.quotation_marks)
        # Heads of parts, and what tells a page.
        self.eyebrow, self.closing_lines = fold(page.eyebrow), _folded(page.closing_lines)
        self.decision, self.scorecard, self.no_take = fold(decision.head), fold(scorecard.head), fold(scorecard.no_take)
        self.column_heads = _folded(scorecard.column_heads)
        # Labels. Those of `stats` stand on every card; `name_labels` head the column of the names.
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
        # Values, and what hangs on them.
        self.chips, self.entries = _folded(values.verdicts), _folded(values.entries)
        self.community_votes = tuple(map(str.casefold, values.community_votes))
        self.badges, self.price_badges = _folded(page.badges), _folded(page.price_badges)
        self.badge_max, self.links = max(map(len, page.badges), default=0) + 3, _folded(page.links)
        self.seats, self.negations = _folded(profile.seats), _folded(scorecard.negations)

        pattern = partial(re.compile, flags=re.IGNORECASE)
        # The end of an address of a tool's own page.
        self.tool_link = re.compile(rf"{re.escape(profile.addresses.tool_path)}(?P<slug>[a-z0-9-]+)/?(?:[?#].*)?$")
        # `Panel ship: 75%`: label, joint, value; `75% Panel ship`; the labels in `75% Panel ship · Free Entry`.
        stats = _any_of(self.stats)
        self.label_and_value = pattern(rf"[^\w“\"]*({stats})(\s*:\s*|\s+|)(.{{1,40}})")
        self.value_and_label = pattern(rf"(?:[^\w“\"—–-])*(.{{1,12}}?)\s?({stats})")
        self.stats_in_a_row = pattern(rf"({stats})")
        # A verdict in the Decision table, `Ship · 3 ship / 1 skip`, and the votes for and against in it.
        self.verdict_value = pattern(rf"({_any_of(map(str.casefold, values.verdicts))})(?![^\W\d]).*")
        ship_votes, skip_votes = re.escape(values.ship_votes), re.escape(values.skip_votes)
        self.vote_counts = pattern(rf"(\d{{1,3}})\s?{ship_votes}\s?/\s?(\d{{1,3}})\s?{skip_votes}")
        # `Builder · ships weekly`, `The Skeptic (CTO)`, `01 Builder`, `Builder:`.
        seat = rf"(?P<seat>{_any_of(profile.seats)})(?:[^\w]{{0,3}}$|\s?[·•|,:(\u2013\u2014-])"
        self.seat_with_remark = pattern(rf"[^\w“\"]{{0,5}}(?:\d{{1,2}}[.)]?\s)?(?:the\s)?{seat}")
        # What names itself as paid for: `Sponsored`, `Ad · Try this`.
        self.advert = pattern(rf"(?:{_any_of(page.adverts)})(?:$|\s?[:·•|\u2013\u2014-]|\sby\s)")
        # The whole of what hangs on a take: `Share · Report`, `12 found this helpful`.
        actions, counted = _any_of(page.actions), _any_of(page.counted)
        part = rf"(?:(?:{actions})\b|\d[\d.,]*+\s?k?\s?(?:{counted})\b|(?:{counted})\b)"
        between = r"[^\w“”\"'’.!]"
        self.boilerplate = pattern(rf"{between}*+{part}(?:{between}++{part})*+{between}*+")
        # A count or an age that an element puts against the words of a take: `29 days agoThe demo`, `so.12 likes`.
        count = rf"\d[\d.,]{{0,12}}+\s?(?:{counted})"
        self.count_beside_take = re.compile(rf"^(?i:{count})\s?(?=[^\W\d_a-z]|[“\"])|(?<=[.!?”\"…])\s?(?i:{count})$")
        # A verdict is a word of its own, but numbers may touch it where elements do: `88/100ship8 days ago`.
        verdict = rf"(?<![^\W\d])(?:{_any_of(values.verdicts)})(?![^\W\d]|['’-]\w)"
        scale, fill = _any_of(("/", *scorecard.scale_words)), _any_of(scorecard.head_words)
        # What every head of a take says somewhere; heads before and behind the words of a take in one text.
        self.fact = pattern(rf"\d|{verdict}")
        score = rf"{_NUMBER}(?:\s?(?:{scale})\s?(?:100|10|5)(?!\d)|\s?%)"
        head = rf"(?P<head>{score}{_JOINT}{{0,5}}(?:(?:{fill})\s)?{verdict})"
        self.head_before_take = pattern(rf"{head}{_JOINT}{{0,5}}(?=\S)")
        self.head_behind_take = pattern(rf"{_JOINT}{{1,5}}{head}[)\]]?$")
        # Parts of a head. `-1/100` is no score of 1: the row says that it is out of range.
        number = rf"(?:(?<!\S)[-\u2212])?{_NUMBER}"
        of_scale = rf"(?P<of_scale>{number})\s?(?:{scale})\s?(?P<scale>100|10|5)(?![\d%]|[.,]\d)"
        self.head_token = pattern(
            rf"(?P<score>(?<![\w.,])(?:{of_scale}|(?P<of_hundred>{_NUMBER})\s?%))"
            rf"|(?P<number>(?<![\d.,]){_NUMBER}(?![\w%]))"
            rf"|(?P<verdict>{verdict})"
            rf"|(?P<fill>\b(?:{fill})\b)"
            r"|(?P<sign>[^\w\s“”\"'’.!?]+)"
            r"|(?P<other>[\w'’]+|\S)"
        )


@cache
def page_words(profile: SiteProfile) -> PageWords:
    """The words of a profile, ready to compare with."""
    return PageWords(profile)


def _any_of(texts: Iterable[str]) -> str:
    """An expression for one of several texts, the longest first."""
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))


def _folded(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, texts))
