"""Ends the process that makes a publication by a real signal at one of its steps. Imported by that process, too."""

import os
import shutil
import signal
from datetime import datetime
from pathlib import Path

import duckdb
import pytest

from verdicts.pipeline import publishing
from verdicts.warehouse.serving import copy, views_file

TESTS = Path(__file__).parents[1]

MAKE_COPY = publishing._copy
MAKE_VIEWS = publishing._views


def half_a_file(_: Path, target: Path) -> None:
    target.write_bytes(b"half a copy")


STEPS = {
    "start": (publishing, "_check_newest", None),
    "search index": (copy, "bring_index_up_to_date", copy.bring_index_up_to_date),
    "copy": (shutil, "copyfile", half_a_file),
    "views": (copy, "_make_table_of_view", copy._make_table_of_view),
    "readers' state": (copy, "leave_to_readers", copy.leave_to_readers),
    "checks": (copy, "_check_opens", None),
    "tables of views": (views_file, "derive", views_file.derive),
    "state of views": (views_file, "leave_to_readers", views_file.leave_to_readers),
}
"""Where the module that calls a step looks it up, and how much of it is done before the signal."""


def end_at(step: str, number: int, patch: pytest.MonkeyPatch) -> None:
    """From here on each publication of this process meets the signal at that step, in its child."""
    patch.setenv("PYTHONPATH", str(TESTS))
    patch.setenv("ENDS_AT", f"{step}:{number:d}")
    patch.setattr(publishing, "_copy", ending_copy)
    patch.setattr(publishing, "_views", ending_views)


def ending_copy(*arguments: object) -> str:
    _set_trap()
    return MAKE_COPY(*arguments)


def ending_views(*arguments: object) -> str:
    _set_trap()
    return MAKE_VIEWS(*arguments)


def _set_trap() -> None:
    step, _, number = os.environ["ENDS_AT"].rpartition(":")
    module, name, before = STEPS[step]

    def ending(*arguments: object, **named: object) -> None:
        if before is not None:
            before(*arguments, **named)
        os.kill(os.getpid(), int(number))

    setattr(module, name, ending)


def endless_copy(_root: Path, _at: datetime, draft: Path) -> str:
    """In a query that sees no signal; its draft says that it has begun."""
    draft.touch()
    duckdb.execute("SELECT count(*) FROM range(1000000000000)").fetchall()
    return ""


NAMES = {signal.SIGSEGV: "Segmentation fault", signal.SIGABRT: "Aborted", signal.SIGKILL: "Killed"}
