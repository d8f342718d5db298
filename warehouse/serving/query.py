"""One question to a database file, and its answer."""

from collections.abc import Mapping
from pathlib import Path

import duckdb
import polars as pl

from warehouse.storage.connection import first_line, opened
from warehouse.storage.errors import QuestionFailed


def ask(path: Path, sql: str, values: Mapping[str, str | int | None] | None = None) -> pl.DataFrame:
    """The answer of one SELECT (WITH, FROM, DESCRIBE, SHOW and SUMMARIZE are SELECTs too) on a read-only connection.

    `values` are those of its `$name` parameters.

    Raises QuestionFailed for any other statement, for several at once, and for whatever DuckDB objects to;
    WarehouseLocked and WarehouseBroken when the file cannot be opened.
    """
    with opened(path, is_read_only=True) as connection:
        try:
            asked = connection.extract_statements(sql)
            if len(asked) != 1 or asked[0].type != duckdb.StatementType.SELECT:
                raise QuestionFailed("a question is exactly one SELECT")
            answer: pl.DataFrame = connection.sql(sql, params=dict(values or {})).pl()
        except duckdb.Error as error:
            raise QuestionFailed(first_line(error)) from error
        except pl.exceptions.PolarsError as error:
            # DuckDB's INTERVAL has no counterpart in polars.
            raise QuestionFailed("the answer has a column that cannot be shown; cast it to VARCHAR") from error
        return answer
