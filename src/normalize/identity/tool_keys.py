"""Keys of the tools of one observation, before any other is known: they tell which pages share a tool."""

from extract.model.records import Comparison, Observation
from extract.panel.words.profile import Profiles
from extract.panel.words.profile_files import SHIPPED
from fetch.model.addresses.web_address import host_of
from normalize.identity.ids import card_name_id, slug_tool_id
from normalize.identity.page_identity import page_url
from normalize.parse.slugs import possible_cuts


def tool_keys(observation: Observation, profiles: Profiles = SHIPPED) -> tuple[int, int] | None:
    """The keys of A and B, by slug where the page's address or links say it, else by name. None for no comparison."""
    comparison = observation.extracted
    if not isinstance(comparison, Comparison):
        return None
    profile = profiles[comparison.profile]
    url = page_url(observation.url, comparison, profile)
    cuts = possible_cuts(url, profile) if url else ()
    first, second = cuts[0] if cuts else tuple(card.slug for card in comparison.cards)
    if url and first and second:
        host = host_of(url)
        return (tool_key(slug_tool_id(host, first)), tool_key(slug_tool_id(host, second)))
    a, b = (tool_key(card_name_id(card, observation.url)) for card in comparison.cards)
    return (a, b)


def tool_key(tool_id: str) -> int:
    """The first 64 bits of a tool's id."""
    return int(tool_id[:16], 16)
