"""All of normalization: the stages in order, from all observations to the rows of all tables."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeAlias

from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.extract.model.records import Observation
from verdicts.extract.model.stored import StoredObservation, stored
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.parse.rights import Rights
from verdicts.normalize.corrections import Correction, corrections_of
from verdicts.normalize.isolation import LeftOut
from verdicts.normalize.stages import open_reviews, pages, reviews
from verdicts.normalize.stages import relations as rel
from verdicts.normalize.work import OUTCOMES, Keep, Known, MemoryMail, Stage, run_stages, without_collector, work_on

NORMALIZER_VERSION = "23"
"""Raise it with every change of the rules: rows of another version are made again."""

STAGES = (
    # The page and the tools of each snapshot.
    Stage("sightings", "segment", (rel.OBSERVED,), (rel.SIGHTINGS,), pages.sightings),
    Stage("identities", "all", (rel.SIGHTINGS,), (rel.IDENTITIES, rel.ALIASES, OUTCOMES), pages.identities),
    Stage("scan", "segment", (rel.OBSERVED, rel.IDENTITIES), (rel.SCANNED,), pages.scan),
    # Rows of pages and addresses.
    Stage(
        "pages",
        "page",
        (rel.SCANNED, rel.ALIASES),
        (
            rel.STATEMENTS,
            rel.MENTIONS,
            rel.MENTIONS_ON_PAGES,
            rel.TOOL_DAYS,
            rel.EXTERNAL_TOOLS,
            rel.DISCREPANCIES,
            OUTCOMES,
        ),
        pages.pages,
    ),
    # Rows of tools, and of the tools that other sites name.
    Stage("tools", "tool", (rel.STATEMENTS,), (rel.TOOLS, rel.DISCREPANCIES, OUTCOMES), pages.tools),
    Stage("products", "all", (rel.TOOLS,), (OUTCOMES,), pages.products),
    Stage("candidates", "page", (rel.EXTERNAL_TOOLS, rel.TOOLS, rel.ALIASES), (OUTCOMES,), pages.candidates),
    # Texts that may be one take are sent to one partition.
    Stage(
        "texts", "text", (rel.MENTIONS, rel.ALIASES, rel.TOOLS), (rel.BLOCKED_TEXTS,), reviews.texts, only_parted=True
    ),
    Stage("blocking", "tool", (rel.BLOCKED_TEXTS,), (rel.TEXT_TIES,), reviews.blocking, only_parted=True),
    Stage("components", "all", (rel.TEXT_TIES,), (rel.TEXT_MOVES,), reviews.components, only_parted=True),
    Stage(
        "repartition",
        "text",
        (rel.MENTIONS, rel.TEXT_MOVES),
        (rel.MOVED_MENTIONS,),
        reviews.repartition,
        only_parted=True,
    ),
    # Repeated takes become reviews. Their own mentions decide the tool of most.
    Stage(
        "folds",
        "text",
        (rel.MENTIONS, rel.MOVED_MENTIONS, rel.TEXT_MOVES, rel.ALIASES, rel.TOOLS),
        (rel.TEXTS, rel.JUDGED, rel.OPEN_REVIEWS, rel.COMPARED, rel.REVIEW_ROWS, rel.DISCREPANCIES, OUTCOMES),
        reviews.folds,
    ),
    # Their pages and other pages of the same tools decide the rest.
    Stage("comparing", "tool", (rel.TOOL_DAYS, rel.COMPARED), (rel.COMPARED_DAYS,), open_reviews.comparing),
    Stage(
        "visits",
        "all",
        (rel.OPEN_REVIEWS, rel.COMPARED_DAYS),
        (rel.PAGE_MOVES, rel.OPEN_HERE, rel.COMPARED_HERE),
        open_reviews.visits,
    ),
    Stage(
        "visiting",
        "page",
        (rel.MENTIONS_ON_PAGES, rel.TEXTS, rel.JUDGED, rel.PAGE_MOVES),
        (rel.VISITING_MENTIONS, rel.VISITING_TEXTS, rel.VISITING_REVIEWS),
        open_reviews.visiting,
    ),
    Stage(
        "open_reviews",
        "review",
        (
            rel.OPEN_HERE,
            rel.COMPARED_HERE,
            rel.VISITING_MENTIONS,
            rel.VISITING_TEXTS,
            rel.VISITING_REVIEWS,
            rel.TOOLS,
            rel.ALIASES,
        ),
        (rel.JUDGED_BY_PAGES, rel.REVIEW_ROWS, rel.DISCREPANCIES, OUTCOMES),
        open_reviews.open_reviews,
    ),
    # Seats without a label, by the order of rows; contradictions on each page; rows of reviews.
    Stage(
        "seats",
        "page",
        (rel.MENTIONS_ON_PAGES, rel.TEXTS, rel.JUDGED, rel.JUDGED_BY_PAGES, rel.DISCREPANCIES),
        (rel.SEAT_RANGES,),
        reviews.seats,
    ),
    Stage("reviews", "review", (rel.REVIEW_ROWS, rel.SEAT_RANGES), (OUTCOMES,), reviews.reviews),
    # What people decided, and what it did.
    Stage("corrections", "all", (OUTCOMES,), (), reviews.corrections),
)
"""All stages of normalization in order: the name of each, its partitioning, what it reads and writes, and its
function."""

Corpus: TypeAlias = Mapping[str, tuple[Any, ...]]
"""Table name to its rows, each of the class that its table declares, sorted by key."""


def normalize(
    observations: Iterable[Observation],
    *,
    gone_urls: Collection[str] = (),
    moved_urls: Mapping[str, str] = MappingProxyType({}),
    profiles: Profiles = SHIPPED,
    corrections: Iterable[Correction] = (),
    rights: Mapping[str, Rights] = MappingProxyType({}),
    partitions: int = 1,
) -> Corpus:
    """All rows of the corpus, from every observation ever made.

    `gone_urls` are addresses that are gone for good (tombstones), `moved_urls` those whose page is held under another
    one. `profiles` are those that the observations were read with, `corrections` what people decided, `rights` what is
    stated about addresses. The rows do not
    depend on the order of observations and corrections nor on the number of partitions, and an observation that is
    given twice counts once.
    """
    observed = {item.location: stored(item) for item in observations}
    decided = corrections_of(corrections)
    known = Known(frozenset(gone_urls), moved_urls, profiles, partitions, corrections=decided, rights=rights)
    rows: dict[str, list[Any]] = defaultdict(list)
    normalize_stored(observed.values(), known, lambda table, of_table: rows[table].extend(of_table))
    return {table: sorted_rows(table, rows[table]) for table in CORPUS_TABLES}


@without_collector()
def normalize_stored(observed: Iterable[StoredObservation], known: Known, keep: Keep) -> Sequence[LeftOut]:
    """Passes the rows of stored observations to `keep` as they are made. Returns the observations left out."""
    mail, left_out = MemoryMail(keep), list[LeftOut]()
    mail.post(rel.OBSERVED, 0, observed)
    del observed

    def execute(stage: Stage, numbers: range) -> None:
        for number in numbers:
            left_out.extend(work_on(stage, number, known, mail))

    run_stages(STAGES, known, execute, mail.forget)
    return left_out


def sorted_rows(table: str, rows: Iterable[Any]) -> tuple[Any, ...]:
    """The rows by their key."""
    return tuple(sorted(rows, key=attrgetter(*TABLES[table].key)))
