"""A tool as it is known now, kept between nights."""

import msgspec

from normalize.state.relation import Relation


class KnownTool(msgspec.Struct, frozen=True):
    """Current name, tagline and category, and the slug that names it on a host. None: not known.

    `block` is the same for tools that are compared in the search for products, None for a tool that none is compared
    with. `first_page` is the first of its pages by id, where contradictions about the tool as a whole are told.
    `name_block` is that of `parse.compared_names`, by which tools that other sites name are found.
    """

    tool_id: str
    name: str
    host: str | None
    slug: str | None
    tagline: str | None
    category: str | None
    block: str | None
    first_page: str | None = None
    name_block: str | None = None


TOOLS = Relation("tools", KnownTool, ("tool_id", "block", "name_block"))
