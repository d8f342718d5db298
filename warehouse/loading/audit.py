"""Asks the loaded tables whether they agree with each other, before the commit: by the SELECTs of `audit_rules`."""

from collections.abc import Mapping

import duckdb

from verdicts.warehouse.loading.audit_rules import audits, of_key, tables_read
from verdicts.warehouse.loading.changes import Changes
from verdicts.warehouse.storage.errors import AuditFailed
from verdicts.warehouse.storage.sql_files import count

SAMPLE = 5
"""Offending rows an error carries."""


_PAGES = {
    "url": "SELECT ?",
    "page_id": "SELECT url FROM pages WHERE page_id = ?",
    "review_id": "SELECT min(pages.url) FROM appearances INNER JOIN pages USING (page_id) WHERE review_id = ?",
    "tool_id": "SELECT min(pages.url) FROM tool_cards INNER JOIN pages USING (page_id) WHERE tool_id = ?",
}
"""Column of an offending row to the question for its page, the nearest first."""


def audit(connection: duckdb.DuckDBPyConnection, changes: Mapping[str, Changes]) -> None:
    """Runs every audit that reads a table which a load changed.

    Keys are not counted again in tables that this load filled: the contract has counted them. Raises AuditFailed for
    the first audit that finds any row.
    """
    changed = {table for table, change in changes.items() if not change.is_empty}
    filled = {table for table in changed if count(connection, table) == changes[table].added}
    keys = {f"{table}_key_is_unique": of_key(table) for table in sorted(changed - filled)}
    due = {name: sql for name, sql in audits().items() if not changed.isdisjoint(tables_read(sql))}
    for name, sql in (keys | due).items():
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
