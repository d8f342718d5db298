"""Views made tables in a copy that nobody will write to again: questions read answers instead of a million rows."""

import duckdb

from warehouse.relations import statements


def materialize_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Each view stands over a table of its rows, under its name and with its comments."""
    for name, sql in statements("views").items():
        _, *comments = connection.extract_statements(sql)
        connection.execute(f"CREATE TABLE internal.{name} AS FROM {name}")
        connection.execute(f"CREATE OR REPLACE VIEW {name} AS FROM internal.{name}")
        for comment in comments:
            connection.execute(comment)
