"""What a row must be to pass the door, as dataframely schemas made of the declared tables.

A row that fails is a bug of ours and stops the load.
"""

from functools import cache
from types import new_class
from typing import Any

import dataframely as dy
import polars as pl

from verdicts.corpus.columns import Between, Column, Id, NotEmpty
from verdicts.corpus.declare import InOrder, ValidityColumns
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.storage.errors import ContractBroken

_ID = "^[0-9a-f]{32}$"


@cache
def contract(table: str) -> type[dy.Schema]:
    """Names, order, types, NULL, values, ranges and key of a table."""
    declared = TABLES[table]
    members: dict[str, Any] = {
        column.name: _typed(column, is_key=column.name in declared.key) for column in declared.columns
    }
    for order in declared.in_order:
        members[f"{order.earlier}_before_{order.later}"] = dy.rule()(_in_order(order))
    if declared.period is not None:
        members[f"{declared.period.start}_before_{declared.period.end}"] = dy.rule()(_is_period(declared.period))
    return new_class(declared.row.__name__, (dy.Schema,), exec_body=lambda namespace: namespace.update(members))


def _typed(column: Column, *, is_key: bool) -> dy.Column:
    common: dict[str, Any] = {"primary_key": is_key, "nullable": column.is_optional}
    least = column.kind.least if isinstance(column.kind, Between) else None
    most = column.kind.most if isinstance(column.kind, Between) else None
    match column.type:
        case "BIGINT":
            return dy.Int64(min=least, max=most, **common)
        case "DOUBLE":
            return dy.Float64(min=least, max=most, **common)
        case "BOOLEAN":
            return dy.Bool(**common)
        case "TIMESTAMPTZ":
            return dy.Datetime(time_unit="us", time_zone="UTC", **common)
        case "VARCHAR[]":
            return dy.List(_text(column, {"nullable": False}), **common)
        case "VARCHAR":
            return _text(column, common)


def _text(column: Column, common: dict[str, Any]) -> dy.String:
    if column.values is not None:
        words = column.values
        return dy.String(check={"known": lambda text: text.is_in(words)}, **common)
    if isinstance(column.kind, Id):
        return dy.String(regex=_ID, **common)
    return dy.String(min_length=1 if isinstance(column.kind, NotEmpty) else None, **common)


def _in_order(order: InOrder) -> Any:  # noqa: ANN401  dataframely calls it on the class
    return lambda _: pl.col(order.earlier) <= pl.col(order.later)


def _is_period(period: ValidityColumns) -> Any:  # noqa: ANN401  dataframely calls it on the class
    return lambda _: pl.col(period.end).is_null() | (pl.col(period.start) < pl.col(period.end))


def checked(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    """`frame` with each row once, every row of it within the contract of `table`; raises ContractBroken otherwise.

    The same row twice is one; two rows that differ under one key break the contract.
    """
    schema = contract(table)
    if schema.is_valid(frame):
        return frame
    failures = schema.filter(frame).failure.counts()
    if set(failures) == {"primary_key"} and (unique := frame.unique(maintain_order=True)).height < frame.height:
        return checked(table, unique)
    for rule, count in failures.items():
        raise ContractBroken(table, rule, count)
    raise AssertionError(f"{table} is not valid, and no rule says why")
