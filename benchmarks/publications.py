"""Publishes one folder of several nights of the bundled site again and again, and counts what went wrong.

uv run python -m benchmarks.publications [--nights 5] [--times 50]

The smallest input, which takes seconds: --nights 1 --times 1
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import duckdb

from benchmarks.measuring import markdown_table
from builders.command import published_file, tables_of, verdicts


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--nights", type=int, default=5)
    options.add_argument("--times", type=int, default=50)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        for _ in range(given.nights):
            done = verdicts("run", cwd=home)
            assert done.returncode == 0, done.stderr
        rows = tables_of(home / "data" / "warehouse" / "corpus.duckdb")
        seconds, failed, other_rows = [], [], 0
        for _ in range(given.times):
            began = time.monotonic()
            done = verdicts("publish", cwd=home)
            seconds.append(time.monotonic() - began)
            if done.returncode != 0:
                failed.append(done.stderr.strip())
            other_rows += is_broken(published_file(home / "data")) or tables_of(published_file(home / "data")) != rows
    columns = ("DuckDB", "nights", "publications", "failed", "other rows", "seconds, median")
    row = (duckdb.__version__, given.nights, given.times, len(failed), other_rows, f"{statistics.median(seconds):.1f}")
    print(markdown_table(columns, [tuple(map(str, row))]))
    print(*failed, sep="\n")


def is_broken(corpus: Path) -> bool:
    """Whether any row of any table, view or part of the search index cannot be read."""
    try:
        with duckdb.connect(corpus, read_only=True) as connection:
            named = "SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE NOT internal"
            for (table,) in connection.execute(named).fetchall():
                connection.execute(f"SELECT count(*), sum(hash(found)) FROM {table} AS found").fetchall()
    except duckdb.Error:
        return True
    return False


if __name__ == "__main__":
    main()
