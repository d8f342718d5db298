"""Answers as CSV and JSON.

Numbers, times and quotes are written by one rule for each type, so that files of two nights differ only where the
corpus does: `1e-7` and not `1e-07`, times with microseconds and `+0000` in CSV and as RFC 3339 in JSON.
"""

from __future__ import annotations

import json
import math
import re
import struct
from datetime import datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from verdicts.warehouse.storage.errors import QuestionFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from verdicts.warehouse.serving.query import Answer

Text = TypeVar("Text", str, str | None)

_FORMULA = re.compile(
    "[\t\r\n]|[\\s\x00-\x1f\x7f-\x9f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*+[=+@＝＋－＠-]"
)
"""What a cell begins with that a spreadsheet computes, https://owasp.org/www-community/attacks/CSV_Injection.

Blanks and what does not show may stand before it: some drop these.
"""


def csv_pieces(batches: Iterable[Answer], *, is_safe: bool = False) -> Iterator[str]:
    """A header and a line a row. NULL is nothing, an empty text is `""`; lists and structs are JSON.

    `is_safe`: names and texts that a spreadsheet would take for a formula begin with `'`. Numbers stay as they are.
    """
    header: str | None = None
    for batch in batches:
        if header is None:
            header = _csv_line(map(_no_formula, batch.columns) if is_safe else batch.columns)
            yield header
        value = _safe_csv_value if is_safe else _csv_value
        yield "".join(map(_csv_line, _rows_as(value, batch)))


def json_pieces(batches: Iterable[Answer]) -> Iterator[str]:
    """A list of objects in one line. Integers and DECIMAL have all their digits: some readers of JSON keep 15."""
    comma = "["
    for row in _objects(batches):
        yield comma + row
        comma = ","
    yield "[]\n" if comma == "[" else "]\n"


def json_lines(batches: Iterable[Answer]) -> Iterator[str]:
    """An object a line."""
    return (f"{row}\n" for row in _objects(batches))


def flat(value: object) -> object:
    """CSV and tables have no lists and structs: those become JSON."""
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value


def _objects(batches: Iterable[Answer]) -> Iterator[str]:
    for batch in batches:
        keys = [f"{_json_value(name)}:" for name in batch.columns]
        for values in _rows_as(_json_value, batch):
            yield "{" + ",".join(map(str.__add__, keys, values)) + "}"


def _rows_as(write: Callable[[Any], Text], answer: Answer) -> Iterator[list[Text]]:
    """The rows of an answer, each value written. DuckDB hands out FLOAT as the nearest double: 0.10000000149011612."""
    singles = [type_ == "FLOAT" for type_ in answer.types]
    for row in answer.rows:
        yield [
            write(_shortest_single(value) if is_single else value)
            for is_single, value in zip(singles, row, strict=True)
        ]


def _csv_line(fields: Iterable[str | None]) -> str:
    return ",".join(map(_csv_field, fields)) + "\n"


def _csv_field(text: str | None) -> str:
    if text is None:
        return ""
    if text and not any(char in text for char in ',"\r\n'):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _safe_csv_value(value: object) -> str | None:
    text = _csv_value(value)
    return _no_formula(text) if isinstance(value, str) and text is not None else text


def _no_formula(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def _csv_value(value: object) -> str | None:
    match flat(value):
        case None:
            return None
        case bool() as truth:
            return "true" if truth else "false"
        case float() as number:
            return "NaN" if math.isnan(number) else number_text(number)
        case datetime() as moment:
            return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}{moment:%z}"
        case time() as clock:
            return f"{clock:%H:%M:%S.%f}000"
        case bytes():
            raise _no_text()
        case other:
            return str(other)


def _json_value(value: object) -> str:
    match value:
        case None | bool() | str() | int():
            return json.dumps(value, ensure_ascii=False)
        case float() | Decimal():
            return number_text(value) if math.isfinite(value) else "null"
        case datetime() | time():
            return f'"{_moment(value)}"'
        case list() | tuple():
            return f"[{','.join(map(_json_value, value))}]"
        case dict():
            members = (f"{_json_value(str(name))}:{_json_value(member)}" for name, member in value.items())
            return "{" + ",".join(members) + "}"
        case bytes():
            raise _no_text()
        case _:
            return json.dumps(str(value), ensure_ascii=False)


def _moment(value: datetime | time) -> str:
    """`12:34:56` or `12:34:56.789`; a datetime with a zone is RFC 3339, one without has a space."""
    digits = "seconds" if not value.microsecond else "microseconds" if value.microsecond % 1000 else "milliseconds"
    if isinstance(value, datetime):
        return value.isoformat("T" if value.tzinfo else " ", digits)
    return value.replace(tzinfo=None).isoformat(digits)


def number_text(value: float | Decimal) -> str:
    """The shortest digits that give the same number: `1e-7` and `0.00001`, where Python has `1e-07` and `1e-05`.

    A DECIMAL keeps the digits of its type: `1.50`.
    """
    if isinstance(value, Decimal):
        return f"{value:f}"
    digits, exponent, power = repr(value).partition("e")
    if not exponent:
        return digits
    return f"{Decimal(repr(value)):f}" if power == "-05" else f"{digits}e{power[0]}{power[1:].lstrip('0')}"


def _shortest_single(value: float | None) -> float | None:
    """The double with the fewest digits that is this single: 0.1 for 0.10000000149011612."""
    if value is None or not math.isfinite(value):
        return value
    return next(
        short
        for digits in range(1, 18)
        if struct.pack("f", short := float(f"{value:.{digits}g}")) == struct.pack("f", value)
    )


def _no_text() -> QuestionFailed:
    return QuestionFailed("the answer has a column of bytes, which neither CSV nor JSON has; write Parquet")
