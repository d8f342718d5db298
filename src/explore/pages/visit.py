"""What a page is given, and what it gives."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlencode

from verdicts.explore.asking import Asked, Value, ask
from verdicts.explore.copies import Copy
from verdicts.explore.sql_cell.answering import SqlCell
from verdicts.warehouse.storage.errors import QuestionFailed


class Refused(Exception):
    """A request that is not answered whatever it asks; the message says why."""


class NotThere(Exception):
    """An address that names nothing of the corpus: the message says what was looked for."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request: the copy it reads, the raw store, the parts of its path, and the parameters that are not empty.

    `cell` answers any SELECT. `is_from_elsewhere`: a page of another origin led or sent the browser here.
    """

    copy: Copy
    raw: Path
    path: Mapping[str, str]
    values: Mapping[str, str]
    cell: SqlCell
    is_from_elsewhere: bool

    def ask(self, name: str, /, **values: Value) -> Asked:
        """The answer of a named question. Raises QuestionFailed."""
        return ask(self.copy, name, values)

    def refuse_others(self) -> None:
        """Raises Refused: no page of another origin may make a browser ask what takes time, or save a file."""
        if self.is_from_elsewhere:
            raise Refused("A page of another site led here; type the address yourself, or start from the first page.")


@dataclass(frozen=True, slots=True)
class View:
    """A template and what it shows; `status` is that of HTTP."""

    template: str
    context: dict[str, Any] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True, slots=True)
class Download:
    """A file to be saved under a name, piece by piece."""

    filename: str
    media_type: str
    pieces: Iterator[str]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The address of what was asked for."""

    address: str


def address(path: str, values: Mapping[str, str | None]) -> str:
    """A link to a page with these parameters, without those that are None."""
    given = {name: value for name, value in values.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


def page_number(visit: Visit) -> int:
    """Which page of a long table is asked for, from 1. Raises QuestionFailed."""
    text = visit.values.get("page", "1")
    if not (text.isascii() and text.isdecimal() and int(text[:7]) > 0 and len(text) < 7):
        raise QuestionFailed(f"there is no page {text}")
    return int(text)


Page: TypeAlias = Callable[[Visit], View | Download | Elsewhere]
