"""Which tables hold exactly the rows of Parquet files, so that the same files need not be read again."""

import duckdb


def held_digest(connection: duckdb.DuckDBPyConnection, table: str) -> str | None:
    """Checksum of the files that the table was last brought to; None where its rows came otherwise."""
    rows = connection.execute("SELECT sha256 FROM internal.sources WHERE relation = ?", [table]).fetchall()
    return str(rows[0][0]) if rows else None


def note_digest(connection: duckdb.DuckDBPyConnection, table: str, digest: str | None) -> None:
    """Notes what the table was brought to."""
    connection.execute("DELETE FROM internal.sources WHERE relation = ?", [table])
    if digest is not None:
        connection.execute("INSERT INTO internal.sources VALUES (?, ?)", [table, digest])
