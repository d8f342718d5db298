"""The copy of the corpus that a request reads: follows the pointer, and lets go of what nobody reads any more."""

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
"""Seconds after which a copy that nobody asks is closed: while it is open, no publication can remove it."""

Identity = tuple[str, int, int]
"""Name, inode and time of writing: one that was put there by hand under an old name is another copy."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A published copy and a connection of this request alone, which only reads."""

    path: Path
    tag: str
    connection: duckdb.DuckDBPyConnection


@dataclass(slots=True)
class _Open:
    """A copy that is open, for so many readers."""

    path: Path
    identity: Identity
    connection: duckdb.DuckDBPyConnection
    closing: ExitStack
    readers: int = 0
    left_at: float = field(default_factory=monotonic)


class Copies:
    """The copies of one folder, `serve/`, that are open here. Safe for threads."""

    def __init__(self, serve_dir: Path) -> None:
        self._serve_dir = serve_dir
        self._open: dict[Identity, _Open] = {}
        self._changed = Condition()

    @contextmanager
    def present(self) -> Iterator[Copy]:
        """The copy that the pointer names now, for as long as the context is open, whatever is published meanwhile.

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
        """The copy that the pointer names now; None where nothing is published."""
        with suppress(NothingPublished):
            return published(self._serve_dir)
        return None

    def close_idle(self, idle_s: float = IDLE_S) -> None:
        """Closes what nobody has read for `idle_s` seconds."""
        with self._changed:
            self._close([copy for copy in self._open.values() if monotonic() - copy.left_at >= idle_s])

    def _enter(self) -> _Open:
        with self._changed:
            path = published(self._serve_dir)
            identity = _identity(path)
            # DuckDB gives one path one database: what was put in its place is read once the readers of the old left.
            self._changed.wait_for(lambda: path not in self._left_open(identity))
            if identity not in self._open:
                closing = ExitStack()
                connection = closing.enter_context(opened_for_questions(path))
                self._open[identity] = _Open(path, identity, connection, closing)
            copy = self._open[identity]
            copy.readers += 1
            return copy

    def _left_open(self, identity: Identity) -> set[Path]:
        """Closes all but the copy of this identity, and returns those that have readers."""
        others = [copy for copy in self._open.values() if copy.identity != identity]
        self._close(others)
        return {copy.path for copy in others if copy.readers}

    def _leave(self, copy: _Open) -> None:
        with self._changed:
            copy.readers -= 1
            copy.left_at = monotonic()
            if copy.identity != self._newest():
                self._close([copy])
            self._changed.notify_all()

    def _newest(self) -> Identity | None:
        return next(reversed(self._open), None)

    def _close(self, copies: list[_Open]) -> None:
        """Closes those of them that have no reader."""
        for copy in copies:
            if not copy.readers:
                del self._open[copy.identity]
                copy.closing.close()


def _identity(path: Path) -> Identity:
    state = path.stat()
    return path.name, state.st_ino, state.st_mtime_ns
