"""The address round: rows of addresses by all that was ever observed of each."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from extract.model.records import Observation
from extract.panel.words.profile import Profiles
from extract.panel.words.profile_files import SHIPPED
from normalize.rows.documents import (
    compared_grid_rows,
    compared_tool_rows,
    comparison_fact_rows,
    comparison_row_rows,
    described_tool_rows,
    document_rows,
    outside_review_rows,
)
from normalize.rows.ranges import fitting, rejects_beyond
from normalize.rows.rejects import reject_rows
from normalize.snapshots import SNAPSHOTS, Read
from normalize.state.relation import State

ADDRESSES_AT_A_TIME = 2_000
"""Addresses whose observations are in memory at once."""


def address_round(
    state: State,
    urls: Collection[str],
    observed: Read,
    profiles: Profiles = SHIPPED,
) -> dict[str, list[Any]]:
    """All rows of some addresses by table, unsorted.

    Reads SNAPSHOTS; `observed` gives the observations at some places.
    """
    rows: dict[str, list[Any]] = defaultdict(list)
    in_order = [*urls]
    for first in range(0, max(1, len(in_order)), ADDRESSES_AT_A_TIME):
        known = state.find(SNAPSHOTS, "url", in_order[first : first + ADDRESSES_AT_A_TIME])
        for table, some in address_rows([*observed([snapshot.location for snapshot in known])], profiles).items():
            rows[table] += some
    return rows


def address_rows(observations: Sequence[Observation], profiles: Profiles = SHIPPED) -> dict[str, list[Any]]:
    """All rows of the observations' addresses by table, unsorted: documents, what they set side by side, and rejects.

    Every observation of these addresses is among the given ones; the order and repetitions do not matter.
    """
    observed = list({item.location: item for item in observations}.values())
    rows, beyond = fitting(
        {
            "documents": document_rows(observed),
            "compared_tools": compared_tool_rows(observed),
            "described_tools": described_tool_rows(observed),
            "comparison_rows": comparison_row_rows(observed),
            "comparison_facts": comparison_fact_rows(observed),
            "compared_grids": compared_grid_rows(observed),
            "outside_reviews": outside_review_rows(observed),
            "rejects": reject_rows(observed, profiles),
        }
    )
    rows["rejects"] += rejects_beyond(beyond, observed)
    return rows
