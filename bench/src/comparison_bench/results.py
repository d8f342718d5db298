"""The form of keys and of a reader's results, a JSON line for each page, and the score of results.

Texts are compared without case, without invisible characters and with single spaces; labels by their words.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from msgspec import DecodeError, Struct, json

from comparison_bench.scoring import Mark, Value, judge_values


class ResultsBroken(Exception):
    """A file is not as documented; the message names the line."""


class Tool(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A tool that a page compares or describes. None: the page does not say it, or the reader does not give it."""

    name: str
    rank: int | None = None
    price: str | None = None
    rating: str | None = None
    best_for: str | None = None


class Take(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What the author of a review says of a tool."""

    text: str
    tool: str | None = None
    reviewer: str | None = None
    score: str | None = None


class Result(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What a reader gives of a page: `cells` are tool, label and value; `text` is its main text."""

    page: str
    tools: tuple[Tool, ...] = ()
    cells: tuple[tuple[str, str, str], ...] = ()
    takes: tuple[Take, ...] = ()
    text: str | None = None


class Answer(Result, omit_defaults=True, forbid_unknown_fields=True):
    """The key of a page. `prose` has paragraphs of its main text, `furniture` what is no part of it."""

    layout: str = ""
    prose: tuple[str, ...] = ()
    furniture: tuple[str, ...] = ()


OUTCOMES: dict[Mark, str] = {"right": "right", "wrong": "wrong", "silent": "missing"}
"""`wrong`: a value that the page does not have."""

Counts = dict[str, Counter[str]]

Line = TypeVar("Line", Result, Answer)


def read_lines(path: Path, kind: type[Line]) -> dict[str, Line]:
    """The lines of a file by page. Raises ResultsBroken."""
    lines: dict[str, Line] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            result = json.decode(line, type=kind)
        except (DecodeError, UnicodeDecodeError) as error:
            raise ResultsBroken(f"{path}, line {number}: {error}") from error
        if result.page in lines:
            raise ResultsBroken(f"{path}, line {number}: {result.page} has a line already")
        lines[result.page] = result
    return lines


def score(keys: dict[str, Answer], results: dict[str, Result]) -> tuple[Counts, Counts]:
    """How many values are right, wrong and missing, by field and by layout. Raises ResultsBroken for unknown pages.

    A value beyond the key is wrong if any key has that field.
    """
    if unknown := sorted(results.keys() - keys.keys()):
        raise ResultsBroken(f"no page is called {unknown[0]!r}; pages.jsonl names them all")
    asked = {value.field for key in keys.values() for value in _values(key)}
    by_field: Counts = {}
    by_layout: Counts = {}
    for page, key in keys.items():
        for field, outcome, is_in_key in _outcomes(key, results.get(page, Result(page))):
            if is_in_key or field in asked:
                by_field.setdefault(field, Counter())[outcome] += 1
                by_layout.setdefault(key.layout, Counter())[outcome] += 1
    return by_field, dict(sorted(by_layout.items()))


def _outcomes(key: Answer, given: Result) -> Iterator[tuple[str, str, bool]]:
    # No sets: their order differs from run to run.
    expected, read = ([*dict.fromkeys(_values(result))] for result in (key, given))
    for finding in judge_values(expected, read, lambda *_: False):
        yield finding.field, OUTCOMES[finding.mark], finding.expected is not None
    text = _words(given.text or "")
    yield from (("text", "right" if _words(one) in text else "missing", True) for one in key.prose)
    yield from (("text", "wrong", True) for one in key.furniture if _words(one) in text)


def _values(result: Result) -> Iterator[Value]:
    """A field, whose it is, and its value. Several values may be one tool's, label's or text's."""
    tools = [("tool", tool.name, tool) for tool in result.tools]
    for kind, at, record in [*tools, *(("take", take.text, take) for take in result.takes)]:
        values = ((name, getattr(record, name)) for name in record.__struct_fields__)
        yield from (
            Value(f"{kind} {name}", normalize_seen(at), normalize_seen(value))
            for name, value in values
            if value is not None
        )
    for tool, label, value in result.cells:
        yield Value("cell", f"{normalize_seen(tool)} / {_words(label)}", normalize_seen(value))


_INVISIBLE = dict.fromkeys([0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF])
"""Soft hyphens, joiners and marks of direction."""


def normalize_seen(value: str | float) -> str:
    """A text as a reader sees it, in lower case; a number with its shortest digits."""
    text = value if isinstance(value, str) else f"{value:g}"
    return " ".join(unicodedata.normalize("NFC", text).translate(_INVISIBLE).split()).casefold()


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
