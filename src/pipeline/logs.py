"""What the program says, for machines: JSON lines with the ids of night, crawl and load.

They are in rotated files of the data folder; standard error has them as text or as JSON.
"""

import fcntl
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import pairwise
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Literal, TypeAlias

from verdicts.corpus.text import escaped
from verdicts.fetch.store import checksums
from verdicts.pipeline.data_folder import DataFolder


@dataclass(slots=True)
class RunIds:
    """What every line of this process says of where it comes from; None is left out."""

    command: str | None = None
    night_id: str | None = None
    crawl_id: str | None = None
    load_id: str | None = None


ids = RunIds()
"""Those of this process: it is at one run at a time, which holds the data folder."""


EVENTS = logging.getLogger("verdicts_events")
"""For the log alone: what people and flow runs are told in another form."""
EVENTS.propagate = False


def note(event: str, message: str, *, error: BaseException | None = None, **values: object) -> None:
    """A line of the log that is shown to nobody."""
    EVENTS.info("%s", message, exc_info=error, extra=fields(event, **values))


def fields(event: str, **values: object) -> dict[str, Any]:
    """`extra` of a record: its event, and what is told of it beside the words."""
    return {"event": event, "fields": values}


class JsonLines(logging.Formatter):
    """One JSON object a record, in one line of UTF-8."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", "message"),
            "message": escaped(record.getMessage()),
        }
        line |= {name: value for name, value in asdict(ids).items() if value is not None}
        line |= {name: value for name, value in getattr(record, "fields", {}).items() if value is not None}
        if record.exc_info:
            line["traceback"] = escaped(self.formatException(record.exc_info))
        return json.dumps(line | {"logger": record.name}, ensure_ascii=False, default=str)


LOGGERS = ("verdicts", "fetch", EVENTS.name)
"""The loggers of this program; those of its libraries are left alone."""

FILE_BYTES = 10_000_000
FILES_KEPT = 9
"""Beside the present one: 100 MB in all. A night has some dozen lines, one that fails everywhere some thousand."""

FORMAT = "VERDICTS_LOG_FORMAT"

LogFormat: TypeAlias = Literal["text", "json"]


def stderr_format() -> LogFormat:
    """What standard error gets: JSON where the environment asks for it, and it is no terminal."""
    return "json" if os.environ.get(FORMAT) == "json" and not sys.stderr.isatty() else "text"


class _OnStderr(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to what standard error is at the time; not where somebody else, such as a flow run, has taken over."""

    def emit(self, record: logging.LogRecord) -> None:
        others = logging.getLogger(record.name.partition(".")[0]).handlers
        if all(isinstance(handler, _OnStderr | _LogFile) for handler in others):
            self.stream = sys.stderr
            super().emit(record)


class _LogFile(RotatingFileHandler):
    """The file of a data folder. It makes none of a mistyped path, and a full disk costs its lines, not the night."""

    def __init__(self, folder: DataFolder) -> None:
        super().__init__(
            folder.log,
            maxBytes=FILE_BYTES,
            backupCount=FILES_KEPT,
            encoding="utf-8",
            errors="backslashreplace",
            delay=True,
        )
        self._folder = folder
        self.setFormatter(JsonLines())

    def emit(self, record: logging.LogRecord) -> None:
        if not self._folder.is_one():
            return
        path = Path(self.baseFilename)
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError:
            return
        if path.is_fifo():
            # Nobody may be reading it.
            return
        super().emit(record)

    def doRollover(self) -> None:  # noqa: N802  logging's name
        """As the base class does it, and the digest of each file goes with it."""
        if self.stream is not None:
            self.stream.close()
            self.stream = None
        base = Path(self.baseFilename)
        names = [base, *(base.with_name(f"{base.name}.{number}") for number in range(1, FILES_KEPT + 1))]
        for younger, older in reversed(list(pairwise(names))):
            if not younger.exists():
                continue
            is_damaged = checksums.is_as_noted(younger) is False
            younger.replace(older)
            if is_damaged:
                # Its digest has another name now: the file is still not as it says.
                checksums.beside(younger).replace(checksums.beside(older))
            else:
                checksums.note(older)
                checksums.forget(younger)

    def close(self) -> None:
        """Notes the digest of all lines so far, whichever command wrote them."""
        is_written = self.stream is not None
        super().close()
        if is_written:
            with suppress(OSError), Path(self.baseFilename).open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                checksums.note(Path(self.baseFilename))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  logging's name
        """Says nothing: the line is on standard error too, where it matters."""


@contextmanager
def logging_of_command() -> Iterator[None]:
    """While it is open, what the program logs is on standard error: warnings as text, or all of it as JSON."""
    handler = _OnStderr()
    if stderr_format() == "json":
        handler.setFormatter(JsonLines())
        handler.setLevel(logging.INFO)
    else:
        handler.setLevel(logging.WARNING)
    loggers = [logging.getLogger(name) for name in LOGGERS]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        # Prefect gives the root handlers of its own: `11:24:14.834 | INFO    | verdicts.end - ...`
        logger.propagate = False
    try:
        yield
    finally:
        for logger in loggers:
            for own in [own for own in logger.handlers if isinstance(own, _OnStderr | _LogFile)]:
                logger.removeHandler(own)
                own.close()
            # Others that came meanwhile, such as those of a flow run, want it as it is.
            if not logger.handlers:
                logger.propagate = True
                logger.setLevel(logging.NOTSET)
        ids.command = ids.night_id = ids.crawl_id = ids.load_id = None


def log_to(folder: DataFolder, command: str) -> None:
    """From now on each line is in the log file of a data folder too, and of no other."""
    ids.command = command
    path = os.fspath(folder.log.absolute())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        for other in [own for own in logger.handlers if isinstance(own, _LogFile) and own.baseFilename != path]:
            logger.removeHandler(other)
            other.close()
        if all(getattr(handler, "baseFilename", None) != path for handler in logger.handlers):
            logger.addHandler(_LogFile(folder))
            logger.setLevel(logging.INFO)
