"""Rows of addresses, by all that was ever observed of each."""

from collections.abc import Sequence
from typing import Any

from verdicts.extract.model.records import Observation
from verdicts.extract.panel.profile import Profiles
from verdicts.normalize.rows.documents import (
    compared_grid_rows,
    compared_tool_rows,
    comparison_fact_rows,
    comparison_row_rows,
    described_tool_rows,
    document_rows,
    outside_review_rows,
)
from verdicts.normalize.rows.doubts import fitting, reject_rows, rejects_beyond


def address_rows(observations: Sequence[Observation], profiles: Profiles) -> dict[str, list[Any]]:
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
