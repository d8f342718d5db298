"""Answers as CSV and JSON. msgspec writes numbers with the fewest exact digits, and times by RFC 3339.

So files of two nights differ only where the corpus differs.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import TYPE_CHECKING

from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import msgspec

    from verdicts.warehouse.serving.query import Answer


@cache
def _encoder() -> msgspec.json.Encoder:
    """Imported when a value needs it: tables of texts and integers do not, and the import takes 15 ms."""
    import msgspec  # noqa: PLC0415

    return msgspec.json.Encoder(decimal_format="number")


FORMULA = re.compile(
    "[\t\r\n]|[\\s\x00-\x1f\x7f-\x9f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*+[=+@＝＋－＠-]"
)
"""The beginning of a cell that a spreadsheet computes: https://owasp.org/www-community/attacks/CSV_Injection.

Blanks and invisible characters may come first, because some spreadsheets drop them.
"""


def csv_pieces(batches: Iterable[Answer], *, is_safe: bool = False) -> Iterator[str]:
    """A header, and a line for each row. NULL is an empty cell, an empty text is `""`; lists and structs are JSON.

    `is_safe`: a byte order mark comes first, and texts that a spreadsheet would compute as a formula get a leading `'`.
    Numbers stay as they are.
    """
    text_of = _safe_text if is_safe else cell_text
    # Without the mark Excel reads UTF-8 as the code page of its language.
    mark = "\ufeff" if is_safe else ""
    has_header = False
    for batch in _refuse_bytes(batches):
        if not has_header:
            yield mark + _csv_line(map(text_of, batch.columns))
            has_header = True
        yield "".join(_csv_line(map(text_of, row)) for row in batch.rows)


def json_pieces(batches: Iterable[Answer]) -> Iterator[str]:
    """A list of objects in one line. Integers and DECIMAL have all digits; some readers of JSON keep only 15."""
    comma = "["
    for row in _objects(batches):
        yield comma + row
        comma = ","
    yield "[]\n" if comma == "[" else "]\n"


def json_lines(batches: Iterable[Answer]) -> Iterator[str]:
    return (f"{row}\n" for row in _objects(batches))


def json_text(value: object) -> str:
    """Rows by column name, in any nesting, as JSON; NaN and infinity are null."""
    return _encoder().encode(value).decode()


def cell_text(value: object) -> str | None:
    """A value as a cell of a table or CSV, None for NULL. Lists and structs are JSON."""
    if value is None or isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else str(value)
    return _encoder().encode(value).decode().strip('"')


_NUMBERS = ("DECIMAL", "DOUBLE", "FLOAT", "HUGEINT", "BIGINT", "INTEGER", "SMALLINT", "TINYINT", "BIGNUM")


def is_number(type_: str) -> bool:
    """Whether a column of this DuckDB type holds numbers, which tables align right."""
    return type_.partition("(")[0].removeprefix("U") in _NUMBERS and not type_.endswith("]")


def _objects(batches: Iterable[Answer]) -> Iterator[str]:
    """Values of DuckDB's type JSON are written as they are, not as texts."""
    import msgspec  # noqa: PLC0415

    for batch in _refuse_bytes(batches):
        json_columns = [number for number, type_ in enumerate(batch.types) if type_ == "JSON"]
        for row in batch.rows:
            values = [*row]
            for number in json_columns:
                values[number] = None if row[number] is None else msgspec.Raw(row[number].encode())
            yield _encoder().encode(dict(zip(batch.columns, values, strict=True))).decode()


def _refuse_bytes(batches: Iterable[Answer]) -> Iterator[Answer]:
    """Raises QuestionFailed for bytes."""
    for batch in batches:
        if any("BLOB" in type_ for type_ in batch.types):
            raise QuestionFailed("the answer has a column of bytes, which neither CSV nor JSON has; write Parquet")
        yield batch


def _csv_line(fields: Iterable[str | None]) -> str:
    return ",".join(map(_csv_field, fields)) + "\n"


def _csv_field(text: str | None) -> str:
    # Python's csv would write NULL and an empty text alike.
    if text is None:
        return ""
    if text and not any(char in text for char in ',"\r\n'):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _safe_text(value: object) -> str | None:
    text = cell_text(value)
    return f"'{text}" if isinstance(value, str) and FORMULA.match(value) else text
