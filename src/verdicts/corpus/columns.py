"""How a column is declared: its type, its kind, the table it refers to, and its meaning.

A field `score: Annotated[int | None, PCT, "Reviewer's score, 0-100. NULL: no page shows it."]` is a BIGINT from 0 to
100 that may be NULL. A `Literal` type limits a column to its words.
"""

from dataclasses import dataclass
from datetime import datetime
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

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
    """A number from `least` to `most`, both included. `most` is None: no upper bound."""

    least: int
    most: int | None = None


BIGINT_LEAST, BIGINT_MOST = -(2**63), 2**63 - 1

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
    """A former id: no row of `table` has it as its key."""

    table: str


@dataclass(frozen=True, slots=True)
class Derived:
    """The load fills it after all rows are in (`loading/derived/`). A merge neither compares nor updates it."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Describes the newest visit to a page, not its content. It may change while the content of its row stays.

    A merge updates it and leaves `load_id`; neither `content_hash` nor `history.changes` has it.
    """


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `values` are the only words it may hold. None: any word."""

    name: str
    type: SqlType
    is_optional: bool
    values: tuple[str, ...] | None
    kind: Kind | None
    references: str | None
    retired_from: str | None
    is_derived: bool
    is_visit: bool
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
    is_visit=False,
    meaning="The load that added the row, or changed its content last (ops.loads.load_id).",
)
"""The loader adds it as the last column to every table whose rows do not name a load."""

CONTENT_HASH = Column(
    name="content_hash",
    type="VARCHAR",
    is_optional=False,
    values=None,
    kind=Id(),
    references=None,
    retired_from=None,
    is_derived=False,
    is_visit=False,
    meaning="MD5 of the content of the row, 32 hex digits: all columns but load_id and those of visits "
    "(docs/warehouse.md). The same content has the same hash in every corpus.",
)
"""Every table that is no log has it before `load_id`. DuckDB computes it; no row holds it."""

_OF_VISIT = " A visit that finds the same content moves it and leaves load_id."


def declare_column(name: str, hint: Any) -> Column:  # noqa: ANN401  an annotation may be any object
    """The column that the field `name` with the annotation `hint` declares."""
    annotated, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    parts = get_args(annotated) if get_origin(annotated) in {Union, UnionType} else (annotated,)
    (inner,) = (part for part in parts if part is not NoneType)
    values = get_args(inner) if get_origin(inner) is Literal else None
    is_list = get_origin(inner) is tuple
    if is_list:
        values = get_args(get_args(inner)[0]) or None
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
        is_visit=Visit in marks,
        meaning=marks[str] + (_OF_VISIT if Visit in marks else ""),
    )
