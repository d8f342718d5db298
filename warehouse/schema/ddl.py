"""Declared tables as SQL: CREATE and COMMENT statements."""

from functools import cache

from verdicts.corpus.columns import Column
from verdicts.corpus.declare import Table
from verdicts.corpus.tables import TABLES


@cache
def create_tables() -> dict[str, str]:
    """Table name to the statements that create it where it is missing and describe it and its columns."""
    return {name: create_table(table) for name, table in TABLES.items()}


def create_table(table: Table) -> str:
    """One table, without keys: DuckDB's own make a load of a million rows three to fifteen times slower."""
    columns = ",\n".join(f"    {_column(column)}" for column in table.columns)
    return f"CREATE TABLE IF NOT EXISTS {table.name} (\n{columns}\n);\n\n{comments_on(table)}"


def comments_on(table: Table, kind: str = "TABLE") -> str:
    """What says the meaning of a table and its columns; `kind` is VIEW where a view stands in its place."""
    comments = "\n".join(
        f"COMMENT ON COLUMN {table.name}.{column.name} IS {_quoted(column.meaning)};" for column in table.columns
    )
    return f"COMMENT ON {kind} {table.name} IS {_quoted(table.meaning)};\n\n{comments}\n"


def _column(column: Column) -> str:
    return f"{column.name} {column.type}" + ("" if column.is_optional else " NOT NULL")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
