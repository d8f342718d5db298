"""The index of the full text search, kept in the same file as the texts and updated by what is new.

BM25 over postings in plain SQL: a search of a million reviews takes a tenth of a second, without an extension that a
reader would have to load. Words are stemmed here, by Snowball, and kept beside their stems, so that the macros
`search`, `search_tools` and `search_reviews` need SQL alone.
"""

import duckdb
import snowballstemmer

from verdicts.warehouse.serving.small_words import SMALL_WORDS, USUAL
from verdicts.warehouse.storage.sql_files import count, read_sql

REBUILD_SHARE = 0.2
"""Where a larger share of the texts is new or outdated, the index is rebuilt: faster, postings in order."""

AT_A_TIME = 100_000
"""Texts that are indexed at a time: 1.7 million at once took 18 GB of memory."""

_EMPTY = ("DELETE FROM search.postings", "DELETE FROM search.indexed", "DELETE FROM search.words")


def bring_index_up_to_date(connection: duckdb.DuckDBPyConnection) -> None:
    """Indexes texts that are new or changed, and removes those that are gone, with the words that none has any more."""
    sql = read_sql("serving/search")
    connection.execute(f"CREATE OR REPLACE TEMP VIEW texts AS {sql['texts']}")
    connection.execute(f"CREATE OR REPLACE TEMP TABLE outdated AS {sql['outdated']}")
    outdated, indexed, texts = (count(connection, name) for name in ("outdated", "search.indexed", "texts"))
    if outdated + (texts - indexed + outdated) > REBUILD_SHARE * texts:
        for statement in _EMPTY:
            connection.execute(statement)
    elif outdated:
        connection.execute("DELETE FROM search.postings WHERE document IN (FROM outdated)")
        connection.execute("DELETE FROM search.indexed WHERE document IN (FROM outdated)")
        connection.execute("DELETE FROM search.words WHERE term NOT IN (SELECT term FROM search.postings)")
    # Numbered once: to sort all that is left for each of many batches would take the square of their time.
    connection.execute(f"CREATE OR REPLACE TEMP TABLE missing AS {sql['missing']}")
    numbers = "SELECT coalesce(min(document), 0), coalesce(max(document) + 1, 0) FROM missing"
    ((first, end),) = connection.execute(numbers).fetchall()
    for begin in range(first, end, AT_A_TIME):
        within = {"first": begin, "last": begin + AT_A_TIME - 1}
        connection.execute(f"CREATE OR REPLACE TEMP TABLE arrived AS {sql['arrived']}", within)
        _index_arrived(connection, sql)
    _index_names(connection, sql)


def _index_arrived(connection: duckdb.DuckDBPyConnection, sql: dict[str, str]) -> None:
    connection.execute(f"CREATE OR REPLACE TEMP TABLE said AS {sql['said']}")
    small_words: list[tuple[str, ...]] = [
        (language, word) for language, words in SMALL_WORDS.items() for word in words.split()
    ]
    _take(connection, "small_words", ("language", "spelling"), small_words)
    connection.execute(f"INSERT INTO search.indexed {sql['new_documents']}", {"usual": USUAL})
    _take(connection, "stemmed", ("language", "spelling", "stem"), _stemmed(connection, sql["new_words"]))
    connection.execute(f"INSERT INTO search.words {sql['numbered_words']}")
    connection.execute(f"INSERT INTO search.postings {sql['new_postings']}")
    for table in ("arrived", "said", "small_words", "stemmed"):
        connection.execute(f"DROP TABLE {table}")


def _index_names(connection: duckdb.DuckDBPyConnection, sql: dict[str, str]) -> None:
    connection.execute(f"CREATE OR REPLACE TEMP TABLE gone AS {sql['gone_names']}")
    connection.execute("DELETE FROM search.names WHERE tool_id IN (FROM gone)")
    connection.execute(f"INSERT INTO search.names {sql['new_names']}")


def _stemmed(connection: duckdb.DuckDBPyConnection, new_words: str) -> list[tuple[str, ...]]:
    """Language, word and stem of each word that is new."""
    stemmers = {language: snowballstemmer.stemmer(language) for language in SMALL_WORDS}
    words = connection.execute(new_words).fetchall()
    return [(language, word, stemmers[language].stemWord(word)) for language, word in words]


def _take(
    connection: duckdb.DuckDBPyConnection, table: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]
) -> None:
    """Makes a temporary table of rows of texts."""
    made = ", ".join(f"unnest(${column}::VARCHAR[]) AS {column}" for column in columns)
    values = {column: [row[place] for row in rows] for place, column in enumerate(columns)}
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT {made}", values)
