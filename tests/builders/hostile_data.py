r"""A data folder in which every text is hostile: names, takes, addresses, hosts, details, reasons.

Nothing of it could pass extraction unharmed today; a terminal must not depend on that.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import polars as pl

from builders import warehouse_rows as make
from builders.warehouse_files import publish
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.store import checksums
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.record_files import SCHEMA
from verdicts.pipeline.data_folder import DataFolder

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
            WHERE schema_name = 'main' AND data_type IN ('VARCHAR', 'VARCHAR[]')
                AND column_name NOT SIMILAR TO '.*_id|side|word|kind'
            """
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
        state.execute("UPDATE crawls SET status = ?", (ALL,))
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
