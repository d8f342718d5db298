"""The index of full text search, kept in the file beside the reviews: only what is new is read.

BM25 over postings in plain SQL: a million reviews are asked in a tenth of a second, without an extension that somebody
would have to load. `macros/search_reviews.sql` asks it.
"""

import duckdb

from warehouse.loading.merge import count
from warehouse.storage.sql_files import read_sql

REBUILD_SHARE = 0.2
"""With so large a share of it new or outdated, the index is made anew: faster, and postings are in order again."""


def bring_index_up_to_date(connection: duckdb.DuckDBPyConnection) -> None:
    """Indexes reviews that are new or say something else, and forgets those that are gone."""
    sql = read_sql("serving/search")
    connection.execute(f"CREATE OR REPLACE TEMP TABLE outdated AS {sql['outdated']}")
    gone, held, wanted = (count(connection, name) for name in ("outdated", "internal.search_reviews", "reviews"))
    if gone + (wanted - held + gone) > REBUILD_SHARE * wanted:
        connection.execute("DELETE FROM internal.search_postings")
        connection.execute("DELETE FROM internal.search_reviews")
    elif gone:
        connection.execute("DELETE FROM internal.search_postings WHERE document IN (FROM outdated)")
        connection.execute("DELETE FROM internal.search_reviews WHERE document IN (FROM outdated)")
    ((first,),) = connection.execute("SELECT coalesce(max(document), -1) + 1 FROM internal.search_reviews").fetchall()
    connection.execute(f"INSERT INTO internal.search_reviews {sql['new_reviews']}")
    connection.execute(f"INSERT INTO internal.search_postings {sql['new_postings']}", {"first": first})
