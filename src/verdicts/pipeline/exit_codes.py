"""The exit code of every failure that a user can meet. A bug has no code here and keeps its traceback."""

import re
from typing import Literal, TypeAlias

import click

from verdicts.fetch.model import fetch_errors as fetch
from verdicts.pipeline import pipeline_errors as pipeline
from verdicts.warehouse.storage import warehouse_errors as warehouse

DONE = 0
USAGE = 1
PARTIAL = 2
HELD_BACK = 3
LOCKED = 4
STORAGE = 5

AlertOn: TypeAlias = Literal["held", "failed", "partial"]
"""The ends of a night that are reported where the config asks for them."""

EXIT_CODES: dict[type[Exception], int] = {
    click.ClickException: USAGE,
    pipeline.ConfigError: USAGE,
    fetch.ContactMissing: USAGE,
    fetch.SettingUnusable: USAGE,
    fetch.FilesUnusable: USAGE,
    warehouse.NothingPublished: USAGE,
    warehouse.CopyOutdated: USAGE,
    warehouse.ChangesNotKept: USAGE,
    fetch.StoreMissing: USAGE,
    warehouse.QuestionFailed: USAGE,
    warehouse.ExportRefused: USAGE,
    warehouse.DatasetBroken: USAGE,
    pipeline.HeldBack: HELD_BACK,
    pipeline.NormalizerBroken: HELD_BACK,
    warehouse.AuditFailed: HELD_BACK,
    warehouse.ContractBroken: HELD_BACK,
    fetch.StoreLocked: LOCKED,
    warehouse.WarehouseLocked: LOCKED,
    warehouse.WarehouseBroken: STORAGE,
    warehouse.MemoryShort: STORAGE,
    MemoryError: STORAGE,
    fetch.StorageFailed: STORAGE,
    pipeline.EngineFailed: STORAGE,
    OSError: STORAGE,
}


_SHORT = re.compile(
    "can't start new thread|could not spawn threads|Resource temporarily unavailable|failed to map segment"
    "|cannot allocate memory|Out of Memory Error|name 'plr' is not defined",
    re.IGNORECASE,
)
"""Messages of Python and libraries when memory or threads run out, in errors of any type.

Examples: `ImportError: ...so: failed to map segment from shared object`, and a `NameError` of polars about `plr`. If no
thread can be started, polars panics, which is not an Exception.
"""


def find_exit_code(error: BaseException) -> int | None:
    """The documented exit code. None for a bug or a signal."""
    documented = next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), None)
    return STORAGE if documented is None and _SHORT.search(str(error)) else documented


ADVICE = {
    warehouse.FULL: "; free room on that disk, then run the command again",
    warehouse.DENIED: "; 'verdicts doctor' says what to do",
}


def describe_error(error: BaseException) -> str:
    """What went wrong and what to do. Every step has the same message for a full disk, and for a denied file."""
    line = _describe(error)
    if find_exit_code(error) == STORAGE:
        line += next((advice for words, advice in ADVICE.items() if words.search(line) and advice not in line), "")
    return line


def _describe(error: BaseException) -> str:
    """One line. For a failed question, indented lines follow: DuckDB's hint and the place in the SQL."""
    if isinstance(error, click.ClickException):
        return error.format_message().replace("\n", "\\n")
    if isinstance(error, MemoryError):
        return "memory ran out; what was finished is kept"
    if isinstance(error, OSError) and error.strerror:
        # If there are two files, such as a source and its copy, the second one is written.
        name = error.filename2 or error.filename or "storage"
        return f"{name}: {error.strerror}".replace("\n", "\\n")
    if isinstance(error, warehouse.QuestionFailed):
        return str(error).replace("\n", "\n  ")
    if _SHORT.search(str(error)) and not isinstance(error, tuple(EXIT_CODES)):
        reason = str(error).strip().partition("\n")[0]
        return f"memory or threads ran out ({reason}); what was finished is kept"
    # A command in the message may name a path with two spaces.
    return " ".join(line.strip() for line in str(error).splitlines())
