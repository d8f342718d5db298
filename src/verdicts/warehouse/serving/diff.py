"""The difference between two states of the corpus: rows by their keys, values column by column."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from verdicts.corpus.tables import CORPUS_TABLES, TABLES, relation_of
from verdicts.warehouse.serving.query import Question, opened_for_questions, question_of

_NOT_COMPARED = ("load_id",)


@contextmanager
def table_differences(before: Path, after: Path) -> Iterator[Question]:
    """One row for each table that differs: rows added, changed and removed, and the changes in each column.

    Answer it while the context is open. Raises WarehouseLocked, WarehouseBroken.
    """
    with opened_for_questions(after, before=before) as connection:
        counts = " UNION ALL ".join(_counting(connection, place, table) for place, table in enumerate(CORPUS_TABLES))
        yield question_of(
            connection,
            f"SELECT * EXCLUDE place FROM ({counts}) WHERE added + changed + removed > 0 ORDER BY place",  # noqa: S608 - names come from our own contracts
        )


@contextmanager
def row_differences(before: Path, after: Path, table: str, limit: int) -> Iterator[Question]:
    """One row for each difference of `table`, at most `limit`: a changed value, or an added or removed row as JSON.

    Answer it while the context is open. Raises WarehouseLocked, WarehouseBroken.
    """
    with opened_for_questions(after, before=before) as connection:
        yield question_of(connection, f"{_differing(connection, table)} LIMIT {limit}")


def _columns(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    """Columns to compare: those in both states, without the key."""
    columns = connection.execute(
        """
        SELECT column_name
        FROM duckdb_columns()
        WHERE table_name = ? AND schema_name = ? AND database_name IN ('before', current_database())
        GROUP BY column_name
        HAVING count(*) = 2
        ORDER BY any_value(column_index) FILTER (database_name <> 'before')
        """,
        [table, TABLES[table].schema],
    ).fetchall()
    return [name for (name,) in columns if name not in (*TABLES[table].key, *_NOT_COMPARED)]


def _differs(table: str, name: str) -> str:
    first = TABLES[table].key[0]
    return f"old.{first} IS NOT NULL AND new.{first} IS NOT NULL AND old.{name} IS DISTINCT FROM new.{name}"


def _joined(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    """The rows of both states, side by side. A state of an older program may lack the table."""
    on = " AND ".join(f"old.{name} = new.{name}" for name in TABLES[table].key)
    held = "SELECT 1 FROM duckdb_columns() WHERE database_name = 'before' AND schema_name = ? AND table_name = ?"
    relation = relation_of(table)
    is_held = connection.execute(held, [TABLES[table].schema, table]).fetchall()
    old = f"before.{relation}" if is_held else f"(FROM {relation} LIMIT 0)"
    return f"{old} AS old FULL JOIN {relation} AS new ON {on}"


def _counting(connection: duckdb.DuckDBPyConnection, place: int, table: str) -> str:
    """A SELECT of the counts of a table. `columns` lists the most changed column first: `score 2, text 1`."""
    first = TABLES[table].key[0]
    differs = {name: _differs(table, name) for name in _columns(connection, table)}
    any_differs = " OR ".join(differs.values()) or "false"
    changes = ", ".join(
        f"{{'least': -count(*) FILTER ({condition}), 'place': {column_place}, 'name': '{name}'}}"
        for column_place, (name, condition) in enumerate(differs.items())
    )
    return f"""
        SELECT
            {place} AS place,
            '{table}' AS relation,
            count(*) FILTER (old.{first} IS NULL) AS added,
            count(*) FILTER ({any_differs}) AS changed,
            count(*) FILTER (new.{first} IS NULL) AS removed,
            array_to_string(
                [change.name || ' ' || format('{{:,}}', -change.least) FOR change IN list_sort([{changes}])
                IF change.least < 0], ', '
            ) AS columns
        FROM {_joined(connection, table)}
    """  # noqa: S608 - names come from our own contracts


def _differing(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    names, joined = TABLES[table].key, _joined(connection, table)
    keys = ", ".join(f"coalesce(old.{name}, new.{name}) AS {name}" for name in names)
    # (difference, column, before, after, which rows)
    differences = [
        ("added", "NULL", "NULL", "to_json(new)", f"old.{names[0]} IS NULL"),
        ("removed", "NULL", "to_json(old)", "NULL", f"new.{names[0]} IS NULL"),
        *(
            ("changed", f"'{name}'", f"old.{name}", f"new.{name}", _differs(table, name))
            for name in _columns(connection, table)
        ),
    ]
    selects = (
        f"""
        SELECT
            '{difference}' AS difference,
            {keys},
            {column}::VARCHAR AS "column",
            {before}::VARCHAR AS before,
            {after}::VARCHAR AS after
        FROM {joined}
        WHERE {condition}
        """  # noqa: S608 - names come from our own contracts
        for difference, column, before, after, condition in differences
    )
    return " UNION ALL ".join(selects) + f' ORDER BY difference, {", ".join(names)}, "column"'
