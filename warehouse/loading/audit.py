"""Asks the loaded tables whether they agree with each other, before the commit."""

import re
from collections.abc import Set
from functools import cache

import duckdb

from warehouse.schema.contracts import CONTRACTS, key
from warehouse.storage.errors import AuditFailed
from warehouse.storage.sql_files import read_sql

SAMPLE = 5
"""Offending rows an error carries."""


def audit(connection: duckdb.DuckDBPyConnection, changed: Set[str], filled: Set[str]) -> None:
    """Runs every audit that asks of a table in `changed`; each selects the rows that offend.

    Keys are not counted again in tables that this load filled: the contract has counted them. Raises AuditFailed for
    the first audit that finds any row.
    """
    questions = _of_loads() | read_sql("loading/audits")
    due = {name: question for name, question in questions.items() if not changed.isdisjoint(asked_of(question))}
    for name, question in (_of_keys(changed - filled) | due).items():
        offending = connection.sql(question).pl()
        if not offending.is_empty():
            raise AuditFailed(name, offending.height, offending.head(SAMPLE).to_dicts())


@cache
def asked_of(question: str) -> frozenset[str]:
    """The tables that a question reads."""
    return frozenset(re.findall(r"\w+", question)) & CONTRACTS.keys()


def _of_keys(tables: Set[str]) -> dict[str, str]:
    # DuckDB's own primary keys make a load of a million rows three to fifteen times slower.
    return {f"{table}_key_is_unique": _repeated(table, ", ".join(key(table))) for table in sorted(tables)}


def _repeated(table: str, names: str) -> str:
    return f"SELECT {names}, count(*) AS rows FROM {table} GROUP BY {names} HAVING count(*) > 1"  # noqa: S608


def _of_loads() -> dict[str, str]:
    return {
        f"{table}_without_load": f"SELECT DISTINCT load_id FROM {table} ANTI JOIN loads USING (load_id)"  # noqa: S608
        for table in CONTRACTS
        if table != "loads"
    }
