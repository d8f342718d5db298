"""The audits: SELECTs of rows that offend, made of the declared tables and of `audits/*.sql`.

Keys, references, retired ids and periods are audited as the tables declare them (`verdicts.corpus.declare`).
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from verdicts.corpus.columns import Column
from verdicts.corpus.declare import JoinedReference, Table
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.storage.sql_files import read_sql


@cache
def audits() -> Mapping[str, str]:
    """Name of each audit but those of keys, to its SELECT, by name."""
    declared = {name: sql for table in TABLES.values() for name, sql in _declared(table)}
    return dict(sorted((declared | read_sql("loading/audits")).items()))


@cache
def tables_read(sql: str) -> frozenset[str]:
    """The tables that an audit reads."""
    return frozenset(re.findall(r"\w+", sql)) & TABLES.keys()


def of_key(table: str) -> str:
    """That no key is in a table twice."""
    # DuckDB's own primary keys make a load of a million rows three to fifteen times slower.
    names = ", ".join(TABLES[table].key)
    return f"SELECT {names}, count(*) AS rows FROM {table} GROUP BY {names} HAVING count(*) > 1"  # noqa: S608  ours


def _declared(table: Table) -> Iterator[tuple[str, str]]:
    for column in table.columns:
        if column.references is not None:
            yield f"{table.name}_{column.name}_is_in_{column.references}", _dangling(table, column, column.references)
        if column.retired_from is not None:
            yield f"{table.name}_{column.name}_is_retired", _still_in_use(table, column, column.retired_from)
    for reference in table.joined_references:
        yield f"{table.name}_{'_'.join(reference.columns)}_is_in_{reference.table}", _joined_dangling(table, reference)
    if table.period is not None:
        yield f"{table.name}_periods_do_not_overlap", _overlapping(table, table.period.start, table.period.end)


def _dangling(table: Table, column: Column, parent: str) -> str:
    names = ", ".join(dict.fromkeys((*table.key, column.name)))
    (target,) = TABLES[parent].key
    parents = f"(SELECT {target} AS {column.name} FROM {parent})"  # noqa: S608  names of ours
    where = f" WHERE {column.name} IS NOT NULL" if column.is_optional else ""
    return f"SELECT {names} FROM {table.name} ANTI JOIN {parents} USING ({column.name}){where}"  # noqa: S608  ours


def _joined_dangling(table: Table, reference: JoinedReference) -> str:
    pairs = zip(reference.columns, reference.keys, strict=True)
    matches = " AND ".join(f"children.{column} = parents.{key}" for column, key in pairs)
    joined = f"{table.name} AS children ANTI JOIN {reference.table} AS parents ON {matches}"
    names = ", ".join(f"children.{name}" for name in table.key)
    return f"SELECT {names} FROM {joined} WHERE children.{reference.where}"  # noqa: S608  names of ours


def _still_in_use(table: Table, column: Column, present: str) -> str:
    (key,) = TABLES[present].key
    joined = f"{table.name} AS retired SEMI JOIN {present} AS present ON retired.{column.name} = present.{key}"
    return f"SELECT {', '.join(table.column_names)} FROM {joined}"  # noqa: S608  names of ours


def _overlapping(table: Table, start: str, end: str) -> str:
    """A state ends before the next one begins; only the last one is open-ended."""
    of_one = ", ".join(name for name in table.key if name != start)
    following = f"lead({start}) OVER (PARTITION BY {of_one} ORDER BY {start})"
    states = f"SELECT {of_one}, {start}, {end}, {following} AS next_start FROM {table.name}"  # noqa: S608  ours
    overlaps = f"next_start IS NOT NULL AND ({end} IS NULL OR {end} > next_start)"
    return f"SELECT * FROM ({states}) WHERE {overlaps}"  # noqa: S608  names of ours
