"""The log for machines: JSON lines with the ids of night, crawl and load.

The data folder has them in rotated files. Standard error has warnings and errors as text.
"""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from verdicts.corpus.text import escape_unstorable
from verdicts.pipeline.data_folder import DataFolder

ids = SimpleNamespace()
"""`command`, `night_id`, `crawl_id` and `load_id` of this process, as far as they are known: in every line."""

LOGGER = logging.getLogger("verdicts")

EVENTS = LOGGER.getChild("events")
"""Events that only the log gets. People and flow runs get them in another form."""


def note(event: str, message: str, *, error: BaseException | None = None, **values: object) -> None:
    """Writes a line to the log only."""
    EVENTS.info("%s", message, exc_info=error, extra={"event": event, "fields": values})


class JsonLines(logging.Formatter):
    """One JSON object per record, on one line."""

    def format(self, record: logging.LogRecord) -> str:
        values = vars(ids) | getattr(record, "fields", {})
        line: dict[str, Any] = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", "message"),
            "message": escape_unstorable(record.getMessage()),
            **{name: value for name, value in values.items() if value is not None},
        }
        if record.exc_info:
            line["traceback"] = escape_unstorable(self.formatException(record.exc_info))
        return json.dumps(line | {"logger": record.name}, ensure_ascii=False, default=str)


@contextmanager
def send_log() -> Iterator[None]:
    """Sends warnings and errors to standard error while the context is open."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    earlier = [*LOGGER.handlers]
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    # Prefect gives the root handlers of its own: `11:24:14.834 | INFO    | verdicts.end - ...`
    LOGGER.propagate = False
    try:
        yield
    finally:
        for added in [added for added in LOGGER.handlers if added not in earlier]:
            LOGGER.removeHandler(added)
            added.close()
        LOGGER.propagate = True
        LOGGER.setLevel(logging.NOTSET)
        vars(ids).clear()


FILE_BYTES = 10_000_000
FILES_KEPT = 9
"""Beside the current file: 100 MB in all. A night writes some dozen lines, a failing one some thousand."""


class LogFile(RotatingFileHandler):
    """The log file of a data folder. It creates no folder for a mistyped path. A full disk only costs lines."""

    def __init__(self, folder: DataFolder) -> None:
        super().__init__(
            folder.log, "a", FILE_BYTES, FILES_KEPT, encoding="utf-8", delay=True, errors="backslashreplace"
        )
        self._folder = folder
        self.setFormatter(JsonLines())

    def emit(self, record: logging.LogRecord) -> None:
        if self._folder.is_one():
            # If the folder cannot be made, the file cannot be opened either.
            with suppress(OSError):
                Path(self.baseFilename).parent.mkdir(exist_ok=True)
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  logging's name
        """Silent: important lines are on standard error too."""

    def close(self) -> None:
        # A full disk refuses the lines that wait in the buffer.
        with suppress(OSError):
            super().close()


def log_to(folder: DataFolder, command: str) -> None:
    """From now on, writes each line to the log file of this data folder, and to no other."""
    ids.command = command
    for earlier in [handler for handler in LOGGER.handlers if isinstance(handler, LogFile)]:
        LOGGER.removeHandler(earlier)
        earlier.close()
    LOGGER.addHandler(LogFile(folder))
    LOGGER.setLevel(logging.INFO)


DETAIL_LENGTH = 500
"""Length of a logged message, in characters: it may quote the page."""


class Failure(NamedTuple):
    """`stage` failed on the page at `place`, with the traceback."""

    place: str
    stage: str
    trace: str


@dataclass(slots=True)
class FailureLog:
    """Bugs met in this process. With `is_logged=False` they are only collected, for the process that owns the log.

    Each traceback is logged once, later only its last line: a bug on every page would fill the disk.
    """

    is_logged: bool = True
    failures: list[Failure] = field(default_factory=list)
    _logged: set[str] = field(default_factory=set)

    @property
    def places(self) -> list[str]:
        """The places, mostly addresses."""
        return [failure.place for failure in self.failures]

    def add(self, place: str, stage: str, trace: str) -> str:
        """Records a failure. Returns its reason, the last line of the traceback."""
        # Interned, so that a bug on every page crosses the network once when it is pickled.
        self.failures.append(Failure(place, stage, sys.intern(trace)))
        frames, _, reason = escape_unstorable(trace).rstrip().rpartition("\n")
        reason = reason[:DETAIL_LENGTH]
        if self.is_logged:
            how = "as above: " if frames in self._logged else f"a bug of this program\n{frames}\n"
            LOGGER.error("%s: %s failed, %s%s", escape_unstorable(place), stage, how, reason)
            self._logged.add(frames)
        return reason
