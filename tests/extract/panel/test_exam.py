"""Pages and answer keys by another author, who did not know the reader: `exam3`, where it is beside this checkout."""

import csv
import hashlib
import importlib
import sys
from collections import Counter

import duckdb
import pytest

from builders import exam_site
from builders.command import run_well
from builders.paths import SHARED

EXAM = SHARED / "exam3"
DIGEST = "6bf3871ed4f20eaf77b1f747cf686b60296c170d63aee90fe2fcfe0e33f20af8"
"""Of the exam's files: floors measured on another exam say nothing."""

FLOORS = {"one kind": 377, "two kinds": 229}
"""Pages that are right whole, of 417 with one kind of change and 240 with two. 379 and 231 were measured."""


OLD_NAMES = """
    CREATE SCHEMA old;
    CREATE VIEW old.pages AS FROM corpus.main.pages WHERE kind = 'panel';
    CREATE VIEW old.verdicts AS SELECT * RENAME (panel_verdict AS verdict) FROM corpus.main.verdicts;
    CREATE VIEW old.reviews AS SELECT * RENAME (reviewer AS seat) FROM corpus.main.reviews;
    CREATE VIEW old.documents AS SELECT *, kind AS claim FROM corpus.main.pages WHERE kind <> 'panel';
    CREATE VIEW old.compared_tools AS
        SELECT pages.url, mentions.* FROM corpus.main.mentions JOIN corpus.main.pages USING (page_id)
        WHERE pages.kind <> 'panel';
    SET search_path = 'memory.old,corpus.main,corpus.evidence,corpus.history,corpus.outside,corpus.ops';
"""
"""The exam asks for some relations and columns by other names."""


def open_as_the_exam_asks(exam, path):
    database = object.__new__(exam.DB)
    database.con = duckdb.connect()
    database.con.execute(f"ATTACH '{path}' AS corpus (READ_ONLY); {OLD_NAMES}")
    return database


@pytest.fixture
def exam(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAM))
    monkeypatch.setitem(sys.modules, "hidden_site", exam_site)
    before = set(sys.modules)
    yield importlib.import_module("exam")
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(EXAM) in str(sys.modules[name].__file__):
            del sys.modules[name]


@pytest.mark.whole
@pytest.mark.skipif(not EXAM.is_dir(), reason="the exam is not beside this checkout")
def test_the_pages_of_another_author_are_read_and_nothing_is_silent(exam, tmp_path, monkeypatch):
    files = sorted(path for path in EXAM.glob("*.py"))
    assert hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest() == DIGEST
    cases = exam.panel.build()
    monkeypatch.setattr(exam, "build_panel", lambda: cases)
    monkeypatch.setattr(exam, "panel_price_pages", list)
    pages = tmp_path / "pages"
    pages.mkdir()
    rows = [("path", "url")]
    for number, (_, _, page) in enumerate(cases):
        rows.append((f"{number:04}.{page.ext}", page.url))
        (pages / rows[-1][0]).write_text(page.render(), encoding="utf-8", errors="replace", newline="")
    with (pages / "urls.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    run_well("ingest", pages, "--urls", pages / "urls.csv", "--data", tmp_path / "data", cwd=tmp_path)
    path = run_well("path", "--data", tmp_path / "data", cwd=tmp_path).stdout.strip()
    book = exam.Book()
    database = open_as_the_exam_asks(exam, path)
    exam.judge_panel(database, book)
    database.con.close()
    silent = [(kind, *finding) for kind, found in book.ex.items() for finding in found if "SILENT" in finding[0]]
    assert silent == []
    right = Counter()
    for kind, states in book.pages.items():
        right["two kinds" if kind.startswith("pair") else "one kind"] += sum(one.startswith("right") for one in states)
    assert {group: right[group] for group, floor in FLOORS.items() if right[group] < floor} == {}
