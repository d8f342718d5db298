"""Attribution by full panels: once a tool's whole panel is assigned, the remaining takes of the page are the other's.

The kind is `excluded`.
"""

from collections import defaultdict
from collections.abc import Mapping

from verdicts.normalize.attribution.confidence import WEIGHT
from verdicts.normalize.attribution.page_takes import PageTakes, PageTakesIndex
from verdicts.normalize.attribution.panel_sizes import page_panel_sizes
from verdicts.normalize.attribution.review_attribution import Reason, ReviewAttribution


def assign_by_full_panels(
    attributions: Mapping[str, ReviewAttribution], index: PageTakesIndex, names: Mapping[str, str]
) -> None:
    """Assigns what full panels leave over, until no page settles anything more."""
    pages_of_review: dict[str, list[int]] = defaultdict(list)
    waiting = []
    for number, page in enumerate(index.pages):
        undecided = [review_id for review_id in page.review_ids if attributions[review_id].kind is None]
        if undecided:
            waiting.append(number)
        for review_id in undecided:
            pages_of_review[review_id].append(number)
    queued = set(waiting)
    while waiting:
        number = waiting.pop()
        queued.discard(number)
        for attribution in _assign_rest(index.pages[number], attributions, index, names):
            for touched in pages_of_review[attribution.review_id]:
                if touched not in queued:
                    queued.add(touched)
                    waiting.append(touched)


def _assign_rest(
    page: PageTakes,
    attributions: Mapping[str, ReviewAttribution],
    index: PageTakesIndex,
    names: Mapping[str, str],
) -> list[ReviewAttribution]:
    """The reviews that one page settles."""
    tool_a, tool_b = page.version.tool_ids
    on_page = [attributions[review_id] for review_id in page.review_ids]
    undecided = [review for review in on_page if review.kind is None and not review.is_contradicted]
    if not undecided or tool_a == tool_b:
        return []
    size_a, size_b = page_panel_sizes(page, index)
    for tool_id, other_tool, size in ((tool_a, tool_b, size_a), (tool_b, tool_a, size_b)):
        assigned = sum(
            review.kind is not None and review.at_home(tool_id) in review.candidate_tools for review in on_page
        )
        if size is None or size == 0 or assigned != size:
            continue
        settled = [review for review in undecided if review.at_home(other_tool) in review.candidate_tools]
        for review in settled:
            detail = f"all {size} takes of {names[tool_id]} on this page are placed"
            review.assign(
                review.at_home(other_tool), "excluded", page.version.page_id, Reason(WEIGHT["excluded"], detail)
            )
        return settled
    return []
