"""How well a search finds: ours beside SQLite's full-text search, FTS5.

uv run python -m benchmarks.finding
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


def fts5(connection: duckdb.DuckDBPyConnection) -> Search:
    """A table a kind, any of the words, the best first."""
    lite = sqlite3.connect(":memory:")
    for kind, sql in TEXTS.items():
        rows = connection.execute(sql).fetchall()
        columns = ", ".join(f"c{place}" for place in range(len(rows[0]) - 1))
        stemmed = f"answer UNINDEXED, {columns}, tokenize = 'porter unicode61'"
        lite.execute(f"CREATE VIRTUAL TABLE {kind} USING fts5({stemmed})")
        lite.executemany(f"INSERT INTO {kind} VALUES ({', '.join('?' * len(rows[0]))})", rows)

    def search(kind: Kind, words: str) -> Sequence[str]:
        match = " OR ".join(f'"{word}"' for word in words.split())
        order = f"bm25({kind}, 0, {WEIGHTS[kind]}), answer"
        sql = f"SELECT answer FROM {kind} WHERE {kind} MATCH ? ORDER BY {order} LIMIT {AT}"
        return [answer for (answer,) in lite.execute(sql, (match,))]

    return search


def main() -> None:
    make_options(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.duckdb"
        load_corpus(path, dict(demo_corpus()), crawls=(), fetches=())
        with open_for_writing(path) as connection:
            bring_index_up_to_date(connection)
        with duckdb.connect(path) as connection:
            searches = {"ours": ours(connection), "FTS5, porter": fts5(connection)}
            measured = {name: measure(search) for name, search in searches.items()}
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


if __name__ == "__main__":
    main()
