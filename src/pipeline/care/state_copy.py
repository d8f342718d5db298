"""A SQLite file as of one moment, copied while another process may write to it."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from verdicts.fetch.store.state import opened_for_reading


def copy_state(path: Path, target: Path) -> None:
    """Copies a database with every committed row. Raises `sqlite3.Error`, `OSError`.

    By the backup API, page by page: `VACUUM INTO` may number rows anew, and the order of `snapshots` has a meaning.
    """
    target.unlink(missing_ok=True)
    with closing(_opened(path)) as source, closing(sqlite3.connect(target)) as copy:
        # In one step: between two of them a writer's commit would begin it anew.
        source.backup(copy, pages=-1)
        copy.execute("PRAGMA journal_mode = DELETE")


def _opened(path: Path) -> sqlite3.Connection:
    """A connection that writers respect; where the folder cannot be written, no writer comes by it."""
    if not os.access(path.parent, os.W_OK) or not os.access(path, os.W_OK):
        return opened_for_reading(path)
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
    connection.execute("PRAGMA query_only = ON")
    return connection
