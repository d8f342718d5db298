"""The whole of normalization, in order: views, folding, attribution, rows."""

from collections.abc import Collection, Iterable, Mapping
from operator import attrgetter
from typing import TypeAlias

from corpus.tables import KEYS, TABLES, LookalikeRow, ReviewAliasRow, Row
from extract.model.records import Observation
from extract.panel.profile import Profiles
from extract.panel.profile_files import SHIPPED
from normalize.attribution.attribute import attribute
from normalize.dedup.deduplicate import Fold
from normalize.dedup.mentions import read_sightings
from normalize.identity.page_versions import read_views
from normalize.identity.products import Candidate, product_rows
from normalize.rows.consistency import discrepancy_rows
from normalize.rows.documents import compared_tool_rows, comparison_row_rows, document_rows, outside_review_rows
from normalize.rows.history import (
    price_history_rows,
    price_periods,
    tool_history_rows,
    tool_periods,
    verdict_history_rows,
)
from normalize.rows.pages import by_page, card_rows, page_rows, verdict_rows
from normalize.rows.rejects import reject_rows
from normalize.rows.reviews import appearance_rows, evidence_rows, review_rows, seat_conflicts
from normalize.rows.tools import candidates, pricing_tier_rows, tool_alias_rows, tool_rows

NORMALIZER_VERSION = "2"
"""Raised with every change of its rules: rows of another version are made anew."""

Corpus: TypeAlias = Mapping[str, tuple[Row, ...]]
"""Table name to its rows, sorted by key."""


def normalize(
    observations: Iterable[Observation],
    *,
    gone: Collection[str] = (),
    others: Collection[Candidate] = (),
    profiles: Profiles = SHIPPED,
) -> Corpus:
    """All rows of the corpus from everything ever observed, or from all that depends on each other (see `reach`).

    `gone` are addresses known to be gone for good, `others` the tools that `observations` do not show, or not wholly.
    `profiles` are those that the observations were read with. The order of the observations does not matter, and one
    seen twice counts once.
    """
    seen = list({item.location: item for item in observations}.values())
    views, aliases = read_views(seen, profiles)
    pages = by_page(views)
    histories = tool_periods(views)
    prices = price_periods(views)
    names = {tool: str(states[-1].state["name"]) for tool, states in histories.items()}
    sightings, fold = read_sightings(views, aliases)
    attributed = attribute(sightings, names)
    known = candidates(views, histories)
    rows: dict[str, Iterable[Row]] = {
        "pages": page_rows(pages, gone),
        "documents": document_rows(seen),
        "compared_tools": compared_tool_rows(seen),
        "comparison_rows": comparison_row_rows(seen),
        "outside_reviews": outside_review_rows(seen),
        "tools": tool_rows(views, histories, known),
        "tool_aliases": tool_alias_rows(aliases),
        "products": product_rows(list({item.tool_id: item for item in (*known, *others)}.values())),
        "tool_cards": card_rows(pages),
        "verdicts": verdict_rows(pages),
        "pricing_tiers": pricing_tier_rows(prices),
        "reviews": review_rows(attributed),
        "review_aliases": _review_aliases(fold),
        "lookalikes": _lookalikes(fold),
        "appearances": appearance_rows(attributed),
        "attribution_evidence": evidence_rows(attributed),
        "tool_history": tool_history_rows(histories),
        "price_history": price_history_rows(prices),
        "verdict_history": verdict_history_rows(views),
        "discrepancies": [*discrepancy_rows(pages), *attributed.conflicts, *seat_conflicts(attributed)],
        "rejects": reject_rows(seen, profiles),
    }
    return {table: _sorted(table, rows[table]) for table in TABLES}


def _review_aliases(fold: Fold) -> Iterable[ReviewAliasRow]:
    for variant in fold.variants.values():
        if variant.has_led and not variant.leads:
            reason = f"{variant.similarity:.0%} alike, and now known to be about one tool"
            yield ReviewAliasRow(variant.text_id, variant.leader.text_id, reason)


def _lookalikes(fold: Fold) -> Iterable[LookalikeRow]:
    for pair in fold.grey_pairs():
        one, other = sorted((fold.review_of(pair.text_id), fold.review_of(pair.other_id)))
        yield LookalikeRow(one, other, round(pair.similarity, 4))


def _sorted(table: str, rows: Iterable[Row]) -> tuple[Row, ...]:
    """One row a key; of several (a contradiction seen twice on a page) the first one made."""
    key = attrgetter(*KEYS[table])
    keyed: dict[object, Row] = {}
    for row in rows:
        keyed.setdefault(key(row), row)
    return tuple(sorted(keyed.values(), key=key))
