"""The differences between two states of the corpus, as rows with the columns of `history.changes`.

Two loads are compared by the changes of the loads between them; two files by the keys of their rows.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from verdicts.corpus.columns import CONTENT_HASH, LOAD_ID
from verdicts.corpus.declare import Table
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.warehouse.loading.changes import select_differences
from verdicts.warehouse.loading.checks import select_repeated_keys, select_sample
from verdicts.warehouse.serving.query import Question, ask, make_question, open_for_questions
from verdicts.warehouse.storage.sql_files import literal, read_sql
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

_KEPT = "SELECT load_id FROM ops.loads WHERE load_id >= changes_kept_since() ORDER BY load_id"

Types = Mapping[str, str]
"""Column name to type."""


@dataclass(frozen=True, slots=True)
class Differences:
    """`rows`: the rows that differ, table by table. `counts`: a row for each table that differs.

    `apart` names what only one state has, or has with another type, as `evidence.lookalikes` or `reviews.score`. It is
    not compared: one state knows nothing of it.
    """

    rows: Question
    counts: Question
    apart: tuple[str, ...] = ()


def list_kept_loads(path: Path) -> list[str]:
    """The loads in the file at `path` since each of which all changes are kept, oldest first."""
    return [load_id for (load_id,) in ask(path, _KEPT).rows]


@contextmanager
def compare_loads(path: Path, before: str, after: str, tables: Sequence[str] = CORPUS_TABLES) -> Iterator[Differences]:
    """The rows that differ between two of the `list_kept_loads` of the file at `path`.

    Answer it while the context is open. Raises WarehouseLocked, WarehouseBroken.
    """
    with open_for_questions(path) as connection:
        connection.execute("SET VARIABLE before = $before", {"before": before})
        connection.execute("SET VARIABLE after = $after", {"after": after})
        yield _differences(connection, read_sql("serving/differences")["between_loads"], tables)


@contextmanager
def compare_files(
    before: Path, after: Path, tables: Sequence[str] = CORPUS_TABLES, *, readable: Sequence[Path] = ()
) -> Iterator[Differences]:
    """The rows that differ between two database files, which may read Parquet in the folders `readable`.

    The load of a removed row is the newest load of the file at `after`. Answer it while the context is open. Raises
    WarehouseLocked, WarehouseBroken, and QuestionFailed if rows of a file share their key.
    """
    with open_for_questions(after, before=before, readable=readable) as connection:
        old, new = _columns(connection, "before"), _columns(connection, None)
        removed_by = "(SELECT max(load_id) FROM ops.loads)" if "ops.loads" in new else "NULL"
        selects, apart = [], list[str]()
        for table in (TABLES[name] for name in tables):
            old_types, new_types = old.get(table.relation), new.get(table.relation)
            if old_types is not None and new_types is not None and _has_key(table, old_types, new_types):
                selects.append(_select(connection, table, old_types, new_types, removed_by))
                apart += (f"{table.relation}.{name}" for name in _list_unequal(table, old_types, new_types))
            elif old_types is not None or new_types is not None:
                apart.append(table.relation)
        if not selects:
            raise QuestionFailed(f"{before.name} and {after.name} have no table in common that can be compared")
        yield _differences(connection, " UNION ALL ".join(f"({select})" for select in selects), tables, apart=apart)


def _differences(
    connection: duckdb.DuckDBPyConnection, rows: str, tables: Sequence[str], *, apart: Sequence[str] = ()
) -> Differences:
    connection.execute(f"CREATE TEMP VIEW differences AS {rows}")
    places = ", ".join(f"({literal(table)}, {place})" for place, table in enumerate(tables))
    connection.execute(f"CREATE TEMP TABLE places AS FROM (VALUES {places}) AS named(relation, place)")
    sql = read_sql("serving/differences")
    return Differences(make_question(connection, sql["rows"]), make_question(connection, sql["counts"]), (*apart,))


def _columns(connection: duckdb.DuckDBPyConnection, database: str | None) -> Mapping[str, Types]:
    """Each relation of a database to its columns. None: the database that was opened."""
    question = """
        SELECT CASE schema_name WHEN 'main' THEN '' ELSE schema_name || '.' END || table_name, column_name, data_type
        FROM duckdb_columns()
        WHERE database_name = coalesce($database, current_database())
    """
    columns = defaultdict[str, dict[str, str]](dict)
    for relation, name, type_ in connection.execute(question, {"database": database}).fetchall():
        columns[relation][name] = type_
    return columns


def _has_key(table: Table, old: Types, new: Types) -> bool:
    return all(name in old and old[name] == new.get(name) for name in (*table.key, LOAD_ID.name))


def _list_unequal(table: Table, old: Types, new: Types) -> list[str]:
    """Columns that only one of the two has, or has with another type; only those of content."""
    ignored = {column.name for column in table.columns} - {column.name for column in table.content} | {
        CONTENT_HASH.name
    }
    return [name for name in {**new, **old} if name not in ignored and old.get(name) != new.get(name)]


def _select(connection: duckdb.DuckDBPyConnection, table: Table, old: Types, new: Types, removed_by: str) -> str:
    states = f"before.{table.relation}", table.relation
    for state in states:
        # Rows that share a key would be compared each with each.
        if shared := select_sample(connection, select_repeated_keys(table.name, state)):
            key = ", ".join(f"{name}={value}" for name, value in shared[0].items() if name != "rows")
            raise QuestionFailed(f"{state} has {shared[0]['rows']} rows with the key {key}; rows cannot be compared")
    columns = [column for column in table.content if column.name in old and old[column.name] == new.get(column.name)]
    return select_differences(table, *states, columns, removed_by=removed_by)
