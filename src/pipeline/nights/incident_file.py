"""`reports/incidents.json`: the open incidents, and which addresses could not be reached lately. Replaced whole."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, ValidationError, convert

from verdicts.corpus.toml_and_json import BrokenDocument
from verdicts.fetch.given_files import read_json
from verdicts.fetch.store import checksums
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.incidents import Incident
from verdicts.warehouse.storage.durable import replace_text

_Moment: TypeAlias = Annotated[datetime, Meta(tz=True)]
_TYPES: dict[str, Any] = {"opened_at": _Moment, "told_at": _Moment | None}


@dataclass(frozen=True, slots=True)
class Undelivered:
    """An address that could not be reached, without what is secret in it, and why."""

    address: str
    why: str
    night_id: str


@dataclass(frozen=True, slots=True)
class Told:
    """What the file holds."""

    open: tuple[Incident, ...] = ()
    undelivered: tuple[Undelivered, ...] = ()
    """Of the newest night that had something to tell."""


def read_told(folder: DataFolder) -> Told:
    """Nothing where there is no file yet, or it is damaged: what is wrong is told once more then."""
    if checksums.is_as_noted(folder.incidents) is False:
        return Told()
    try:
        content = read_json(folder.incidents)
        incidents = tuple(_incident(item) for item in content["open"])
        return Told(incidents, convert(content["undelivered"], tuple[Undelivered, ...]))
    except (OSError, BrokenDocument, ValidationError, KeyError, TypeError, AttributeError):
        return Told()


def write_told(folder: DataFolder, told: Told) -> None:
    """Raises `OSError`; the file is as it was then."""
    content = {
        "open": [asdict(incident) for incident in told.open],
        "undelivered": [asdict(item) for item in told.undelivered],
    }
    folder.reports.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, ensure_ascii=False, indent=1, default=datetime.isoformat)
    with checksums.replaced(folder.incidents):
        replace_text(folder.incidents, text)


def _incident(item: dict[str, Any]) -> Incident:
    """Raises `ValidationError`, `TypeError` and `AttributeError` for what is none."""
    fields: dict[str, Any] = {name: convert(value, _TYPES.get(name, str)) for name, value in item.items()}
    return Incident(**fields)
