"""The log for machines: JSON lines with the ids of night, crawl and load.

The data folder has them in rotated files, standard error as text or JSON.
"""

import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

from verdicts.corpus.text import escaped


@dataclass(slots=True)
class RunIds:
    """Ids in every line of this process. None is left out."""

    command: str | None = None
    night_id: str | None = None
    crawl_id: str | None = None
    load_id: str | None = None


ids = RunIds()
"""The ids of this process, which works on one run at a time."""


EVENTS = logging.getLogger("verdicts_events")
"""Events that only the log gets. People and flow runs get them in another form."""
EVENTS.propagate = False


def note(event: str, message: str, *, error: BaseException | None = None, **values: object) -> None:
    """Writes a line to the log only."""
    EVENTS.info("%s", message, exc_info=error, extra=fields(event, **values))


def fields(event: str, **values: object) -> dict[str, Any]:
    """The `extra` of a log record: its event and its values."""
    return {"event": event, "fields": values}


class JsonLines(logging.Formatter):
    """One JSON object per record, on one line."""

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
"""The loggers of this program, without its libraries."""

FORMAT = "VERDICTS_LOG_FORMAT"

LogFormat: TypeAlias = Literal["text", "json"]


def stderr_format() -> LogFormat:
    """JSON if the environment asks for it and standard error is no terminal."""
    return "json" if os.environ.get(FORMAT) == "json" and not sys.stderr.isatty() else "text"


class _OnStderr(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to the current standard error, unless another handler took over, such as the one of a flow run."""

    def emit(self, record: logging.LogRecord) -> None:
        others = logging.getLogger(record.name.partition(".")[0]).handlers
        if all(isinstance(handler, _OnStderr | logging.FileHandler) for handler in others):
            self.stream = sys.stderr
            super().emit(record)


@contextmanager
def logging_of_command() -> Iterator[None]:
    """Sends the log to standard error while the context is open: warnings as text, or everything as JSON."""
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
            for own in [own for own in logger.handlers if isinstance(own, _OnStderr | logging.FileHandler)]:
                logger.removeHandler(own)
                own.close()
            # Handlers that were added meanwhile, such as those of a flow run, need it unchanged.
            if not logger.handlers:
                logger.propagate = True
                logger.setLevel(logging.NOTSET)
        ids.command = ids.night_id = ids.crawl_id = ids.load_id = None
