"""The process that answers one SELECT: `python -I sql_child.py COPY`, a question as JSON on standard input.

The answer is a line of JSON: columns, types and rows, each value as DuckDB's text; or an error. It imports nothing of
ours: a question can reach only the copy.
"""

import json
import os
import resource
import sys
import time

import duckdb

ADDRESS_SPACE_BYTES = 3 * 2**30
"""DuckDB itself takes three quarters of a GB of it, a question at most one."""

CPU_SECONDS = 40
"""If the parent process is gone: two threads of 10 s, and as much again."""

ANSWER_CHARS_MAX = 30_000_000
"""The most characters of all texts: both processes hold the whole answer."""

CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "max_temp_directory_size": "0B",
    "memory_limit": "1GB",
    "python_enable_replacements": False,
    "temp_directory": "",
    "threads": 2,
}


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Pages have priority.
    os.nice(5)
    try:
        connection = _open_locked(sys.argv[1])
        answer = _answer_question(connection, json.load(sys.stdin.buffer))
    except duckdb.Error as error:
        answer = {"error": str(error).strip()}
    except MemoryError:
        answer = {"error": "Out of Memory Error: the question needs more memory than it may have"}
    sys.stdout.buffer.write(json.dumps(answer).encode())
    sys.stdout.buffer.flush()
    # Skip the cleanup: memory need not be freed piece by piece.
    os._exit(0)


def _open_locked(copy: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(copy, read_only=True, config=CONFIG)
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET enable_progress_bar = false")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def _answer_question(connection: duckdb.DuckDBPyConnection, question: dict[str, object]) -> dict[str, object]:
    """At most `rows_max` rows, and `cell_chars` characters of a value plus one that shows a cut."""
    sql, rows_max, cell_chars = str(question["sql"]), int(str(question["rows_max"])), int(str(question["cell_chars"]))
    statements = connection.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        return {"error": "only one SELECT is allowed; the corpus is read-only"}
    begun = time.monotonic()
    relation = connection.sql(sql)
    texts = ", ".join(f"left(#{number}::VARCHAR, {cell_chars + 1})" for number in range(1, len(relation.columns) + 1))
    rows = relation.project(texts).limit(rows_max + 1).fetchall()
    if sum(len(value) for row in rows for value in row if value is not None) > ANSWER_CHARS_MAX:
        return {"error": f"the answer has more than {ANSWER_CHARS_MAX:,} characters; ask for fewer rows or columns"}
    return {
        "columns": relation.columns,
        "types": [str(type_) for type_ in relation.types],
        "rows": rows[:rows_max],
        "is_cut": len(rows) > rows_max,
        "elapsed_ms": round(1000 * (time.monotonic() - begun)),
    }


if __name__ == "__main__":
    main()
