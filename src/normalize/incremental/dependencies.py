"""What one observation depends on: enough to find all others that must be normalized together with it.

Tools depend on each other where a page with both has an unlabelled take or no address, and where both have the same
long text. A labelled page alone does not make its two tools depend on each other. Keys are the first 64 bits of ids.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from extract.model.records import Comparison, Observation
from extract.panel.words.profile import Profiles
from extract.panel.words.profile_files import SHIPPED
from normalize.identity.ids import is_short, slug_tool_id
from normalize.identity.page_identity import page_url
from normalize.identity.unresolved_page import card_name_id
from normalize.parse.slugs import Cut, possible_cuts
from normalize.parse.text import match_key


class DependencyKeys(NamedTuple):
    """`tools` are four keys: of A by its slug and by its name, then of B; the same key twice where it has no slug.

    `is_open`: the two tools depend on each other. `is_ambiguous`: the address depends on all slugs of its host.
    `texts` are keys of the long takes, `sides` say where each is labelled: 0 for A, 1 for B, -1 for no label.
    """

    tools: tuple[int, int, int, int]
    is_open: bool
    is_ambiguous: bool
    texts: tuple[int, ...]
    sides: tuple[int, ...]


def dependency_keys(observation: Observation, profiles: Profiles = SHIPPED) -> DependencyKeys | None:
    """The keys of a comparison; None for anything else, which depends on its own address alone."""
    comparison = observation.extracted
    if not isinstance(comparison, Comparison):
        return None
    profile = profiles[comparison.profile]
    url = page_url(observation.url, comparison, profile)
    cuts = possible_cuts(url, profile) if url else ()
    texts, sides = _long_texts(comparison)
    return DependencyKeys(
        tools=_tool_keys(observation.url, url, cuts, comparison),
        is_open=url is None or any(take.side is None for take in comparison.takes),
        is_ambiguous=len(cuts) > 1,
        texts=texts,
        sides=sides,
    )


def _tool_keys(source: str, url: str | None, cuts: Sequence[Cut], comparison: Comparison) -> tuple[int, int, int, int]:
    slugs: tuple[str | None, ...] = cuts[0] if cuts else tuple(card.slug for card in comparison.cards)
    host = urlsplit(url or "").hostname or ""
    by_name = [tool_key(card_name_id(card, source)) for card in comparison.cards]
    by_slug = [
        tool_key(slug_tool_id(host, slug)) if url and slug and all(slugs) else name
        for slug, name in zip(slugs, by_name, strict=True)
    ]
    return (by_slug[0], by_name[0], by_slug[1], by_name[1])


def _long_texts(comparison: Comparison) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Keys and sides of the takes that are identified by their words alone."""
    texts = []
    sides = []
    for take in comparison.takes:
        folded = match_key(take.text)
        if not is_short(folded):
            texts.append(int.from_bytes(hashlib.sha256(folded.encode()).digest()[:8], "big"))
            sides.append(-1 if take.side is None else int(take.side == "b"))
    return tuple(texts), tuple(sides)


def tool_key(tool_id: str) -> int:
    """The key of a tool's id."""
    return int(tool_id[:16], 16)
