"""A profile's words in the form in which the grammar compares them: texts folded, patterns compiled, once a profile."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeAlias, cast

from msgspec.structs import asdict

from verdicts.extract.model.blocks import fold
from verdicts.extract.panel.profile import CardLabels, SiteProfile

_JOINT = r"[\s·•|,:()\u2013\u2014-]"
_NUMBER = r"\d{1,3}(?:[.,]\d{1,2})?"


def any_of(texts: Iterable[str]) -> str:
    """An expression for one of several texts, the longest first."""
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))


def head_token(profile: SiteProfile) -> re.Pattern[str]:
    """A part of what opens a take.

    Groups: `score` (with `of_scale` and `scale`, or with `of_hundred`), `number`, `verdict`, `fill` (a word that may
    stand there), `sign`, `other`.
    """
    fill = any_of(profile.scorecard.head_words)
    # `-1/100` is no score of 1: the row says that it is out of range.
    number = rf"(?:(?<!\S)[-\u2212])?{_NUMBER}"
    of_scale = rf"(?P<of_scale>{number})\s?(?:{_of(profile)})\s?(?P<scale>100|10|5)(?![\d%]|[.,]\d)"
    return re.compile(
        rf"(?P<score>(?<![\w.,])(?:{of_scale}|(?P<of_hundred>{_NUMBER})\s?%))"
        rf"|(?P<number>(?<![\d.,]){_NUMBER}(?![\w%]))"
        rf"|(?P<verdict>{_verdict(profile)})"
        rf"|(?P<fill>\b(?:{fill})\b)"
        r"|(?P<sign>[^\w\s“”\"'’.!?]+)"
        r"|(?P<other>[\w'’]+|\S)",
        re.IGNORECASE,
    )


def fact(profile: SiteProfile) -> re.Pattern[str]:
    """What every head says somewhere: a number or a verdict."""
    return re.compile(rf"\d|{_verdict(profile)}", re.IGNORECASE)


def head_before_take(profile: SiteProfile) -> re.Pattern[str]:
    """`88/100 · ship — ` before the words of a take in one text. Group `head`."""
    return re.compile(rf"(?P<head>{_whole_head(profile)}){_JOINT}{{0,5}}(?=\S)", re.IGNORECASE)


def head_behind_take(profile: SiteProfile) -> re.Pattern[str]:
    """` — 88/100 · ship` behind the words of a take in one text. Group `head`."""
    return re.compile(rf"{_JOINT}{{1,5}}(?P<head>{_whole_head(profile)})[)\]]?$", re.IGNORECASE)


def _whole_head(profile: SiteProfile) -> str:
    score = rf"{_NUMBER}(?:\s?(?:{_of(profile)})\s?(?:100|10|5)(?!\d)|\s?%)"
    fill = any_of(profile.scorecard.head_words)
    return rf"{score}{_JOINT}{{0,5}}(?:(?:{fill})\s)?{_verdict(profile)}"


def _verdict(profile: SiteProfile) -> str:
    """A word of its own, but numbers may touch it where elements do: `88/100ship8 days ago`."""
    return rf"(?<![^\W\d])(?:{any_of(profile.values.verdicts)})(?![^\W\d]|['’-]\w)"


def seat_with_remark(profile: SiteProfile) -> re.Pattern[str]:
    """`Builder · ships weekly`, `The Skeptic (CTO)`, `01 Builder`, `Builder:`. Group `seat`."""
    seats = any_of(profile.seats)
    return re.compile(
        rf"[^\w“\"]{{0,5}}(?:\d{{1,2}}[.)]?\s)?(?:the\s)?(?P<seat>{seats})(?:[^\w]{{0,3}}$|\s?[·•|,:(\u2013\u2014-])",
        re.IGNORECASE,
    )


def advert(profile: SiteProfile) -> re.Pattern[str]:
    """The beginning of what names itself as paid for: `Sponsored`, `Ad · Try this`."""
    return re.compile(rf"(?:{any_of(profile.page.adverts)})(?:$|\s?[:·•|\u2013\u2014-]|\sby\s)", re.IGNORECASE)


def furniture(profile: SiteProfile) -> re.Pattern[str]:
    """The whole of a text that hangs on a take: `Share · Report`, `12 found this helpful`."""
    actions, counted = any_of(profile.page.actions), any_of(profile.page.counted)
    part = rf"(?:(?:{actions})\b|\d[\d.,]*+\s?k?\s?(?:{counted})\b|(?:{counted})\b)"
    joint = r"[^\w“”\"'’.!]"
    return re.compile(rf"{joint}*+{part}(?:{joint}++{part})*+{joint}*+", re.IGNORECASE)


def count_beside_take(profile: SiteProfile) -> re.Pattern[str]:
    """A count or an age that an element puts against the words of a take: `29 days agoThe demo`, `so.12 likes`."""
    count = rf"\d[\d.,]{{0,12}}+\s?(?:{any_of(profile.page.counted)})"
    return re.compile(rf"^(?i:{count})\s?(?=[^\W\d_a-z]|[“\"])|(?<=[.!?”\"…])\s?(?i:{count})$")


def _of(profile: SiteProfile) -> str:
    return any_of(("/", *profile.scorecard.scale_words))


CardField: TypeAlias = str
"""A field of `Card` that has a label: the keys of a profile's `[card]` but `name`."""

UNLABELLED: frozenset[CardField] = frozenset({"category", "tagline", "chip", "description"})
"""Parts of a card that have a label only in tables and in data; elsewhere their order tells them apart."""

DecisionField: TypeAlias = Literal["verdict", "community", "pricing", "best_for", "category"]

PERCENT = re.compile(r"\d{1,3}(?:\.\d+)?\s?%")


@dataclass(frozen=True, slots=True, eq=False)
class PageWords:
    """Texts are folded unless a field says otherwise; labels map to the field of the record that they name."""

    profile: SiteProfile
    """With the words as printed."""
    eyebrow: str
    title_separator: str
    """As printed."""
    breadcrumb: str
    """As printed."""
    panel_ship: str
    entry: str
    stats: tuple[str, ...]
    """The labels that stand on every card, whatever its layout."""
    card_labels: Mapping[str, CardField]
    labels: frozenset[str]
    """All labels and heads of sections."""
    name_labels: frozenset[str]
    """Heads of the column that holds the names."""
    label_and_value: re.Pattern[str]
    """`Panel ship: 75%`: a label, what joins them, and a value in one text."""
    stats_in_a_row: re.Pattern[str]
    """The labels in `75% Panel ship · Free Entry`."""
    value_and_label: re.Pattern[str]
    """`75% Panel ship`."""
    decision: str
    decision_labels: Mapping[str, DecisionField]
    decision_verdict: str
    verdict_value: re.Pattern[str]
    """What a verdict in the Decision table looks like: `Ship · 3 ship / 1 skip`. Tells values from their neighbours."""
    vote_counts: re.Pattern[str]
    """`3 ship / 1 skip` in a verdict. Two groups, the votes for and against."""
    community_votes: tuple[str, ...]
    scorecard: str
    no_take: str
    opening_marks: frozenset[str]
    """What opens a quotation, as printed."""
    seats: frozenset[str]
    seat_with_remark: re.Pattern[str]
    """`Builder · ships weekly`. Group `seat`."""
    fact: re.Pattern[str]
    """A number or a verdict: what every head says somewhere."""
    head_token: re.Pattern[str]
    """A part of what opens a take. Groups as `take_patterns.head_token` says."""
    head_before_take: re.Pattern[str]
    """`88/100 · ship — ` before the words of a take. Group `head`."""
    head_behind_take: re.Pattern[str]
    """` — 88/100 · ship` behind the words of a take. Group `head`."""
    negations: frozenset[str]
    column_heads: frozenset[str]
    advert: re.Pattern[str]
    """The beginning of what names itself as paid for."""
    count_beside_take: re.Pattern[str]
    """`29 days ago` before or behind the words of a take, in one text."""
    furniture: re.Pattern[str]
    """`Share · Report`, `12 found this helpful`: the whole of a text that hangs on a take."""
    closing_lines: frozenset[str]
    chips: frozenset[str]
    badges: frozenset[str]
    price_badges: frozenset[str]
    badge_max: int
    """Characters of a text that may be a badge with an icon and spaces around it."""
    links: frozenset[str]
    """What links of a card say."""
    entries: frozenset[str]
    no_value: frozenset[str]
    """As printed; an empty text is one."""
    tool_link: re.Pattern[str]
    """The end of an address of a tool's own page. Group `slug`."""


@cache
def page_words(profile: SiteProfile) -> PageWords:
    """The words of a profile, ready to compare with."""
    card, decision, values = profile.card, profile.decision, profile.values
    card_labels = _card_labels(card)
    stats = tuple(label for label, field in card_labels.items() if field not in UNLABELLED)
    panel_ship = fold(card.panel_ship)
    verdicts = any_of(map(str.casefold, values.verdicts))
    return PageWords(
        profile=profile,
        eyebrow=fold(profile.page.eyebrow),
        title_separator=profile.page.title_separator,
        breadcrumb=profile.page.breadcrumb,
        panel_ship=panel_ship,
        entry=fold(card.entry),
        stats=stats,
        card_labels=card_labels,
        labels=frozenset(
            {
                *card_labels,
                *_folded((decision.verdict, decision.community, decision.pricing, decision.best_for)),
                *_folded((decision.category, decision.head, profile.scorecard.head, profile.scorecard.no_take)),
            }
        ),
        name_labels=_folded(card.name),
        label_and_value=re.compile(rf"[^\w“\"]*({any_of(stats)})(\s*:\s*|\s+|)(.{{1,40}})", re.IGNORECASE),
        stats_in_a_row=re.compile(rf"({any_of(stats)})", re.IGNORECASE),
        value_and_label=re.compile(rf"(?:[^\w“\"—–-])*(.{{1,12}}?)\s?({any_of(stats)})", re.IGNORECASE),
        decision=fold(decision.head),
        decision_labels={
            fold(decision.verdict): "verdict",
            fold(decision.community): "community",
            fold(decision.pricing): "pricing",
            fold(decision.best_for): "best_for",
            fold(decision.category): "category",
        },
        decision_verdict=fold(decision.verdict),
        verdict_value=re.compile(rf"({verdicts})(?![^\W\d]).*", re.IGNORECASE),
        vote_counts=re.compile(
            rf"(\d{{1,3}})\s?{re.escape(values.ship_votes)}\s?/\s?(\d{{1,3}})\s?{re.escape(values.skip_votes)}",
            re.IGNORECASE,
        ),
        community_votes=tuple(map(str.casefold, values.community_votes)),
        scorecard=fold(profile.scorecard.head),
        no_take=fold(profile.scorecard.no_take),
        opening_marks=frozenset(opening for opening, _ in profile.page.quotation_marks),
        seats=_folded(profile.seats),
        seat_with_remark=seat_with_remark(profile),
        fact=fact(profile),
        head_token=head_token(profile),
        head_before_take=head_before_take(profile),
        head_behind_take=head_behind_take(profile),
        negations=_folded(profile.scorecard.negations),
        column_heads=_folded(profile.scorecard.column_heads),
        advert=advert(profile),
        count_beside_take=count_beside_take(profile),
        furniture=furniture(profile),
        closing_lines=_folded(profile.page.closing_lines),
        chips=_folded(values.verdicts),
        badges=_folded(profile.page.badges),
        price_badges=_folded(profile.page.price_badges),
        badge_max=max(map(len, profile.page.badges), default=0) + 3,
        links=_folded(profile.page.links),
        entries=_folded(values.entries),
        no_value=frozenset({*profile.page.no_value, ""}),
        tool_link=re.compile(rf"{re.escape(profile.addresses.tool_path)}(?P<slug>[a-z0-9-]+)/?(?:[?#].*)?$"),
    )


def _card_labels(labels: CardLabels) -> Mapping[str, CardField]:
    """Every label of a card, in the order of the profile's fields, to the field of the record that it names."""
    texts_of = {field: texts for field, texts in asdict(labels).items() if field != "name"}
    return {
        fold(text): field
        for field, texts in texts_of.items()
        for text in ((texts,) if isinstance(texts, str) else texts)
    }


def _folded(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, texts))


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
