"""A workbook and a SQLite file have the rows of a dataset, within the limits of their programs."""

import errno
import os
import sqlite3
import zipfile
from contextlib import closing
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace
from xlsxwriter.exceptions import FileCreateError

from builders import warehouse_rows as make
from builders.warehouse_files import load_corpus
from verdicts.warehouse.exporting import workbook
from verdicts.warehouse.exporting.contents import DatasetSettings
from verdicts.warehouse.exporting.single_file import export_file

ODD = '=HYPERLINK("http://evil.example")'
LONG = "\U0001f600" * 20_000
CONTROL = "a\x0bb _x0041_ c\r\nd"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path, rows = tmp_path_factory.mktemp("corpus") / "corpus.duckdb", make.corpus()
    tools = rows["tools"]
    rows["tools"] = [
        replace(tools[0], tagline=ODD), replace(tools[1], tagline=LONG), replace(tools[2], tagline=CONTROL), *tools[3:]
    ]  # fmt: skip
    load_corpus(path, rows)
    return path


def cells(path, sheet):
    """The cells of a sheet: text or number, by the XML itself. A formula would be an element `f`."""
    with zipfile.ZipFile(path) as book:
        names = [one.get("name") for one in ET.fromstring(book.read("xl/workbook.xml")).findall(".//{*}sheet")]
        found = ET.fromstring(book.read(f"xl/worksheets/sheet{names.index(sheet) + 1}.xml"))
    assert found.findall(".//{*}f") == []
    return names, [["".join(cell.itertext()) for cell in row.findall("{*}c")] for row in found.findall(".//{*}row")]


def test_a_workbook_keeps_every_text_a_text_and_says_what_it_cut(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(workbook, "ROWS_MAX", 3)
    report = export_file(corpus, tmp_path / "corpus.xlsx", DatasetSettings(title="Mine", tables=("tools", "reviews")))
    names, rows = cells(report.target, "tools")
    assert names == ["about", "columns", "tools", "tools (2)", "reviews", "reviews (2)"]
    more = cells(report.target, "tools (2)")[1]
    assert rows[0] == more[0]
    texts = {row[rows[0].index("tagline")] for row in (*rows[1:], *more[1:]) if len(row) > rows[0].index("tagline")}
    (cut,) = (text for text in texts if "\U0001f600" in text)
    assert len(cut.encode("utf-16-le")) // 2 <= 32_767
    assert ODD in texts
    assert "a_x000B_b _x005F_x0041_ c\nd" in texts, "control characters in Excel's own writing"
    assert len(report.notes) == 3
    assert any("1 texts of tools are longer" in note for note in report.notes)
    assert ["title", "Mine"] in cells(report.target, "about")[1]


def test_two_workbooks_of_one_corpus_have_the_same_bytes(corpus, tmp_path):
    first, second = (
        export_file(corpus, tmp_path / name, DatasetSettings(tables=("tools",))).target.read_bytes()
        for name in ("first.xlsx", "second.xlsx")
    )
    assert first == second


def test_a_sqlite_file_has_all_rows_with_keys_and_references(corpus, tmp_path):
    path = export_file(corpus, tmp_path / "corpus.sqlite", DatasetSettings(tables=("tools", "reviews"))).target
    with closing(sqlite3.connect(path)) as file:
        assert set(file.execute("SELECT tagline FROM tools").fetchall()) >= {(ODD,), (LONG,), (CONTROL,)}
        joined = "SELECT count(*) FROM reviews JOIN tools USING (tool_id)"
        assert file.execute(joined).fetchone() == (len(make.corpus()["reviews"]),)
        assert [(row[2], row[3]) for row in file.execute("PRAGMA foreign_key_list(reviews)")] == [("tools", "tool_id")]
        assert file.execute("PRAGMA foreign_key_check").fetchall() == []
        assert file.execute("SELECT DISTINCT typeof(hosts), json_type(hosts) FROM reviews").fetchall() == [
            ("text", "array")
        ]
    assert [file.name for file in tmp_path.iterdir()] == ["corpus.sqlite"]


def test_a_file_that_cannot_be_written_is_told_by_the_system_and_leaves_nothing(corpus, tmp_path, monkeypatch):
    def refuse(*_):
        raise FileCreateError(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))

    monkeypatch.setattr("xlsxwriter.Workbook.close", refuse)
    with pytest.raises(OSError, match="No space left"):
        export_file(corpus, tmp_path / "corpus.xlsx", DatasetSettings(tables=("tools",)))
    assert [*tmp_path.iterdir()] == []
