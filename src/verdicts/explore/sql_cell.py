"""Any SELECT of a visitor, answered by a process of its own that can be killed.

DuckDB looks for an interrupt only between pieces of work: `SELECT repeat('x', 2000000000)` is one piece and runs for
half a minute. So `sql_child.py` answers a single question and ends; it imports only DuckDB, reads one published copy,
has no files and no network, and its address space is limited. This module kills it when its time is over.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore

from verdicts.corpus.text import is_text
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

SECONDS_MAX = 10.0
"""For one question."""

AT_ONCE = 2
"""Questions that run side by side, others wait; each may take two threads and a GB."""

SQL_CHARS_MAX = 20_000
"""Characters of a question."""

_CHILD = Path(__file__).with_name("sql_child.py")

_KEPT_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "LANG")
"""Python needs these; `getenv` and settings see nothing else of our environment."""


class SelectFailed(QuestionFailed):
    """The message is DuckDB's, and may repeat values of the corpus."""


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """Rows of texts under named columns; `types` are DuckDB's names. `is_cut`: there are more rows."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[str | None, ...]]
    is_cut: bool
    elapsed_ms: int


_TURNS = BoundedSemaphore(AT_ONCE)


def ask_select(copy: Path, sql: str, *, rows_max: int, cell_chars: int, seconds_max: float = SECONDS_MAX) -> CellAnswer:
    """The answer over the copy at `copy`, at most `rows_max` rows; a longer value ends after `cell_chars` + 1.

    Raises QuestionFailed with DuckDB's whole message if it is not a SELECT, fails, or takes too long.
    """
    if not is_text(sql):
        raise QuestionFailed("the question holds bytes that are not UTF-8, or half of a character")
    if len(sql) > SQL_CHARS_MAX:
        raise QuestionFailed(f"the question has more than {SQL_CHARS_MAX:,} characters")
    question = {"sql": sql, "rows_max": rows_max, "cell_chars": cell_chars}
    try:
        with _TURNS:
            done = subprocess.run(  # noqa: S603 - our own interpreter and our own file
                # The child has another working folder.
                [sys.executable, "-I", str(_CHILD), str(copy.absolute())],
                input=json.dumps(question).encode(),
                capture_output=True,
                cwd="/",
                env={name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ},
                timeout=seconds_max,
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise QuestionFailed(
            f"the question took longer than {seconds_max:g} s and was stopped; the command line has no limit"
        ) from None
    if not done.stdout:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise SelectFailed(f"the process that answered ended early ({last or f'code {done.returncode}'})")
    reply = json.loads(done.stdout)
    if "error" in reply:
        raise SelectFailed(reply["error"])
    rows = [tuple(row) for row in reply["rows"]]
    return CellAnswer(tuple(reply["columns"]), tuple(reply["types"]), rows, reply["is_cut"], reply["elapsed_ms"])
