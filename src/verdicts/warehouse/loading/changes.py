"""The rows that differ between two states of a table, with their values before and after; those of a load are kept."""

from collections.abc import Mapping, Sequence

import duckdb

from verdicts.corpus.columns import Column
from verdicts.corpus.declare import Table
from verdicts.corpus.tables import CORPUS_TABLES, TABLES, name_relation
from verdicts.warehouse.loading.merge import Changes, differs, name_kept
from verdicts.warehouse.schema.declared import write_key
from verdicts.warehouse.storage.sql_files import count, literal, quote_name

KEPT_LOADS = 30
"""How many loads have their changes kept: a consumer that comes once a month misses none."""

KEPT_SHARE, KEPT_LEAST = 0.5, 100_000
"""Most changed rows that are kept together: half of the rows of the corpus, or 100,000 if that is more.

Whoever missed more takes the whole corpus faster than its changes.
"""


def note_changes(connection: duckdb.DuckDBPyConnection, changes: Mapping[str, Changes]) -> None:
    """Adds the changes of the present load to `history.changes`, after `derive`; removes the oldest ones."""
    rows = sum(changes[table].rows for table in CORPUS_TABLES if table in changes)
    stored_rows = sum(count(connection, name_relation(table)) for table in CORPUS_TABLES)
    most = max(KEPT_LEAST, int(KEPT_SHARE * stored_rows))
    if rows > most:
        # Without this load, those before it lead nowhere.
        connection.execute("DELETE FROM history.changes")
        return
    for table in (TABLES[name] for name in CORPUS_TABLES if name in changes and changes[name].rows):
        # All rows of a table with derived columns are kept, so all are compared.
        new = table.relation if table.has_derived else f"(FROM {table.relation} WHERE load_id = getvariable('load_id'))"
        differences = select_differences(
            table, name_kept(table), new, table.content, removed_by="getvariable('load_id')"
        )
        connection.execute(f"INSERT INTO history.changes BY NAME {differences} ORDER BY row_key")
    connection.execute(_PRUNE, {"loads": KEPT_LOADS, "most": most})


_PRUNE = """
    DELETE FROM history.changes
    WHERE load_id <= (
        SELECT max(load_id)
        FROM (
            SELECT
                load_id,
                row_number() OVER (ORDER BY load_id DESC) AS place,
                sum(count(*)) OVER (ORDER BY load_id DESC) AS total
            FROM history.changes
            GROUP BY load_id
        )
        WHERE place > $loads OR total > $most
    )
"""


def select_differences(table: Table, old: str, new: str, columns: Sequence[Column], *, removed_by: str) -> str:
    """A SELECT of the rows that differ between `old` and `new`, with the columns of `history.changes`.

    `old` and `new` are SQL after FROM with the key, `columns` and `load_id` of the table; its key is unique in both.
    `removed_by` is the SQL of the load that removed what only `old` has.
    """
    values = [column for column in columns if column.name not in table.key]
    keys = [quote_name(name) for name in table.key]
    names = ", ".join(
        ["NULL"] + [f"CASE WHEN {differs([column])} THEN {literal(column.name)} END" for column in values]
    )
    is_changed = "old.load_id IS NOT NULL AND new.load_id IS NOT NULL"
    return f"""
        SELECT
            coalesce(new.load_id, {removed_by}) AS load_id,
            {literal(table.name)} AS relation,
            {write_key(table, "coalesce(old.{0}, new.{0})")} AS row_key,
            CASE WHEN old.load_id IS NULL THEN 'added' WHEN new.load_id IS NULL THEN 'removed' ELSE 'changed' END
                AS change,
            CASE WHEN {is_changed} THEN string_split(concat_ws(',', {names}), ',') ELSE [] END AS column_names,
            CASE WHEN old.load_id IS NOT NULL THEN {_write_values("old", values)} END AS before,
            CASE WHEN new.load_id IS NOT NULL THEN {_write_values("new", values)} END AS after
        FROM {old} AS old
        FULL JOIN {new} AS new ON {" AND ".join(f"old.{key} = new.{key}" for key in keys)}
        WHERE old.load_id IS NULL OR new.load_id IS NULL OR {differs(values)}
    """  # noqa: S608  names of ours


def _write_values(of: str, columns: Sequence[Column]) -> str:
    """The SQL of a JSON object: the values that differ of a row that is in both states, else all."""
    is_whole = "old.load_id IS NULL OR new.load_id IS NULL"
    # A table may have no column but those of its key.
    fields = ["NULL"] + [
        f"CASE WHEN {is_whole} OR {differs([column])}"
        f" THEN '\"{column.name}\":' || coalesce(to_json({of}.{quote_name(column.name)})::VARCHAR, 'null') END"
        for column in columns
    ]
    return f"'{{' || concat_ws(',', {', '.join(fields)}) || '}}'"
