"""Words of lists and tables of tools, from `words.toml` in several languages, and the patterns around them."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args

from verdicts.corpus.text import parse_toml
from verdicts.extract.generic.stated import key
from verdicts.extract.html.drawn_ratings import OUT_OF
from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import Fact, Property

_FILE = Path(__file__).with_name("words.toml")
_WORDS = cast("dict[str, Sequence[str]]", parse_toml(_FILE.read_bytes(), _FILE))
NUMBER_WORDS = {word: number for number, words in enumerate(_WORDS["numbers"], start=2) for word in words.split()}

LIST_WORDS_WITHIN = tuple(_WORDS["list_words_within"])
LIST_WORDS, ADVICE_WORDS = frozenset(_WORDS["list_words"]), frozenset(_WORDS["advice_words"])
OTHER_WORDS, KIND_WORDS = frozenset(_WORDS["other_words"]), frozenset(_WORDS["kind_words"])
REVIEW_WORDS, TESTED_WORDS = frozenset(_WORDS["review_words"]), frozenset(_WORDS["tested_words"])
QUESTION_WORDS, GUIDE_WORDS = frozenset(_WORDS["question_words"]), frozenset(_WORDS["guide_words"])
OPENING_WORDS, CALENDAR_WORDS = frozenset(_WORDS["opening_words"]), frozenset(_WORDS["calendar_words"])
IDEA_WORDS, ASIDES = frozenset(_WORDS["idea_words"]), frozenset(_WORDS["asides"])
PART_WORDS = frozenset(_WORDS["part_words"])
GRADE_WORDS = frozenset(_WORDS["grades"])
BEST_FOR, PRICE, RATING = frozenset(_WORDS["best_for"]), frozenset(_WORDS["price"]), frozenset(_WORDS["rating"])
PRICED_IN_WORDS = tuple(_WORDS["priced_in_words"])
PROS, CONS = frozenset(_WORDS["pros"]), frozenset(_WORDS["cons"])
LABELS = BEST_FOR | PRICE | RATING | PROS | CONS | frozenset(_WORDS["details"])
"""Labels wherever they appear; any other text is one if two sections have it before a colon."""

LabelKind: TypeAlias = Literal["price", "rating", "best_for", "free_plan", "platform", "license", "launched"]
KINDS: Mapping[LabelKind, frozenset[str]] = {kind: frozenset(_WORDS[kind]) for kind in get_args(LabelKind)}
"""The labels of each kind of value."""

OTHER_ATTRIBUTES = frozenset(_WORDS["other_attributes"])
TOOL_WORDS, FEATURE_WORDS = frozenset(_WORDS["tool_words"]), frozenset(_WORDS["feature_words"])
BADGES = frozenset(_WORDS["badges"])
SUMMARIES = frozenset(_WORDS["summaries"])
PLAN_WORDS, BESIDE_NAMES = frozenset(_WORDS["plan_words"]), frozenset(_WORDS["beside_names"])
PRODUCT_ATTRIBUTES = frozenset(map(key, LABELS.union(_WORDS["product_attributes"])))
"""Attributes of products and hardly of anything else; compared by key."""

RANKED = re.compile(
    r"(?:[^\x00-\x7f]\s)?(?:(?:n[ro°º]\.?|number|rank|platz|nummer|numéro|número)\s?)?#?(\d{1,3})"
    r"(?:[.):]|\s?[-–—]|\s[^\x00-\x7f])\s++(\S.*+)|#(\d{1,3})\s++(\S.*+)",
    re.IGNORECASE,
)
"""A heading with a rank: `1. Alpha`, `#1 Alpha`, `Number 1: Alpha`, `1) Alpha`; not `7-Zip` and `1Password`."""

NAME_PARTS = re.compile(r"(?<=\s)[-–—|](?=\s)|:(?=\s)|(?<=\s)\(")
"""Separates the name in a heading from words about it: `Alpha: best for teams`, `Alpha (best overall)`."""

PRAISE = re.compile(r"(?:the\s)?(?:best|ideal|great|top|am besten|idéal|mejor|ideale|beste)\b", re.IGNORECASE)
"""How words about a tool begin, before or after its name: `Best for teams: Alpha`."""

AWARD = re.compile(
    r"(?:(?:the|le|la|les|der|die|das|el|il|o)\s)?(?:best|top pick|beste[rs]?|meilleure?s?|mejor|migliore|melhor)\s|"
    r"(?:[\w’']+\s){0,3}(?:picks?|choice|runner-up|winner|[\w-]*sieger)$",
    re.IGNORECASE,
)
"""A line over a name that says why it is picked: `Best budget lamp`, `Our top pick`, `Vergleichssieger`."""

_SUPERLATIVE = re.compile(
    r"(?:the\s)?(?:most|least|\w{2,12}iest|(?:cheap|fast|small|light|larg|long|quiet|smart|strong|tough|simpl)est)\b",
    re.IGNORECASE,
)
"""How awards begin, too: `Most luxurious: Alpha`, `Easiest assembly: Beta`."""

NAME_MAX, WORDS_MAX = 60, 8
"""The most characters and words of a name: longer ones are sentences."""

LABEL_MAX = 40
"""The most characters of a label before its colon."""

VISIT = ("visit ", "try ", "get ", "go to ", "see ", "check out ", "start with ", "website of ")
"""Words before a name in a link to the tool."""

NUMBER_ALONE = re.compile(r"#?(\d{1,3})\.?")
"""A rank alone."""


_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_OTHER_PRICES = frozenset(
    [
        *("model", "models", "match", "matching", "lock", "guarantee", "history"),
        *("check", "see", "view", "compare", "value", "total", "score", "index", "ratio", "performance"),
        *("included", "increase", "savings", "leistung"),
    ]
)
TO_AMOUNTS = frozenset(
    [
        *("under", "below", "over", "above", "than", "to", "up", "within", "around", "about", "and", "or", "of"),
        *("unter", "über", "bis", "um", "und", "sous", "moins", "de", "menos", "hasta", "sotto", "onder", "tot"),
    ]
)
"""Words before an amount that ends a phrase: `Best under $400`."""

LABEL_WORDS_MAX = 5


@lru_cache(maxsize=4096)
def is_attribute(text: str) -> bool:
    """Whether a label is an attribute of products and rarely of anything else: `Price (EUR/month)`, `Battery life`."""
    known = key(_IN_BRACKETS.sub(" ", text))
    return known in PRODUCT_ATTRIBUTES or matches_label(fold(text), PRICE)


@lru_cache(maxsize=4096)
def matches_label(label: str, labels: frozenset[str]) -> bool:
    """Whether a folded label is one of these, or begins or ends with one: `price per seat`, `clutch rating`.

    Units in brackets are ignored: `price (EUR/month)`.
    """
    if label in labels:
        return True
    words = key(_IN_BRACKETS.sub(" ", label)).split()
    if not 0 < len(words) <= LABEL_WORDS_MAX or not _OTHER_PRICES.isdisjoint(words):
        return False
    ends = words[-1:] if labels is RATING else [words[0], words[-1]]
    return not labels.isdisjoint((" ".join(words), *ends))


@lru_cache(maxsize=4096)
def classify_label(label: str) -> LabelKind | None:
    """The property that a label announces: `Price per seat`, `MSRP: Monthly`, `Clutch rating`. None for most labels."""
    folded = fold(label)
    for known in (folded, folded.partition(":")[0].strip()):
        for kind, labels in KINDS.items():
            if known in labels:
                return kind
    ends: tuple[LabelKind, ...] = ("price", "rating", "best_for")
    return next((kind for kind in ends if matches_label(folded, KINDS[kind])), None)


def find_property(fact: Fact) -> Property | None:
    """The property of a fact, by its form or its label. A value that does not look like a rating is not a rating."""
    kind = None if fact.label is None else classify_label(fact.label)
    if fact.property is not None or kind is None:
        return fact.property
    if kind == "price" or (kind == "rating" and RATING_VALUE.fullmatch(fact.value)):
        return kind
    return "best_for" if kind == "best_for" else None


RATING_VALUE = re.compile(
    rf"[★☆⭐½]{{3,}}|(?:score\s)?[★☆⭐½\s]*\d{{1,3}}(?:[.,]\d{{1,2}})?\s?(?:%|{OUT_OF}\s?\d{{1,3}}(?:[.,]0)?)?[\s★☆⭐½]*"
    r"(?:stars?)?(?:\s?\([^()]*\))?",
    re.IGNORECASE,
)
"""What a rating looks like. `Note: it needs a card` is not one, though `Note` is a French label; nor is `IPX5`."""


_PICTURE = r"(?:[\U0001f000-\U0001faff]|(?!⭐)[\u2190-\u2bff]\ufe0f)\ufe0f?"
_PICTURES = re.compile(rf"(?:{_PICTURE}\s?){{1,8}}(?=\w)|(?<=\S)(?:\s?{_PICTURE}){{1,8}}$")


def remove_rank(text: str) -> str:
    """A name without its rank, and without pictures around it: `Capacities 🆕`, `🏢 Workday`."""
    ranked = RANKED.fullmatch(text)
    name = text if ranked is None else ranked[2] or ranked[4]
    return name if name.isascii() else _PICTURES.sub("", name) or name


def is_award(text: str) -> bool:
    """Whether words beside a name say why it is picked."""
    return any(form.match(text) for form in (PRAISE, AWARD, _SUPERLATIVE))


def is_invitation(text: str) -> bool:
    return f"{key(text)} ".startswith(VISIT)


def is_beside_name(text: str) -> bool:
    """Whether a text is a badge or an award, which stand beside names."""
    return key(text) in BADGES or is_award(text)
