"""Which part of a night decides a row: what an incremental build replaces, and what it leaves as it is.

A night decides everything about some keys: its scope, `normalize.scope`. Every table says by which of its
columns a row belongs to it. `warehouse.loading.scope` reads this as SQL.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

ScopePart: TypeAlias = Literal[
    "pages", "urls", "tools", "aliases", "products", "texts", "reviews", "rejudged", "doubted", "matched"
]
"""What a night decides completely, and what a row can therefore belong to."""


@dataclass(frozen=True, slots=True)
class OwnedBy:
    """A row is decided by a night if any of `columns` names a member of this part of the night's scope."""

    part: ScopePart
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """Rows are only ever added, never replaced."""


Owner: TypeAlias = tuple[OwnedBy, ...] | Log
"""A row is decided by a night if any of these owns it."""

BY_TOOL = (OwnedBy("tools", ("tool_id",)),)
BY_PAGE = (OwnedBy("pages", ("page_id",)),)
BY_DOUBTED_PAGE = (OwnedBy("doubted", ("page_id",)),)
BY_URL = (OwnedBy("urls", ("url",)),)
BY_MATCHED_URL = (OwnedBy("matched", ("url",)),)
"""Which tools of the panel a page of another site names depends on the page, and on all tools that are called so."""
BY_ALIAS = (OwnedBy("aliases", ("alias_id",)),)
BY_PRODUCT = (OwnedBy("products", ("tool_id",)),)
BY_REVIEW = (OwnedBy("reviews", ("review_id",)),)
BY_PAGE_OR_REVIEW = (OwnedBy("pages", ("page_id",)), OwnedBy("rejudged", ("review_id",)))
"""Whose a take is depends on its page, and on all that is known of the take where that changed."""
