"""Facts cut to a size: words of pages shortened and made harmless to look at, long lists counted. Pure."""

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar, cast

from verdicts.pipeline.nights.report.facts import Command, Some
from verdicts.pipeline.terminal.streams import shown_line

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """Things of a list, and characters of a text, that are shown at most."""

    rows: int
    chars: int


LIMITS = (Limits(40, 300), Limits(20, 200), Limits(12, 120), Limits(6, 60), Limits(3, 30))
"""The widest first: one is taken where the report of the one before is too large. A night of a few hosts takes the
first; two hundred hosts whose words are all escapes take the last."""

COMMAND_CHARS = 400
"""Of a longer one, which a host's name of 250 characters does not make, nothing is shown."""


def fitted(facts: T, limits: Limits) -> T:
    """The facts with every text in one line of at most `limits.chars`, every `Some` of at most `limits.rows`."""
    return cast("T", _fitted(facts, limits))


def _fitted(value: object, limits: Limits) -> object:
    if isinstance(value, str):
        return type(value)(_cut(value, limits.chars))
    if isinstance(value, Command):
        line = shown_line(value.line)
        return Command(line if len(line) <= COMMAND_CHARS else "verdicts check")
    if isinstance(value, Some):
        return Some(tuple(_fitted(item, limits) for item in value.shown[: limits.rows]), value.total)
    if isinstance(value, tuple):
        return tuple(_fitted(item, limits) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _fitted(getattr(value, field.name), limits) for field in fields(value)})
    return value


def _cut(text: str, chars: int) -> str:
    line = shown_line(" ".join(text[: chars + 1].split()) if text.split() else text[:chars])
    return line if len(line) <= chars else f"{line[: chars - 1]}…"
