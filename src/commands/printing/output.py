"""Writes an answer as a table, CSV, JSON or Parquet."""

from __future__ import annotations

import shutil
import sys
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING

import click

from pipeline.terminal.streams import shown
from warehouse.serving.value_text import csv_pieces, flat, json_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.table import Table

    from commands.options import Output
    from warehouse.serving.query import Answer, Question

_WIDTH = 160
"""Characters of a table that is not shown on a terminal."""

_TABLE_ROWS = 100_000
"""Rows of a table at most: its columns are measured before the first line is printed. CSV and JSON have no such end."""

_DRAFT_BYTES = 64_000_000
"""Of an answer to a file that are held in memory; a longer one is drafted on disk."""

_NUMBERS = ("DECIMAL", "DOUBLE", "FLOAT", "HUGEINT", "BIGINT", "INTEGER", "SMALLINT", "TINYINT")


def write(question: Question, output: Output) -> None:
    """Writes the answer of `question`."""
    from warehouse.serving.query import answer_of, batches_of

    if output.form == "parquet":
        _write_parquet(question, output.target)
    elif output.form == "table":
        write_answer(answer_of(question, rows_max=_TABLE_ROWS), output)
    else:
        _write_text(_pieces(batches_of(question), output), output.target)


def write_answer(answer: Answer, output: Output) -> None:
    """Writes `answer` as a table, CSV or JSON."""
    if output.form == "table" and output.target is None:
        print_table(answer)
    else:
        _write_text(_pieces([answer], output), output.target)


def print_table(answer: Answer) -> None:
    """Prints `answer` as a table, as wide as the terminal."""
    from pipeline.terminal.console import SafeConsole

    SafeConsole(width_elsewhere=_WIDTH).print(_table(answer))


def _pieces(batches: Iterable[Answer], output: Output) -> Iterable[str]:
    if output.form == "csv":
        return csv_pieces(batches, is_safe=output.is_safe)
    return json_pieces(batches) if output.form == "json" else map(_table_text, batches)


def _write_text(pieces: Iterable[str], target: Path | None) -> None:
    """A file is written once all pieces are there: a question that fails leaves it as it was."""
    if target is None:
        for piece in pieces:
            sys.stdout.write(piece)
        return
    with SpooledTemporaryFile(_DRAFT_BYTES, "w+", encoding="utf-8", newline="") as draft:
        draft.writelines(pieces)
        draft.seek(0)
        with target.open("w", encoding="utf-8", newline="") as file:
            shutil.copyfileobj(draft, file)


def _write_parquet(question: Question, target: Path | None) -> None:
    """By way of a temporary file: DuckDB cannot write Parquet to a pipe, and a target is left alone if it fails."""
    from warehouse.serving.query import write_parquet

    if target is None and sys.stdout.isatty():
        raise click.UsageError("Parquet is nothing to be read on a terminal; name a file with --output")
    draft = write_parquet(question)
    if target is not None:
        shutil.copyfile(draft, target)
        return
    with draft.open("rb") as file:
        shutil.copyfileobj(file, sys.stdout.buffer)


def _table_text(answer: Answer) -> str:
    from io import StringIO

    from pipeline.terminal.console import SafeConsole

    text = StringIO()
    SafeConsole(file=text, width_elsewhere=_WIDTH).print(_table(answer))
    return text.getvalue()


def _table(answer: Answer) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for name, type_ in zip(answer.columns, answer.types, strict=True):
        table.add_column(Text(shown(name)), justify="right" if _is_number(type_) else "left", overflow="fold")
    for row in answer.rows:
        table.add_row(*(Text(_cell(flat(value))) for value in row))
    return table


def _is_number(type_: str) -> bool:
    name = type_.partition("(")[0]
    return name.removeprefix("U") in _NUMBERS and not type_.endswith("]")


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return shown(str(value))
