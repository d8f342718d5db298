"""The errors of the warehouse, and what to do about each.

WarehouseError
├── ContractBroken     rows break their contract: fix normalization, nothing was loaded
├── AuditFailed        rows contradict each other: fix normalization, nothing was loaded
├── WarehouseLocked    another process holds the file: wait for it
├── WarehouseBroken    the file is not a warehouse of this version, or the disk failed: build it again
├── NothingPublished   there is no copy to read: run the night first
├── CopyOutdated       the copy lacks a relation that this version needs: publish again
├── QuestionFailed     the SQL of a question is wrong: fix the question
├── ChangesNotKept     changes since that load are not kept: start from a full copy
├── DatasetBroken      a folder is not a complete dataset of this version: export it again
├── MemoryShort        there is not enough memory, or its limit is too low: raise the limit
└── ExportRefused      the target holds something other than an export: choose another folder
"""

import re
from pathlib import Path
from typing import Any

FULL = re.compile(r"No space left|File too large|Disk quota|disk is full", re.IGNORECASE)
"""A full disk, in the words of the system, of DuckDB and of SQLite; `File too large` is a limit of the account."""

DENIED = re.compile(r"Permission denied|Operation not permitted|Read-only file system|readonly database")
"""A file of another user, or a mount that is read-only."""


class WarehouseError(Exception):
    """Base of all errors of this package. Its message tells the user what to do. It can be sent to another process."""

    def __reduce__(self) -> tuple[Any, ...]:
        # By default pickle calls the class with the message, but some classes need other arguments.
        return _restore_error, (type(self), self.args), self.__dict__


def _restore_error(kind: type[WarehouseError], args: tuple[Any, ...]) -> WarehouseError:
    error = kind.__new__(kind)
    error.args = args
    return error


class ContractBroken(WarehouseError):
    """`count` rows of `table` break `rule`."""

    def __init__(self, table: str, rule: str, count: int) -> None:
        super().__init__(f"{count} row(s) for {table} break the rule {rule}")
        self.table = table
        self.rule = rule
        self.count = count


class AuditFailed(WarehouseError):
    """`audit` found `count` offending rows. `sample` has the first few."""

    def __init__(self, audit: str, count: int, sample: list[dict[str, Any]]) -> None:
        super().__init__(
            f"audit {audit} found {count} offending row(s), first: {sample[0]}; nothing was loaded: please report it"
        )
        self.audit = audit
        self.count = count
        self.sample = sample


class WarehouseLocked(WarehouseError):
    """Another process holds the database file, or the folder of a copy or an export."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.name} is in use by another process; wait until it is done")


class WarehouseBroken(WarehouseError):
    """The database file cannot be read or written."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path.name}: {why}")


class MemoryShort(WarehouseError):
    """Memory ran out."""


class NothingPublished(WarehouseError):
    """There is no published copy to read or to go back to."""


class CopyOutdated(WarehouseError):
    """Another version of this program published the copy, and it lacks a relation that this version needs."""

    def __init__(self, path: Path, *, is_newer: bool) -> None:
        whose, remedy = ("a newer", "update this one") if is_newer else ("an older", "'verdicts publish' mends it")
        super().__init__(
            f"{path.name} was published by {whose} version of verdicts and lacks what is asked for; {remedy}"
        )


class QuestionFailed(WarehouseError):
    """A question could not be answered. The message is DuckDB's, in several lines."""


class ChangesNotKept(WarehouseError):
    """The changes since a load are not all kept, or the corpus has no such load. A consumer takes a full copy."""


class DatasetBroken(WarehouseError):
    """A folder cannot be loaded as a dataset."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"{folder}: {why}")


class ExportRefused(WarehouseError):
    """The target folder holds something that is not an earlier export."""

    def __init__(self, target: Path, why: str) -> None:
        super().__init__(f"{target}: {why}; choose another folder")
