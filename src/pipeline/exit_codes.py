"""The exit code of every failure that a user can meet. A bug has no code here and keeps its traceback."""

import re
from typing import Literal, TypeAlias

import click

from verdicts.fetch.model.errors import ContactMissing, StorageFailed, StoreLocked, StoreMissing
from verdicts.pipeline.errors import (
    ConfigError,
    EngineFailed,
    HeldBack,
    NormalizerBroken,
    PublicationFailed,
    SourceMissing,
)
from verdicts.warehouse.storage.errors import (
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

AlertOn: TypeAlias = Literal["held", "failed", "partial"]
"""The ends of a night that are reported where the config asks for them."""

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
    PublicationFailed: STORAGE,
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


def exit_code(error: BaseException) -> int | None:
    """The documented exit code. None for a bug or a signal."""
    documented = next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), None)
    return STORAGE if documented is None and _SHORT.search(str(error)) else documented


def message(error: BaseException) -> str:
    """One line. For a failed question, indented lines follow: DuckDB's hint and the place in the SQL."""
    if isinstance(error, click.ClickException):
        return error.format_message().replace("\n", "\\n")
    if isinstance(error, MemoryError):
        return "memory ran out; what was finished is kept"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'storage'}: {error.strerror}".replace("\n", "\\n")
    if isinstance(error, QuestionFailed):
        return str(error).replace("\n", "\n  ")
    if _SHORT.search(str(error)) and not isinstance(error, tuple(EXIT_CODES)):
        said = str(error).strip().partition("\n")[0]
        return f"memory or threads ran out ({said}); what was finished is kept"
    # A command in the message may name a path with two spaces.
    return " ".join(line.strip() for line in str(error).splitlines())
