"""What a page is given, and what it gives."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from explore.asking import Asked, Value, ask
from explore.copies import Copy


class NotThere(Exception):
    """An address that names nothing of the corpus: the message says what was looked for."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request: the copy it reads, the raw store, the parts of its path, and the parameters that are not empty."""

    copy: Copy
    raw: Path
    path: Mapping[str, str]
    values: Mapping[str, str]

    def ask(self, name: str, /, **values: Value) -> Asked:
        """The answer of a named question. Raises QuestionFailed."""
        return ask(self.copy, name, values)


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


Page: TypeAlias = Callable[[Visit], View | Download | Elsewhere]
