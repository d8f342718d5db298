"""What could not be read: whole snapshots (extract), and single values that are broken (normalize)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from corpus.tables import RejectRow
from extract.model.records import Comparison, Observation, Reject
from extract.panel.profile import Profiles, SiteProfile
from extract.panel.profile_files import SHIPPED
from normalize.identity.page_versions import order_of
from normalize.parse.corpus_words import in_corpus_words
from normalize.parse.values import BrokenValue, community, percent, score, take_verdict, verdict_line, verdict_word


def newest_by_url(seen: Iterable[Observation]) -> Mapping[str, Observation]:
    """The last snapshot of every address, whatever it held."""
    newest: dict[str, Observation] = {}
    for item in seen:
        held = newest.get(item.url)
        if held is None or order_of(held) < order_of(item):
            newest[item.url] = item
    return newest


def reject_rows(seen: Sequence[Observation], profiles: Profiles = SHIPPED) -> Iterator[RejectRow]:
    """A row a reason a snapshot: what its address last gave that could not be read. Good rows of earlier ones stay."""
    for url, item in newest_by_url(seen).items():
        place = item.location
        found = item.extracted
        if isinstance(found, Reject):
            yield RejectRow(url, "extract", found.reason, found.detail, place.segment, place.offset)
        elif isinstance(found, Comparison):
            for field, details in broken_values(found, profiles[found.profile]).items():
                yield RejectRow(url, "normalize", f"broken_{field}", "; ".join(details), place.segment, place.offset)


def broken_values(comparison: Comparison, profile: SiteProfile) -> Mapping[str, Sequence[str]]:
    """The name of each broken value to what stands in its place, and where."""
    broken: dict[str, list[str]] = defaultdict(list)
    for parse, raw, where in _values(in_corpus_words(comparison, profile), profile):
        try:
            parse(raw)
        except BrokenValue as error:
            broken[error.field].append(f"'{error.raw}' {where}")
    return broken


def _values(
    comparison: Comparison, profile: SiteProfile
) -> Iterator[tuple[Callable[[str | None], object], str | None, str]]:
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
