"""How a table is declared: a frozen row class, a kind and a meaning for each column, and a key.

From one declaration follow the row type, the contract at the warehouse door, CREATE and COMMENT, the audits of keys,
references and overlaps, the dictionary, the diagram and the dataset's metadata.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, get_type_hints

from msgspec import Struct

from verdicts.corpus.columns import LOAD_ID, Column, column_of


class Row(Struct, frozen=True, gc=False):
    """A row of a table. A corpus has millions: a struct is made in a tenth of a dataclass' time.

    No row holds another, so the garbage collector has nothing to find in them.
    """


RowClass = TypeVar("RowClass", bound=Row)


@dataclass(frozen=True, slots=True)
class JoinedReference:
    """`columns` together name a row of `table` by its `keys`, in rows for which the SQL condition `where` holds."""

    columns: tuple[str, ...]
    table: str
    keys: tuple[str, ...]
    where: str


@dataclass(frozen=True, slots=True)
class InOrder:
    """`earlier` is never after `later`."""

    earlier: str
    later: str


SEEN = InOrder("first_seen_at", "last_seen_at")


@dataclass(frozen=True, slots=True)
class ValidityColumns:
    """The half-open time a state held, open-ended where `end` is NULL; those of one thing never overlap.

    The thing is what the key names besides `start`.
    """

    start: str
    end: str


VALID = ValidityColumns("valid_from", "valid_to")


@dataclass(frozen=True)
class Table:
    """A declared table. `row` is the class of its rows, without `load_id` where the loader adds that.

    `is_log`: rows are only ever added.
    """

    name: str
    row: type[Row]
    key: tuple[str, ...]
    is_log: bool
    cluster_by: tuple[str, ...]
    partition_by: str | None
    joined_references: tuple[JoinedReference, ...]
    in_order: tuple[InOrder, ...]
    period: ValidityColumns | None

    @property
    def meaning(self) -> str:
        """What a row is."""
        return " ".join((self.row.__doc__ or "").split())

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """In the order of the row's fields, `load_id` last."""
        hints = get_type_hints(self.row, include_extras=True)
        own = tuple(column_of(name, hints[name]) for name in self.row.__struct_fields__)
        return own if any(column.name == LOAD_ID.name for column in own) else (*own, LOAD_ID)

    @property
    def column_names(self) -> tuple[str, ...]:
        """In order."""
        return tuple(column.name for column in self.columns)

    @property
    def order(self) -> tuple[str, ...]:
        """The columns by which rows lie in a file: those of the cluster, then the key. They name one row."""
        return (*self.cluster_by, *(name for name in self.key if name not in self.cluster_by))


_TABLES: dict[type[Row], Table] = {}


def table(
    name: str,
    *,
    key: tuple[str, ...],
    is_log: bool = False,
    cluster_by: tuple[str, ...] = (),
    partition_by: str | None = None,
    joined_references: tuple[JoinedReference, ...] = (),
    in_order: tuple[InOrder, ...] = (),
    period: ValidityColumns | None = None,
) -> Callable[[type[RowClass]], type[RowClass]]:
    """Declares a class the row of a table. Its docstring says what a row is.

    `cluster_by`: columns by which rows lie before their key: what is repeated lies side by side and takes a third less
    room (two million appearances, each text told twice). `partition_by`: a time by whose month an export parts the
    table; it must never change for a row.
    """

    def declare(row: type[RowClass]) -> type[RowClass]:
        _TABLES[row] = Table(name, row, key, is_log, cluster_by, partition_by, joined_references, in_order, period)
        return row

    return declare


def table_of(row: type[Row]) -> Table:
    """The declaration of a row class."""
    return _TABLES[row]
