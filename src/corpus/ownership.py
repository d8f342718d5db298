"""Which part of a night decides a row: what an incremental build replaces, and what it leaves as it is.

A night's observations decide everything about some tools, pages, reviews and addresses: its scope. Every table says by
which of its columns a row belongs to it. `normalize.incremental.scope` reads this in Python, `warehouse.loading.scope`
as SQL.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

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
