"""Opens the copy that the pointer names for a request; it stays open while it is the newest or is read."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import duckdb

from verdicts.demo_site.responses import SITE_HOST
from verdicts.warehouse.serving.published import find_published
from verdicts.warehouse.serving.query import open_for_questions
from verdicts.warehouse.serving.question_answers import has_panel

_HAS_DEMO = "SELECT coalesce(bool_or(host = $host), false) FROM pages"


@dataclass(frozen=True, slots=True)
class Copy:
    """A published copy and a read-only connection for one request."""

    path: Path
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

    connection: duckdb.DuckDBPyConnection
    closing: ExitStack
    readers: int = 0


class Copies:
    """The open copies of one folder, `serve/`. Thread-safe. A name is of one copy: each publication has a new one."""

    def __init__(self, serve_dir: Path) -> None:
        self._serve_dir = serve_dir
        self._open: dict[Path, _Open] = {}
        self._newest: Path | None = None
        self._lock = Lock()

    @contextmanager
    def present(self) -> Iterator[Copy]:
        """The copy that the pointer names now, open for the whole context, whatever is published meanwhile.

        Raises NothingPublished, WarehouseLocked and WarehouseBroken.
        """
        with self._lock:
            path = self._newest = find_published(self._serve_dir)
            self._close_unread()
            if path not in self._open:
                closing = ExitStack()
                self._open[path] = _Open(closing.enter_context(open_for_questions(path)), closing)
            copy = self._open[path]
            copy.readers += 1
        try:
            with copy.connection.cursor() as cursor:
                yield Copy(path, cursor)
        finally:
            with self._lock:
                copy.readers -= 1
                self._close_unread()

    def close(self) -> None:
        """Closes every copy that nobody reads."""
        with self._lock:
            self._newest = None
            self._close_unread()

    def _close_unread(self) -> None:
        """Closes copies that nobody reads, except the newest: a publication cannot remove an open one."""
        for path, copy in [*self._open.items()]:
            if not copy.readers and path != self._newest:
                del self._open[path]
                copy.closing.close()
