"""The copy of the corpus that a request reads: follows the pointer, and closes unused copies."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition
from time import monotonic

import duckdb

from verdicts.warehouse.serving.published import published
from verdicts.warehouse.serving.query import opened_for_questions
from verdicts.warehouse.storage.errors import NothingPublished

IDLE_S = 60.0
"""Seconds after which an unused copy is closed: no publication can remove an open one."""

Identity = tuple[str, int, int]
"""Name, inode and write time: a file put there by hand under an old name is another copy."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A published copy and a read-only connection for one request."""

    path: Path
    tag: str
    connection: duckdb.DuckDBPyConnection


@dataclass(slots=True)
class _Open:
    """An open copy with its number of readers."""

    path: Path
    identity: Identity
    connection: duckdb.DuckDBPyConnection
    closing: ExitStack
    readers: int = 0
    left_at: float = field(default_factory=monotonic)


class Copies:
    """The open copies of one folder, `serve/`. Thread-safe."""

    def __init__(self, serve_dir: Path) -> None:
        self._serve_dir = serve_dir
        self._open: dict[Identity, _Open] = {}
        self._changed = Condition()

    @contextmanager
    def present(self) -> Iterator[Copy]:
        """The copy that the pointer names now, open for the whole context, whatever is published meanwhile.

        Raises NothingPublished, WarehouseLocked and WarehouseBroken.
        """
        copy = self._enter()
        try:
            with copy.connection.cursor() as cursor:
                name, _, written = copy.identity
                yield Copy(copy.path, f"{name}-{written:x}", cursor)
        finally:
            self._leave(copy)

    def named(self) -> Path | None:
        """The copy that the pointer names now, if any."""
        with suppress(NothingPublished):
            return published(self._serve_dir)
        return None

    def close_idle(self, idle_s: float = IDLE_S) -> None:
        with self._changed:
            self._close([copy for copy in self._open.values() if monotonic() - copy.left_at >= idle_s])

    def _enter(self) -> _Open:
        with self._changed:
            path = published(self._serve_dir)
            state = path.stat()
            identity = path.name, state.st_ino, state.st_mtime_ns
            # DuckDB opens one database per path: a replacement is read once the readers of the old file have left.
            self._changed.wait_for(lambda: path not in self._left_open(identity))
            if identity not in self._open:
                closing = ExitStack()
                connection = closing.enter_context(opened_for_questions(path))
                self._open[identity] = _Open(path, identity, connection, closing)
            copy = self._open[identity]
            copy.readers += 1
            return copy

    def _left_open(self, identity: Identity) -> set[Path]:
        """Closes all copies but this one, and returns those that have readers."""
        others = [copy for copy in self._open.values() if copy.identity != identity]
        self._close(others)
        return {copy.path for copy in others if copy.readers}

    def _leave(self, copy: _Open) -> None:
        with self._changed:
            copy.readers -= 1
            copy.left_at = monotonic()
            if copy.identity != next(reversed(self._open), None):
                self._close([copy])
            self._changed.notify_all()

    def _close(self, copies: list[_Open]) -> None:
        """Closes the copies without readers."""
        for copy in copies:
            if not copy.readers:
                del self._open[copy.identity]
                copy.closing.close()
