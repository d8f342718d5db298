"""Values as the cells of a table: numbers of a column with as many decimals, NULL told from an empty text."""

from __future__ import annotations

import math
from datetime import datetime
from typing import TYPE_CHECKING, Any

from verdicts.warehouse.serving.answer_text import cell_text

if TYPE_CHECKING:
    from collections.abc import Sequence

NULL = "NULL"

_DECIMALS = 4
"""Of a DOUBLE in a table, at most; CSV and JSON have all digits."""

_SMALLEST, _LARGEST = 0.5 * 10**-_DECIMALS, 1e15
"""A column with a number out of these, and not 0, is shown with the digits of each: 0.0000 would be no answer."""

_NUMBERS = ("DECIMAL", "DOUBLE", "FLOAT", "HUGEINT", "BIGINT", "INTEGER", "SMALLINT", "TINYINT", "BIGNUM")


def is_number(type_: str) -> bool:
    """Whether DuckDB's type of this name holds numbers."""
    return type_.partition("(")[0].removeprefix("U") in _NUMBERS and not type_.endswith("]")


def column_texts(values: Sequence[Any]) -> list[str | None]:
    """The values of one column as texts, None for NULL. Floats have the decimals of the one that needs most."""
    finite = [value for value in values if isinstance(value, float) and math.isfinite(value)]
    if any(value and not _SMALLEST <= abs(value) < _LARGEST for value in finite):
        return [_text(value, None) for value in values]
    decimals = max((_decimals(value) for value in finite), default=0)
    return [_text(value, decimals) for value in values]


def _decimals(value: float) -> int:
    return len(f"{value:.{_DECIMALS}f}".rstrip("0").partition(".")[2])


def _text(value: object, decimals: int | None) -> str | None:
    if isinstance(value, float) and math.isfinite(value):
        return cell_text(float(f"{value:.6g}")) if decimals is None else f"{value:.{decimals}f}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return cell_text(value)
