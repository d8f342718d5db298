"""What one observation touches: enough to find all others that normalization must see together with it.

Tools that share an unlabelled take's page, or the same long words, depend on each other; labelled pages keep their two
tools apart. Keys are 64 bits of the ids they stand for.
"""

import hashlib
from typing import NamedTuple
from urllib.parse import urlsplit

from extract.model.records import Comparison, Observation
from extract.panel.profile import Profiles
from extract.panel.profile_files import SHIPPED
from normalize.identity.ids import is_short, slug_tool_id
from normalize.identity.page_versions import page_url
from normalize.identity.tool_identity import named_key
from normalize.parse.slugs import possible_cuts
from normalize.parse.text import skeleton


class Reach(NamedTuple):
    """`tools` are four keys: of A by its slug and by its name, of B likewise; the same one twice where it has no slug.

    `is_open`: its two tools depend on each other. `is_ambiguous`: its address depends on all slugs of its host.
    `texts` are keys of its long takes, `sides` where they are labelled: 0 for A, 1 for B, -1 for neither.
    """

    tools: tuple[int, int, int, int]
    is_open: bool
    is_ambiguous: bool
    texts: tuple[int, ...]
    sides: tuple[int, ...]


def reach_of(item: Observation, profiles: Profiles = SHIPPED) -> Reach | None:
    """None for what is no comparison: it depends on its own address alone."""
    found = item.extracted
    if not isinstance(found, Comparison):
        return None
    profile = profiles[found.profile]
    url = page_url(item.url, found, profile)
    cuts = possible_cuts(url, profile) if url else []
    slugs: tuple[str | None, ...] = cuts[0] if cuts else tuple(card.slug for card in found.cards)
    host = urlsplit(url or "").hostname or ""
    names = [key_of(named_key(card, item.url)) for card in found.cards]
    addressed = [
        key_of(slug_tool_id(host, slug)) if url and slug and all(slugs) else name
        for slug, name in zip(slugs, names, strict=True)
    ]
    texts = []
    sides = []
    for take in found.takes:
        folded = skeleton(take.text)
        if not is_short(folded):
            texts.append(int.from_bytes(hashlib.sha256(folded.encode()).digest()[:8], "big"))
            sides.append(-1 if take.side is None else int(take.side == "b"))
    return Reach(
        tools=(addressed[0], names[0], addressed[1], names[1]),
        is_open=url is None or any(take.side is None for take in found.takes),
        is_ambiguous=len(cuts) > 1,
        texts=tuple(texts),
        sides=tuple(sides),
    )


def key_of(tool_id: str) -> int:
    """The key of a tool's id."""
    return int(tool_id[:16], 16)
