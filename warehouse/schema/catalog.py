"""What a database file says about its own tables and views: the comments of the schema, read back."""

from dataclasses import dataclass
from typing import Literal

import duckdb

from verdicts.corpus.tables import TABLES
from verdicts.warehouse.storage.sql_files import read_sql


@dataclass(frozen=True, slots=True)
class CatalogColumn:
    """One column of a relation. `is_nullable` says nothing for a view: DuckDB does not work it out."""

    name: str
    type: str
    is_nullable: bool
    comment: str | None


@dataclass(frozen=True, slots=True)
class Relation:
    """A declared table, or a view of them, which is a table of its rows in a published copy."""

    name: str
    kind: Literal["table", "view"]
    comment: str | None
    columns: tuple[CatalogColumn, ...]


def relations(connection: duckdb.DuckDBPyConnection) -> list[Relation]:
    """All tables, parents before children, then all views by name."""
    rows = connection.execute(read_sql("schema/catalog")["described_columns"]).fetchall()
    by_name: dict[str, Relation] = {}
    for relation, relation_comment, name, type_, is_nullable, comment in rows:
        before = by_name[relation].columns if relation in by_name else ()
        columns = (*before, CatalogColumn(name, short_type(type_), is_nullable, comment))
        kind: Literal["table", "view"] = "table" if relation in TABLES else "view"
        by_name[relation] = Relation(relation, kind, relation_comment, columns)
    order = {name: position for position, name in enumerate(TABLES)}
    return sorted(by_name.values(), key=lambda relation: (relation.kind, order.get(relation.name, 0), relation.name))


def short_type(type_: str) -> str:
    """DuckDB's name of a type as tables declare it."""
    return type_.replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ")


def columns_as_markdown(relation: Relation) -> str:
    """The columns of a relation as a Markdown table. The null column is left out for a view."""
    rows = [["column", "type", "null", "meaning"], ["---"] * 4]
    for column in relation.columns:
        null = "yes" if column.is_nullable else "no"
        rows.append([f"`{column.name}`", column.type, null, (column.comment or "").replace("|", "\\|")])
    shown = [row if relation.kind == "table" else [*row[:2], row[3]] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in shown)
