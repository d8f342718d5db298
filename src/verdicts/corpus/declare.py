"""How a table is declared: a frozen row class, a kind and a meaning for each column, and a key.

Everything else is made from this declaration: the checks of rows before a load, CREATE and COMMENT, the audits of keys,
references and overlaps, the dictionary, the diagram and the dataset's metadata.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal, TypeAlias, TypeVar, get_type_hints

from msgspec import Struct

from verdicts.corpus.columns import CONTENT_HASH, LOAD_ID, Column, declare_column


class Row(Struct, frozen=True, gc=False):
    """A row of a table. A corpus has millions: a struct is created ten times as fast as a dataclass.

    No row holds another row, so the garbage collector need not look at them.
    """


RowClass = TypeVar("RowClass", bound=Row)

Schema: TypeAlias = Literal["main", "outside", "history", "evidence", "ops"]

SCHEMAS: Mapping[Schema, str] = MappingProxyType(
    {
        "main": "The tools, their reviews and pages. Start here.",
        "outside": "What pages of other sites say about tools.",
        "history": "What cards, prices and verdicts said before, and since when.",
        "evidence": "Where `main` comes from, and what contradicts it: cards, aliases, products, contradictions.",
        "ops": "How the corpus was made: crawls, loads, gates, coverage.",
    }
)
"""Each schema to its meaning."""


def in_schema(schema: str, name: str) -> str:
    """The name of a relation in SQL, which depends on no search path: `reviews`, `evidence.rejects`."""
    return name if schema == "main" else f"{schema}.{name}"


@dataclass(frozen=True, slots=True)
class JoinedReference:
    """`columns` together refer to a row of `table` by its `keys`, in rows that meet the SQL condition `where`."""

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
    """The time a state was valid, `end` exclusive. `end` is NULL: it still is.

    The periods of rows with the same key, apart from `start`, never overlap.
    """

    start: str
    end: str


VALID = ValidityColumns("valid_from", "valid_to")


@dataclass(frozen=True)
class Table:
    """A declared table. `row` has no field `load_id` where the loader adds it. `is_log`: rows are only added."""

    name: str
    row: type[Row]
    schema: Schema
    key: tuple[str, ...]
    is_log: bool
    cluster_by: tuple[str, ...]
    partition_by: str | None
    joined_references: tuple[JoinedReference, ...]
    in_order: tuple[InOrder, ...]
    period: ValidityColumns | None
    example: str | None

    @property
    def relation(self) -> str:
        return in_schema(self.schema, self.name)

    @property
    def meaning(self) -> str:
        return " ".join((self.row.__doc__ or "").split())

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """In the order of the row's fields, then `content_hash` unless it is a log, and `load_id` last."""
        hints = get_type_hints(self.row, include_extras=True)
        own = tuple(declare_column(name, hints[name]) for name in self.row.__struct_fields__)
        if any(column.name == LOAD_ID.name for column in own):
            return own
        return (*own, LOAD_ID) if self.is_log else (*own, CONTENT_HASH, LOAD_ID)

    @property
    def loaded_columns(self) -> tuple[Column, ...]:
        """The columns that a load fills: all but `content_hash`."""
        return tuple(column for column in self.columns if column is not CONTENT_HASH)

    @property
    def content(self) -> tuple[Column, ...]:
        """The columns that say what was published: all that a load fills but `load_id` and those of visits."""
        return tuple(column for column in self.loaded_columns if column is not LOAD_ID and not column.is_visit)

    @property
    def has_derived(self) -> bool:
        return any(column.is_derived for column in self.columns)

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def order(self) -> tuple[str, ...]:
        """The columns by which rows are sorted in a file: those of `cluster_by`, then the rest of the key."""
        return (*self.cluster_by, *(name for name in self.key if name not in self.cluster_by))


_TABLES: dict[type[Row], Table] = {}


def table(
    name: str,
    *,
    schema: Schema = "main",
    key: tuple[str, ...],
    is_log: bool = False,
    cluster_by: tuple[str, ...] = (),
    partition_by: str | None = None,
    joined_references: tuple[JoinedReference, ...] = (),
    in_order: tuple[InOrder, ...] = (),
    period: ValidityColumns | None = None,
    example: str | None = None,
) -> Callable[[type[RowClass]], type[RowClass]]:
    """Declares that a class is the row of a table. The docstring of the class is the meaning of a row.

    `cluster_by`: rows are sorted by these columns before their key. Equal values are then neighbours, and the file is a
    third smaller (two million appearances, each text twice). `partition_by`: an export splits the table by the month of
    this time, which must never change for a row. `example`: a question to it; every table of `main` has one.
    """

    def declare(row: type[RowClass]) -> type[RowClass]:
        _TABLES[row] = Table(
            name, row, schema, key, is_log, cluster_by, partition_by, joined_references, in_order, period, example
        )
        return row

    return declare


def find_table(row: type[Row]) -> Table:
    return _TABLES[row]
