"""How many takes each tool has on a page, from what its cards say of the panel."""

from collections.abc import Mapping
from functools import lru_cache

from extract.model.records import Comparison
from extract.panel.profile import SiteProfile
from normalize.parse.values import percent, readable, verdict_line

Sizes = tuple[int | None, int | None]


def panel_sizes(comparison: Comparison, profile: SiteProfile, known: Mapping[int, int] | None = None) -> Sizes:
    """The number of takes of A and of B on the page, each None where it stays open.

    Labels count them and votes say them outright; `known` are sizes (0 for A, 1 for B) that other pages show. A
    percentage allows few sizes (75 % of a panel of up to seven is 3 of 4), and the two add up to the takes on the page.
    """
    takes = comparison.takes
    if takes and all(take.side for take in takes):
        count_a = sum(1 for take in takes if take.side == "a")
        return count_a, len(takes) - count_a
    first, second = (_possible_sizes(comparison, index, profile, known or {}) for index in (0, 1))
    pairs = [(one, len(takes) - one) for one in first if len(takes) - one in second]
    return pairs[0] if len(pairs) == 1 else (None, None)


def rounded_pct(ship: int, size: int) -> int | None:
    """The site's arithmetic: 2 of 3 is 67. None for no panel."""
    return None if size == 0 else int(100 * ship / size + 0.5)


def _possible_sizes(
    comparison: Comparison, index: int, profile: SiteProfile, known: Mapping[int, int]
) -> frozenset[int]:
    if index in known:
        return frozenset({known[index]})
    if comparison.decisions:
        line = readable(verdict_line, comparison.decisions[index].verdict, profile)
        if line.ship_votes is not None and line.skip_votes is not None:
            return frozenset({line.ship_votes + line.skip_votes})
    return _sizes_of(readable(percent, comparison.cards[index].panel_ship), profile.scorecard.panel_size_max)


@lru_cache(maxsize=128)
def _sizes_of(share: int | None, largest: int) -> frozenset[int]:
    sizes = range(1, largest + 1)
    if share is None:
        return frozenset({0, *sizes})
    return frozenset(size for size in sizes if any(rounded_pct(ship, size) == share for ship in range(size + 1)))
