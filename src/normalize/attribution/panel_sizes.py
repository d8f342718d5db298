"""How many takes each tool has on a page: from labels, votes, percentages and other pages."""

from itertools import islice

from verdicts.extract.model.records import Comparison
from verdicts.extract.panel.profile import SiteProfile, sizes_with_pct
from verdicts.normalize.attribution.page_takes import PageTakes, PageTakesIndex
from verdicts.normalize.parse.values import percent, readable, verdict_line

MAX_PAGES = 8
"""Other pages of a tool that are searched for one that labels its panel, at most."""

PanelSizes = tuple[int | None, int | None]
"""Takes of A and of B, each None where it is not known."""


def page_panel_sizes(page: PageTakes, index: PageTakesIndex) -> PanelSizes:
    """The panel sizes of a page, with the help of labelled pages of the same tools in the same state.

    Labels and votes count the takes outright. A percentage allows few sizes (75 % of a panel of up to seven is 3 of 4),
    and the two add up to the takes on the page.
    """
    version, takes = page.version, len(page.sides)
    if takes and all(page.sides):
        count_a = page.sides.count("a")
        return count_a, takes - count_a
    sizes_a, sizes_b = (
        _labelled_size(page, tool_id, index) or version.sizes[side] for side, tool_id in enumerate(version.tool_ids)
    )
    pairs = [(size_a, takes - size_a) for size_a in sizes_a if takes - size_a in sizes_b]
    return pairs[0] if len(pairs) == 1 else (None, None)


def _labelled_size(page: PageTakes, tool_id: str, index: PageTakesIndex) -> tuple[int, ...]:
    """How many takes of a tool the first page labels that does; empty where none of the first few pages does."""
    for other in islice(index.same_state(tool_id, page.version), MAX_PAGES):
        if other.is_labelled:
            return (other.labels.count(tool_id),)
    return ()


def sizes_shown(comparison: Comparison, side: int, profile: SiteProfile) -> frozenset[int]:
    """How many takes the panel of a side (0 for A, 1 for B) can have given, by its votes, else by its percentage.

    Every size where the page shows neither.
    """
    if comparison.decisions:
        line = readable(verdict_line, comparison.decisions[side].verdict, profile)
        if line.ship_votes is not None and line.skip_votes is not None:
            return frozenset({line.ship_votes + line.skip_votes})
    return sizes_with_pct(readable(percent, comparison.cards[side].panel_ship), profile.scorecard.panel_size_max)
