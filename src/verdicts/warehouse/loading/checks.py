"""Checks rows before a commit. Every check follows from the declared tables, or is in `audits/*.sql`.

The contract checks the staged rows of one table. Audits check that the loaded tables agree with each other. A row that
fails a check is a bug of this program and stops the load.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import duckdb

from verdicts.corpus.columns import Between, Column, Id, NotEmpty
from verdicts.corpus.declare import JoinedReference, Table
from verdicts.corpus.tables import TABLES, name_relation
from verdicts.warehouse.storage.sql_files import count, quote_name, read_sql
from verdicts.warehouse.storage.warehouse_errors import AuditFailed, ContractBroken

SAMPLE = 5
"""Most offending rows in an error."""

_PAGES = {
    "url": "SELECT ?",
    "page_id": "SELECT url FROM pages WHERE page_id = ?",
    "review_id": "SELECT min(pages.url) FROM appearances INNER JOIN pages USING (page_id) WHERE review_id = ?",
    "tool_id": "SELECT min(pages.url) FROM evidence.tool_cards INNER JOIN pages USING (page_id) WHERE tool_id = ?",
}
"""Column of an offending row to the query for its page, the most direct first."""


def check_contract(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Checks the rows of `staged` and removes repeated rows. Raises ContractBroken for the first broken rule.

    Different rows with the same key break the contract.
    """
    rules = contract(table)
    # Together: DuckDB decides most rules by the statistics of the files, and counts of single rules read all texts.
    if count(connection, f"staged WHERE {' OR '.join(f'({is_broken})' for is_broken in rules.values())}"):
        counts = ", ".join(f"count(*) FILTER ({is_broken})" for is_broken in rules.values())
        broken = connection.execute(f"SELECT {counts} FROM staged").fetchall()[0]  # noqa: S608  names of ours
        rule, rows = next((rule, rows) for rule, rows in zip(rules, broken, strict=True) if rows)
        raise ContractBroken(table, rule, rows)
    if _count_repeated(connection, table):
        connection.execute("CREATE OR REPLACE TEMP TABLE distinct_rows AS SELECT DISTINCT * FROM staged")
        connection.execute("CREATE OR REPLACE TEMP VIEW staged AS FROM distinct_rows")
        if rows := _count_repeated(connection, table):
            raise ContractBroken(table, "primary_key", rows)


def _count_repeated(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """How many rows of `staged` share their key with another row."""
    sql = f"SELECT coalesce(sum(rows), 0) FROM ({select_repeated_keys(table, 'staged')})"  # noqa: S608  names of ours
    ((rows,),) = connection.execute(sql).fetchall()
    return int(rows)


@cache
def contract(table: str) -> Mapping[str, str]:
    """Name of each rule to the SQL condition of a row that breaks it: NULL, values, ranges and order."""
    declared = TABLES[table]
    rules = {name: sql for column in declared.loaded_columns for name, sql in _list_column_rules(column)}
    for order in declared.in_order:
        rules[f"{order.earlier}_before_{order.later}"] = f"{order.earlier} > {order.later}"
    if declared.period is not None:
        start, end = declared.period.start, declared.period.end
        rules[f"{start}_before_{end}"] = f"{start} >= {end}"
    return rules


def _list_column_rules(column: Column) -> Iterator[tuple[str, str]]:
    name = quote_name(column.name)
    words = ", ".join(f"'{word}'" for word in column.values or ())
    if not column.is_optional:
        yield f"{column.name}|nullability", f"{name} IS NULL"
    if column.type == "VARCHAR[]":
        yield f"{column.name}|inner_nullability", f"list_count({name}) < len({name})"
        if words:
            yield f"{column.name}|inner_known", f"NOT list_has_all([{words}], {name})"
    elif words:
        yield f"{column.name}|known", f"{name} NOT IN ({words})"
    match column.kind:
        case Id():
            yield f"{column.name}|regex", f"NOT regexp_full_match({name}, '[0-9a-f]{{32}}')"
        case NotEmpty():
            yield f"{column.name}|min_length", f"{name} = ''"
        case Between(least, most):
            yield f"{column.name}|min", f"{name} < {least}"
            if most is not None:
                yield f"{column.name}|max", f"{name} > {most}"


def audit(connection: duckdb.DuckDBPyConnection, added: Mapping[str, int]) -> None:
    """Runs every audit that reads a changed table. `added` has the changed tables with the number of added rows.

    Raises AuditFailed for the first audit that selects a row.
    """
    # The contract has already counted the keys of tables that this load filled.
    keys = {
        f"{table}_key_is_unique": select_repeated_keys(table, name_relation(table))
        for table, rows in sorted(added.items())
        if count(connection, name_relation(table)) != rows
    }
    due = {name: sql for name, sql in audits().items() if not added.keys().isdisjoint(_tables_read(sql))}
    for name, sql in (keys | due).items():
        if sample := select_sample(connection, sql):
            rows = count(connection, f"({sql})")
            raise AuditFailed(name, rows, sample, _find_page(connection, sample[0]))


def select_sample(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    """The first rows of a SELECT, by column name."""
    relation = connection.sql(f"FROM ({sql}) LIMIT {SAMPLE}")
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def _find_page(connection: duckdb.DuckDBPyConnection, row: Mapping[str, object]) -> str | None:
    """The address of a page that the row is about; None if it is not known."""
    for column, question in _PAGES.items():
        if row.get(column) is not None:
            found = connection.execute(question, [row[column]]).fetchone()
            return None if found is None else found[0]
    return None


@cache
def audits() -> Mapping[str, str]:
    """Name of each audit, except those of keys, to its SELECT of offending rows."""
    declared = {name: sql for table in TABLES.values() for name, sql in _list_table_audits(table)}
    return dict(sorted((declared | read_sql("loading/audits")).items()))


@cache
def _tables_read(sql: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", sql)) & TABLES.keys()


def select_repeated_keys(table: str, rows: str) -> str:
    """Selects each key that several rows of a table have."""
    # DuckDB's own primary keys make a load of a million rows three to fifteen times slower.
    names = ", ".join(map(quote_name, TABLES[table].key))
    return f"SELECT {names}, count(*) AS rows FROM {rows} GROUP BY {names} HAVING count(*) > 1"  # noqa: S608  ours


def _list_table_audits(table: Table) -> Iterator[tuple[str, str]]:
    for column in table.columns:
        if column.references is not None:
            yield (
                f"{table.name}_{column.name}_is_in_{column.references}",
                _select_dangling(table, column, column.references),
            )
        if column.retired_from is not None:
            yield f"{table.name}_{column.name}_is_retired", _still_in_use(table, column, column.retired_from)
    for reference in table.joined_references:
        yield (
            f"{table.name}_{'_'.join(reference.columns)}_is_in_{reference.table}",
            _select_joined_dangling(table, reference),
        )
    if table.period is not None:
        yield f"{table.name}_periods_do_not_overlap", _select_overlapping(table, table.period.start, table.period.end)


def _select_dangling(table: Table, column: Column, parent: str) -> str:
    names = ", ".join(dict.fromkeys((*table.key, column.name)))
    (target,) = TABLES[parent].key
    parents = f"(SELECT {target} AS {column.name} FROM {name_relation(parent)})"  # noqa: S608  names of ours
    where = f" WHERE {column.name} IS NOT NULL" if column.is_optional else ""
    return f"SELECT {names} FROM {table.relation} ANTI JOIN {parents} USING ({column.name}){where}"  # noqa: S608  ours


def _select_joined_dangling(table: Table, reference: JoinedReference) -> str:
    pairs = zip(reference.columns, reference.keys, strict=True)
    matches = " AND ".join(f"children.{column} = parents.{key}" for column, key in pairs)
    joined = f"{table.relation} AS children ANTI JOIN {name_relation(reference.table)} AS parents ON {matches}"
    names = ", ".join(f"children.{name}" for name in table.key)
    return f"SELECT {names} FROM {joined} WHERE children.{reference.where}"  # noqa: S608  names of ours


def _still_in_use(table: Table, column: Column, present: str) -> str:
    (key,) = TABLES[present].key
    is_same = f"retired.{column.name} = present.{key}"
    joined = f"{table.relation} AS retired SEMI JOIN {name_relation(present)} AS present ON {is_same}"
    return f"SELECT {', '.join(table.column_names)} FROM {joined}"  # noqa: S608  names of ours


def _select_overlapping(table: Table, start: str, end: str) -> str:
    of_one = ", ".join(name for name in table.key if name != start)
    following = f"lead({start}) OVER (PARTITION BY {of_one} ORDER BY {start})"
    states = f"SELECT {of_one}, {start}, {end}, {following} AS next_start FROM {table.relation}"  # noqa: S608  ours
    overlaps = f"next_start IS NOT NULL AND ({end} IS NULL OR {end} > next_start)"
    return f"SELECT * FROM ({states}) WHERE {overlaps}"  # noqa: S608  names of ours
