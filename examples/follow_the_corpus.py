"""Copies two tables of the corpus to `mine.duckdb`, and brings them up to date: `python follow_the_corpus.py`."""

import json

import duckdb

import verdicts

mine = duckdb.connect(verdicts.open("data").path, read_only=True)
mine.execute("ATTACH 'mine.duckdb' AS mine (READ_WRITE)")
tables, changes = ["tools", "reviews"], []
try:
    (load,) = mine.execute("SELECT load_id FROM mine.loads").fetchone()
    changes = mine.execute("SELECT relation, row_key, after FROM changes_since(?)", [load]).fetchall()
except (duckdb.CatalogException, duckdb.InvalidInputException):  # the first time, or changes are not kept
    for table in tables:
        mine.execute(f"CREATE OR REPLACE TABLE mine.{table} AS FROM {table}")
mine.execute("BEGIN")
for table, row_key, after in (change for change in changes if change[0] in tables):
    key, row = json.loads(row_key), json.loads(after or "{}")
    mine.execute(f"DELETE FROM mine.{table} WHERE {' AND '.join(f'{name} = ?' for name in key)}", [*key.values()])
    if row:
        mine.execute(
            f"INSERT INTO mine.{table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", [*row.values()]
        )
mine.execute("CREATE OR REPLACE TABLE mine.loads AS SELECT max(load_id) AS load_id FROM ops.loads")
mine.execute("COMMIT")
