"""A new state file, written aside until it is given a name."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from normalize.state.memory import MemoryState
from pipeline.state.errors import state_errors
from pipeline.state.state_file import StateFile
from pipeline.state.tables import KEPT, add_records, make_indexes, make_table


def write_state(path: Path, state: MemoryState) -> Callable[[str], None]:
    """Writes a state into a new file. It takes the place of the one at `path` once it is given a name.

    Raises `StorageFailed`; nothing is left of the new file then.
    """
    draft = draft_of(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_state(draft)
    try:
        with state_errors(path):
            _write(draft, state)
    except BaseException:
        remove_state(draft)
        raise

    def keep(name: str) -> None:
        with state_errors(path):
            StateFile(draft).keep(name)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        remove_state(path)
        draft.rename(path)

    return keep


def _write(path: Path, state: MemoryState) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # Nobody reads it before it has its name.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(KEPT)
        connection.execute("BEGIN IMMEDIATE")
        for relation, records in state.relations():
            make_table(connection, relation)
            add_records(connection, relation, records)
            # Twice as quick as indexes that grow with the table.
            make_indexes(connection, relation)
        connection.execute("COMMIT")


def draft_of(path: Path) -> Path:
    """Where a new file is written."""
    return path.with_suffix(".new")


def remove_state(path: Path) -> None:
    """Removes the file, and before it what an interrupted night left to be undone: it must not meet another file."""
    for part in (path.with_name(f"{path.name}-journal"), path):
        part.unlink(missing_ok=True)
