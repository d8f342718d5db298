"""Brings the rows of one table that a load decides to those it is given, and reads and writes no others.

Of every table it leaves temporary tables behind, which audits ask: `given_<table>`, the rows that it was given;
`brought_<table>`, those of them that were added or that differ; `left_<table>`, the rows of before that differ or are
gone, with their `place`; `gone_<table>`, those whose key is gone.
"""

import duckdb

from corpus.declare import Table
from corpus.ownership import Log
from corpus.tables import TABLES
from normalize.scope import Scope
from warehouse.loading.merge import Moved, registered, source_of
from warehouse.loading.scope import in_scope
from warehouse.loading.staging import Staged
from warehouse.storage.errors import AuditFailed
from warehouse.storage.sql_files import quoted


def bring_part(connection: duckdb.DuckDBPyConnection, table: str, rows: Staged, scope: Scope | None) -> Moved:
    """Adds what is new, replaces what differs, and removes what is gone of the rows that the declared `scope` decides.

    Without a scope none is gone: the rows are those of a log. A row that differs takes the new load_id, which alone
    makes no difference. Raises AuditFailed where a row is given that the scope does not decide.
    """
    declared = TABLES[table]
    with registered(connection, rows):
        connection.execute(f"CREATE OR REPLACE TEMP TABLE given_{table} AS {source_of(connection, table, rows)}")
    given = rows.keys.height
    if scope is not None:
        ((decided,),) = connection.execute(
            f"SELECT count(*) FROM given_{table} WHERE {in_scope(declared)}"  # noqa: S608  names of ours
        ).fetchall()
        _check_all(table, given, decided)
    _find(connection, declared, scope, given)
    for statement in _differences(declared, is_log=scope is None):
        connection.execute(statement)
    ((left, brought, gone),) = connection.execute(
        f"SELECT (SELECT count(*) FROM left_{table}), (SELECT count(*) FROM brought_{table}),"  # noqa: S608  ours
        f" (SELECT count(*) FROM gone_{table})"
    ).fetchall()
    if left:
        keys = ", ".join(map(quoted, declared.key))
        deletion = f"DELETE FROM {table} WHERE ({keys}) IN (SELECT ({keys}) FROM left_{table})"  # noqa: S608  names of ours
        _check_all(table, left, connection.execute(deletion).fetchall()[0][0])
    if brought:
        order = ", ".join(f"{quoted(name)} NULLS FIRST" for name in declared.order)
        insertion = f"INSERT INTO {table} BY NAME FROM brought_{table} ORDER BY {order}"
        _check_all(table, brought, connection.execute(insertion).fetchall()[0][0])
    return Moved(given, brought - (left - gone), gone)


def _check_all(table: str, given: int, loaded: int) -> None:
    if loaded != given:
        raise AuditFailed(f"{table}_in_are_{table}_out", abs(loaded - given), [{"given": given, "loaded": loaded}])


def _find(connection: duckdb.DuckDBPyConnection, table: Table, scope: Scope | None, given: int) -> None:
    """Makes `held`: the decided rows of the table as they are, with their `place`.

    First places by key columns alone, then whole rows by place: of two million rows with their texts DuckDB reads those
    columns only where a place was found, a tenth of the time.
    """
    if scope is None or isinstance(table.owner, Log):
        matches = [_with_keys_of(f"{table.name} AS held", f"given_{table.name} AS new", table, "SEMI")] if given else []
    else:
        matches = [
            f"{table.name} AS held SEMI JOIN scope_{owner.part} ON held.{column} = member"
            for owner in table.owner
            if getattr(scope, owner.part)
            for column in owner.columns
        ]
    places = " UNION ".join(f"SELECT held.rowid AS place FROM {match}" for match in matches)  # noqa: S608  ours
    connection.execute(f"CREATE OR REPLACE TEMP TABLE places AS {places or 'SELECT 0::BIGINT AS place WHERE false'}")
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE held AS"  # noqa: S608  names of ours
        f" SELECT place, found.* FROM {table.name} AS found INNER JOIN places ON found.rowid = places.place"
        if matches
        else f"CREATE OR REPLACE TEMP TABLE held AS SELECT 0::BIGINT AS place, * FROM {table.name} LIMIT 0"  # noqa: S608
    )


def _differences(table: Table, *, is_log: bool) -> list[str]:
    """What makes `brought`, `left` and `gone` of `given` and `held`."""
    name = table.name
    derived = [column.name for column in table.columns if column.is_derived]
    values = [column for column in table.column_names if column not in (*table.key, *derived, "load_id")]
    differs = " OR ".join(f"held.{quoted(value)} IS DISTINCT FROM new.{quoted(value)}" for value in values) or "false"
    # What the loader itself fills stays until it fills it anew.
    stays = [f"coalesce(held.{quoted(column)}, new.{quoted(column)}) AS {quoted(column)}" for column in derived]
    kept = f" REPLACE ({', '.join(stays)})" if stays else ""
    of_both = _with_keys_of("held", f"given_{name} AS new", table, "INNER")
    of_given = _with_keys_of(f"given_{name} AS new", "held", table, "LEFT")
    of_held = _with_keys_of("held", f"given_{name} AS new", table, "ANTI")
    nothing = " LIMIT 0" if is_log else ""
    brought = f"SELECT new.*{kept} FROM {of_given} WHERE held.place IS NULL OR {differs}"  # noqa: S608  names of ours
    left = f"SELECT held.* FROM {of_both} WHERE {differs} UNION ALL FROM gone_{name}"  # noqa: S608  names of ours
    made = {f"brought_{name}": brought, f"gone_{name}": f"FROM {of_held}{nothing}", f"left_{name}": left}
    return [f"CREATE OR REPLACE TEMP TABLE {relation} AS {sql}" for relation, sql in made.items()]


def _with_keys_of(left: str, right: str, table: Table, kind: str) -> str:
    of_left, of_right = (relation.split()[-1] for relation in (left, right))
    matches = " AND ".join(f"{of_left}.{quoted(name)} = {of_right}.{quoted(name)}" for name in table.key)
    return f"{left} {kind} JOIN {right} ON {matches}"
