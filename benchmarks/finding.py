"""How well a search finds: ours beside DuckDB's ILIKE and SQLite's FTS5.

uv run python -m benchmarks.finding [--queries]
"""

import sqlite3
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import duckdb

from benchmarks.measuring import make_options, markdown_table
from builders.finding import AT, Kind, Search, load_queries, measure, ours
from builders.snapshots import demo_corpus
from builders.warehouse_files import load_corpus
from verdicts.warehouse.serving.copy import bring_index_up_to_date
from verdicts.warehouse.storage.connection import open_for_writing

FIELDS = ("name", "slug", "tagline", "category", "description")
TEXTS = {
    "tools": f"SELECT slug, {', '.join(FIELDS)} FROM tools",
    "reviews": "SELECT tools.slug || '/' || reviews.reviewer, tools.name, reviews.text"
    " FROM reviews INNER JOIN tools USING (tool_id)",
}
WEIGHTS = {"tools": "10, 2, 2, 2, 1", "reviews": "1, 2"}
"""What FTS5's bm25() weighs the columns with."""


def whole_phrase(connection: duckdb.DuckDBPyConnection) -> Search:
    """`ILIKE '%phrase%'` over all fields, by name."""

    def search(kind: Kind, words: str) -> Sequence[str]:
        sql = f"SELECT answer FROM texts_{kind} WHERE said ILIKE '%' || $words || '%' ORDER BY answer LIMIT {AT}"
        return [answer for (answer,) in connection.execute(sql, {"words": words}).fetchall()]

    return search


def each_word(connection: duckdb.DuckDBPyConnection) -> Search:
    """`ILIKE '%word%'` word by word, most words first."""

    def search(kind: Kind, words: str) -> Sequence[str]:
        sql = f"""
            SELECT answer FROM texts_{kind}, (SELECT unnest(string_split($words, ' ')) AS word)
            WHERE said ILIKE '%' || word || '%' GROUP BY answer ORDER BY count(*) DESC, answer LIMIT {AT}"""
        return [answer for (answer,) in connection.execute(sql, {"words": words}).fetchall()]

    return search


def fts5(connection: duckdb.DuckDBPyConnection, tokenizer: str) -> Search:
    """A table a kind, any of the words, the best first."""
    lite = sqlite3.connect(":memory:")
    for kind, sql in TEXTS.items():
        rows = connection.execute(sql).fetchall()
        columns = ", ".join(f"c{place}" for place in range(len(rows[0]) - 1))
        lite.execute(f"CREATE VIRTUAL TABLE {kind} USING fts5(answer UNINDEXED, {columns}, tokenize = '{tokenizer}')")
        lite.executemany(f"INSERT INTO {kind} VALUES ({', '.join('?' * len(rows[0]))})", rows)

    def search(kind: Kind, words: str) -> Sequence[str]:
        match = " OR ".join(f'"{word}"' for word in words.split())
        order = f"bm25({kind}, 0, {WEIGHTS[kind]}), answer"
        sql = f"SELECT answer FROM {kind} WHERE {kind} MATCH ? ORDER BY {order} LIMIT {AT}"
        return [answer for (answer,) in lite.execute(sql, (match,))]

    return search


def contenders(connection: duckdb.DuckDBPyConnection) -> dict[str, Search]:
    for kind, sql in TEXTS.items():
        rows = connection.execute(sql).fetchall()
        connection.execute(f"CREATE TEMP TABLE texts_{kind} (answer VARCHAR, said VARCHAR)")
        said = [(row[0], " ".join(value or "" for value in row[1:])) for row in rows]
        connection.executemany(f"INSERT INTO texts_{kind} VALUES (?, ?)", said)
    return {
        "ours": ours(connection),
        "ILIKE, the phrase": whole_phrase(connection),
        "ILIKE, word by word": each_word(connection),
        "FTS5": fts5(connection, "unicode61"),
        "FTS5, porter": fts5(connection, "porter unicode61"),
    }


def quality(*, each_query: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.duckdb"
        load_corpus(path, dict(demo_corpus()), crawls=(), fetches=())
        with open_for_writing(path) as connection:
            bring_index_up_to_date(connection)
        with duckdb.connect(path) as connection:
            measured = {name: measure(search) for name, search in contenders(connection).items()}
    kinds: list[Kind] = ["tools", "reviews"]
    head = [
        "nDCG@10",
        *(f"{kind} ({len(load_queries()[kind])})" for kind in kinds),
        "all",
        "nothing right in the first ten",
    ]
    lines = []
    for name, by_kind in measured.items():
        every = [value for kind in kinds for value in by_kind[kind].values()]
        means = [statistics.mean(by_kind[kind].values()) for kind in kinds]
        lines.append([name, *(f"{mean:.3f}" for mean in (*means, statistics.mean(every))), str(every.count(0))])
    print(markdown_table(head, lines))
    if each_query:
        print()
        lines = [
            [words, *(f"{by_kind[kind][words]:.2f}" for by_kind in measured.values())]
            for kind in kinds
            for words in load_queries()[kind]
        ]
        print(markdown_table(["query", *measured], lines))


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--queries", action="store_true", help="each query, too")
    quality(each_query=options.parse_args().queries)


if __name__ == "__main__":
    main()
