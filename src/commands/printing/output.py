"""Writes an answer as a table, CSV, JSON or Parquet."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

from commands.printing.value_text import csv_text, flat, json_text

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyRelation
    from rich.table import Table

    from warehouse.serving.query import Answer

_WIDTH = 160
"""Characters of a table that is not shown on a terminal."""

_NUMBERS = ("DECIMAL", "DOUBLE", "FLOAT", "HUGEINT", "BIGINT", "INTEGER", "SMALLINT", "TINYINT")


def write(relation: DuckDBPyRelation, form: str, target: Path | None = None) -> None:
    """Writes the rows of `relation` in one of FORMATS to the file `target`; None is standard output."""
    from warehouse.serving.query import answer_of

    if form == "parquet":
        _write_parquet(relation, target)
    else:
        write_answer(answer_of(relation), form, target)


def write_answer(answer: Answer, form: str, target: Path | None = None) -> None:
    """Writes `answer` as a table, CSV or JSON to the file `target`; None is standard output."""
    if form == "table" and target is None:
        print_table(answer)
        return
    text = {"csv": csv_text, "json": json_text, "table": _table_text}[form](answer)
    if target is None:
        sys.stdout.write(text)
    else:
        target.write_text(text, encoding="utf-8")


def print_table(answer: Answer) -> None:
    """Prints `answer` as a table, as wide as the terminal."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else _WIDTH).print(_table(answer))


def _write_parquet(relation: DuckDBPyRelation, target: Path | None) -> None:
    """By way of a temporary file: DuckDB cannot write Parquet to a pipe, and a target is left alone if it fails."""
    import shutil
    import tempfile
    from pathlib import Path

    from warehouse.serving.query import write_parquet

    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / "answer.parquet"
        write_parquet(relation, draft)
        if target is not None:
            shutil.copyfile(draft, target)
            return
        with draft.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)


def _table_text(answer: Answer) -> str:
    from io import StringIO

    from rich.console import Console

    text = StringIO()
    Console(file=text, width=_WIDTH).print(_table(answer))
    return text.getvalue()


def _table(answer: Answer) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for name, type_ in zip(answer.columns, answer.types, strict=True):
        table.add_column(Text(name), justify="right" if _is_number(type_) else "left", overflow="fold")
    for row in answer.rows:
        table.add_row(*(Text(_cell(flat(value))) for value in row))
    return table


def _is_number(type_: str) -> bool:
    name = type_.partition("(")[0]
    return name.removeprefix("U") in _NUMBERS and not type_.endswith("]")


def _cell(value: object) -> str:
    """Page text can hold escape sequences, which would act on the terminal."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in str(value))
