"""Who owns a name with its tagline, and what ids a tool had before. A name alone is never a tool's."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from normalize.state.relation import Relation


class ToolAlias(msgspec.Struct, frozen=True):
    """An id that is a tool's no more, and the tool that has claimed it since the ingest day `since`.

    It was made of name and tagline, or of a slug that the tool was renamed to.
    """

    alias_id: str
    tool_id: str
    name: str
    tagline: str | None
    since: str
    reason: str = "one tool with a slug shows this name and tagline"


ALIASES = Relation("aliases", ToolAlias, ("alias_id",))

RENAMED = "the site leads the pages of the tool's first slug to those of this one"


def known_as(aliases: Mapping[str, ToolAlias], name_id: str, tool_id: str, ingest_day: str) -> str:
    """The id that a tool had on an ingest day: before the day of its claim, that of its name."""
    alias = aliases.get(name_id)
    is_unclaimed = alias is not None and alias.tool_id == tool_id and alias.since > ingest_day
    return name_id if is_unclaimed else tool_id


class Claim(NamedTuple):
    """The tool that owns a name and tagline, and the first ingest day that showed both on a page with its slug."""

    tool_id: str
    since: str
