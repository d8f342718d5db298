"""The indexes of a published copy: what a page looks up by one id, without reading the whole table.

Declared here alone. The loader's own file has none: they would make a load slower, and nobody looks there.
"""

import duckdb

INDEXES = (
    ("appearances", "page_id"),
    ("reviews", "review_id"),
    ("reviews", "tool_id"),
    ("scorecards", "tool_id"),
    ("tool_cards", "page_id"),
    ("tools", "tool_id"),
)
"""Table and column: those where a look-up among a million reviews takes 50 to 500 ms without, and under 25 ms with one.

Not worth their room: `appearances(review_id)` (100 MB against 20 ms), `tool_matches(tool_id)`, which is in order.
"""


def make_indexes(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the indexes in a copy whose views are tables already."""
    for table, column in INDEXES:
        connection.execute(f"CREATE INDEX {table}_by_{column} ON {table} ({column})")
