"""A comparison with what its address and its names alone say of its tools."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias
from urllib.parse import urlsplit

from extract.model.records import Card, Comparison
from extract.panel.words.profile import SiteProfile
from normalize.identity.ids import TOOLS_MAX, named_tool_id
from normalize.parse.slugs import Cut, possible_cuts
from normalize.parse.text import fold_name

ToolPair: TypeAlias = tuple[str, str]
"""The tool ids of A and B."""

REMEMBERED_LENGTH = 500
"""Characters of a name and tagline whose id is remembered: what a hostile page says once is not kept."""


@dataclass(frozen=True, slots=True)
class UnresolvedPage:
    """A comparison whose tools are not known yet. `url` is None for a page without an address.

    `source` is the snapshot's address. `ingest_day` is the day it came in, sortable. `host` is that of `url`, else
    empty; `cuts` are the ways to cut `url` in two slugs. `name_ids` are the ids by the names of A and B alone.
    """

    source: str
    ingest_day: str
    url: str | None
    host: str
    cuts: Sequence[Cut]
    name_ids: ToolPair
    comparison: Comparison
    profile: SiteProfile


def unresolved_page(
    source: str, ingest_day: str, url: str | None, comparison: Comparison, profile: SiteProfile
) -> UnresolvedPage:
    """A page with all that its address and its names alone say."""
    host = "" if url is None else urlsplit(url).hostname or ""
    cuts = () if url is None else possible_cuts(url, profile)
    first, second = comparison.cards
    name_ids = (card_name_id(first, source), card_name_id(second, source))
    return UnresolvedPage(source, ingest_day, url, host, cuts, name_ids, comparison, profile)


def card_name_id(card: Card, source: str) -> str:
    """The id by name and tagline. A name alone is too little: without a tagline the id is that snapshot's own."""
    if not card.tagline:
        return named_tool_id(fold_name(card.name), f"\0{source}")
    is_short = len(card.name) + len(card.tagline) <= REMEMBERED_LENGTH
    return (_remembered_id if is_short else _folded_id)(card.name, card.tagline)


def _folded_id(name: str, tagline: str) -> str:
    return named_tool_id(fold_name(name), fold_name(tagline))


_remembered_id = lru_cache(maxsize=TOOLS_MAX)(_folded_id)
