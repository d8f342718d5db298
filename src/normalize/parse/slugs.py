"""The two slugs of a comparison's address."""

from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlsplit

from extract.panel.words.profile import SiteProfile


class SlugPair(NamedTuple):
    """A's slug, B's slug; `is_ambiguous` where the address could be cut in more than one place and nothing decides."""

    a: str
    b: str
    is_ambiguous: bool


def split_address(url: str, known: Collection[str], profile: SiteProfile) -> SlugPair | None:
    """Cuts `/compare/<a>-vs-<b>`, in the form that the profile gives. None where the address is no comparison's.

    `-vs-` may stand inside a slug: the cut whose halves are `known` slugs wins, then the one with a < b (every address
    seen is ascending), else it is ambiguous and the first cut stands.
    """
    cuts = possible_cuts(url, profile)
    if not cuts:
        return None
    fitting = cuts
    for accept in (lambda a, b: a in known and b in known, lambda a, b: a.encode() < b.encode()):
        if len(fitting) > 1:
            fitting = [cut for cut in fitting if accept(*cut)] or fitting
    return SlugPair(*fitting[0], is_ambiguous=len(fitting) > 1)


def possible_cuts(url: str, profile: SiteProfile) -> list[tuple[str, str]]:
    """Every way to cut the address in two slugs, left to right."""
    prefix, separator = profile.addresses.comparison_path, profile.addresses.slug_separator
    path = urlsplit(url).path
    if not path.startswith(prefix):
        return []
    parts = path.removeprefix(prefix).rstrip("/").split(separator)
    cuts = [(separator.join(parts[:count]), separator.join(parts[count:])) for count in range(1, len(parts))]
    return [(a, b) for a, b in cuts if a and b]
