"""Rows of a table as a Parquet object: within their contract, in order, the same bytes for the same rows."""

import hashlib
from collections.abc import Sequence
from io import BytesIO

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from verdicts.corpus.columns import LOAD_ID, Id
from verdicts.corpus.declare import Table
from verdicts.corpus.tables import TABLES
from verdicts.fetch.objects import Objects
from verdicts.warehouse.loading.contracts import checked
from verdicts.warehouse.loading.frames import frame
from verdicts.warehouse.manifests.manifest import Part

ROW_GROUP = 20_000
"""Rows of which one is found at a time: of a key that is not among them none is read."""


def write_part(objects: Objects, table: str, name: str, rows: Sequence[object]) -> Part:
    """Creates the part `tables/<table>/<name>.parquet` of the rows of a table, row structs in any order.

    `name` is the build's id and the bin. Whoever wrote it first wins: what is returned says what is there. A `load_id`
    is no part of it. Raises ContractBroken, `StorageFailed`.
    """
    of_part = f"tables/{table}/{name}.parquet"
    body = parquet_of(table, rows)
    if not objects.create(of_part, body):
        body = objects.read(of_part)
    written = pq.read_metadata(BytesIO(body)).num_rows
    return Part(of_part, written, len(body), hashlib.sha256(body).hexdigest())


def parquet_of(table: str, rows: Sequence[object]) -> bytes:
    """The bytes of a part. Raises ContractBroken."""
    declared = TABLES[table]
    within = checked(table, frame(table, rows, **{LOAD_ID.name: "none"})).sort(declared.key)
    own = [name for name in declared.column_names if name != LOAD_ID.name]
    arrow = within.select(own).to_arrow(compat_level=pl.CompatLevel.oldest())
    body = BytesIO()
    pq.write_table(arrow, body, **options(declared, arrow.schema))
    return body.getvalue()


def options(table: Table, schema: pa.Schema) -> dict[str, object]:
    """How a table is written: sorted by its key, and a filter for each id by which rows are looked up."""
    order = [(name, "ascending") for name in table.key]
    return {
        "compression": "zstd",
        "row_group_size": ROW_GROUP,
        "sorting_columns": pq.SortingColumn.from_ordering(schema, order),
        "bloom_filter_options": {column.name: True for column in table.columns if isinstance(column.kind, Id)},
    }
