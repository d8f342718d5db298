"""Which page and which tools a snapshot shows, and the ids that a tool had before."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.identity.ids import ToolPair
from verdicts.normalize.parse.slugs import SlugPair


class Identity(msgspec.Struct, frozen=True):
    """The page and the tools of one snapshot of a comparison.

    `tool_ids` are the tools A and B of the page, `name_ids` the ids that their names alone would give. `slugs` are as
    this snapshot has them, None where the tools are known by name only. `is_other_way`: it shows the page's tools in
    the other order, so that its sides are to be exchanged.
    """

    location: Location
    page_id: str
    url: str | None
    tool_ids: ToolPair
    name_ids: ToolPair
    slugs: SlugPair | None
    is_other_way: bool


class ToolAlias(msgspec.Struct, frozen=True):
    """An id that is no longer a tool's, and the tool that has claimed it since the ingest day `since`.

    It was made of name and tagline, or of a slug that the tool was renamed to.
    """

    alias_id: str
    tool_id: str
    name: str
    tagline: str | None
    since: str
    reason: str = "one tool with a slug shows this name and tagline"


RENAMED = "the site leads the pages of the tool's first slug to those of this one"


def known_as(aliases: Mapping[str, ToolAlias], name_id: str, tool_id: str, ingest_day: str) -> str:
    """The id that a tool had on an ingest day: before the day of its claim, that of its name."""
    alias = aliases.get(name_id)
    is_unclaimed = alias is not None and alias.tool_id == tool_id and alias.since > ingest_day
    return name_id if is_unclaimed else tool_id


class ToolAddress(NamedTuple):
    """The slug that names a tool on a host."""

    host: str
    slug: str


class KnownTool(msgspec.Struct, frozen=True):
    """A tool with its current name, tagline and category, and the slug that names it on a host. None: not known.

    `block` is the same for tools that are compared in the search for products, None for a tool without a partner.
    `first_page` is the first of its pages by id, where contradictions about the tool as a whole are reported.
    `name_block` is that of `parse.compared_names`, by which tools that other sites name are found.
    """

    tool_id: str
    name: str
    host: str | None
    slug: str | None
    tagline: str | None
    category: str | None
    block: str | None
    first_page: str
    name_block: str | None

    @property
    def address(self) -> ToolAddress | None:
        """None for a tool that is known from text dumps only."""
        return None if self.host is None or self.slug is None else ToolAddress(self.host, self.slug)
