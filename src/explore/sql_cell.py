"""Any SELECT of a visitor, answered by a process of its own that can be killed.

DuckDB looks for an interrupt only between pieces of work: `SELECT repeat('x', 2000000000)` is one piece and runs for
half a minute. So `sql_child.py` answers a single question and ends; it imports only DuckDB, reads one published copy,
has no files and no network, and its address space is limited. This module gives a process its question, kills it when
its time is over, and starts the next one in advance.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any

from verdicts.corpus.text import is_text
from verdicts.warehouse.storage.errors import QuestionFailed

SECONDS_MAX = 10.0
"""For one question."""

AT_ONCE = 2
"""Questions that run side by side; each may take two threads and a GB."""

PATIENCE_S = 1.0
"""How long a further question waits for its turn."""

SQL_CHARS_MAX = 20_000
"""Characters of a question."""

_CHILD = Path(__file__).with_name("sql_child.py")

_KEPT_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "LANG")
"""Python needs these; `getenv` and settings see nothing else of our environment."""


class CellBusy(QuestionFailed):
    """All slots are taken; the question can be asked again in some seconds."""


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """Rows of texts under named columns; `types` are DuckDB's names. `is_cut`: there are more rows."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[str | None, ...]]
    is_cut: bool
    elapsed_ms: int


class SqlCell:
    """Answers SELECTs over published copies. Thread-safe; `close` ends the spare process."""

    def __init__(self, seconds_max: float = SECONDS_MAX) -> None:
        self._seconds_max = seconds_max
        self._places = BoundedSemaphore(AT_ONCE)
        self._lock = Lock()
        self._spare: tuple[Path, subprocess.Popen[bytes]] | None = None
        self._is_closed = False

    def ask(self, copy: Path, sql: str, *, rows_max: int, cell_chars: int) -> CellAnswer:
        """The answer over the copy at `copy`, at most `rows_max` rows; a longer value ends after `cell_chars` + 1.

        Raises CellBusy, and QuestionFailed with DuckDB's whole message if it is no question, fails, or takes too long.
        """
        if not is_text(sql):
            raise QuestionFailed("the question holds bytes that are not UTF-8, or half of a character")
        if len(sql) > SQL_CHARS_MAX:
            raise QuestionFailed(f"the question has more than {SQL_CHARS_MAX:,} characters")
        with self._place():
            process = self._take(copy)
            question = {"sql": sql, "rows_max": rows_max, "cell_chars": cell_chars}
            begun = time.monotonic()
            said = self._said(process, json.dumps(question).encode() + b"\n")
        if "error" in said:
            raise QuestionFailed(str(said["error"]))
        return CellAnswer(
            tuple(said["columns"]),
            tuple(said["types"]),
            [tuple(row) for row in said["rows"]],
            said["is_cut"],
            round(1000 * (time.monotonic() - begun)),
        )

    def let_go(self, but: Path | None) -> None:
        """Ends the spare process of any other copy: no publication can remove an open one."""
        with self._lock:
            if self._spare is not None and self._spare[0] != but:
                self._drop_spare()

    def close(self) -> None:
        """Ends the spare process; a running question ends by itself."""
        with self._lock:
            self._is_closed = True
            self._drop_spare()

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(timeout=PATIENCE_S):
            raise CellBusy(f"{AT_ONCE} other questions are being answered; ask again in some seconds")
        try:
            yield
        finally:
            self._places.release()

    def _take(self, copy: Path) -> subprocess.Popen[bytes]:
        """A process that has opened the copy; the next one starts while it answers."""
        with self._lock:
            if self._spare is not None and (self._spare[0] != copy or self._spare[1].poll() is not None):
                self._drop_spare()
            process = self._spare[1] if self._spare is not None else _start(copy)
            self._spare = None if self._is_closed else (copy, _start(copy))
            return process

    def _drop_spare(self) -> None:
        if self._spare is not None:
            _kill(self._spare[1])
            self._spare = None

    def _said(self, process: subprocess.Popen[bytes], question: bytes) -> dict[str, Any]:
        try:
            out, err = process.communicate(question, timeout=self._seconds_max)
        except subprocess.TimeoutExpired:
            raise QuestionFailed(
                f"the question took longer than {self._seconds_max:g} s and was stopped; 'verdicts sql' has no limit"
            ) from None
        finally:
            _kill(process)
        if not out:
            last = err.decode(errors="replace").strip().rpartition("\n")[2]
            raise QuestionFailed(f"the process that answered ended early ({last or f'code {process.returncode}'})")
        said: dict[str, Any] = json.loads(out)
        return said


def _start(copy: Path) -> subprocess.Popen[bytes]:
    environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    return subprocess.Popen(  # noqa: S603 - our own interpreter and our own file
        # It has another working folder.
        [sys.executable, "-I", str(_CHILD), str(copy.absolute())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        env=environment,
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends it, and waits until its pipes are closed."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
