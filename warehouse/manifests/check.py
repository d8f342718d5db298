"""Whether the parts of a table agree: each key names one row, in however many parts it stands."""

import duckdb

from verdicts.corpus.tables import TABLES
from verdicts.fetch.objects import Objects
from verdicts.warehouse.manifests.manifest import Manifest
from verdicts.warehouse.manifests.scan import rows_in, scanning
from verdicts.warehouse.storage.errors import AuditFailed
from verdicts.warehouse.storage.sql_files import count, quoted

SAMPLE = 5
"""Keys that an error names."""


def check_parts(objects: Objects, manifest: Manifest) -> dict[str, int]:
    """Table to how many of its keys stand in more than one part, of tables that have such; always with equal rows.

    Raises AuditFailed for a key whose rows differ, `StorageFailed`, MemoryShort.
    """
    with scanning(objects, manifest) as connection:
        found = {
            table: _repeated(connection, table, rows_in(objects, parts))
            for table, parts in manifest.tables.items()
            # Within one part its contract has seen to it.
            if len(parts) > 1
        }
    return {table: repeated for table, repeated in found.items() if repeated}


def _repeated(connection: duckdb.DuckDBPyConnection, table: str, rows: str) -> int:
    keys = ", ".join(map(quoted, TABLES[table].key))
    of_key = f"SELECT {keys} FROM {{}} GROUP BY {keys} HAVING count(*) > 1"  # noqa: S608  names of ours
    connection.execute(f"CREATE OR REPLACE TEMP TABLE repeated AS {of_key.format(rows)}")
    repeated = count(connection, "repeated")
    if repeated:
        distinct = f"(SELECT DISTINCT * FROM {rows} SEMI JOIN repeated USING ({keys}))"  # noqa: S608  names of ours
        differing = connection.sql(f"{of_key.format(distinct)} ORDER BY {keys}").pl()
        if not differing.is_empty():
            sample = differing.head(SAMPLE).to_dicts()
            raise AuditFailed(f"{table}_parts_agree", differing.height, sample)
    return repeated
