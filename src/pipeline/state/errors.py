"""What is wrong with a state file, told from what is wrong with a page."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from fetch.model.errors import StorageFailed
from fetch.store.storage_errors import is_storage_failure


class StateDamaged(StorageFailed):
    """The state is not as it was written; it is to be made anew."""


@contextmanager
def state_errors(path: Path) -> Iterator[None]:
    """Raises `StateDamaged` where SQLite says that the file at `path` is, `StorageFailed` where the disk refuses."""
    try:
        yield
    except sqlite3.Error as error:
        if not is_storage_failure(error):
            raise
        is_damage = error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
        raise (StateDamaged if is_damage else StorageFailed)(f"{path}: {error}") from error


def is_sound(path: Path) -> bool:
    """Whether SQLite finds the file whole, and each record in its indexes; also where a build is writing it.

    Reads all of it.
    """
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
        try:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",))
        except sqlite3.OperationalError:
            return True
        except sqlite3.DatabaseError:
            return False
