"""How a table is declared: a frozen row class, a kind and a meaning for each column, a key, and who owns a row.

From one declaration follow the row type, the contract at the warehouse door, CREATE and COMMENT, the audits of keys,
references and overlaps, row ownership in an incremental build, the dictionary, the diagram and the dataset's metadata.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

Row = TypeVar("Row")

SqlType: TypeAlias = Literal["VARCHAR", "VARCHAR[]", "BIGINT", "DOUBLE", "BOOLEAN", "TIMESTAMPTZ"]

SQL_TYPES: dict[object, SqlType] = {
    str: "VARCHAR",
    int: "BIGINT",
    float: "DOUBLE",
    bool: "BOOLEAN",
    datetime: "TIMESTAMPTZ",
}


@dataclass(frozen=True, slots=True)
class Id:
    """32 lower-case hex digits."""


@dataclass(frozen=True, slots=True)
class NotEmpty:
    """At least one character."""


@dataclass(frozen=True, slots=True)
class Between:
    """A number from `least` to `most`, both included; no upper bound where `most` is None."""

    least: int
    most: int | None = None


COUNT = Between(0)
FROM_ONE = Between(1)
PCT = Between(0, 100)
SHARE = Between(0, 1)

Kind: TypeAlias = Id | NotEmpty | Between


@dataclass(frozen=True, slots=True)
class References:
    """Every value that is not NULL is the key of a row of `table`."""

    table: str


@dataclass(frozen=True, slots=True)
class RetiredFrom:
    """An id that was given up: no row of `table` has it as its key."""

    table: str


@dataclass(frozen=True, slots=True)
class Derived:
    """Filled by the load once all rows are in (`loading/derived/`); neither compared nor updated by a merge."""


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
class Period:
    """The half-open time a state held, open-ended where `end` is NULL; those of one thing never overlap.

    The thing is what the key names besides `start`.
    """

    start: str
    end: str


VALID = Period("valid_from", "valid_to")


ScopePart: TypeAlias = Literal["tools", "pages", "reviews", "urls"]
"""What a night's observations decide completely, and what a row can therefore belong to."""


@dataclass(frozen=True, slots=True)
class OwnedBy:
    """A row is decided by a night if any of `columns` names a member of this part of the night's scope.

    `unless`: of some rows another column must be in scope as well, see `Unless`.
    """

    part: ScopePart
    columns: tuple[str, ...]
    unless: "Unless | None" = None


@dataclass(frozen=True, slots=True)
class Unless:
    """Rows with one of `values` in `column` also need `owner`, unless that column is NULL."""

    column: str
    values: tuple[str, ...]
    owner: OwnedBy


@dataclass(frozen=True, slots=True)
class Everything:
    """Every build decides all rows: they depend on the whole corpus."""


@dataclass(frozen=True, slots=True)
class Log:
    """Rows are only ever added, never replaced."""


Owner: TypeAlias = OwnedBy | Everything | Log

BY_TOOL = OwnedBy("tools", ("tool_id",))
BY_PAGE = OwnedBy("pages", ("page_id",))
BY_REVIEW = OwnedBy("reviews", ("review_id",))
BY_URL = OwnedBy("urls", ("url",))


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `values` are the only words it may hold; None where it is not limited to a set."""

    name: str
    type: SqlType
    is_optional: bool
    values: tuple[str, ...] | None
    kind: Kind | None
    references: str | None
    retired_from: str | None
    is_derived: bool
    meaning: str


LOAD_ID = Column(
    name="load_id",
    type="VARCHAR",
    is_optional=False,
    values=None,
    kind=NotEmpty(),
    references="loads",
    retired_from=None,
    is_derived=False,
    meaning="The load that brought the row, or changed it last (loads.load_id).",
)
"""The last column of every table whose rows do not name a load themselves. The loader fills it."""


@dataclass(frozen=True)
class Table:
    """A declared table. `row` is the class of its rows, without `load_id` where the loader adds that."""

    name: str
    row: type
    key: tuple[str, ...]
    owner: Owner
    cluster_by: tuple[str, ...]
    partition_by: str | None
    joined_references: tuple[JoinedReference, ...]
    in_order: tuple[InOrder, ...]
    period: Period | None

    @property
    def meaning(self) -> str:
        """What a row is."""
        return " ".join((self.row.__doc__ or "").split())

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """In the order of the row's fields, `load_id` last."""
        hints = get_type_hints(self.row, include_extras=True)
        own = tuple(_column(field.name, hints[field.name]) for field in fields(self.row))
        return own if any(column.name == LOAD_ID.name for column in own) else (*own, LOAD_ID)

    @property
    def column_names(self) -> tuple[str, ...]:
        """In order."""
        return tuple(column.name for column in self.columns)

    @property
    def order(self) -> tuple[str, ...]:
        """The columns by which rows lie in a file: those of the cluster, then the key. They name one row."""
        return (*self.cluster_by, *(name for name in self.key if name not in self.cluster_by))

    @property
    def is_log(self) -> bool:
        """Whether rows are only ever added."""
        return isinstance(self.owner, Log)


@dataclass_transform(frozen_default=True)
def table(
    name: str,
    *,
    key: tuple[str, ...],
    owner: Owner,
    cluster_by: tuple[str, ...] = (),
    partition_by: str | None = None,
    joined_references: tuple[JoinedReference, ...] = (),
    in_order: tuple[InOrder, ...] = (),
    period: Period | None = None,
) -> Callable[[type[Row]], type[Row]]:
    """Makes a class the frozen row of a table. Its docstring says what a row is.

    `cluster_by`: columns by which rows lie before their key: what is repeated lies side by side and takes a third less
    room (two million appearances, each text told twice). `partition_by`: a time by whose month an export parts the
    table; it must never change for a row.
    """

    def declare(row: type[Row]) -> type[Row]:
        frozen = dataclass(frozen=True, slots=True)(row)
        frozen.__table__ = Table(  # type: ignore[attr-defined]  # read by `table_of` alone
            name, frozen, key, owner, cluster_by, partition_by, joined_references, in_order, period
        )
        return frozen

    return declare


def table_of(row: type) -> Table:
    """The declaration of a row class."""
    declared: Table = row.__table__  # type: ignore[attr-defined]  # set by `table`
    return declared


def _column(name: str, hint: Any) -> Column:  # noqa: ANN401  an annotation may be any object
    annotated, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    parts = get_args(annotated) if get_origin(annotated) in {Union, UnionType} else (annotated,)
    (inner,) = (part for part in parts if part is not NoneType)
    values = get_args(inner) if get_origin(inner) is Literal else None
    is_list = get_origin(inner) is tuple
    if is_list:
        values = get_args(get_args(inner)[0])
    marks = {type(extra): extra for extra in extras}
    kinds = [extra for extra in extras if isinstance(extra, Id | NotEmpty | Between)]
    references, retired = marks.get(References), marks.get(RetiredFrom)
    return Column(
        name=name,
        type="VARCHAR[]" if is_list else "VARCHAR" if values else SQL_TYPES[inner],
        is_optional=NoneType in parts,
        values=values,
        kind=kinds[0] if kinds else None,
        references=None if references is None else references.table,
        retired_from=None if retired is None else retired.table,
        is_derived=Derived in marks,
        meaning=marks[str],
    )
