"""Rows of tables as objects: a part of each table that has any."""

from collections.abc import Iterable

import msgspec

from fetch.objects.objects import Objects
from normalize.bins.outbox import EVERYBODY, Outbox
from normalize.bins.pages import Rows
from normalize.state.relation import Relation
from warehouse.manifests.manifest import Part
from warehouse.manifests.parts import write_part


class TablePart(msgspec.Struct, frozen=True, array_like=True):
    """A part, and whose table's it is."""

    table: str
    part: Part


TABLE_PARTS = Relation("table_parts", TablePart, ("table",))


def put_rows(objects: Objects, name: str, rows: Rows) -> list[TablePart]:
    """Creates a part of each table that has rows. Raises ContractBroken."""
    return [
        TablePart(table, write_part(objects, table, name, of_table)) for table, of_table in rows.items() if of_table
    ]


def tell_parts(outbox: Outbox, parts: Iterable[TablePart]) -> None:
    """Tells the planner which parts were made."""
    outbox.send_to("planner", EVERYBODY, TABLE_PARTS, parts)
