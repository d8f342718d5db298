"""The two slugs of a comparison's address."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from verdicts.extract.panel.profile import SiteProfile
from verdicts.fetch.model.addresses.web_address import web_address

Cut: TypeAlias = tuple[str, str]
"""An address cut in two slugs, left and right of a separator."""


class SlugPair(NamedTuple):
    """A's slug, B's slug; `is_ambiguous` where the address could be cut in more than one place and nothing decides."""

    a: str
    b: str
    is_ambiguous: bool


def possible_cuts(url: str, profile: SiteProfile) -> Sequence[Cut]:
    """Every way to cut `/compare/<a>-vs-<b>` in two slugs, left to right; none where the address is no comparison's.

    The form of the address is the profile's.
    """
    prefix, separator = profile.addresses.comparison_path, profile.addresses.slug_separator
    address = web_address(url)
    if address is None or not address.path.startswith(prefix):
        return ()
    parts = address.path.removeprefix(prefix).rstrip("/").split(separator)
    cuts = [(separator.join(parts[:count]), separator.join(parts[count:])) for count in range(1, len(parts))]
    return tuple((a, b) for a, b in cuts if a and b)


def best_cut(cuts: Sequence[Cut], known: Collection[str]) -> SlugPair | None:
    """The slugs of an address that can be cut in these ways, None where it cannot be cut.

    `-vs-` may stand inside a slug: the cut whose halves are `known` slugs wins, then the one with a < b (every address
    seen is ascending), else it is ambiguous and the first cut stands.
    """
    if not cuts:
        return None
    if len(cuts) == 1:
        return SlugPair(*cuts[0], is_ambiguous=False)
    fitting = cuts
    for accept in (lambda a, b: a in known and b in known, lambda a, b: a.encode() < b.encode()):
        if len(fitting) > 1:
            fitting = [cut for cut in fitting if accept(*cut)] or fitting
    return SlugPair(*fitting[0], is_ambiguous=len(fitting) > 1)
