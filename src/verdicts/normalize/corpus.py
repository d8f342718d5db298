"""Normalization: all observations in, the rows of all tables out, in the order in which a person would explain it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeAlias

from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.extract.model.records import Observation
from verdicts.extract.model.stored import StoredObservation, make_stored
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.parse.rights import Rights
from verdicts.normalize.corrections import Correction, collect_corrections, make_correction_rows
from verdicts.normalize.isolation import LeftOut, make_reject
from verdicts.normalize.steps.attribute_reviews import attribute_reviews
from verdicts.normalize.steps.fold_texts import fold_texts
from verdicts.normalize.steps.identify import identify_pages, sight_pages
from verdicts.normalize.steps.read_pages import read_pages
from verdicts.normalize.steps.trace_tools import trace_tools
from verdicts.normalize.steps.write_reviews import infer_reviewers, keep_discrepancies, keep_reviews
from verdicts.normalize.work import Keep, Output, RunInputs, pause_collector, return_freed_memory

NORMALIZER_VERSION = "31"
"""Raise it with every change of the rules: rows of another version are made again."""

Corpus: TypeAlias = Mapping[str, tuple[Any, ...]]
"""Table name to its rows, each of the class that its table declares, sorted by key."""


def normalize(
    observations: Iterable[Observation],
    *,
    gone: Mapping[str, Absences] = MappingProxyType({}),
    moved_urls: Mapping[str, str] = MappingProxyType({}),
    profiles: Profiles = SHIPPED,
    corrections: Iterable[Correction] = (),
    rights: Mapping[str, Rights] = MappingProxyType({}),
) -> Corpus:
    """All rows of the corpus, from every observation ever made.

    `gone` says when pages were gone, by address; `moved_urls` are addresses whose page is stored under another one.
    `profiles` were used to read the observations, `corrections` are decisions of people, `rights` are statements about
    addresses. The rows do not depend on the order of observations and corrections, and an observation that is given
    twice counts once.
    """
    observed = {item.location: make_stored(item) for item in observations}
    inputs = RunInputs(gone, moved_urls, profiles, collect_corrections(corrections), rights)
    rows: dict[str, list[Any]] = defaultdict(list)
    normalize_stored(observed.values(), inputs, lambda table, of_table: rows[table].extend(of_table))
    return {table: sort_rows(table, rows[table]) for table in CORPUS_TABLES}


@pause_collector()
def normalize_stored(observed: Iterable[StoredObservation], inputs: RunInputs, keep: Keep) -> Sequence[LeftOut]:
    """Passes the rows of stored observations to `keep` as they are made. Returns the observations left out."""
    output = Output(keep, inputs.corrections)
    snapshots = [*observed]
    sightings = sight_pages(snapshots, inputs, output)
    resolved = identify_pages(sightings, inputs, output)
    pages = read_pages(snapshots, resolved.identities, inputs, output)
    aliases = resolved.aliases
    del observed, sightings, resolved
    return_freed_memory()
    tools = trace_tools(pages, aliases, inputs, output)
    texts = fold_texts(pages.mentions, tools, inputs, output)
    reviews = attribute_reviews(pages, texts, tools, output)
    reviewers = infer_reviewers(pages.mentions, texts, reviews.judged, inputs.profiles)
    keep_reviews(reviews, reviewers, output)
    keep_discrepancies((*pages.discrepancies, *reviews.discrepancies), output)
    output.keep("corrections", [*make_correction_rows(inputs.corrections, output.outcomes)])
    output.keep("rejects", [*map(make_reject, output.left_out)])
    return output.left_out


def sort_rows(table: str, rows: Iterable[Any]) -> tuple[Any, ...]:
    """The rows by their key."""
    return tuple(sorted(rows, key=attrgetter(*TABLES[table].key)))
