"""Writes an answer as a table, CSV, JSON or Parquet."""

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table
from rich.text import Text

FORMATS = ("table", "csv", "json", "parquet")


def write(frame: pl.DataFrame, form: str, target: Path | None = None) -> None:
    """Writes `frame` in one of FORMATS to the file `target`, to standard output where that is None."""
    if form == "parquet":
        frame.write_parquet(sys.stdout.buffer if target is None else target, compression="zstd")
        return
    if form == "table" and target is None:
        Console().print(_table(frame))
        return
    text = _as_text(frame, form)
    if target is None:
        sys.stdout.write(text)
    else:
        target.write_text(text, encoding="utf-8")


def _as_text(frame: pl.DataFrame, form: str) -> str:
    if form == "csv":
        return _flat(frame).write_csv()
    if form == "json":
        return frame.write_json() + "\n"
    console = Console(file=StringIO(), width=160)
    console.print(_table(frame))
    return console.file.getvalue()  # type: ignore[attr-defined]  # the StringIO above


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """CSV has no lists: those become JSON."""
    nested = [name for name, dtype in frame.schema.items() if dtype.is_nested()]
    return frame.with_columns(
        pl.Series(name, [None if value is None else _as_json(value) for value in frame[name].to_list()], dtype=pl.String)
        for name in nested
    )


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _table(frame: pl.DataFrame) -> Table:
    table = Table()
    for name, dtype in frame.schema.items():
        table.add_column(Text(name), justify="right" if dtype.is_numeric() else "left", overflow="fold")
    for row in _flat(frame).iter_rows():
        table.add_row(*(Text(_shown(value)) for value in row))
    return table


def _shown(value: Any) -> str:
    """Page text can hold escape sequences, which would act on the terminal."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}" if value != round(value, 2) else str(value)
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in str(value))
