"""What a snapshot was found to show: its page and its tools."""

import msgspec

from fetch.model.snapshot import Location
from normalize.identity.ids import ToolPair
from normalize.parse.slugs import SlugPair
from normalize.state.relation import Relation


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

    @property
    def place(self) -> str:
        """The location as one string."""
        return place_of(self.location)

    @property
    def pair(self) -> str:
        """The tools as one string."""
        return pair_of(self.tool_ids)


def place_of(location: Location) -> str:
    """A location as one string, by which relations are found."""
    return f"{location.segment}:{location.offset}"


def pair_of(tool_ids: ToolPair) -> str:
    """The tools A and B as one string, by which relations are found."""
    return "|".join(tool_ids)


IDENTITIES = Relation("identities", Identity, ("place", "page_id", "pair"))
