"""What could not be read: whole snapshots (stage `extract`) and single broken values (stage `normalize`)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from corpus.rows.doubts import RejectRow
from extract.model.records import Comparison, Observation, Reject
from extract.panel.profile import Profiles, SiteProfile
from extract.panel.profile_files import SHIPPED
from normalize.identity.page_versions import observation_order
from normalize.parse.corpus_words import in_corpus_words
from normalize.parse.values import BrokenValue, community, percent, score, take_verdict, verdict_line, verdict_word


def newest_by_url(observations: Iterable[Observation]) -> Mapping[str, Observation]:
    """The last observation of every address, whatever it contained."""
    newest: dict[str, Observation] = {}
    for observation in observations:
        known = newest.get(observation.url)
        if known is None or observation_order(known) < observation_order(observation):
            newest[observation.url] = observation
    return newest


def reject_rows(observations: Sequence[Observation], profiles: Profiles = SHIPPED) -> Iterator[RejectRow]:
    """One row per address and reason, from its newest observation alone. Rows made of earlier ones stay."""
    for url, observation in newest_by_url(observations).items():
        place = (observation.location.segment, observation.location.offset)
        extracted = observation.extracted
        if isinstance(extracted, Reject):
            yield RejectRow(url, "extract", extracted.reason, extracted.detail, *place)
        elif isinstance(extracted, Comparison):
            for field, details in broken_values(extracted, profiles[extracted.profile]).items():
                yield RejectRow(url, "normalize", f"broken_{field}", "; ".join(details), *place)


def broken_values(comparison: Comparison, profile: SiteProfile) -> Mapping[str, Sequence[str]]:
    """Field name to its broken values, each with where it stands."""
    broken: dict[str, list[str]] = defaultdict(list)
    for parse, raw, where in _parsed_values(in_corpus_words(comparison, profile), profile):
        try:
            parse(raw)
        except BrokenValue as error:
            broken[error.field].append(f"'{error.raw}' {where}")
    return broken


def _parsed_values(
    comparison: Comparison, profile: SiteProfile
) -> Iterator[tuple[Callable[[str | None], object], str | None, str]]:
    """The parser of every value of a comparison, the value as published, and where it stands."""
    for card in comparison.cards:
        where = f"on the card of {card.name}"
        yield percent, card.panel_ship, where
        yield percent, card.community, where
        yield verdict_word, card.chip, where
    for decision in comparison.decisions:
        where = f"in the table for {decision.name}"
        yield partial(verdict_line, profile=profile), decision.verdict, where
        yield partial(community, profile=profile), decision.community, where
    for take in comparison.takes:
        where = f"on take {take.position}"
        yield score, take.score, where
        yield take_verdict, take.verdict, where
