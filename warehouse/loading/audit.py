"""Asks the loaded tables whether they agree with each other, before the commit: by the SELECTs of `audit_rules`."""

from collections.abc import Collection, Mapping

import duckdb

from warehouse.loading.audit_rules import Audit, all_audits, brought_in, of_key, parts_read, tables_read
from warehouse.loading.changes import Changes
from warehouse.storage.errors import AuditFailed
from warehouse.storage.sql_files import count

SAMPLE = 5
"""Offending rows an error carries."""


_PAGES = {
    "url": "SELECT ?",
    "page_id": "SELECT url FROM pages WHERE page_id = ?",
    "review_id": "SELECT min(pages.url) FROM appearances INNER JOIN pages USING (page_id) WHERE review_id = ?",
    "tool_id": "SELECT min(pages.url) FROM tool_cards INNER JOIN pages USING (page_id) WHERE tool_id = ?",
}
"""Column of an offending row to the question for its page, the nearest first."""


_TOUCHED_REVIEWS = """
CREATE OR REPLACE TEMP TABLE touched AS
SELECT review_id FROM brought_reviews
UNION
SELECT review_id FROM brought_appearances
UNION
SELECT review_id FROM left_appearances;

CREATE OR REPLACE TEMP TABLE touched_appearances AS
SELECT review_id, attribution FROM appearances SEMI JOIN touched USING (review_id);

CREATE OR REPLACE TEMP TABLE touched_reviews AS
SELECT review_id, appearances, attribution FROM given_reviews SEMI JOIN touched USING (review_id)
UNION ALL
SELECT review_id, appearances, attribution
FROM reviews SEMI JOIN (FROM touched ANTI JOIN given_reviews USING (review_id)) USING (review_id)
"""
"""What a load did to reviews: their rows are those it was given, but where a take of another one came or went."""


def audit(connection: duckdb.DuckDBPyConnection, changes: Mapping[str, Changes], parts: Collection[str]) -> None:
    """Runs every audit that reads a table which a load changed.

    Of `parts` the load left the rest of their rows as it was, and their temporary tables are there. Keys are not
    counted again in tables that this load filled: the contract has counted them. Raises AuditFailed for the first audit
    that finds any row.
    """
    changed = {table for table, change in changes.items() if not change.is_empty}
    filled = {table for table in changed if count(connection, table) == changes[table].added}
    keys = {f"{table}_key_is_unique": of_key(table) for table in sorted(changed - filled)}
    due = {name: one for name, one in all_audits().items() if not changed.isdisjoint(tables_read(one.sql))}
    if {"reviews", "appearances"} <= {*parts} and not changed.isdisjoint({"reviews", "appearances"}):
        connection.execute(_TOUCHED_REVIEWS)
    for name, one in (keys | due).items():
        for sql in _questions(one, changes, parts):
            offending = connection.sql(sql).pl()
            if not offending.is_empty():
                sample = offending.head(SAMPLE).to_dicts()
                raise AuditFailed(name, offending.height, sample, _page_of(connection, sample[0]))


def _questions(one: Audit, changes: Mapping[str, Changes], parts: Collection[str]) -> list[str]:
    if one.of_part is None or not parts_read(one.of_part).issubset(parts):
        return [one.sql]
    brought = brought_in(one.of_part)
    is_idle = bool(brought) and all(changes[table].is_empty for table in brought)
    questions = [one.of_part] if one.of_part and not is_idle else []
    if one.of_gone is not None and one.of_gone[0] in changes and changes[one.of_gone[0]].removed:
        if one.of_gone[0] not in parts:
            return [one.sql]
        questions.append(one.of_gone[1])
    return questions


def _page_of(connection: duckdb.DuckDBPyConnection, row: Mapping[str, object]) -> str | None:
    """The address of a page that the row is about, or is of; None where nothing tells."""
    for column, question in _PAGES.items():
        if row.get(column) is not None:
            found = connection.execute(question, [row[column]]).fetchone()
            return None if found is None else found[0]
    return None
