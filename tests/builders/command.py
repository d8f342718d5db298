"""The command line as its users call it: a process of its own."""

import subprocess
import sys
from pathlib import Path

import duckdb

JOURNAL = ("crawls", "fetches", "loads", "load_counts")
"""Tables in which a night notes that it was."""

RUN_MAIN = "from commands.cli import main; main()"


def verdicts(*args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-c", RUN_MAIN, *map(str, args)]
    return subprocess.run(call, cwd=cwd, capture_output=True, text=True, timeout=240, check=False)


def tables_of(
    corpus: Path, *, without: tuple[str, ...] = JOURNAL, without_columns: frozenset[str] = frozenset()
) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, sorted, for comparing two states of a corpus."""
    with duckdb.connect(str(corpus), read_only=True) as connection:
        names = connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' ORDER BY ALL"
        ).fetchall()
        return {
            name: sorted(
                connection.execute(f'SELECT {_columns(connection, name, without_columns)} FROM "{name}"').fetchall(),
                key=repr,
            )
            for (name,) in names
            if name not in without
        }


def _columns(connection: duckdb.DuckDBPyConnection, table: str, without: frozenset[str]) -> str:
    names = [name for name, *_ in connection.execute(f'DESCRIBE "{table}"').fetchall()]
    return ", ".join(f'"{name}"' for name in names if name not in without)


def published_file(data: Path) -> Path:
    return data / "serve" / (data / "serve" / "current").read_text().strip()
