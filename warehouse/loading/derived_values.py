"""Columns made of others: of a row of a log as it comes, or by `derived/*.sql` once all tables hold their rows.

`tools.product` also depends on who else has a tool's name: after the load of a part, tools of `renamed_products` alone
can have another one.
"""

from collections.abc import Callable, Mapping
from typing import Any

import duckdb

from corpus.enumerations import OutcomeClass
from fetch.model.addresses.web_address import host_of
from fetch.model.outcome import CLASSES
from warehouse.storage.sql_files import read_sql


def class_of(outcome: str) -> OutcomeClass:
    """The class of an outcome; a word of an earlier version that is known no more is `other`."""
    return CLASSES.get(outcome, "other")


DERIVED_VALUES: Mapping[tuple[str, str], Callable[[Any], object]] = {
    ("fetches", "host"): lambda row: host_of(row.url) or None,
    ("fetches", "outcome_class"): lambda row: class_of(row.outcome),
}
"""Table and column to what a row says there."""


_RENAMED = """
WITH changed AS (
    SELECT tool_id, name FROM brought_tools
    UNION
    SELECT tool_id, name FROM left_tools
    UNION
    SELECT tool_id, name FROM brought_products
    UNION
    SELECT tool_id, name FROM left_products
),

touched AS MATERIALIZED (
    SELECT tool_id FROM changed
    UNION
    SELECT products.tool_id FROM products SEMI JOIN changed ON products.product_id = changed.tool_id
),

names AS (
    SELECT name FROM changed
    UNION
    SELECT tools.name FROM tools SEMI JOIN touched ON tools.tool_id = touched.tool_id
    UNION
    SELECT products.name FROM products SEMI JOIN touched ON products.tool_id = touched.tool_id
)

SELECT DISTINCT lower(nfc_normalize(name)) AS folded
FROM names
"""
"""Every name that a product had before the load or has after it, of those whose tools it changed."""


def derive(connection: duckdb.DuckDBPyConnection) -> None:
    """Fills them in all rows."""
    connection.execute("CREATE OR REPLACE TEMP TABLE renamed_products (folded VARCHAR)")
    _fill(connection, is_whole=True)


def derive_of_part(connection: duckdb.DuckDBPyConnection) -> None:
    """Fills them where the load of a part can have changed them: all others are as they would be."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE renamed_products AS {_RENAMED}")
    ((renamed,),) = connection.execute("SELECT count(*) FROM renamed_products").fetchall()
    if renamed:
        _fill(connection, is_whole=False)


def _fill(connection: duckdb.DuckDBPyConnection, *, is_whole: bool) -> None:
    connection.execute("SET VARIABLE is_whole = ?", [is_whole])
    for statement in read_sql("loading/derived").values():
        connection.execute(statement)
