"""Asks the loaded tables whether they agree with each other, before the commit."""

import duckdb

from warehouse.contracts import CONTRACTS, key
from warehouse.errors import AuditFailed
from warehouse.relations import statements

SAMPLE = 5
"""Offending rows an error carries."""


def audit(connection: duckdb.DuckDBPyConnection) -> None:
    """Runs every audit; each selects the rows that offend. Raises AuditFailed for the first that finds any."""
    for name, question in (_of_keys() | statements("audits")).items():
        offending = connection.sql(question).pl()
        if not offending.is_empty():
            raise AuditFailed(name, offending.height, offending.head(SAMPLE).to_dicts())


def _of_keys() -> dict[str, str]:
    # DuckDB's own primary keys make a load of a million rows three to fifteen times slower.
    return {f"{table}_key_is_unique": _repeated(table, ", ".join(key(table))) for table in CONTRACTS}


def _repeated(table: str, names: str) -> str:
    return f"SELECT {names}, count(*) AS rows FROM {table} GROUP BY {names} HAVING count(*) > 1"  # noqa: S608
