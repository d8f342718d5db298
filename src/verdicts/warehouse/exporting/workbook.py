"""Writes a dataset as an Excel workbook, a sheet for each table, within the limits of Excel.

https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3 has the limits.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import xlsxwriter
from xlsxwriter.exceptions import FileCreateError
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from verdicts.warehouse.exporting.card import Edition
from verdicts.warehouse.exporting.contents import read_rows
from verdicts.warehouse.serving.answer_text import FORMULA, cell_text

ROWS_MAX = 1_048_576
"""Rows of a sheet with its heading. More continue on a further sheet."""

_TEXT_MAX, _CUT = 32_767, " [...]"
"""UTF-16 units of a cell; an emoji takes two. A longer text is dropped or damages the file: XlsxWriter 369 and 812."""

_NAME_MAX = 31
"""Letters of a sheet's name."""

_INTEGER_MAX = 10**15
"""Excel keeps 15 digits."""

_YEAR_LEAST = 1901
"""Excel has no time before 1900, and a 29 February 1900."""

_LINE_END = re.compile("\r\n?")
"""In a cell a line ends with a line feed alone."""


class _Book:
    """The workbook with its formats, and how many texts of a table had to be cut."""

    def __init__(self, book: xlsxwriter.Workbook) -> None:
        self._book = book
        self._heading: Format = book.add_format({"bold": True})
        self._time: Format = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        # Else Excel computes `=1+1` once somebody edits its cell.
        self._quoted: Format = book.add_format({"quote_prefix": True})
        self.cut = 0

    def add_sheet(self, name: str, heading: Sequence[str], number: int = 1) -> Worksheet:
        suffix = "" if number == 1 else f" ({number})"
        sheet = self._book.add_worksheet(name[: _NAME_MAX - len(suffix)] + suffix)
        sheet.freeze_panes(1, 0)
        for column, text in enumerate(heading):
            sheet.write_string(0, column, text, self._heading)
        return sheet

    def write_row(self, sheet: Worksheet, number: int, values: Sequence[Any]) -> None:
        for column, value in enumerate(values):
            if isinstance(value, bool):
                sheet.write_boolean(number, column, value)
            elif isinstance(value, int | float) and abs(value) < _INTEGER_MAX:
                sheet.write_number(number, column, value)
            elif isinstance(value, datetime) and value.year >= _YEAR_LEAST:
                sheet.write_datetime(number, column, value.replace(tzinfo=None), self._time)
            elif (text := cell_text(value)) is not None:
                fitting = self._fit(_LINE_END.sub("\n", text))
                sheet.write_string(number, column, fitting, self._quoted if FORMULA.match(fitting) else None)

    def _fit(self, text: str) -> str:
        units = text.encode("utf-16-le")
        if len(units) <= 2 * _TEXT_MAX:
            return text
        self.cut += 1
        return units[: 2 * (_TEXT_MAX - len(_CUT))].decode("utf-16-le", errors="ignore") + _CUT


@contextmanager
def _system_errors() -> Iterator[None]:
    """Raises the error of the system, such as a full disk, that XlsxWriter wraps."""
    try:
        yield
    except FileCreateError as error:
        raise error.args[0] from None


def write_workbook(path: Path, connection: duckdb.DuckDBPyConnection, edition: Edition) -> list[str]:
    """Writes the sheets `about` and `columns`, and one or more for each table. Returns what Excel could not hold."""
    notes = []
    loaded_at = edition.manifest.loaded_at or datetime(2000, 1, 1)  # noqa: DTZ001  any time that stays
    with (
        _system_errors(),
        TemporaryDirectory(prefix=".verdicts-", dir=path.parent) as drafts,
        xlsxwriter.Workbook(path, {"constant_memory": True, "tmpdir": drafts}) as opened,
    ):
        opened.set_properties({"title": edition.title, "created": loaded_at.replace(tzinfo=None)})
        book = _Book(opened)
        for name, heading, rows in (
            ("about", ("", "this dataset"), edition.about.items()),
            ("columns", ("table", "column", "type", "meaning"), edition.columns),
        ):
            sheet = book.add_sheet(name, heading)
            for number, row in enumerate(rows, start=1):
                book.write_row(sheet, number, row)
        for table in edition.tables:
            names, sheets, book.cut = [column.name for column in table.columns], 1, 0
            sheet, number = book.add_sheet(table.name, names), 0
            for values in read_rows(connection, table.name):
                number += 1
                if number == ROWS_MAX:
                    sheets, number = sheets + 1, 1
                    sheet = book.add_sheet(table.name, names, sheets)
                book.write_row(sheet, number, values)
            if sheets > 1:
                notes.append(f"{table.name} has more rows than a sheet of Excel, so it has {sheets} sheets")
            if book.cut:
                notes.append(f"{book.cut:,} texts of {table.name} are longer than a cell of Excel and end with{_CUT}")
    return notes
