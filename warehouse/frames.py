"""Rows to polars frames, typed by the contract of their table."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import polars as pl

from warehouse.contracts import CONTRACTS
from warehouse.errors import ContractBroken


def frame(table: str, rows: Sequence[object], **constants: object) -> pl.DataFrame:
    """The rows of `table`, in its columns and types.

    `constants` fill the columns that the rows do not have, each with one value. Raises ContractBroken when a row
    lacks a column or holds a value of another type.
    """
    return pl.DataFrame(
        [
            pl.Series(name, [constants[name]], dtype=dtype).new_from_index(0, len(rows))
            if name in constants
            else _column(table, name, dtype, rows)
            for name, dtype in _types(table).items()
        ]
    )


def _types(table: str) -> dict[str, pl.DataType]:
    return {name: column.dtype for name, column in CONTRACTS[table].columns().items()}


def _column(table: str, name: str, dtype: pl.DataType, rows: Sequence[object]) -> pl.Series:
    try:
        values: list[Any] = list(map(attrgetter(name), rows))
    except AttributeError as error:
        raise ContractBroken(table, f"{name}|present", len(rows)) from error
    try:
        return pl.Series(name, values, dtype=dtype)
    except (TypeError, OverflowError, pl.exceptions.PolarsError) as error:
        raise ContractBroken(table, f"{name}|dtype {dtype}", len(rows)) from error
