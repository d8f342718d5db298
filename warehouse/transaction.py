"""One transaction on the loader's own file: all of it, or nothing."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from warehouse.connection import opened


@contextmanager
def writing(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose changes are committed at the end. On any error the file is as it was, or not there.

    Raises WarehouseLocked, WarehouseBroken.
    """
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with opened(path) as connection:
            connection.begin()
            try:
                yield connection
                connection.commit()
            except BaseException:
                # A COMMIT after a failed statement would roll back without saying so.
                with suppress(duckdb.TransactionException):
                    connection.rollback()
                raise
    except BaseException:
        if is_new:
            path.unlink(missing_ok=True)
        raise
