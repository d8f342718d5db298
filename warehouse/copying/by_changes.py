"""A copy made of the last one, or why not; and what a copy says of how it was made."""

from pathlib import Path
from typing import NamedTuple

import duckdb

from warehouse.copying.changed_rows import bring_search, bring_tables
from warehouse.copying.doubt import NotByChanges
from warehouse.copying.materialized import bring_views
from warehouse.schema.migrate import is_as_declared
from warehouse.storage.connection import attached, first_line, writing
from warehouse.storage.errors import WarehouseBroken

MOST_NIGHTS = 30
"""Copies made one of the other before one is made whole again: damage in what nights leave alone ends there."""

MOST_GROWTH = 1.5
"""Bytes of a copy, of those when it was made whole. Rows that were deleted keep their room in a table with an index."""

SMALL_GROWTH_BYTES = 16_000_000
"""Growth that is never too much."""


class Made(NamedTuple):
    """How a copy was made: nights since it was made whole, its bytes then, and by which DuckDB."""

    nights: int
    whole_bytes: int
    duckdb: str


def bring_copy(draft: Path, warehouse: Path, indexes: set[tuple[str, str]]) -> None:
    """Brings the draft, a clone of the last copy, to the state of the warehouse.

    Raises NotByChanges where it cannot be, or need not be done by changes; WarehouseLocked.
    """
    try:
        with writing(draft) as connection:
            made = _made(connection, indexes)
            # A database can be detached only when the transaction is over that read it.
            connection.commit()
            with attached(connection, warehouse, "warehouse"):
                connection.begin()
                changed = bring_tables(connection)
                bring_views(connection, changed)
                bring_search(connection)
                note_made(connection, made._replace(nights=made.nights + 1))
                connection.commit()
            connection.begin()
    except WarehouseBroken as error:
        raise NotByChanges(f"the last copy is damaged ({error})") from error
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        raise NotByChanges(f"the last copy is not as this version makes it ({first_line(error)})") from error


def used_bytes(connection: duckdb.DuckDBPyConnection) -> int:
    """Bytes of the blocks that the open file uses: others are free for the next night."""
    size = "SELECT block_size * used_blocks FROM pragma_database_size() WHERE database_name = current_database()"
    ((used,),) = connection.execute(size).fetchall()
    return int(used)


def note_made(connection: duckdb.DuckDBPyConnection, made: Made) -> None:
    """Says in the open copy how it was made."""
    connection.execute(
        "CREATE OR REPLACE MACRO copy_made() AS"
        f" {{'nights': {made.nights:d}, 'whole_bytes': {made.whole_bytes:d}, 'duckdb': '{made.duckdb}'}}"
    )


def _made(connection: duckdb.DuckDBPyConnection, indexes: set[tuple[str, str]]) -> Made:
    if not is_as_declared(connection):
        raise NotByChanges("the last copy has the schema of another version")
    known = connection.execute("FROM duckdb_functions() WHERE function_name = 'copy_made'").fetchall()
    if not known:
        raise NotByChanges("the last copy does not say how it was made")
    ((noted,),) = connection.execute("SELECT copy_made()").fetchall()
    made = Made(**noted)
    if made.duckdb != duckdb.__version__:
        raise NotByChanges(f"the last copy was made by DuckDB {made.duckdb}")
    if made.nights >= MOST_NIGHTS:
        raise NotByChanges(f"{made.nights} copies were made one of the other")
    used = used_bytes(connection)
    if used > max(MOST_GROWTH * made.whole_bytes, made.whole_bytes + SMALL_GROWTH_BYTES):
        raise NotByChanges(f"the last copy has grown from {made.whole_bytes:,} bytes to {used:,}")
    of_copy = "SELECT table_name, expressions FROM duckdb_indexes() WHERE database_name = current_database()"
    held = {(table, column.strip("[]'\"")) for table, column in connection.execute(of_copy).fetchall()}
    if held != indexes:
        raise NotByChanges("the last copy has other indexes")
    return made
