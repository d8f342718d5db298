"""The views that a dataset carries as tables, so that it is read without SQL.

Every one is made of the tables beside it; a load of a dataset makes them anew and does not take them over.
"""

from collections.abc import Mapping

from verdicts.corpus.tables import TABLES

DATASET_VIEWS: Mapping[str, tuple[str, ...]] = {
    "contested_tools": ("tool_id",),
    "free_to_start": ("tool_id",),
    "head_to_head": ("page_id",),
    "price_changes": ("tool_id", "changed_at"),
    "price_ladder": ("tool_id", "position"),
    "scored_takes": ("review_id",),
    "scorecards": ("tool_id",),
    "verdict_changes": ("page_id", "side", "changed_at"),
}
"""View to its key, by which its rows lie in the file.

None has a mean of fractions: its last digit would depend on the order in which rows were read.
"""

DATASET_TABLES = (*TABLES, *DATASET_VIEWS)
"""What an export writes unless it is told otherwise."""


def key_of(relation: str) -> tuple[str, ...]:
    """The columns that name one row of a table or of a view of a dataset."""
    return DATASET_VIEWS[relation] if relation in DATASET_VIEWS else TABLES[relation].key


def order_of(relation: str) -> tuple[str, ...]:
    """The columns by which rows lie in a file."""
    return DATASET_VIEWS[relation] if relation in DATASET_VIEWS else TABLES[relation].order
