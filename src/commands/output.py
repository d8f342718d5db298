"""Writes an answer as a table, CSV, JSON or Parquet."""

import json
import sys
from datetime import datetime
from io import StringIO
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.table import Table
from rich.text import Text

FORMATS = ("table", "csv", "json", "parquet")

_WIDTH = 160
"""Characters of a table that is not shown on a terminal."""


def write(frame: pl.DataFrame, form: str, target: Path | None = None) -> None:
    """Writes `frame` in one of FORMATS to the file `target`, to standard output where that is None."""
    if form == "parquet":
        frame.write_parquet(sys.stdout.buffer if target is None else target, compression="zstd")
        return
    if form == "table" and target is None:
        Console(width=None if sys.stdout.isatty() else _WIDTH).print(_table(frame))
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
    shown = StringIO()
    Console(file=shown, width=_WIDTH).print(_table(frame))
    return shown.getvalue()


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """CSV has no lists: those become JSON."""
    nested = [name for name, dtype in frame.schema.items() if dtype.is_nested()]
    return frame.with_columns(pl.Series(name, map(_as_json, frame[name].to_list()), dtype=pl.String) for name in nested)


def _as_json(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _table(frame: pl.DataFrame) -> Table:
    table = Table()
    for name, dtype in frame.schema.items():
        table.add_column(Text(name), justify="right" if dtype.is_numeric() else "left", overflow="fold")
    for row in _flat(frame).iter_rows():
        table.add_row(*(Text(_shown(value)) for value in row))
    return table


def _shown(value: object) -> str:
    """Page text can hold escape sequences, which would act on the terminal."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in str(value))
