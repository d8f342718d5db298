"""Rows in, tables and datasets out.

`load` brings the loader's own DuckDB file to a corpus of rows in one transaction: an older file is migrated, rows pass
a declared contract, and audits by query come before the commit. `publish` makes read-only copies of that file for
readers, who find theirs with `published`; `ask` puts SQL to one and `write` shows the answer; `diff_tables` compares
two; `export` makes a dataset of one, and `read_dataset` takes it in again. Tables are declared in `schema/*.sql`, views
in `views/*.sql`, named questions in `queries/*.sql`; `python -m warehouse.dictionary` documents them. What the
warehouse keeps for itself (versions, digests, the search index) stands in a schema of its own, `internal/*.sql`.
Loading the same rows again changes nothing, and whatever fails leaves the last good state as it was.
"""

from warehouse.answers import FORMATS, write
from warehouse.ask import ask
from warehouse.changes import Changes
from warehouse.contracts import CONTRACTS
from warehouse.dataset import Dataset, read_dataset
from warehouse.diff import diff_rows, diff_tables
from warehouse.errors import (
    AuditFailed,
    ContractBroken,
    DatasetBroken,
    ExportRefused,
    NothingPublished,
    QuestionFailed,
    WarehouseBroken,
    WarehouseError,
    WarehouseLocked,
)
from warehouse.export import ExportReport, export
from warehouse.known import known_tools
from warehouse.load import LoadReport, load
from warehouse.manifest import ExportedFile
from warehouse.publish import copy_of, publish, published, rollback
from warehouse.queries import Query, list_queries, query_named
from warehouse.staging import ParquetFiles
from warehouse.table_files import FORMS as EXPORT_FORMS

TABLES = tuple(CONTRACTS)
"""Names of all tables, parents before children."""

__all__ = [
    "EXPORT_FORMS",
    "FORMATS",
    "TABLES",
    "AuditFailed",
    "Changes",
    "ContractBroken",
    "Dataset",
    "DatasetBroken",
    "ExportRefused",
    "ExportReport",
    "ExportedFile",
    "LoadReport",
    "NothingPublished",
    "ParquetFiles",
    "Query",
    "QuestionFailed",
    "WarehouseBroken",
    "WarehouseError",
    "WarehouseLocked",
    "ask",
    "copy_of",
    "diff_rows",
    "diff_tables",
    "export",
    "known_tools",
    "list_queries",
    "load",
    "publish",
    "published",
    "query_named",
    "read_dataset",
    "rollback",
    "write",
]
