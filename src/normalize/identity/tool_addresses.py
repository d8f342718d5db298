"""The host and slug of a tool."""

from typing import NamedTuple


class ToolAddress(NamedTuple):
    """The slug that names a tool on a host."""

    host: str
    slug: str
