"""How many takes each tool has on a page: from labels, votes, percentages and other pages."""

from collections.abc import Mapping
from itertools import islice

from extract.model.records import Comparison
from extract.panel.words.panel_arithmetic import sizes_with_pct
from extract.panel.words.profile import SiteProfile
from normalize.attribution.page_takes import PageTakes, PageTakesIndex
from normalize.parse.values import percent, readable, verdict_line

MAX_PAGES = 8
"""Other pages of a tool that are searched for one that labels its panel, at most."""

PanelSizes = tuple[int | None, int | None]
"""Takes of A and of B, each None where it is not known."""


def page_panel_sizes(page: PageTakes, index: PageTakesIndex) -> PanelSizes:
    """The panel sizes of a page, with the help of labelled pages of the same tools in the same state."""
    version = page.version
    known: dict[int, int] = {}
    for side, tool_id in enumerate(version.tool_ids):
        for other in islice(index.same_state(tool_id, version), MAX_PAGES):
            if other.is_labelled:
                known[side] = other.labels.count(tool_id)
                break
    return panel_sizes(version.comparison, version.profile, known)


def panel_sizes(comparison: Comparison, profile: SiteProfile, known: Mapping[int, int] | None = None) -> PanelSizes:
    """The panel sizes of a comparison. `known` are sizes (by 0 for A, 1 for B) that other pages show.

    Labels and votes count the takes outright. A percentage allows few sizes (75 % of a panel of up to seven is 3 of 4),
    and the two add up to the takes on the page.
    """
    takes = comparison.takes
    if takes and all(take.side for take in takes):
        count_a = sum(1 for take in takes if take.side == "a")
        return count_a, len(takes) - count_a
    sizes_a, sizes_b = (
        frozenset({known[side]}) if known and side in known else sizes_shown(comparison, side, profile)
        for side in (0, 1)
    )
    pairs = [(size_a, len(takes) - size_a) for size_a in sizes_a if len(takes) - size_a in sizes_b]
    return pairs[0] if len(pairs) == 1 else (None, None)


def sizes_shown(comparison: Comparison, side: int, profile: SiteProfile) -> frozenset[int]:
    """How many takes the panel of a side (0 for A, 1 for B) can have given, by its votes, else by its percentage.

    Every size where the page shows neither.
    """
    if comparison.decisions:
        line = readable(verdict_line, comparison.decisions[side].verdict, profile)
        if line.ship_votes is not None and line.skip_votes is not None:
            return frozenset({line.ship_votes + line.skip_votes})
    return sizes_with_pct(readable(percent, comparison.cards[side].panel_ship), profile.scorecard.panel_size_max)
