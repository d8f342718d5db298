"""A site as data: `SiteProfile`, which `profiles/<site>.toml` declares.

A profile maps a site's words to those of the corpus (verdicts, reviewers, entries), and gives its addresses and the
texts around the facts. Extraction anchors on it, normalization parses a record's strings with it. A site with other
words needs another file and no other code.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import asdict

from verdicts.corpus.enumerations import Entry, Reviewer, Verdict
from verdicts.corpus.text import BrokenDocument, parse_toml
from verdicts.extract.model.blocks import fold
from verdicts.fetch.model.addresses import BadUrl, normalize_host, split_address

Text: TypeAlias = Annotated[str, Meta(min_length=1)]

_LANGUAGE = re.compile(r"^/[a-z]{2}(?:-[A-Za-z]{2})?(?=/)")


class Declared(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a profile: it must have every key, and no other."""


class Addresses(Declared, frozen=True):
    """The form of the site's addresses: `<comparison_path><slug><slug_separator><slug>` and `<tool_path><slug>`."""

    comparison_path: Text
    slug_separator: Text
    tool_path: Text

    def read_slugs(self, path: str) -> str | None:
        """The part of an address below the comparison path, or below that of a language, `/de/compare/`."""
        for own in (path, _LANGUAGE.sub("", path)):
            if own.startswith(self.comparison_path):
                return own.removeprefix(self.comparison_path)
        return None


class PageTexts(Declared, frozen=True):
    """Texts around the facts. A title reads `A<title_separator>B`; `closing_lines` follow the takes.

    `badges` and `links` are attached to cards, `price_badges` to prices, `actions` and `counted` (after a number) to
    takes; `adverts` mark advertisements.
    """

    eyebrow: Text
    title_separator: Text
    breadcrumb: Text
    closing_lines: tuple[Text, ...]
    badges: tuple[Text, ...]
    links: tuple[Text, ...]
    price_badges: tuple[Text, ...]
    adverts: tuple[Text, ...]
    actions: tuple[Text, ...]
    counted: tuple[Text, ...]
    quotation_marks: tuple[tuple[Text, Text], ...]
    no_value: tuple[Text, ...]


class CardLabels(Declared, frozen=True):
    """Labels of a card's parts. Every card has the first three; only tables and data have the others."""

    panel_ship: Text
    community: Text
    entry: Text
    category: tuple[Text, ...]
    tagline: tuple[Text, ...]
    chip: tuple[Text, ...]
    description: tuple[Text, ...]
    name: tuple[Text, ...]


class DecisionLabels(Declared, frozen=True):
    """The head of the Decision table and the labels of its rows."""

    head: Text
    verdict: Text
    community: Text
    pricing: Text
    best_for: Text
    category: Text


class ScorecardTexts(Declared, frozen=True):
    """The head of the scorecard, texts of an empty cell, and reviewers: the site's word to the corpus' reviewer.

    `head_words` may be beside score and verdict, `scale_words` between a score and its scale.
    """

    head: Text
    no_take: Text
    column_heads: tuple[Text, ...]
    head_words: tuple[Text, ...]
    scale_words: tuple[Text, ...]
    panel_size_max: int
    reviewers_in_page_order: Mapping[Text, Reviewer]
    reviewers_without_place: Mapping[Text, Reviewer]


class ChipBound(Declared, frozen=True):
    """The chips that fit a panel percentage of at least `from_pct`."""

    from_pct: int
    chips: tuple[Verdict, ...]


class ValueWords(Declared, frozen=True):
    """Words inside values. `verdicts` and `entries` map the site's word to the corpus' value."""

    verdicts: Mapping[Text, Verdict]
    ship_votes: Text
    skip_votes: Text
    community_votes: tuple[Text, ...]
    thousands_separator: Text
    no_community_votes: Text
    entries: Mapping[Text, Entry]
    free_pricing: Text
    chip_bounds: tuple[ChipBound, ...]


class SiteProfile(Declared, frozen=True, eq=False):
    """One site: its name (that of the file), hosts, and words. Compared and hashed by identity, as a cache key."""

    name: Text
    hosts: tuple[Text, ...]
    addresses: Addresses
    page: PageTexts
    card: CardLabels
    decision: DecisionLabels
    scorecard: ScorecardTexts
    values: ValueWords

    @property
    def reviewers(self) -> Mapping[str, Reviewer]:
        """The site's word for every known reviewer, to the corpus' reviewer."""
        return {**self.scorecard.reviewers_in_page_order, **self.scorecard.reviewers_without_place}


Profiles: TypeAlias = Mapping[str, SiteProfile]


def find_profile(url: str, profiles: Profiles) -> SiteProfile | None:
    """The profile of an address' host, at any port; None for another host, and for a file without an address."""
    address = split_address(url)
    host = "" if address is None else address.host
    return next((profile for profile in profiles.values() if host in profile.hosts), None)


FOLDER = Path(__file__).parent / "profiles"


class BrokenProfile(ValueError):
    """A profile lacks a value, has an unknown one, or claims another's host. Names file and key."""


def read_profile(path: Path) -> SiteProfile:
    """Raises `BrokenProfile`."""
    return profile_in(path.read_bytes(), path)


def profile_in(content: bytes, path: Path) -> SiteProfile:
    """The profile in a file; its name is that of the file. Raises `BrokenProfile`."""
    try:
        return _check_hosts(parse_profile(path.stem, parse_toml(content, path)))
    except BrokenDocument as error:
        raise BrokenProfile(str(error)) from error
    except BrokenProfile as error:
        raise BrokenProfile(f"{path}: {error}") from error


def _check_hosts(profile: SiteProfile) -> SiteProfile:
    """A host in another spelling would match no page, and nothing would say so."""
    for host in profile.hosts:
        with suppress(BadUrl):
            if normalize_host(host) == host:
                continue
        raise BrokenProfile(f"hosts: {host!r} is not a host; write 'example.org', in lower case")
    return profile


def parse_profile(name: str, declared: Mapping[str, object]) -> SiteProfile:
    """Raises `BrokenProfile`."""
    try:
        return convert({"name": name, **declared}, SiteProfile)
    except ValidationError as error:
        raise BrokenProfile(str(error)) from error


def profiles_by_name(profiles: Sequence[SiteProfile]) -> Profiles:
    """The profiles of a corpus. Raises `BrokenProfile` if two claim one host."""
    owners: dict[str, str] = {}
    for profile in profiles:
        for host in profile.hosts:
            owner = owners.setdefault(host, profile.name)
            if owner != profile.name:
                raise BrokenProfile(f"{host} is a host of {owner} and of {profile.name}")
    return {profile.name: profile for profile in profiles}


SHIPPED: Profiles = profiles_by_name([read_profile(path) for path in sorted(FOLDER.glob("*.toml"))])


@cache
def _verdict_line(profile: SiteProfile) -> re.Pattern[str]:
    ship, skip = re.escape(profile.values.ship_votes), re.escape(profile.values.skip_votes)
    count = r"\d{1,18}"
    return re.compile(
        rf"(?P<word>[^\W\d]+)?\s*+(?:·\s*+)?(?:"
        # `3 ship / 1 skip / 1 abstained`
        rf"(?P<ship>{count})\s?{ship}\s?/\s?(?P<skip>{count})\s?{skip}(?:\s?/\s?{count}\s[^\W\d]+)?"
        # `3 of 4 would ship`, `3–1`, `👍👍👍👎`
        rf"|(?P<some>{count})\s[^\W\d]+\s(?P<all>{count})\s(?:[^\W\d]+\s)?{ship}"
        rf"|(?P<more>{count})\s?[\u2013-]\s?(?P<less>{count})|(?P<up>👍*)\s?(?P<down>👎*))",
        re.IGNORECASE,
    )


@lru_cache(maxsize=4096)
def read_verdict_line(text: str, profile: SiteProfile) -> tuple[str | None, tuple[int, int] | None] | None:
    """The word of a panel's verdict as printed, and its votes for and against; None for other words.

    An abstention is not a vote.
    """
    match = _verdict_line(profile).fullmatch(text)
    if match is None:
        return None
    if match["all"]:
        return match["word"], (int(match["some"]), int(match["all"]) - int(match["some"]))
    if match["up"] or match["down"]:
        return match["word"], (len(match["up"]), len(match["down"]))
    votes = match["ship"] or match["more"], match["skip"] or match["less"]
    return match["word"], None if votes[0] is None or votes[1] is None else (int(votes[0]), int(votes[1]))


def round_percentage(ship: int, size: int) -> int | None:
    """The site's rounding: 2 of 3 is 67. None for an empty panel."""
    return None if size == 0 else int(100 * ship / size + 0.5)


@lru_cache(maxsize=128)
def sizes_with_pct(pct: int | None, largest: int) -> frozenset[int]:
    """Panel sizes, up to `largest`, that allow this percentage; every size for None."""
    sizes = range(1, largest + 1)
    if pct is None:
        return frozenset({0, *sizes})
    return frozenset(size for size in sizes if any(round_percentage(ship, size) == pct for ship in range(size + 1)))


# The words of a site, folded and compiled.

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
        self.eyebrow, self.closing_lines = fold(page.eyebrow), _fold_all(page.closing_lines)
        self.decision, self.scorecard, self.no_take = fold(decision.head), fold(scorecard.head), fold(scorecard.no_take)
        self.column_heads = _fold_all(scorecard.column_heads)
        # Labels. Those of `stats` are on every card; `name_labels` head the column of the names.
        self.panel_ship, self.entry = fold(card.panel_ship), fold(card.entry)
        self.card_labels: Mapping[str, CardField] = {
            fold(text): field
            for field, texts in asdict(card).items()
            if field != "name"
            for text in ((texts,) if isinstance(texts, str) else texts)
        }
        self.stats = tuple(label for label, field in self.card_labels.items() if field not in UNLABELLED)
        self.name_labels = _fold_all(card.name)
        self.decision_labels: Mapping[str, DecisionField] = {
            fold(getattr(decision, field)): field for field in get_args(DecisionField)
        }
        self.decision_verdict = fold(decision.verdict)
        heads = {self.decision, self.scorecard, self.no_take}
        self.labels = frozenset({*self.card_labels, *self.decision_labels, *heads})
        # Values and their badges.
        self.chips, self.entries = _fold_all(values.verdicts), _fold_all(values.entries)
        self.community_votes = tuple(map(str.casefold, values.community_votes))
        self.badges, self.price_badges = _fold_all(page.badges), _fold_all(page.price_badges)
        self.badge_max, self.links = max(map(len, page.badges), default=0) + 3, _fold_all(page.links)
        self.reviewers = _fold_all(profile.reviewers)

        pattern = partial(re.compile, flags=re.IGNORECASE)
        # The end of an address of a tool's own page.
        self.tool_link = re.compile(rf"{re.escape(profile.addresses.tool_path)}(?P<slug>[a-z0-9-]+)/?(?:[?#].*)?$")
        # `Panel ship: 75%`; `75% Panel ship`; the labels in `75% Panel ship · Free Entry`.
        stats = _join_alternatives(self.stats)
        self.label_and_value = pattern(rf"[^\w“\"]*({stats})[\s:]*(.{{1,12}})")
        self.value_and_label = pattern(rf"(?:[^\w“\"—–-])*(.{{1,12}}?)\s?({stats})")
        self.stats_in_a_row = pattern(rf"({stats})")
        # A verdict in the Decision table, `Ship · 3 ship / 1 skip`.
        self.verdict_value = pattern(rf"({_join_alternatives(map(str.casefold, values.verdicts))})(?![^\W\d]).*")
        # `Builder · ships weekly`, `The Skeptic (CTO)`, `01 Builder`, `Builder:`, and a counter, `Builder12`.
        reviewer = (
            rf"(?P<reviewer>{_join_alternatives(profile.reviewers)})(?:\d{{0,3}}[^\w]{{0,3}}$|\s?[·•|,:(\u2013\u2014-])"
        )
        self.reviewer_with_remark = pattern(rf"[^\w“\"]{{0,5}}(?:\d{{1,2}}[.)]?\s)?(?:the\s)?{reviewer}")
        # Adverts: `Sponsored`, `Ad · Try this`.
        self.advert = pattern(rf"(?:{_join_alternatives(page.adverts)})(?:$|\s?[:·•|\u2013\u2014-]|\sby\s)")
        # Whole texts attached to a take: `Share · Report`, `12 found this helpful`.
        actions, counted = _join_alternatives(page.actions), _join_alternatives(page.counted)
        part = rf"(?:(?:{actions})\b|\d[\d.,]*+\s?k?\s?(?:{counted})\b|(?:{counted})\b)"
        between = r"[^\w“”\"'’.!]"
        self.boilerplate = pattern(rf"{between}*+{part}(?>(?:{between}++{part})*){between}*+")
        # A count or an age that touches the words of a take: `29 days agoThe demo`, `so.12 likes`.
        count = rf"\d[\d.,]{{0,12}}+\s?(?:{counted})"
        self.count_beside_take = re.compile(rf"^(?i:{count})\s?(?=[^\W\d_a-z]|[“\"])|(?<=[.!?”\"…])\s?(?i:{count})$")
        # A verdict is a separate word, but numbers may touch it between elements: `88/100ship8 days ago`.
        verdict = rf"(?<![^\W\d])(?:{_join_alternatives(values.verdicts)})(?![^\W\d]|['’-]\w)"
        # `88⁄100` has a fraction slash.
        scale, fill = (
            _join_alternatives(("/", "\u2044", *scorecard.scale_words)),
            _join_alternatives(scorecard.head_words),
        )
        # A part of every head of a take; a head before the words of a take in one text.
        self.fact = pattern(rf"\d|{verdict}")
        score = rf"{_NUMBER}(?:\s?(?:{scale})\s?(?:100|10|5)(?!\d)|\s?%)"
        head = rf"(?P<head>{score}{_JOINT}{{0,5}}(?:(?:{fill})\s)?{verdict})"
        self.head_before_take = pattern(rf"{head}{_JOINT}{{0,5}}(?=\S)")
        # Parts of a head. `-1/100` is not a score of 1: the row says that it is out of range. Nor is `(was 79)`.
        number = rf"(?:(?<!\S)[-\u2212])?{_NUMBER}"
        of_scale = rf"(?P<of_scale>{number})\s?(?:{scale})\s?(?P<scale>100|10|5)(?![\d%]|[.,]\d)"
        self.head_token = pattern(
            rf"(?P<stars>[★⭐]+[☆✩]*)"
            rf"|(?P<score>(?<![\w.,])(?:{of_scale}|(?P<of_hundred>{_NUMBER})\s?%))"
            rf"|(?P<number>(?<![\d.,]){_NUMBER}(?![\w%]))"
            rf"|(?P<verdict>{verdict})"
            # School grades, `B+`, are not scores.
            rf"|(?P<fill>\b(?:{fill})\b|(?<![\w.])(?-i:[A-F])[+\u2212-]?(?![\w'’]))"
            # An earlier score: `(was 79/100 · skip)`.
            rf"|(?P<sign>\((?!(?:{fill})\b)[^\W\d]+\s{_NUMBER}(?:/100?|%)?(?:{_JOINT}{{0,5}}{verdict})?\)"
            rf"|[^\w\s“”\"'’.!?]+)"
            r"|(?P<other>[\w'’]+|\S)"
        )


@cache
def page_words(profile: SiteProfile) -> PageWords:
    return PageWords(profile)


def _join_alternatives(texts: Iterable[str]) -> str:
    """A pattern for one of several texts, the longest first."""
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))


def _fold_all(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, texts))
