"""Every failure a user can meet, with its exit code. A bug is none of these and keeps its traceback."""

import click

from fetch.model.errors import ContactMissing, StorageFailed, StoreLocked, StoreMissing
from pipeline.errors import ConfigError, EngineFailed, HeldBack, NormalizerBroken, SourceMissing
from warehouse.storage.errors import (
    AuditFailed,
    ContractBroken,
    CopyOutdated,
    DatasetBroken,
    ExportRefused,
    MemoryShort,
    NothingPublished,
    QuestionFailed,
    WarehouseBroken,
    WarehouseLocked,
)

DONE = 0
USAGE = 1
PARTIAL = 2
HELD_BACK = 3
LOCKED = 4
STORAGE = 5

EXIT_CODES: dict[type[Exception], int] = {
    click.ClickException: USAGE,
    ConfigError: USAGE,
    SourceMissing: USAGE,
    ContactMissing: USAGE,
    NothingPublished: USAGE,
    CopyOutdated: USAGE,
    StoreMissing: USAGE,
    QuestionFailed: USAGE,
    ExportRefused: USAGE,
    DatasetBroken: USAGE,
    HeldBack: HELD_BACK,
    NormalizerBroken: HELD_BACK,
    AuditFailed: HELD_BACK,
    ContractBroken: HELD_BACK,
    StoreLocked: LOCKED,
    WarehouseLocked: LOCKED,
    WarehouseBroken: STORAGE,
    MemoryShort: STORAGE,
    MemoryError: STORAGE,
    StorageFailed: STORAGE,
    EngineFailed: STORAGE,
    OSError: STORAGE,
}


def exit_code(error: Exception) -> int | None:
    """The documented code of a failure; None for a bug."""
    if _is_out_of_threads(error):
        return STORAGE
    return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), None)


def _is_out_of_threads(error: Exception) -> bool:
    # Python has no type for it.
    return isinstance(error, RuntimeError) and str(error) == "can't start new thread"


def message(error: Exception) -> str:
    """One line that says what went wrong; of a question also what DuckDB suggests, and where in the SQL, below it.

    Those lines are indented: none passes for a line of ours.
    """
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, MemoryError):
        return "memory ran out; what was finished is kept"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'storage'}: {error.strerror}"
    if isinstance(error, QuestionFailed):
        return str(error).replace("\n", "\n  ")
    # A command in it may name a path with two spaces.
    return " ".join(line.strip() for line in str(error).splitlines())
