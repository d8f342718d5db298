"""Columns made of others: of a row of a log as it comes, or by `derived/*.sql` once all tables hold their rows."""

from collections.abc import Callable, Mapping
from typing import Any

import duckdb

from verdicts.corpus.enumerations import OutcomeClass
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.outcome import CLASSES
from verdicts.warehouse.storage.sql_files import read_sql


def class_of(outcome: str) -> OutcomeClass:
    """The class of an outcome; a word of an earlier version that is known no more is `other`."""
    return CLASSES.get(outcome, "other")


DERIVED_VALUES: Mapping[tuple[str, str], Callable[[Any], object]] = {
    ("fetches", "host"): lambda row: host_of(row.url) or None,
    ("fetches", "outcome_class"): lambda row: class_of(row.outcome),
}
"""Table and column to what a row says there."""


def derive(connection: duckdb.DuckDBPyConnection) -> None:
    """Fills them in all rows."""
    for statement in read_sql("loading/derived").values():
        connection.execute(statement)
