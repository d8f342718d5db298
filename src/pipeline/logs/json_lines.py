"""A line of the log as JSON: when, how grave, what happened, in which command, night, crawl and load."""

import json
import logging
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from verdicts.corpus.unicode_text import escaped


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
