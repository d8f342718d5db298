"""All of normalization: the stages in order, and what they make of everything that was ever observed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeAlias

from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.extract.model.records import Observation
from verdicts.extract.model.stored import StoredObservation, stored
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.normalize.collector import without_collector
from verdicts.normalize.isolation import LeftOut
from verdicts.normalize.stages import open_reviews, pages, reviews, texts, tools
from verdicts.normalize.stages import relations as of
from verdicts.normalize.work import Known, MemoryMail, Stage, run_stages, work_on

NORMALIZER_VERSION = "16"
"""Raised with every change of the rules: rows made by another version are made anew."""

STAGES = (
    # Which page and which tools each snapshot shows.
    Stage("sightings", "segment", (of.OBSERVED,), (of.SIGHTINGS,), pages.sightings),
    Stage("identities", "all", (of.SIGHTINGS,), (of.IDENTITIES, of.ALIASES), pages.identities),
    Stage("deal", "segment", (of.OBSERVED, of.IDENTITIES), (of.DEALT,), pages.deal),
    # Rows of pages and addresses. What they say of tools goes on to the tools, their takes to the texts.
    Stage(
        "pages",
        "page",
        (of.DEALT, of.ALIASES),
        (of.REPORTS, of.MENTIONS, of.MENTIONS_ON_PAGES, of.TOOL_DAYS, of.OUTSIDE_TOOLS, of.DOUBTS),
        pages.pages,
    ),
    # Rows of tools, and of the tools that other sites name.
    Stage("tools", "tool", (of.REPORTS,), (of.TOOLS, of.DOUBTS), tools.tools),
    Stage("products", "all", (of.TOOLS,), (), tools.products),
    Stage("candidates", "page", (of.OUTSIDE_TOOLS, of.TOOLS), (), tools.candidates),
    # Texts that have to do with each other come together.
    Stage("texts", "text", (of.MENTIONS, of.ALIASES, of.TOOLS), (of.TEXTS_AT_HOME,), texts.texts, only_parted=True),
    Stage("homes", "tool", (of.TEXTS_AT_HOME,), (of.TEXT_TIES,), texts.homes, only_parted=True),
    Stage("components", "all", (of.TEXT_TIES,), (of.TEXT_MOVES,), texts.components, only_parted=True),
    Stage("moving", "text", (of.MENTIONS, of.TEXT_MOVES), (of.MOVED_MENTIONS,), texts.moving, only_parted=True),
    # Repeated takes become reviews. Most are about a tool that their own mentions tell.
    Stage(
        "folds",
        "text",
        (of.MENTIONS, of.MOVED_MENTIONS, of.TEXT_MOVES, of.ALIASES, of.TOOLS),
        (of.TEXTS, of.JUDGED, of.OPEN_REVIEWS, of.REVIEW_ROWS, of.DOUBTS),
        reviews.folds,
    ),
    # The others are decided by their pages, and by other pages of the same tools.
    Stage("moments", "all", (of.OPEN_REVIEWS,), (of.MOMENTS,), open_reviews.moments),
    Stage("comparing", "tool", (of.TOOL_DAYS, of.MOMENTS), (of.COMPARED_DAYS,), open_reviews.comparing),
    Stage(
        "visits",
        "all",
        (of.OPEN_REVIEWS, of.COMPARED_DAYS),
        (of.PAGE_MOVES, of.OPEN_HERE, of.COMPARED_HERE),
        open_reviews.visits,
    ),
    Stage(
        "visiting",
        "page",
        (of.MENTIONS_ON_PAGES, of.TEXTS, of.JUDGED, of.PAGE_MOVES),
        (of.VISITING_MENTIONS, of.VISITING_TEXTS, of.VISITING_REVIEWS),
        open_reviews.visiting,
    ),
    Stage(
        "open_reviews",
        "review",
        (of.OPEN_HERE, of.COMPARED_HERE, of.VISITING_MENTIONS, of.VISITING_TEXTS, of.VISITING_REVIEWS, of.TOOLS),
        (of.JUDGED_BY_PAGES, of.REVIEW_ROWS, of.DOUBTS),
        open_reviews.open_reviews,
    ),
    # Seats that no label shows, by the order of rows. Contradictions on each page. The rows of reviews.
    Stage(
        "seats",
        "page",
        (of.MENTIONS_ON_PAGES, of.TEXTS, of.JUDGED, of.JUDGED_BY_PAGES, of.DOUBTS),
        (of.SEAT_RANGES,),
        reviews.seats,
    ),
    Stage("reviews", "review", (of.REVIEW_ROWS, of.SEAT_RANGES), (), reviews.reviews),
)
"""Normalization, from what was observed to the rows of all tables: the name of each stage, what it is partitioned by,
what it reads and writes, and its function."""

Corpus: TypeAlias = Mapping[str, tuple[Any, ...]]
"""Table name to its rows, each of the class that its table declares, sorted by key."""


def normalize(
    observations: Iterable[Observation],
    *,
    gone_urls: Collection[str] = (),
    moved_urls: Mapping[str, str] = MappingProxyType({}),
    profiles: Profiles = SHIPPED,
    partitions: int = 1,
) -> Corpus:
    """All rows of the corpus, from every observation ever made.

    `gone_urls` are addresses that are gone for good (tombstones), `moved_urls` those whose page is held under another
    one. `profiles` are those that the observations were read with. The rows do not depend on the order of the
    observations nor on the number of partitions, and an observation that is given twice counts once.
    """
    observed = {item.location: stored(item) for item in observations}
    known = Known(frozenset(gone_urls), moved_urls, profiles, partitions)
    rows, _ = normalize_stored(observed.values(), known)
    return rows


@without_collector()
def normalize_stored(observed: Iterable[StoredObservation], known: Known) -> tuple[Corpus, Sequence[LeftOut]]:
    """The same in this process, of observations as they are stored; and those that it fails on, which are left out."""
    mail, left_out = MemoryMail(), list[LeftOut]()
    mail.post(of.OBSERVED, 0, observed)
    del observed

    def execute(stage: Stage, numbers: range) -> None:
        for number in numbers:
            left_out.extend(work_on(stage, number, known, mail))

    run_stages(STAGES, known, execute, mail.forget)
    return {table: sorted_rows(table, mail.rows.pop(table, ())) for table in CORPUS_TABLES}, left_out


def sorted_rows(table: str, rows: Iterable[Any]) -> tuple[Any, ...]:
    """One row per key, sorted; of several the first one made."""
    key = attrgetter(*TABLES[table].key)
    by_key: dict[Any, Any] = {}
    for row in rows:
        by_key.setdefault(key(row), row)
    return tuple(by_key[of_row] for of_row in sorted(by_key))
