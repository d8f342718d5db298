"""The entity diagram as Mermaid, made of the declared tables: `python -m verdicts.warehouse.documents.diagram`."""

import sys
from collections.abc import Iterator

from verdicts.corpus.columns import SqlType
from verdicts.corpus.tables import TABLES

_HEAD = """# Tables and how they hang together

Made of the declared tables by `python -m verdicts.warehouse.documents.diagram`; do not edit.
A line leads from a table to those whose rows name one of its rows; columns are those of its key. What they mean
stands in the [dictionary](dictionary.md).
"""


_KINDS: dict[SqlType, str] = {
    "VARCHAR": "string",
    "VARCHAR[]": "list",
    "BIGINT": "int64",
    "DOUBLE": "float64",
    "BOOLEAN": "bool",
    "TIMESTAMPTZ": "datetime",
}


def diagram() -> str:
    """Markdown with one Mermaid diagram: every table with its key, and every reference by id."""
    tables = [line for table in TABLES for line in _entity(table)]
    return "\n".join([_HEAD, "```mermaid", "erDiagram", *tables, *_references(), "```"]) + "\n"


def _entity(table: str) -> Iterator[str]:
    types = {column.name: column.type for column in TABLES[table].columns}
    yield f"    {table} {{"
    for name in TABLES[table].key:
        yield f"        {_KINDS[types[name]]} {name} PK"
    yield "    }"


def _references() -> Iterator[str]:
    for table in TABLES.values():
        for column in table.columns:
            if column.references is not None:
                yield f"    {column.references} ||--o{{ {table.name} : {column.name}"
        for reference in table.joined_references:
            yield f"    {reference.table} ||--o{{ {table.name} : {'_'.join(reference.columns)}"


if __name__ == "__main__":
    sys.stdout.write(diagram())
