"""How many takes each tool has on a page, from what its cards say of the panel."""

from extract.records import Comparison
from normalize.values import percent, verdict_line

SEATS_MAX = 7
"""The site claims seven critics; no page has shown more."""


def panel_sizes(comparison: Comparison, takes: int) -> tuple[int | None, int | None]:
    """The number of takes of A and of B among `takes`, each None where it stays open.

    Votes say it outright. A percentage allows few sizes (75 % of a panel of up to seven is 3 of 4), and the two sizes
    add up to the takes on the page.
    """
    labelled = [sum(1 for take in comparison.takes if take.side == side) for side in ("a", "b")]
    if comparison.takes and all(take.side for take in comparison.takes):
        return labelled[0], labelled[1]
    first, second = (_possible_sizes(comparison, index) for index in (0, 1))
    pairs = [(one, takes - one) for one in first if takes - one in second]
    return pairs[0] if len(pairs) == 1 else (None, None)


def _possible_sizes(comparison: Comparison, index: int) -> frozenset[int]:
    if comparison.decisions:
        line = verdict_line(comparison.decisions[index].verdict)
        if line.ship_votes is not None and line.skip_votes is not None:
            return frozenset({line.ship_votes + line.skip_votes})
    share = percent(comparison.cards[index].panel_ship)
    sizes = range(SEATS_MAX + 1)
    if share is None:
        return frozenset(sizes)
    return frozenset(size for size in sizes if any(rounded_pct(ship, size) == share for ship in range(size + 1)))


def rounded_pct(ship: int, size: int) -> int | None:
    """The site's arithmetic: 2 of 3 is 67. None for no panel."""
    return None if size == 0 else int(100 * ship / size + 0.5)
