"""Which tool each review is about: every page narrows the candidates, the strongest evidence decides.

All evidence rests on one fact of such sites: a tool's takes are the same on every page it is on. Evidence that
contradicts is reported, never averaged.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from verdicts.corpus.rows.doubts import DiscrepancyRow
from verdicts.normalize.attribution.absence import assign_by_absence, assign_doubtful
from verdicts.normalize.attribution.counterparts import counterparts_at_home
from verdicts.normalize.attribution.full_panels import assign_by_full_panels
from verdicts.normalize.attribution.intersection import narrow_by_intersection
from verdicts.normalize.attribution.labels import assign_by_label
from verdicts.normalize.attribution.page_takes import PageTakesIndex
from verdicts.normalize.attribution.review_attribution import ReviewAttribution
from verdicts.normalize.attribution.row_order import assign_by_row_order
from verdicts.normalize.identity.identity import ToolAddress


def attribute_by_own(
    reviews: Iterable[ReviewAttribution], names: Mapping[str, str], addresses: Mapping[str, ToolAddress]
) -> dict[str, list[DiscrepancyRow]]:
    """Finds the tools of reviews whose own mentions tell: by label, or as the only tool on all their pages.

    `names` and `addresses` are those of the tools. Gives the contradictions met, by review.
    """
    conflicts: dict[str, list[DiscrepancyRow]] = defaultdict(list)
    has_mirrors = len({address.host for address in addresses.values()}) > 1
    for review in reviews:
        if has_mirrors:
            review.counterparts = counterparts_at_home(review.mentions, addresses, names)
        found = assign_by_label(review, names)
        if review.kind is None:
            found += narrow_by_intersection(review, names)
        if found:
            conflicts[review.review_id] += found
    return conflicts


def attribute_open(
    reviews: Mapping[str, ReviewAttribution], index: PageTakesIndex, names: Mapping[str, str]
) -> dict[str, list[DiscrepancyRow]]:
    """Finds the tools of the reviews that are open, from other pages of their tools and from the takes beside them.

    `reviews` are all those on the pages that the index is to decide on. Gives the contradictions met, by review.
    """
    doubtful, conflicts = assign_by_absence(reviews, index, names)
    assign_by_full_panels(reviews, index, names)
    for review_id, found in assign_doubtful(doubtful, reviews, index, names).items():
        conflicts[review_id] += found
    assign_by_full_panels(reviews, index, names)
    assign_by_row_order(reviews, index)
    return conflicts
