"""Asks the loaded tables whether they agree with each other, before the commit.

Keys, references, retired ids and periods are audited as the tables declare them (`corpus.declare`); what no declaration
says stands in `audits/*.sql`. Every audit selects the rows that offend.
"""

import re
from collections.abc import Iterator, Mapping, Set
from functools import cache

import duckdb

from corpus.columns import Column
from corpus.declare import JoinedReference, Table
from corpus.tables import TABLES
from warehouse.storage.errors import AuditFailed
from warehouse.storage.sql_files import read_sql

SAMPLE = 5
"""Offending rows an error carries."""


_PAGES = {
    "url": "SELECT ?",
    "page_id": "SELECT url FROM pages WHERE page_id = ?",
    "review_id": "SELECT min(pages.url) FROM appearances INNER JOIN pages USING (page_id) WHERE review_id = ?",
    "tool_id": "SELECT min(pages.url) FROM tool_cards INNER JOIN pages USING (page_id) WHERE tool_id = ?",
}
"""Column of an offending row to the question for its page, the nearest first."""


def audit(connection: duckdb.DuckDBPyConnection, changed: Set[str], filled: Set[str]) -> None:
    """Runs every audit that reads a table in `changed`.

    Keys are not counted again in tables that this load filled: the contract has counted them. Raises AuditFailed for
    the first audit that finds any row.
    """
    due = {name: sql for name, sql in audits().items() if not changed.isdisjoint(tables_read(sql))}
    for name, sql in (_of_keys(changed - filled) | due).items():
        offending = connection.sql(sql).pl()
        if not offending.is_empty():
            sample = offending.head(SAMPLE).to_dicts()
            raise AuditFailed(name, offending.height, sample, _page_of(connection, sample[0]))


def _page_of(connection: duckdb.DuckDBPyConnection, row: Mapping[str, object]) -> str | None:
    """The address of a page that the row is about, or is of; None where nothing tells."""
    for column, question in _PAGES.items():
        if row.get(column) is not None:
            found = connection.execute(question, [row[column]]).fetchone()
            return None if found is None else found[0]
    return None


@cache
def audits() -> dict[str, str]:
    """Name of each audit but those of keys, to its SELECT, by name."""
    declared = {name: sql for table in TABLES.values() for name, sql in _declared(table)}
    return dict(sorted((declared | read_sql("loading/audits")).items()))


@cache
def tables_read(sql: str) -> frozenset[str]:
    """The tables that an audit reads."""
    return frozenset(re.findall(r"\w+", sql)) & TABLES.keys()


def _of_keys(tables: Set[str]) -> dict[str, str]:
    # DuckDB's own primary keys make a load of a million rows three to fifteen times slower.
    return {f"{table}_key_is_unique": _repeated(table, ", ".join(TABLES[table].key)) for table in sorted(tables)}


def _repeated(table: str, names: str) -> str:
    return f"SELECT {names}, count(*) AS rows FROM {table} GROUP BY {names} HAVING count(*) > 1"  # noqa: S608  ours


def _declared(table: Table) -> Iterator[tuple[str, str]]:
    for column in table.columns:
        if column.references is not None:
            yield f"{table.name}_{column.name}_is_in_{column.references}", _dangling(table, column)
        if column.retired_from is not None:
            yield f"{table.name}_{column.name}_is_retired", _still_in_use(table, column, column.retired_from)
    for reference in table.joined_references:
        yield f"{table.name}_{'_'.join(reference.columns)}_is_in_{reference.table}", _joined_dangling(table, reference)
    if table.period is not None:
        yield f"{table.name}_periods_do_not_overlap", _overlapping(table)


def _dangling(table: Table, column: Column) -> str:
    names = ", ".join(dict.fromkeys((*table.key, column.name)))
    (target,) = TABLES[column.references or ""].key
    parents = f"(SELECT {target} AS {column.name} FROM {column.references})"  # noqa: S608  names of ours
    where = f" WHERE {column.name} IS NOT NULL" if column.is_optional else ""
    return f"SELECT {names} FROM {table.name} ANTI JOIN {parents} USING ({column.name}){where}"  # noqa: S608  ours


def _joined_dangling(table: Table, reference: JoinedReference) -> str:
    pairs = zip(reference.columns, reference.keys, strict=True)
    matches = " AND ".join(f"children.{column} = parents.{key}" for column, key in pairs)
    names = ", ".join(f"children.{name}" for name in table.key)
    joined = f"{table.name} AS children ANTI JOIN {reference.table} AS parents ON {matches}"
    return f"SELECT {names} FROM {joined} WHERE children.{reference.where}"  # noqa: S608  names of ours


def _still_in_use(table: Table, column: Column, target: str) -> str:
    (key,) = TABLES[target].key
    joined = f"{table.name} AS retired SEMI JOIN {target} AS present ON retired.{column.name} = present.{key}"
    return f"SELECT retired.* FROM {joined}"  # noqa: S608  names of ours


def _overlapping(table: Table) -> str:
    """A state ends before the next one begins; only the last one is open-ended."""
    assert table.period is not None
    start, end = table.period.start, table.period.end
    of_one = ", ".join(name for name in table.key if name != start)
    following = f"lead({start}) OVER (PARTITION BY {of_one} ORDER BY {start})"
    states = f"SELECT {of_one}, {start}, {end}, {following} AS next_start FROM {table.name}"  # noqa: S608  ours
    overlaps = f"next_start IS NOT NULL AND ({end} IS NULL OR {end} > next_start)"
    return f"SELECT * FROM ({states}) WHERE {overlaps}"  # noqa: S608  names of ours
