"""A night that brought nothing new: only the crawls and their attempts are added."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import duckdb

from warehouse.connection import opened
from warehouse.contracts import checked
from warehouse.frames import frame
from warehouse.load import LoadReport
from warehouse.merge import merge


def load_journal(path: Path, *, crawls: Sequence[object], fetches: Sequence[object], load_id: str) -> LoadReport:
    """Adds the crawls and fetches that the file at `path` lacks; the corpus in it stays as it is.

    Raises ContractBroken, WarehouseLocked, WarehouseBroken.
    """
    rows = {table: checked(table, frame(table, given)) for table, given in (("crawls", crawls), ("fetches", fetches))}
    with opened(path) as connection:
        connection.begin()
        try:
            changes = {table: merge(connection, table, given, owned=None) for table, given in rows.items()}
            connection.commit()
        except BaseException:
            with suppress(duckdb.TransactionException):
                connection.rollback()
            raise
    return LoadReport(load_id, changes)
