"""Ids of tools, pages and texts: 128 bits of SHA-256 in hex, the same on every machine and in every run."""

import hashlib
from functools import lru_cache
from typing import TypeAlias

import msgspec

from verdicts.extract.model.records import Card
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.identity.page_addresses import SlugPair
from verdicts.normalize.parse.match_keys import fold_name, match_key, remembered
from verdicts.normalize.parse.names import parse_name

NORM_VERSION = "2"
"""Part of every text id. A new value changes the id of every review, so it needs a migration."""

SHORT_MATCH_KEY = 120
"""In shorter texts reviewers may use the same words about two tools, so the tool is part of the id. Characters."""

TOOLS_MAX = 65_536
"""Most ids of tools in the cache: a tool is on many pages, and they share one string."""


def _hash_parts(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


@lru_cache(maxsize=TOOLS_MAX)
def make_slug_id(host: str, slug: str) -> str:
    """Id of a tool with a slug on a host."""
    return _hash_parts("tool", host, slug)


def make_name_id(name: str, tagline: str) -> str:
    """Id of a tool without an address, from its folded name and tagline."""
    return _hash_parts("named-tool", name, tagline)


def make_external_review_id(
    name: str | None, author: str | None, stated: tuple[float | None, float | None], text: str, source: str
) -> str:
    """Id of a review of another site: tool name, author, share of the best rating (default 5), and text.

    Many people write `Nice tool.`: for a short text without an author, `source` is part of the id, too.
    """
    rating, best = stated
    share = "" if rating is None else f"{rating / (best or 5):.4f}"
    key = match_key(text)
    is_anybodys = author is None and is_short(key)
    tool = "" if name is None else parse_name(name).key
    return _hash_parts("outside-review", tool, match_key(author or ""), share, key, source if is_anybodys else "")


def make_address_id(url: str) -> str:
    return _hash_parts("page", url)


def make_pair_id(tool_a: str, tool_b: str) -> str:
    """Id of a page without an address, from the two tools it compares."""
    return _hash_parts("pair", tool_a, tool_b)


def is_short(match_key: str) -> bool:
    """Whether a text is too short to identify it by its words."""
    return len(match_key) < SHORT_MATCH_KEY


def make_text_id(match_key: str, owner: str) -> str:
    """Id of a distinct text. Page, name, score, rendering and date are not part of it.

    `owner` is empty for most texts. A short text is owned by the tool of its label, else by the two tools of its page
    as `id|id`; a text that one page prints for several tools or reviewers, by these. The ids are those that the page
    alone gives its tools (`printed_ids`), so that no other page changes the id.
    """
    return _hash_parts("text", NORM_VERSION, match_key, owner)


ToolPair: TypeAlias = tuple[str, str]
"""The tool ids of A and B."""


def make_card_id(card: Card, source: str) -> str:
    """The id from name and tagline. A name alone is not enough: without a tagline each snapshot has its own id."""
    return (
        _make_folded_id(card.name, card.tagline) if card.tagline else make_name_id(fold_name(card.name), f"\0{source}")
    )


@remembered
def _make_folded_id(name: str, tagline: str) -> str:
    return make_name_id(fold_name(name), fold_name(tagline))


class Identity(msgspec.Struct, frozen=True):
    """The page and the tools of one snapshot of a comparison.

    `tool_ids` are the tools A and B of the page, `printed_ids` the ids that this snapshot alone gives them. `slugs` are
    those of this snapshot, None if only names are known. `is_other_way`: it shows the tools in the other order than the
    page, so its sides must be exchanged. `own_ids` are the tools before corrections.
    """

    location: Location
    page_id: str
    url: str | None
    tool_ids: ToolPair
    printed_ids: ToolPair
    slugs: SlugPair | None
    is_other_way: bool
    own_ids: ToolPair | None = None


class ToolAlias(msgspec.Struct, frozen=True):
    """Another id of a tool, made of name and tagline or of a later slug."""

    alias_id: str
    tool_id: str
    name: str
    tagline: str | None
    reason: str = "one tool with a slug shows this name and tagline"


RENAMED = "the site leads the pages of the tool's first slug to those of this one"


class KnownTool(msgspec.Struct, frozen=True):
    """A tool with its current name, tagline, category, host and slug. None: not known.

    `first_page` is its page with the smallest id: contradictions about the whole tool are reported there. `name_block`
    is the block of its `parse_name`, to find tools that other sites name.
    """

    tool_id: str
    name: str
    host: str | None
    slug: str | None
    tagline: str | None
    category: str | None
    first_page: str
    name_block: str | None
