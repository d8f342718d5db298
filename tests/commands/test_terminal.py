"""Whatever the corpus, the log and the call hold, nothing of it acts on the terminal it is shown on."""

import re
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import polars as pl
import pytest

from builders import warehouse_rows as make
from builders.command import STYLES, terminal, verdicts
from builders.warehouse_files import publish
from builders.warehouse_rows import an_id
from verdicts.commands.cli import main
from verdicts.corpus.declare import SCHEMAS
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.store import checksums
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import exit_codes, progress
from verdicts.pipeline.build.record_files import SCHEMA
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.terminal import SafeStream, escape_controls, escape_line

HOSTILE = (
    "\x1b]0;OWNED\x07",  # sets the title of the window
    "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\",  # a link
    "\x1b[31m\x1b[2J\x1b[6n",  # colours, clears, asks for the place of the cursor
    "\x9b2J\x9d0;OWNED\x9c",  # the same in C1
    "\r\x00\x08\x7f\x0b\x0c\x85",
    "\u202egnp.exe\u2066\u2069\u200e\u2028\u2029\ufeff\u200b",
    "[red]not red[/red][link=http://evil.example]no link[/link]:skull:",
)

ALL = "x" + "".join(HOSTILE)


def hostile_folder(root: Path, corpus: Path) -> DataFolder:
    """A data folder with a published corpus, a warehouse that differs from it, a crawl and records."""
    folder = DataFolder(root)
    folder.warehouse.parent.mkdir(parents=True)
    shutil.copyfile(corpus, folder.warehouse)
    copy = publish(folder.warehouse, folder.serve, at=make.NIGHT)
    copy.chmod(0o644)
    _spoil_texts(copy)
    copy.chmod(0o444)
    _spoil_state(folder)
    _write_lost_pages(folder)
    return folder


def _spoil_texts(database: Path) -> None:
    """Every text that is no id and no word of a fixed list; the search has words of its own."""
    with duckdb.connect(database) as connection:
        columns = connection.execute(
            """
            SELECT schema_name, table_name, column_name, data_type
            FROM duckdb_columns() JOIN duckdb_tables() USING (database_name, schema_name, table_name)
            WHERE list_contains($schemas, schema_name) AND data_type IN ('VARCHAR', 'VARCHAR[]')
                AND column_name NOT SIMILAR TO '.*_id|side|word|kind|content_hash'
            """,
            {"schemas": [*SCHEMAS]},
        ).fetchall()
        for schema, table, column, type_ in columns:
            value = "[$text]" if type_.endswith("]") else f"$text || {column}"
            connection.execute(f"UPDATE {schema}.{table} SET {column} = {value}", {"text": ALL})


def _spoil_state(folder: DataFolder) -> None:
    """A crawl that skipped, failed and logged, on a host with a hostile name."""
    with open_store(folder.root, command="test") as store:
        run = store.begin(new_run_id(make.NIGHT), "crawl", make.NIGHT)
        store.finish(run.crawl_id, make.NIGHT)
    with closing(sqlite3.connect(folder.state)) as state, state:
        state.execute("INSERT INTO skips VALUES (?, ?, 'not_due', 3, ?, NULL)", (run.crawl_id, ALL, f"http://{ALL}/"))
    # The digest that would say that another program wrote here.
    checksums.forget(folder.state)


def _write_lost_pages(folder: DataFolder) -> None:
    """Pages that were comparisons and are none: the gate is shut and names them."""
    folder.records.mkdir()
    for run, kind in (("run-1", "comparison"), ("run-2", "document")):
        rows = [{"url": f"http://{ALL}/{number}", "crawl_id": run, "kind": kind} for number in range(5)]
        pl.DataFrame(rows).select(
            *(pl.col(name) if name in rows[0] else pl.lit(None, dtype).alias(name) for name, dtype in SCHEMA.items())
        ).write_parquet(folder.records / f"{run}.parquet")


ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\u200b]")

CALLS = [
    ("status",),
    ("check",),
    ("sql", "SELECT text, renderings FROM pages, reviews"),
    ("sql", "SELECT text, renderings FROM pages, reviews", "--expanded"),
    ("sql", f"SELECT 1 AS '{ALL.replace(chr(0), '')}'"),
    ("sql", "FROM reviews", "--format", "csv"),
    ("sql", "FROM reviews", "--format", "csv", "--safe"),
    ("sql", "FROM reviews", "--format", "json"),
    ("sql", f"SELECT error('{HOSTILE[0]}{HOSTILE[3]}')"),
    ("sql", f"FROM read_csv('{HOSTILE[0]}')"),
    ("query", "coverage_by_host"),
    ("query", HOSTILE[0]),
    ("query", "coverage_by_host", f"{HOSTILE[3]}=1"),
    ("search", "alpha"),
    ("search", "alpha", "--format", "csv"),
    ("show", an_id("alpha")),
    ("show", an_id("alpha-vs-beta")),
    ("show", HOSTILE[2]),
    ("diff",),
    ("diff", "--table", "tools"),
    ("diff", HOSTILE[0]),
    ("export", f"none/{HOSTILE[0]}", "--format", HOSTILE[2]),
    ("crawl", "--dry-run", "--config", f"{HOSTILE[0]}{HOSTILE[5]}.toml"),
    ("path", "--data", HOSTILE[3]),
    ("status", "--data", HOSTILE[5]),
    (HOSTILE[1],),
]


@pytest.fixture(scope="module")
def home(hand_made, tmp_path_factory):
    home = tmp_path_factory.mktemp("hostile")
    hostile_folder(home / "data", hand_made)
    return home


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
@pytest.mark.share(2)
def test_no_command_lets_an_escape_through(home, monkeypatch, term):
    monkeypatch.chdir(home)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLUMNS", "200")
    for call in CALLS:
        with terminal(monkeypatch) as written:
            monkeypatch.setattr(sys, "argv", ["verdicts", *call])
            with pytest.raises(SystemExit) as ended:
                main()
        text = b"".join(written).decode().replace("\r\n", "\n")
        assert ended.value.code in {*exit_codes.EXIT_CODES.values(), 0}, call
        assert "Traceback" not in text, call
        if term != "dumb":
            # What rich writes. No value of the corpus may: on a dumb terminal there is none of it.
            text = STYLES.sub("", text)
        assert ACTS.findall(text) == [], (call, text)
        if call in (("status",), ("diff",), ("search", "alpha")):
            assert ended.value.code == 0, text
        if call[0] in ("sql", "show") or call == ("status",):
            assert "\\x1b" in text or "\\u001b" in text, (call, text)
        if "alpha" in call and "csv" in call:
            assert "[red]not red[/red][link=http://evil.example]no link[/link]:skull:" in text


def test_a_state_with_words_of_another_program_is_damaged(home, tmp_path):
    shutil.copytree(home / "data", tmp_path / "data")
    folder = DataFolder(tmp_path / "data")
    with closing(sqlite3.connect(folder.state)) as state, state:
        state.execute("UPDATE crawls SET status = ?", (ALL,))
    checksums.forget(folder.state)
    told = verdicts("status", cwd=tmp_path)
    assert told.returncode == exit_codes.STORAGE
    assert "state.sqlite" in told.stderr
    assert "verdicts repair" in told.stderr
    assert ACTS.findall(told.stderr) == []


def test_what_a_program_reads_is_exact(home):
    """In a process of its own, standard output a pipe."""
    question = "SELECT any_value(text) FILTER (starts_with(text, 'x')) AS text FROM reviews"
    done = verdicts("sql", question, "--format", "csv", cwd=home)
    assert "".join(HOSTILE[:4]) in done.stdout
    told = verdicts("show", HOSTILE[0], cwd=home)
    assert "\x1b" not in told.stderr
    assert "\\x1b]0;OWNED\\x07" in told.stderr


def test_progress_lines_and_tracebacks_too(monkeypatch):
    with terminal(monkeypatch) as written:
        with progress.step("crawl", "addresses") as advance:
            advance(1, 2)
            progress.say(f"crawl: {ALL}")
        stream = SafeStream(sys.stderr)
        print(f"ValueError: {HOSTILE[0]}", file=stream)
    text = b"".join(written).decode()
    assert "]0;OWNED\\x07" in text
    assert "\x1b]" not in text
    assert "\x1b[2J" not in text
    assert "\x9b" not in text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain – ‘words’, 日本語, 👩‍👩‍👧, می‌خواهم\n\ta\u00a0b", None),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x00\x07\r\x7f\x85\x9b", "\\x00\\x07\\r\\x7f\\x85\\x9b"),
        ("a\u202eb\u2066c\u2028d\ufeff", "a\\u202eb\\u2066c\\u2028d\\ufeff"),
        ("\udc9b\U000e0041", "\\udc9b\\U000e0041"),
    ],
)
def test_what_acts_is_escaped_and_what_does_not_is_left(text, safe):
    assert escape_controls(text) == (text if safe is None else safe)
    assert escape_controls(escape_controls(text)) == escape_controls(text)
    assert escape_line("a\nb\tc") == "a\\nb\\tc"
