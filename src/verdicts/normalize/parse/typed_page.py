"""Typed pages: each value of a page parsed once. What cannot be read is None, and `broken` has its words. Pure."""

from collections.abc import Callable, Iterator, Sequence
from sys import intern
from typing import NamedTuple, TypeAlias, TypeVar, TypeVarTuple

from msgspec import Struct

from verdicts.corpus.enumerations import ReviewVerdict, Side, Verdict
from verdicts.extract.model.fact_lines import count_lines
from verdicts.extract.model.records import Card, Comparison, Decision, SideBySide, Take
from verdicts.extract.panel.profile import SiteProfile
from verdicts.normalize.parse.fact_values import ParsedFact, classify_fact, parse_fact
from verdicts.normalize.parse.numbers import parse_count, parse_rating, parse_scale_end
from verdicts.normalize.parse.tool_values import ComparedTool, choose_tools
from verdicts.normalize.parse.values import (
    NO_COMMUNITY,
    NO_PANEL,
    BrokenValue,
    Community,
    VerdictLine,
    parse_community,
    parse_percent,
    parse_score,
    parse_take_verdict,
    parse_verdict,
    parse_verdict_line,
    strip_absent,
)

Value = TypeVar("Value")
Arguments = TypeVarTuple("Arguments")


class Broken(NamedTuple):
    """A value that cannot be read: the field that it should be, its words, and where they stand on the page."""

    field: str
    raw: str
    where: str


class TypedCard(Struct, frozen=True, array_like=True, gc=False):
    """A card. Percentages are 0 to 100; `entry` is in the corpus' words."""

    side: Side
    name: str
    slug: str | None
    tagline: str | None
    category: str | None
    chip: Verdict | None
    panel_ship_pct: int | None
    community_pct: int | None
    entry: str | None
    description: str | None


class TypedDecision(Struct, frozen=True, array_like=True, gc=False):
    """A column of the Decision table. `panel_verdict_raw` and `community_raw`: the words of the two before them."""

    side: Side
    name: str
    panel: VerdictLine
    community: Community
    pricing: str | None
    best_for: str | None
    category: str | None
    panel_verdict_raw: str | None
    community_raw: str | None


class TypedTake(Struct, frozen=True, array_like=True, gc=False):
    """A take. `score` is 0 to 100; a known `reviewer` is in the corpus' words. Equal texts are one object."""

    position: int
    row: int | None
    side: Side | None
    reviewer: str | None
    score: int | None
    verdict: ReviewVerdict | None
    text: str
    first_block: int
    last_block: int


class TypedComparison(Struct, frozen=True, array_like=True, gc=False):
    """A panel's comparison. `cards` is A then B; `decisions` is empty or A then B."""

    cards: tuple[TypedCard, TypedCard]
    decisions: tuple[TypedDecision, ...]
    takes: tuple[TypedTake, ...]
    broken: tuple[Broken, ...]


ScaledRating: TypeAlias = tuple[float | None, float | None]
"""A rating and the end of its scale."""


class TypedFact(Struct, frozen=True, array_like=True, gc=False):
    """A labelled fact of a tool, or its price without a label, in its line of the page, from 0."""

    line: int
    tool: int
    label: str | None
    value: str
    section: str | None
    grid: int | None
    parsed: tuple[ParsedFact, ...]


class TypedSideBySide(Struct, frozen=True, array_like=True, gc=False):
    """A comparison of any other site.

    `ratings` and `rating_counts` are by tool, `review_ratings` by review.
    """

    printed: SideBySide
    tools: tuple[ComparedTool, ...]
    ratings: tuple[ScaledRating, ...]
    rating_counts: tuple[int | None, ...]
    facts: tuple[TypedFact, ...]
    review_ratings: tuple[ScaledRating, ...]
    broken: tuple[Broken, ...]


class _Reader:
    """Reads the values of one page and keeps those that are broken."""

    def __init__(self) -> None:
        self.broken: list[Broken] = []

    def read(
        self, where: str, parse: Callable[[str, *Arguments], Value | None], raw: str | None, *arguments: *Arguments
    ) -> Value | None:
        """The value; None if it is absent (also a dash) or broken."""
        text = strip_absent(raw)
        if text is None:
            return None
        try:
            return parse(text, *arguments)
        except BrokenValue as error:
            self.broken.append(Broken(error.field, error.raw, where))
            return None

    def read_rating(self, where: str, raw: str | None, raw_best: str | None) -> ScaledRating:
        best = self.read(where, parse_scale_end, raw_best)
        return self.read(where, parse_rating, raw, best) or (None, best)


def type_comparison(printed: Comparison, profile: SiteProfile) -> TypedComparison:
    """The values of a panel's comparison, read with the site's words."""
    reader = _Reader()
    reviewers, entries = profile.reviewers, profile.values.entries

    def type_card(card: Card) -> TypedCard:
        where = f"on the card of {card.name}"
        return TypedCard(
            side=card.side,
            name=card.name,
            slug=card.slug,
            tagline=card.tagline,
            category=card.category,
            panel_ship_pct=reader.read(where, parse_percent, card.panel_ship),
            community_pct=reader.read(where, parse_percent, card.community),
            chip=reader.read(where, parse_verdict, card.chip, profile),
            entry=card.entry and entries.get(card.entry, card.entry),
            description=card.description,
        )

    def type_decision(column: Decision) -> TypedDecision:
        where = f"in the table for {column.name}"
        return TypedDecision(
            side=column.side,
            name=column.name,
            panel=reader.read(where, parse_verdict_line, column.verdict, profile) or NO_PANEL,
            community=reader.read(where, parse_community, column.community, profile) or NO_COMMUNITY,
            pricing=column.pricing,
            best_for=column.best_for,
            category=column.category,
            panel_verdict_raw=column.verdict,
            community_raw=column.community,
        )

    def type_take(take: Take) -> TypedTake:
        where = f"on take {take.position}"
        return TypedTake(
            position=take.position,
            row=take.row,
            side=take.side,
            reviewer=take.reviewer and reviewers.get(take.reviewer, take.reviewer),
            score=reader.read(where, parse_score, take.score),
            verdict=reader.read(where, parse_take_verdict, take.verdict, profile),
            # Most takes are on many pages.
            text=intern(take.text),
            first_block=take.span.first,
            last_block=take.span.last,
        )

    first, second = printed.cards
    return TypedComparison(
        (type_card(first), type_card(second)),
        tuple(map(type_decision, printed.decisions)),
        tuple(map(type_take, printed.takes)),
        tuple(reader.broken),
    )


def type_side_by_side(printed: SideBySide) -> TypedSideBySide:
    """The tools of any other site's comparison, their ratings and counts, and all its facts."""
    reader = _Reader()
    chosen, undecided = choose_tools(printed)
    tools = [(f"of {tool.name}", tool) for tool in chosen]
    reviews = [(f"of review {number}", review) for number, review in enumerate(printed.reviews)]
    typed_facts = [*_type_facts(reader, printed), *_type_prices(reader, printed, chosen)]
    ratings = [reader.read_rating(where, tool.rating, tool.rating_best) for where, tool in tools]
    counts = [reader.read(where, parse_count, tool.ratings) for where, tool in tools]
    review_ratings = [reader.read_rating(where, review.rating, review.rating_best) for where, review in reviews]
    several = [Broken(unclear.property, "' and '".join(unclear.values), f"of {unclear.tool}") for unclear in undecided]
    return TypedSideBySide(
        printed,
        chosen,
        tuple(ratings),
        tuple(counts),
        tuple(typed_facts),
        tuple(review_ratings),
        tuple(dict.fromkeys((*reader.broken, *several))),
    )


def _type_facts(reader: _Reader, page: SideBySide) -> Iterator[TypedFact]:
    for fact in page.facts:
        if fact.line is not None:
            where = f"in '{fact.label}' of {page.tools[fact.tool]}"
            parsed = reader.read(where, parse_fact, fact.value, classify_fact(fact.label or "")) or ()
            yield TypedFact(fact.line, fact.tool, fact.label, fact.value, fact.section, fact.grid, parsed)


def _type_prices(reader: _Reader, page: SideBySide, tools: Sequence[ComparedTool]) -> Iterator[TypedFact]:
    """The prices of tools that stand without a label: a line behind the others and the questions."""
    labelled = {(fact.tool, fact.value) for fact in page.facts if fact.line is not None}
    lines = count_lines(page.facts) + len(page.questions)
    for number, tool in enumerate(tools):
        if tool.price is not None and (number, tool.price) not in labelled:
            parsed = reader.read(f"of {tool.name}", parse_fact, tool.price, "price") or ()
            yield TypedFact(lines, number, None, tool.price, None, None, parsed)
