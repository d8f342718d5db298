"""Makes a copy of the warehouse for readers, with the index of the full text search.

The search is BM25 in plain SQL: it takes a tenth of a second for a million reviews, and a reader needs no extension.
Snowball stems the words here, so that the macros `search`, `search_tools` and `search_reviews` need only SQL.
"""

import re
import shutil
from datetime import datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import duckdb
import snowballstemmer

from verdicts.corpus.tables import TABLES
from verdicts.warehouse.schema.declared import declare, leave_to_readers
from verdicts.warehouse.storage.connection import open_database, open_for_writing
from verdicts.warehouse.storage.sql_files import count, declarations, read_sql
from verdicts.warehouse.storage.warehouse_errors import WarehouseBroken

REBUILD_SHARE = 0.2
"""If a larger share of the texts is new or outdated, the index is rebuilt: faster, and postings stay in order."""

AT_A_TIME = 100_000
"""Texts that are indexed at once: 1.7 million took 18 GB of memory."""

INDEXES = (
    ("appearances", "page_id"),
    ("reviews", "review_id"),
    ("reviews", "tool_id"),
    ("evidence.tool_cards", "page_id"),
)
"""Table and column of each index of a copy, for pages that look up one id.

A look-up among a million reviews takes 20 to 90 ms of CPU without an index and 3 to 20 ms with one. An index on
`appearances(review_id)` would take 100 MB to save 20 ms. `tools` and `matches` are sorted by tool_id: an index would
take 18 MB to save 1 ms. The loader's own file has no index, because it would make loads slower.
"""

_HEAD = re.compile(r"\A\s*CREATE OR REPLACE VIEW ([\w.]+) AS\b")


def make_copy(warehouse_path: Path, draft: Path, at: datetime) -> str:
    """Makes the file at `draft` a copy of the warehouse for readers; returns the id of its last load.

    First, it updates the schema and the search index of the warehouse. In the copy every view is a table of its rows.
    Raises WarehouseLocked, WarehouseBroken, MemoryShort.
    """
    with open_for_writing(warehouse_path) as connection:
        declare(connection, warehouse_path, at=at)
        bring_index_up_to_date(connection)
        last = connection.execute(read_sql("schema/catalog")["last_load"]).fetchall()
    # It stays open during the copy. Otherwise a build in another process could change it.
    with open_database(warehouse_path) as connection:
        connection.execute("CHECKPOINT")
        rows = {table.relation: count(connection, table.relation) for table in TABLES.values()}
        shutil.copyfile(warehouse_path, draft)
    with open_for_writing(draft) as connection:
        for sql in declarations("schema/views").values():
            _make_table_from_view(connection, sql)
        for table, column in INDEXES:
            connection.execute(f"CREATE INDEX {table.rpartition('.')[2]}_by_{column} ON {table} ({column})")
        leave_to_readers(connection)
    _check_opens(draft, rows)
    return str(last[0][0]) if last else f"{at:%Y%m%dT%H%M%SZ}-0000"


def _make_table_from_view(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Replaces the view with a table that has its rows, name and comments."""
    view, comment, *of_columns = connection.extract_statements(sql)
    connection.execute(_HEAD.sub(r"DROP VIEW \1;\nCREATE TABLE \1 AS", view.query, count=1))
    connection.execute(comment.query.replace("COMMENT ON VIEW", "COMMENT ON TABLE", 1))
    for column in of_columns:
        connection.execute(column)


def _check_opens(draft: Path, rows: dict[str, int]) -> None:
    """Opens the finished file and compares the number of rows of each table. Raises WarehouseBroken."""
    with open_database(draft, is_read_only=True) as connection:
        for table, expected in rows.items():
            if (copied := count(connection, table)) != expected:
                raise WarehouseBroken(draft, f"it has {copied:,} rows of {table}, and the warehouse has {expected:,}")


def bring_index_up_to_date(connection: duckdb.DuckDBPyConnection) -> None:
    """Indexes new and changed texts, and removes texts that are gone and words that no text has."""
    sql = read_sql("serving/search")
    connection.execute(f"CREATE OR REPLACE TEMP VIEW texts AS {sql['texts']}")
    connection.execute(f"CREATE OR REPLACE TEMP TABLE outdated AS {sql['outdated']}")
    outdated, indexed, texts = (count(connection, name) for name in ("outdated", "search.indexed", "texts"))
    if outdated + (texts - indexed + outdated) > REBUILD_SHARE * texts:
        for table in ("postings", "indexed", "words"):
            connection.execute(f"DELETE FROM search.{table}")  # noqa: S608  ours
    elif outdated:
        connection.execute("DELETE FROM search.postings WHERE document IN (FROM outdated)")
        connection.execute("DELETE FROM search.indexed WHERE document IN (FROM outdated)")
        connection.execute("DELETE FROM search.words WHERE term NOT IN (SELECT term FROM search.postings)")
    connection.execute(f"CREATE OR REPLACE TEMP TABLE small_words AS {sql['small_words']}")
    # Numbered once: sorting the rest again for each batch would take quadratic time.
    connection.execute(f"CREATE OR REPLACE TEMP TABLE missing AS {sql['missing']}")
    numbers = "SELECT coalesce(min(document), 0), coalesce(max(document) + 1, 0) FROM missing"
    ((first, end),) = connection.execute(numbers).fetchall()
    for begin in range(first, end, AT_A_TIME):
        within = {"first": begin, "last": begin + AT_A_TIME - 1}
        connection.execute(f"CREATE OR REPLACE TEMP TABLE arrived AS {sql['arrived']}", within)
        connection.execute(f"CREATE OR REPLACE TEMP TABLE said AS {sql['said']}")
        connection.execute(f"INSERT INTO search.indexed {sql['new_documents']}")
        _stem(connection, sql["new_words"])
        connection.execute(f"INSERT INTO search.words {sql['numbered_words']}")
        connection.execute(f"INSERT INTO search.postings {sql['new_postings']}")
    connection.execute(f"CREATE OR REPLACE TEMP TABLE gone AS {sql['gone_names']}")
    connection.execute("DELETE FROM search.names WHERE tool_id IN (FROM gone)")
    connection.execute(f"INSERT INTO search.names {sql['new_names']}")


def _stem(connection: duckdb.DuckDBPyConnection, new_words: str) -> None:
    """Makes the temporary table `stemmed`: language, spelling and stem of each new word, and whether it is common."""
    words = connection.execute(new_words).fetchall()
    columns = {
        "language": [language for language, _ in words],
        "spelling": [spelling for _, spelling in words],
        "stem": [_stemmer(language).stemWord(spelling) for language, spelling in words],
        "is_common": [spelling in _common_words(language) for language, spelling in words],
    }
    unnested = ", ".join(f"unnest(${name}) AS {name}" for name in columns)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE stemmed AS SELECT {unnested}", columns)


_stemmer = cache(snowballstemmer.stemmer)


@cache
def _common_words(language: str) -> frozenset[str]:
    """The words of jusText's list of a language. The lists are read without importing jusText, which takes 0.2 s."""
    package = find_spec("justext")
    assert package is not None
    assert package.origin is not None
    name = {"norwegian": "Norwegian_Bokmal"}.get(language, language.capitalize())
    words = Path(package.origin).parent / "stoplists" / f"{name}.txt"
    return frozenset(words.read_text(encoding="utf-8").lower().split())
