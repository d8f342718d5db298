"""The audits: SELECTs of rows that offend, made of the declared tables and of `audits/*.sql`.

Keys, references, retired ids and periods are audited as the tables declare them (`corpus.declare`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from corpus.columns import Column
from corpus.declare import JoinedReference, Table, ValidityColumns
from corpus.ownership import Log
from corpus.tables import TABLES
from warehouse.storage.sql_files import read_sql


@dataclass(frozen=True, slots=True)
class Audit:
    """A SELECT of the rows that offend, among all rows; and those that find the same after the load of a part.

    `of_part` asks what the load brought, and `of_gone` what refers to rows that it removed from a table: the rest had
    passed. Both read the temporary tables of `part`, each only where that load decided all of its tables.
    """

    sql: str
    of_part: str | None = None
    of_gone: tuple[str, str] | None = None


def audits() -> dict[str, str]:
    """Name of each audit but those of keys, to its SELECT, by name."""
    return {name: one.sql for name, one in all_audits().items()}


@cache
def all_audits() -> dict[str, Audit]:
    """Each audit but those of keys, by name."""
    declared = {name: one for table in TABLES.values() for name, one in _declared(table)}
    written = {name: Audit(sql, _of_touched_reviews(sql)) for name, sql in read_sql("loading/audits").items()}
    return dict(sorted((declared | written).items()))


@cache
def tables_read(sql: str) -> frozenset[str]:
    """The tables that an audit reads."""
    return frozenset(re.findall(r"\w+", sql)) & TABLES.keys()


@cache
def parts_read(sql: str) -> frozenset[str]:
    """The tables whose part a SELECT asks."""
    return frozenset(re.findall(r"\b(?:given|brought|left|gone|touched)_(\w+)", sql))


@cache
def brought_in(sql: str) -> frozenset[str]:
    """The tables of which a SELECT asks what a load brought: where it brought nothing, nothing offends."""
    return frozenset(re.findall(r"\bbrought_(\w+)", sql))


def of_key(table: str) -> Audit:
    """That no key is in a table twice."""
    # DuckDB's own primary keys make a load of a million rows three to fifteen times slower.
    declared = TABLES[table]
    names = ", ".join(declared.key)
    if isinstance(declared.owner, Log) or _is_owned_by(declared, declared.key):
        # A part decides all rows of a key that it brings.
        return Audit(_repeated(table, names), "")
    decided = "".join(
        f" ANTI JOIN scope_{owner.part} ON {owner.columns[0]} = member"
        for owner in declared.owner
        if {*owner.columns} <= {*declared.key}
    )
    added = f"(FROM brought_{table} ANTI JOIN left_{table} USING ({names}){decided})"
    return Audit(_repeated(table, names), _repeated(f"{table} SEMI JOIN {added} USING ({names})", names))


def _is_owned_by(table: Table, names: Sequence[str]) -> bool:
    """Whether rows that have these columns in common are decided together: those of a part can be asked for all."""
    return not isinstance(table.owner, Log) and all({*owner.columns} <= {*names} for owner in table.owner)


def _repeated(rows: str, names: str) -> str:
    return f"SELECT {names}, count(*) AS rows FROM {rows} GROUP BY {names} HAVING count(*) > 1"  # noqa: S608  ours


def _of_touched_reviews(sql: str) -> str:
    """An audit of all reviews by their appearances, asked of those that a load touched."""
    return f"WITH appearances AS (FROM touched_appearances), reviews AS (FROM touched_reviews) FROM ({sql})"


def _declared(table: Table) -> Iterator[tuple[str, Audit]]:
    brought = f"brought_{table.name}"
    for column in table.columns:
        if column.references is not None:
            name, parent = f"{table.name}_{column.name}_is_in_{column.references}", column.references
            of_part = _dangling(table, column, brought)
            if not TABLES[parent].is_log:
                # First among the few rows that came: most refer to these.
                elsewhere = _dangling(table, column, brought, f"given_{parent}")
                of_part = _dangling(table, column, f"({elsewhere})")
            yield name, Audit(_dangling(table, column, table.name), of_part, (parent, _of_gone(table, column)))
        if column.retired_from is not None:
            target = column.retired_from
            name = f"{table.name}_{column.name}_is_retired"
            of_part = " UNION ".join(
                _still_in_use(table, column, *rows) for rows in ((brought, target), (table.name, f"brought_{target}"))
            )
            yield name, Audit(_still_in_use(table, column, table.name, target), of_part)
    for reference in table.joined_references:
        name = f"{table.name}_{'_'.join(reference.columns)}_is_in_{reference.table}"
        of_gone = f"{table.name} AS children SEMI JOIN gone_{reference.table} AS parents ON {_pairs(reference)}"
        yield (
            name,
            Audit(
                _joined_dangling(table, reference, table.name),
                _joined_dangling(table, reference, brought),
                (reference.table, _joined_children(table, reference, of_gone)),
            ),
        )
    if table.period is not None:
        assert _is_owned_by(table, _of_one(table, table.period))
        of_part = _overlapping(table, f"given_{table.name}")
        yield f"{table.name}_periods_do_not_overlap", Audit(_overlapping(table, table.name), of_part)


def _dangling(table: Table, column: Column, rows: str, present: str | None = None) -> str:
    names = ", ".join(dict.fromkeys((*table.key, column.name)))
    (target,) = TABLES[column.references or ""].key
    parents = f"(SELECT {target} AS {column.name} FROM {present or column.references})"  # noqa: S608  names of ours
    where = f" WHERE {column.name} IS NOT NULL" if column.is_optional else ""
    return f"SELECT {names} FROM {rows} ANTI JOIN {parents} USING ({column.name}){where}"  # noqa: S608  ours


def _of_gone(table: Table, column: Column) -> str:
    names = ", ".join(dict.fromkeys((*table.key, column.name)))
    (target,) = TABLES[column.references or ""].key
    parents = f"(SELECT {target} AS {column.name} FROM gone_{column.references})"  # noqa: S608  names of ours
    children = f"given_{table.name}" if _is_decided_with(table, column) else table.name
    return f"SELECT {names} FROM {children} SEMI JOIN {parents} USING ({column.name})"  # noqa: S608  ours


def _is_decided_with(table: Table, column: Column) -> bool:
    """Whether a night that decides a row decides those that refer to it by this column: a page, and what is on it."""
    of_row, of_parent = table.owner, TABLES[column.references or ""].owner
    if isinstance(of_row, Log) or isinstance(of_parent, Log):
        return False
    parts = {owner.part for owner in of_parent}
    return any(owner.columns == (column.name,) and owner.part in parts for owner in of_row)


def _pairs(reference: JoinedReference) -> str:
    pairs = zip(reference.columns, reference.keys, strict=True)
    return " AND ".join(f"children.{column} = parents.{key}" for column, key in pairs)


def _joined_dangling(table: Table, reference: JoinedReference, rows: str) -> str:
    joined = f"{rows} AS children ANTI JOIN {reference.table} AS parents ON {_pairs(reference)}"
    return _joined_children(table, reference, joined)


def _joined_children(table: Table, reference: JoinedReference, joined: str) -> str:
    names = ", ".join(f"children.{name}" for name in table.key)
    return f"SELECT {names} FROM {joined} WHERE children.{reference.where}"  # noqa: S608  names of ours


def _still_in_use(table: Table, column: Column, retired: str, present: str) -> str:
    (key,) = TABLES[column.retired_from or ""].key
    joined = f"{retired} AS retired SEMI JOIN {present} AS present ON retired.{column.name} = present.{key}"
    return f"SELECT {', '.join(table.column_names)} FROM {joined}"  # noqa: S608  names of ours


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
