"""Which tool each review is about: every page narrows the candidates, the strongest evidence decides.

All evidence rests on one fact of such sites: a tool's takes are the same on every page it is on. Evidence that
contradicts is reported, never averaged.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from corpus.rows.doubts import DiscrepancyRow
from normalize.attribution.absence import assign_by_absence, assign_doubtful
from normalize.attribution.counterparts import counterparts_at_home
from normalize.attribution.full_panels import assign_by_full_panels
from normalize.attribution.intersection import narrow_by_intersection
from normalize.attribution.labels import assign_by_label
from normalize.attribution.page_takes import PageTakesIndex, takes_by_page
from normalize.attribution.review_attribution import ReviewAttribution, open_attributions
from normalize.attribution.row_order import assign_by_row_order
from normalize.attribution.seat_inference import infer_seats
from normalize.dedup.mentions import TakeMention
from normalize.identity.tool_addresses import ToolAddress


class AttributedReviews(NamedTuple):
    """Every review by its id, the seats inferred from row order, and the contradictions met."""

    reviews: Mapping[str, ReviewAttribution]
    inferred_seats: Mapping[str, str]
    conflicts: Sequence[DiscrepancyRow]


def attribute(
    mentions: Sequence[TakeMention],
    names: Mapping[str, str],
    addresses: Mapping[str, ToolAddress],
    standing: Collection[int],
) -> AttributedReviews:
    """Finds the tool of every review. `mentions` come oldest first; `names` and `addresses` are those of the tools.

    `standing` are the numbers of the page versions that still stand: what only others said was taken back.
    """
    conflicts: list[DiscrepancyRow] = []
    reviews = open_attributions(mentions)
    has_mirrors = len({address.host for address in addresses.values()}) > 1
    for review in reviews.values():
        if has_mirrors:
            review.counterparts = counterparts_at_home(review.mentions, addresses, names)
        conflicts += assign_by_label(review, names, standing)
        if review.kind is None:
            conflicts += narrow_by_intersection(review, names)
    index = PageTakesIndex(takes_by_page(mentions))
    doubtful, absence_conflicts = assign_by_absence(reviews, index, names)
    conflicts += absence_conflicts
    assign_by_full_panels(reviews, index, names)
    conflicts += assign_doubtful(doubtful, reviews, index, names)
    assign_by_full_panels(reviews, index, names)
    assign_by_row_order(reviews, index)
    return AttributedReviews(reviews, infer_seats(index.pages, reviews), conflicts)
