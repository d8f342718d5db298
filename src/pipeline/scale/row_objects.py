"""Rows of tables as objects."""

import msgspec

from fetch.objects.objects import Objects
from normalize.bins.pages import Rows


def put_rows(objects: Objects, name: str, rows: Rows) -> None:
    """Creates a part of each table that has rows."""
    for table, of_table in rows.items():
        if of_table:
            objects.create(f"tables/{table}/{name}", msgspec.msgpack.encode(of_table))
