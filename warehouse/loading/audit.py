"""Asks the loaded tables whether they agree with each other, before the commit.

Keys, references, retired ids and periods are audited as the tables declare them (`corpus.declare`); what no declaration
says stands in `audits/*.sql`. Every audit selects the rows that offend.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import duckdb

from corpus.columns import Column
from corpus.declare import JoinedReference, Table, ValidityColumns
from corpus.tables import TABLES
from warehouse.loading.changes import Changes
from warehouse.loading.merge import count
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


@dataclass(frozen=True, slots=True)
class Audit:
    """A SELECT of the rows that offend, among all rows, and among those that this load brought or changed.

    After the load of a part the second finds what the first does, unless `parent` lost rows: the rest had passed. None
    where rows of before may offend by what the load did to others.
    """

    sql: str
    of_part: str | None = None
    parent: str | None = None


_TOUCHED = "WHERE load_id = getvariable('load_id')"


def audit(connection: duckdb.DuckDBPyConnection, changes: Mapping[str, Changes], *, is_part: bool) -> None:
    """Runs every audit that reads a table which a load changed; `is_part`: it left the rest of them as it was.

    Keys are not counted again in tables that this load filled: the contract has counted them. Raises AuditFailed for
    the first audit that finds any row.
    """
    changed = {table for table, change in changes.items() if not change.is_empty}
    shrunk = {table for table in changed if changes[table].removed}
    filled = {table for table in changed if count(connection, table) == changes[table].added}
    keys = {f"{table}_key_is_unique": _of_key(table) for table in sorted(changed - filled)}
    due = {name: one for name, one in _audits().items() if not changed.isdisjoint(tables_read(one.sql))}
    for name, one in (keys | due).items():
        of_part = one.of_part if is_part and one.parent not in shrunk else None
        offending = connection.sql(of_part or one.sql).pl()
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


def audits() -> dict[str, str]:
    """Name of each audit but those of keys, to its SELECT, by name."""
    return {name: one.sql for name, one in _audits().items()}


@cache
def _audits() -> dict[str, Audit]:
    declared = {name: one for table in TABLES.values() for name, one in _declared(table)}
    written = {name: Audit(sql) for name, sql in read_sql("loading/audits").items()}
    return dict(sorted((declared | written).items()))


@cache
def tables_read(sql: str) -> frozenset[str]:
    """The tables that an audit reads."""
    return frozenset(re.findall(r"\w+", sql)) & TABLES.keys()


def _of_key(table: str) -> Audit:
    # DuckDB's own primary keys make a load of a million rows three to fifteen times slower.
    names = ", ".join(TABLES[table].key)
    return Audit(_repeated(table, names), _repeated(_of_touched(table, names), names))


def _of_touched(table: str, names: str) -> str:
    """The rows of a table that have some columns in common with a row that this load brought or changed."""
    return f"{table} SEMI JOIN (SELECT {names} FROM {table} {_TOUCHED}) USING ({names})"  # noqa: S608  names of ours


def _repeated(rows: str, names: str) -> str:
    return f"SELECT {names}, count(*) AS rows FROM {rows} GROUP BY {names} HAVING count(*) > 1"  # noqa: S608  ours


def _declared(table: Table) -> Iterator[tuple[str, Audit]]:
    touched = f"(FROM {table.name} {_TOUCHED})"
    for column in table.columns:
        if column.references is not None:
            sql, of_part = (_dangling(table, column, rows) for rows in (table.name, touched))
            yield f"{table.name}_{column.name}_is_in_{column.references}", Audit(sql, of_part, column.references)
        if column.retired_from is not None:
            yield f"{table.name}_{column.name}_is_retired", Audit(_still_in_use(table, column, column.retired_from))
    for reference in table.joined_references:
        sql, of_part = (_joined_dangling(table, reference, rows) for rows in (table.name, touched))
        yield (
            f"{table.name}_{'_'.join(reference.columns)}_is_in_{reference.table}",
            Audit(sql, of_part, reference.table),
        )
    if table.period is not None:
        of_one = ", ".join(_of_one(table, table.period))
        sql, of_part = (_overlapping(table, rows) for rows in (table.name, _of_touched(table.name, of_one)))
        yield f"{table.name}_periods_do_not_overlap", Audit(sql, of_part)


def _dangling(table: Table, column: Column, rows: str) -> str:
    names = ", ".join(dict.fromkeys((*table.key, column.name)))
    (target,) = TABLES[column.references or ""].key
    parents = f"(SELECT {target} AS {column.name} FROM {column.references})"  # noqa: S608  names of ours
    where = f" WHERE {column.name} IS NOT NULL" if column.is_optional else ""
    return f"SELECT {names} FROM {rows} ANTI JOIN {parents} USING ({column.name}){where}"  # noqa: S608  ours


def _joined_dangling(table: Table, reference: JoinedReference, rows: str) -> str:
    pairs = zip(reference.columns, reference.keys, strict=True)
    matches = " AND ".join(f"children.{column} = parents.{key}" for column, key in pairs)
    names = ", ".join(f"children.{name}" for name in table.key)
    joined = f"{rows} AS children ANTI JOIN {reference.table} AS parents ON {matches}"
    return f"SELECT {names} FROM {joined} WHERE children.{reference.where}"  # noqa: S608  names of ours


def _still_in_use(table: Table, column: Column, target: str) -> str:
    (key,) = TABLES[target].key
    joined = f"{table.name} AS retired SEMI JOIN {target} AS present ON retired.{column.name} = present.{key}"
    return f"SELECT retired.* FROM {joined}"  # noqa: S608  names of ours


def _of_one(table: Table, period: ValidityColumns) -> list[str]:
    return [name for name in table.key if name != period.start]


def _overlapping(table: Table, rows: str) -> str:
    """A state ends before the next one begins; only the last one is open-ended."""
    assert table.period is not None
    start, end = table.period.start, table.period.end
    of_one = ", ".join(_of_one(table, table.period))
    following = f"lead({start}) OVER (PARTITION BY {of_one} ORDER BY {start})"
    states = f"SELECT {of_one}, {start}, {end}, {following} AS next_start FROM {rows}"  # noqa: S608  ours
    overlaps = f"next_start IS NOT NULL AND ({end} IS NULL OR {end} > next_start)"
    return f"SELECT * FROM ({states}) WHERE {overlaps}"  # noqa: S608  names of ours
