"""Makes a table equal to the staged rows: compares by key, keeps old rows aside, adds, updates and removes."""

from collections.abc import Iterable
from dataclasses import dataclass

import duckdb

from verdicts.corpus.columns import LOAD_ID, Column
from verdicts.corpus.declare import Table
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.warehouse.storage.sql_files import count, quote_name
from verdicts.warehouse.storage.warehouse_errors import AuditFailed


@dataclass(frozen=True, slots=True)
class Changes:
    """Rows of one table that a load added, removed, and whose content it changed. `seen`: only a visit moved."""

    added: int
    changed: int
    removed: int
    seen: int = 0

    @property
    def rows(self) -> int:
        """Rows whose content the load added, changed or removed."""
        return self.added + self.changed + self.removed

    @property
    def is_empty(self) -> bool:
        return self.rows + self.seen == 0


def merge(connection: duckdb.DuckDBPyConnection, table: str, *, is_whole: bool = True) -> Changes:
    """Adds new staged rows, updates those that differ and removes missing rows; counts them.

    Without `is_whole`, as for a log, no row is removed. A row whose content differs gets the new load_id; if only
    columns of visits differ, they are updated and its load_id stays. Rows are added in the order of their table, so the
    file does not depend on their original order. Raises AuditFailed if a row got lost.
    """
    declared = TABLES[table]
    staged_rows = count(connection, "staged")
    order = ", ".join(f"{quote_name(name)} NULLS FIRST" for name in declared.order)
    if count(connection, declared.relation) == 0:
        connection.execute(f"INSERT INTO {declared.relation} BY NAME FROM staged ORDER BY {order}")
        return Changes(staged_rows, 0, 0)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE moved AS {_compare(declared, is_whole=is_whole)}")
    rows = dict(connection.execute("SELECT change, count(*) FROM moved GROUP BY ALL").fetchall())
    changes = Changes(*(rows.get(change, 0) for change in ("added", "changed", "removed", "seen")))
    keys = ", ".join(map(quote_name, declared.key))
    if not declared.is_log and not declared.has_derived and changes.rows:
        connection.execute(_keep(declared, f"SEMI JOIN (FROM moved WHERE change <> 'seen') USING ({keys})"))
    if changes.removed:
        gone = f"SELECT {keys} FROM moved WHERE change = 'removed'"  # noqa: S608  names of ours
        connection.execute(f"DELETE FROM {declared.relation} WHERE ({keys}) IN ({gone})")  # noqa: S608  names of ours
    if changes.added or changes.changed or changes.seen:
        connection.execute(_merge(declared, f"FROM staged INNER JOIN moved USING ({keys}) ORDER BY {order}"))
    if is_whole and (loaded_rows := count(connection, declared.relation)) != staged_rows:
        counts = {"given": staged_rows, "loaded": loaded_rows}
        raise AuditFailed(f"{table}_in_are_{table}_out", abs(loaded_rows - staged_rows), [counts])
    return changes


def keep_rows(connection: duckdb.DuckDBPyConnection) -> None:
    """Keeps all rows of tables with derived columns, which may change without a staged row, in temporary tables."""
    for table in map(TABLES.__getitem__, CORPUS_TABLES):
        connection.execute(_keep(table, "" if table.has_derived else "LIMIT 0"))


def name_kept(table: Table) -> str:
    """The temporary table with the rows of `table` that this load changed or removed, as they were before."""
    return f"before_{table.name}"


def _keep(table: Table, which: str) -> str:
    names = ", ".join(quote_name(column.name) for column in (*table.content, LOAD_ID))
    return f"CREATE OR REPLACE TEMP TABLE {name_kept(table)} AS SELECT {names} FROM {table.relation} {which}"  # noqa: S608


def _compare(table: Table, *, is_whole: bool) -> str:
    """Selects the key of each row that differs, and how: added, changed, removed, seen."""
    keys = ", ".join(map(quote_name, table.key))
    changed = differs(c for c in table.content if c.name not in table.key and not c.is_derived)
    seen = differs(c for c in table.loaded_columns if c.is_visit)
    return f"""
        SELECT
            {keys},
            CASE
                WHEN old.load_id IS NULL THEN 'added'
                WHEN new.load_id IS NULL THEN 'removed'
                WHEN {changed} THEN 'changed'
                ELSE 'seen'
            END AS change
        FROM {table.relation} AS old
        {"FULL" if is_whole else "RIGHT"} JOIN staged AS new USING ({keys})
        WHERE old.load_id IS NULL OR new.load_id IS NULL OR {changed} OR {seen}
    """  # noqa: S608  names of ours


def differs(columns: Iterable[Column]) -> str:
    """The SQL condition that `old` and `new` differ in one of the columns. NULL differs from every value."""
    return (
        " OR ".join(f"old.{quote_name(c.name)} IS DISTINCT FROM new.{quote_name(c.name)}" for c in columns) or "false"
    )


def _merge(table: Table, rows: str) -> str:
    names = [quote_name(column.name) for column in table.loaded_columns]
    updated = [
        quote_name(column.name)
        for column in table.loaded_columns
        if column.name not in table.key and not column.is_derived
    ]
    visited = [quote_name(column.name) for column in table.loaded_columns if column.is_visit]
    is_changed = "AND new.change = 'changed' " if visited else ""
    branches = [f"WHEN MATCHED {is_changed}THEN UPDATE SET {', '.join(f'{name} = new.{name}' for name in updated)}"]
    if visited:
        branches.append(f"WHEN MATCHED THEN UPDATE SET {', '.join(f'{name} = new.{name}' for name in visited)}")
    return f"""
        MERGE INTO {table.relation} AS old
        USING ({rows}) AS new
        ON {" AND ".join(f"old.{name} = new.{name}" for name in map(quote_name, table.key))}
        {" ".join(branches)}
        WHEN NOT MATCHED
            THEN INSERT ({", ".join(names)})
            VALUES ({", ".join(f"new.{name}" for name in names)})
    """  # noqa: S608  names of ours
