"""Makes a copy for readers out of the warehouse: the whole of it, each time.

This is all that the engine does for a publication. Which file readers open is decided in `publish`, without the engine.
"""

import re
import shutil
from datetime import datetime
from pathlib import Path

import duckdb

from verdicts.corpus.tables import TABLES
from verdicts.warehouse.schema.versions import declare, leave_to_readers
from verdicts.warehouse.serving.search_index import bring_index_up_to_date
from verdicts.warehouse.storage.connection import opened, writing
from verdicts.warehouse.storage.errors import WarehouseBroken
from verdicts.warehouse.storage.sql_files import count, declarations, read_sql

INDEXES = (
    ("appearances", "page_id"),
    ("reviews", "review_id"),
    ("reviews", "tool_id"),
    ("scorecards", "tool_id"),
    ("tool_cards", "page_id"),
    ("tools", "tool_id"),
)
"""Table and column of each index of a copy: what a page looks up by one id, without reading the whole table.

A look-up among a million reviews takes 50 to 500 ms without an index and under 25 ms with one. Two are not worth their
room: `appearances(review_id)` takes 100 MB and saves 20 ms, and `tool_matches(tool_id)` lies in order. The loader's own
file has no index: it would make a load slower, and nobody looks there.
"""

_HEAD = re.compile(r"\A\s*CREATE OR REPLACE VIEW \w+ AS\b")


def make_copy(warehouse_path: Path, draft: Path, at: datetime) -> str:
    """Makes the file at `draft` a copy of the warehouse for readers; returns the id of the last load in it.

    Before that the warehouse gets the schema of this version and its search index the texts that are new. In the copy
    every view is a table of its rows. Raises WarehouseLocked, WarehouseBroken, MemoryShort.
    """
    with writing(warehouse_path) as connection:
        declare(connection, warehouse_path, at=at)
        bring_index_up_to_date(connection)
        last = connection.execute(read_sql("schema/catalog")["last_load"]).fetchall()
    # It stays open while it is copied: a build in another process would write into the copy.
    with opened(warehouse_path) as connection:
        connection.execute("CHECKPOINT")
        rows = {table: count(connection, table) for table in TABLES}
        shutil.copyfile(warehouse_path, draft)
    with writing(draft) as connection:
        for name, sql in declarations("schema/views").items():
            _make_table_of_view(connection, name, sql)
        for table, column in INDEXES:
            connection.execute(f"CREATE INDEX {table}_by_{column} ON {table} ({column})")
        leave_to_readers(connection)
    _check_opens(draft, rows)
    return str(last[0][0]) if last else f"{at:%Y%m%dT%H%M%SZ}-0000"


def _make_table_of_view(connection: duckdb.DuckDBPyConnection, name: str, sql: str) -> None:
    """Puts a table with the view's rows, name and comments in its place, among the others: each name stands once."""
    view, comment, *of_columns = connection.extract_statements(sql)
    connection.execute(f"DROP VIEW {name}")
    connection.execute(f"CREATE TABLE {name} AS {_HEAD.sub('', view.query, count=1)}")
    connection.execute(comment.query.replace("COMMENT ON VIEW", "COMMENT ON TABLE", 1))
    for column in of_columns:
        connection.execute(column)


def _check_opens(draft: Path, rows: dict[str, int]) -> None:
    """The finished file opens anew and has as many rows of each table as the warehouse. Raises WarehouseBroken."""
    with opened(draft, is_read_only=True) as connection:
        for table, expected in rows.items():
            if (found := count(connection, table)) != expected:
                raise WarehouseBroken(draft, f"it has {found:,} rows of {table}, and the warehouse has {expected:,}")
