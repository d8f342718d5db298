"""The host and slug of each tool, from the pages whose address says both."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from normalize.identity.page_versions import PageVersion


class ToolAddress(NamedTuple):
    """The slug that names a tool on a host."""

    host: str
    slug: str


def tool_addresses(versions: Sequence[PageVersion]) -> Mapping[str, ToolAddress]:
    """By tool id, with the slug of the newest version. Tools that are known from text dumps only have none."""
    addresses: dict[str, ToolAddress] = {}
    for version in versions:
        slugs = version.slugs
        if slugs is None or slugs.is_ambiguous or version.host is None:
            continue
        for tool_id, slug in zip(version.tool_ids, (slugs.a, slugs.b), strict=True):
            addresses[tool_id] = ToolAddress(version.host, slug)
    return addresses


def host_of(version: PageVersion, addresses: Mapping[str, ToolAddress]) -> str | None:
    """The host whose tools a page version shows, for a text dump that of the tools it was found to be about."""
    known = next((addresses[tool_id] for tool_id in version.tool_ids if tool_id in addresses), None)
    return version.host if known is None else known.host
