"""Writes an answer as a table, CSV, JSON or Parquet."""

from __future__ import annotations

import shutil
import sys
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING

import click

from verdicts.fetch.input_files import open_output

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from verdicts.commands.options import Output
    from verdicts.pipeline.progress import SafeConsole
    from verdicts.warehouse.serving.query import Answer, Question

_WIDTH = 160
"""Characters of a table that is not on a terminal."""


_TABLE_ROWS = 100_000
"""The most rows of a table, as its columns are measured before the first line. CSV and JSON have no limit."""


_DRAFT_BYTES = 64_000_000
"""The most bytes in memory of an answer to a file; a longer one is drafted on disk."""


def write(question: Question, output: Output) -> int | None:
    """Writes the answer. Returns the number of its rows; None for Parquet without a limit.

    A table without rows is not printed: its caller says so.
    """
    from verdicts.warehouse.serving.query import read_answer, read_batches

    if output.form == "table":
        answer = read_answer(question, rows_max=_TABLE_ROWS)
        if answer.rows or output.target is not None:
            write_answer(answer, output)
        return len(answer.rows)
    if output.form == "parquet":
        written = _write_parquet(question, output.target)
        return written if "limit" in question.values else None
    rows = 0

    def count_rows() -> Iterator[Answer]:
        nonlocal rows
        for batch in read_batches(question):
            rows += len(batch.rows)
            yield batch

    _write_text(_pieces(count_rows(), output), output.target)
    return rows


def write_answer(answer: Answer, output: Output) -> None:
    """Writes `answer` as a table, CSV or JSON."""
    if output.form == "table" and output.target is None:
        print_table(answer, output)
    else:
        _write_text(_pieces([answer], output), output.target)


def print_table(answer: Answer, output: Output | None = None) -> None:
    """Prints `answer` as a table of the terminal's width."""
    from verdicts.pipeline.progress import SafeConsole

    _print(answer, output, SafeConsole(width_elsewhere=_WIDTH))


def _print(answer: Answer, output: Output | None, console: SafeConsole) -> None:
    from verdicts.commands.printing.table import renderables

    options = {} if output is None else {name: getattr(output, name) for name in ("is_expanded", "ids")}
    for renderable in renderables(answer, console, **options):
        console.print(renderable, soft_wrap=not console.is_terminal)


def _pieces(batches: Iterable[Answer], output: Output) -> Iterable[str]:
    from verdicts.warehouse.serving.answer_text import csv_pieces, json_lines, json_pieces

    if output.form == "csv":
        return csv_pieces(batches, is_safe=output.is_safe)
    if output.form == "jsonl":
        return json_lines(batches)
    return json_pieces(batches) if output.form == "json" else (_table_text(batch, output) for batch in batches)


def _write_text(pieces: Iterable[str], target: Path | None) -> None:
    """Writes a file once all pieces are there: a failed question leaves it unchanged."""
    if target is None:
        for piece in pieces:
            sys.stdout.write(piece)
        return
    with SpooledTemporaryFile(_DRAFT_BYTES, "w+", encoding="utf-8", newline="") as draft:
        draft.writelines(pieces)
        draft.seek(0)
        with open_output(target) as file:
            shutil.copyfileobj(draft, file)


def _write_parquet(question: Question, target: Path | None) -> int:
    """The number of rows. DuckDB cannot write Parquet to a pipe, and a failure must leave the target unchanged."""
    from verdicts.warehouse.serving.query import write_parquet

    if target is None and sys.stdout.isatty():
        raise click.UsageError("a terminal cannot show Parquet; write it to a file with --output")
    draft = write_parquet(question)
    # The footer of the file has the number; the question is not asked again.
    (rows,) = question.connection.read_parquet(str(draft)).shape[:1]
    with draft.open("rb") as file:
        if target is None:
            shutil.copyfileobj(file, sys.stdout.buffer)
        else:
            with open_output(target) as written:
                shutil.copyfileobj(file, written.buffer)
    return rows


def _table_text(answer: Answer, output: Output) -> str:
    from io import StringIO

    from verdicts.pipeline.progress import SafeConsole

    text = StringIO()
    _print(answer, output, SafeConsole(file=text, width_elsewhere=_WIDTH))
    return text.getvalue()
