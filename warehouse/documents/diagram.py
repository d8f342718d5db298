"""The entity diagram, made of the contracts: `python -m warehouse.documents.diagram`. Mermaid, which Git hosts draw."""

import sys
from collections.abc import Iterator

from warehouse.schema.contracts import CONTRACTS, key

_HEAD = """# Tables and how they hang together

Made of the contracts by `python -m warehouse.documents.diagram`; do not edit. A line leads from a table to those whose
rows name one of its rows; columns are those of its key. What they mean stands in the [dictionary](dictionary.md).
"""


def diagram() -> str:
    """Markdown with one Mermaid diagram: every table with its key, and every reference by id."""
    tables = [line for table in CONTRACTS for line in _entity(table)]
    return "\n".join([_HEAD, "```mermaid", "erDiagram", *tables, *_references(), "```"]) + "\n"


def _entity(table: str) -> Iterator[str]:
    yield f"    {table} {{"
    for name in key(table):
        kind = type(CONTRACTS[table].columns()[name]).__name__.lower()
        yield f"        {kind} {name} PK"
    yield "    }"


def _references() -> Iterator[str]:
    """A column that has the name of another table's whole key refers to it."""
    owners = {key(table)[0]: table for table in reversed(CONTRACTS) if len(key(table)) == 1}
    for table in CONTRACTS:
        for name in CONTRACTS[table].column_names():
            owner = owners.get(name)
            if owner is not None and owner != table and name.endswith("_id"):
                yield f"    {owner} ||--o{{ {table} : {name}"


if __name__ == "__main__":
    sys.stdout.write(diagram())
