"""`python -m verdicts.warehouse.documents.dictionary`: the data dictionary, made of comments of schema and views."""

import sys

import duckdb

from verdicts.corpus.tables import TABLES
from verdicts.warehouse.schema.catalog import Relation, columns_as_markdown, relations
from verdicts.warehouse.schema.ddl import create_tables
from verdicts.warehouse.storage.sql_files import read_sql

_HEAD = """# Data dictionary

Made of the tables declared in `src/corpus/` and the comments in `warehouse/schema/views/` by
`python -m verdicts.warehouse.documents.dictionary`; do not edit.
Ids are 32 lower-case hex digits unless said otherwise. Times are UTC. `NULL` means what its column says, and where it
says nothing, that the page does not state it."""


def dictionary() -> str:
    """Markdown: every table, view and macro, its grain, and every column with type, null and meaning."""
    with duckdb.connect() as connection:
        for statement in (*create_tables().values(), *read_sql("schema/views").values()):
            connection.execute(statement)
        described = relations(connection)
    tables = [_section(relation) for relation in described if relation.kind == "table"]
    views = [_section(relation) for relation in described if relation.kind == "view"]
    macros = [_macro(sql) for sql in read_sql("schema/macros").values()]
    return "\n\n".join([_HEAD, "## Tables", *tables, "## Views", *views, "## Macros", *macros]) + "\n"


def _macro(sql: str) -> str:
    """A table macro as it is asked, and the comment it begins with."""
    comment, declared = sql.split("CREATE OR REPLACE MACRO ", maxsplit=1)
    call = declared.split(" AS TABLE", maxsplit=1)[0]
    return f"### `FROM {call}`\n\n{comment.strip().removeprefix('-- ').replace(chr(10) + '--', '')}"


def _section(relation: Relation) -> str:
    grain = [relation.comment or ""]
    if relation.name in TABLES:
        grain.append("Key: " + ", ".join(f"`{name}`" for name in TABLES[relation.name].key) + ".")
    return "\n\n".join([f"### {relation.name}", " ".join(grain), columns_as_markdown(relation)])


if __name__ == "__main__":
    sys.stdout.write(dictionary())
