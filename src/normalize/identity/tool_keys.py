"""Keys of the tools of one observation, before any other is known: they tell which pages share a tool."""

from verdicts.extract.model.records import Comparison, Document, Observation
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.model.addresses.web_address import host_of
from verdicts.normalize.identity.ids import card_name_id, named_tool_id, slug_tool_id
from verdicts.normalize.identity.page_identity import page_url
from verdicts.normalize.parse.slugs import possible_cuts
from verdicts.normalize.parse.text import fold_name


def tool_keys(observation: Observation, profiles: Profiles = SHIPPED) -> tuple[int, ...]:
    """The keys of the tools that a page shows, in its order; empty where it compares nothing.

    Those of A and B are by slug where the page's address or links say it, else by name; those of other sites by name.
    """
    comparison = observation.extracted
    if isinstance(comparison, Document) and comparison.side_by_side is not None:
        return tuple(tool_key(named_tool_id(fold_name(tool.name), "")) for tool in comparison.side_by_side.tools)
    if not isinstance(comparison, Comparison):
        return ()
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
