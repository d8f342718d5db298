"""Rows of `rejects`: pages without a record, and values that cannot be read."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from verdicts.corpus.rows.runs import RejectRow
from verdicts.extract.model.records import Comparison, Document, Observation, Reject, SideBySide
from verdicts.extract.panel.profile import Profiles, SiteProfile
from verdicts.normalize.parse.facts import facts
from verdicts.normalize.parse.numbers import count, rating, scale_end
from verdicts.normalize.parse.values import (
    BrokenValue,
    community,
    in_corpus_words,
    percent,
    readable,
    score,
    take_verdict,
    verdict_line,
    verdict_word,
)

ParsedValue: TypeAlias = tuple[Callable[..., object], str | None, tuple[object, ...], str]
"""The parser of a value, the value as published, other arguments of the parser, and the place of the value."""


def reject_rows(newest: Iterable[Observation], profiles: Profiles) -> Iterator[RejectRow]:
    """One row for each address and reason, from the newest observation of each address. Earlier rows stay."""
    for observation in newest:
        url, place = observation.url, (observation.location.segment, observation.location.offset)
        extracted, failure = observation.extracted, observation.failure
        if failure is not None:
            yield RejectRow(url, "extract", failure.reason, failure.detail, *place)
        if isinstance(extracted, Reject):
            yield RejectRow(url, "extract", extracted.reason, extracted.detail, *place)
        elif isinstance(extracted, Comparison):
            profile = profiles[extracted.profile]
            values = _parsed_values(in_corpus_words(extracted, profile), profile)
            yield from _broken_rows(url, values, place)
        elif isinstance(extracted, Document):
            for rule, details in _doubted(extracted).items():
                yield RejectRow(url, "extract", rule, "; ".join(details), *place)
            if extracted.side_by_side is not None:
                yield from _broken_rows(url, _stated_values(extracted.side_by_side), place)


def _doubted(document: Document) -> Mapping[str, Sequence[str]]:
    """Doubts from reading the page, by rule: a page may have several broken scripts."""
    doubts: dict[str, list[str]] = defaultdict(list)
    for doubt in dict.fromkeys(document.doubts):
        doubts[doubt.rule].append(f"{doubt.found}; expected {doubt.expected}")
    return doubts


def _broken_rows(url: str, values: Iterable[ParsedValue], place: tuple[str, int]) -> Iterator[RejectRow]:
    """One row for each field with broken values, with their places."""
    broken: dict[str, list[str]] = defaultdict(list)
    for parse, raw, words, where in values:
        if raw is None:
            continue
        try:
            parse(raw, *words)
        except BrokenValue as error:
            broken[error.field].append(f"'{error.raw}' {where}")
    for field, details in broken.items():
        yield RejectRow(url, "normalize", f"broken_{field}", "; ".join(details), *place)


def _parsed_values(comparison: Comparison, profile: SiteProfile) -> Iterator[ParsedValue]:
    for card in comparison.cards:
        where = f"on the card of {card.name}"
        yield percent, card.panel_ship, (), where
        yield percent, card.community, (), where
        yield verdict_word, card.chip, (), where
    for decision in comparison.decisions:
        where = f"in the table for {decision.name}"
        yield verdict_line, decision.verdict, (profile,), where
        yield community, decision.community, (profile,), where
    for take in comparison.takes:
        where = f"on take {take.position}"
        yield score, take.score, (), where
        yield take_verdict, take.verdict, (), where


def _stated_values(tables: SideBySide) -> Iterator[ParsedValue]:
    """Ratings and counts that a page of another site states."""
    for tool in tables.tools:
        where = f"of {tool.name}"
        yield rating, tool.rating, (readable(scale_end, tool.rating_best),), where
        yield scale_end, tool.rating_best, (), where
        yield count, tool.ratings, (), where
    for row in tables.rows if len(tables.tools) else ():
        for tool, value in zip(tables.tools, row.values, strict=False):
            yield facts, value, (row.attribute,), f"in '{row.attribute}' of {tool.name}"
    for position, review in enumerate(tables.reviews):
        where = f"of review {position}"
        yield rating, review.rating, (readable(scale_end, review.rating_best),), where
        yield scale_end, review.rating_best, (), where
