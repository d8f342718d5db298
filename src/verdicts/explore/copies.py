"""Opens the copy that the pointer names for a request; it stays open while it is the newest or is read."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Condition

import duckdb

from verdicts.demo_site.responses import SITE_HOST
from verdicts.warehouse.serving.published import find_published
from verdicts.warehouse.serving.query import open_for_questions
from verdicts.warehouse.serving.question_answers import has_panel

_HAS_DEMO = "SELECT coalesce(bool_or(host = $host), false) FROM pages"

Identity = tuple[str, int, int]
"""Name, inode and write time: a file put there by hand under an old name is another copy."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A published copy and a read-only connection for one request."""

    path: Path
    tag: str
    connection: duckdb.DuckDBPyConnection

    @property
    def has_panel(self) -> bool:
        return has_panel(self.connection)

    @property
    def has_demo(self) -> bool:
        """Whether a page of the demo site is in it."""
        ((has_demo,),) = self.connection.execute(_HAS_DEMO, {"host": SITE_HOST}).fetchall()
        return bool(has_demo)


@dataclass(slots=True)
class _Open:
    """An open copy with its number of readers."""

    path: Path
    identity: Identity
    connection: duckdb.DuckDBPyConnection
    closing: ExitStack
    readers: int = 0


class Copies:
    """The open copies of one folder, `serve/`. Thread-safe."""

    def __init__(self, serve_dir: Path) -> None:
        self._serve_dir = serve_dir
        self._open: dict[Identity, _Open] = {}
        self._newest: Identity | None = None
        self._changed = Condition()

    @contextmanager
    def present(self) -> Iterator[Copy]:
        """The copy that the pointer names now, open for the whole context, whatever is published meanwhile.

        Raises NothingPublished, WarehouseLocked and WarehouseBroken.
        """
        with self._changed:
            copy = self._open_newest()
            copy.readers += 1
        try:
            with copy.connection.cursor() as cursor:
                name, _, written = copy.identity
                yield Copy(copy.path, f"{name}-{written:x}", cursor)
        finally:
            with self._changed:
                copy.readers -= 1
                self._close_unread()
                self._changed.notify_all()

    def close(self) -> None:
        """Closes every copy that nobody reads."""
        with self._changed:
            self._newest = None
            self._close_unread()

    def _open_newest(self) -> _Open:
        path = find_published(self._serve_dir)
        state = path.stat()
        identity = self._newest = path.name, state.st_ino, state.st_mtime_ns
        self._close_unread()
        # DuckDB opens one database per path: a replacement is read once the readers of the old file have left.
        self._changed.wait_for(
            lambda: all(copy.path != path or copy.identity == identity for copy in self._open.values())
        )
        if identity not in self._open:
            closing = ExitStack()
            connection = closing.enter_context(open_for_questions(path))
            self._open[identity] = _Open(path, identity, connection, closing)
        return self._open[identity]

    def _close_unread(self) -> None:
        """Closes copies that nobody reads, except the newest: a publication cannot remove an open one."""
        for copy in [*self._open.values()]:
            if not copy.readers and copy.identity != self._newest:
                del self._open[copy.identity]
                copy.closing.close()
