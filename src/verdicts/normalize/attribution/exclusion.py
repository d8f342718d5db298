"""Attribution by exclusion (excluded), which assumes that pages are complete.

A take that other pages of a tool lack is about the other tool of its page. If all takes of a tool on a page are known,
the others are about the other tool.
"""

from collections.abc import Iterable, Mapping

from rapidfuzz.fuzz import ratio

from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.normalize.attribution.page_takes import PageTakes, PageTakesIndex, page_panel_sizes
from verdicts.normalize.attribution.review_attribution import WEIGHT, Reason, ReviewAttribution
from verdicts.normalize.dedup.similarity import THRESHOLDS

POSSIBLE_EDIT = 60.0
"""Percent. Takes with this similarity may be edits of each other: then neither counts as absent. Distinct takes reach
54."""

ABSENCE_PAGES = 8
"""Most other pages of a tool to search for a take. A take of the tool is on all of them, another take on none."""


def assign_by_absence(
    reviews: Iterable[ReviewAttribution], index: PageTakesIndex, names: Mapping[str, str]
) -> dict[str, DiscrepancyRow]:
    """Assigns open reviews that a page of one of their two tools lacks. Returns the contradictions by review.

    The page shows the tool in the same state. A take that pages of every candidate tool lack is a contradiction.
    """
    conflicts: dict[str, DiscrepancyRow] = {}
    for review in reviews:
        if review.kind is not None or review.is_contradicted or len(review.candidate_tools) < 2:
            continue
        tools = sorted(review.candidate_tools)
        without = {tool: page for tool in tools if (page := _find_page_without(review, tool, index)) is not None}
        remaining = [tool for tool in tools if tool not in without]
        page_id = review.mentions[0].version.page_id
        if without and len(remaining) == 1:
            absent_tool, page = next(iter(without.items()))
            detail = f"absent from '{page.version.title}', where {names[absent_tool]} also stands"
            review.assign(remaining[0], "excluded", page_id, Reason(WEIGHT["excluded"], detail))
        elif not remaining:
            expected = f"{' or '.join(names[tool] for tool in tools)}: {review.mentions[0].quote}"
            found = "absent from other pages of each"
            conflicts[review.review_id] = DiscrepancyRow(page_id, None, "attribution_conflict", expected, found)
    return conflicts


def assign_by_full_panels(
    reviews: Mapping[str, ReviewAttribution], index: PageTakesIndex, names: Mapping[str, str]
) -> None:
    """Assigns the takes beside full panels, until no page decides another take."""
    pages = [page for page in index.pages if page.version.tool_ids[0] != page.version.tool_ids[1]]
    is_changed = True
    while is_changed:
        is_changed = False
        for page in pages:
            on_page = [reviews[review_id] for review_id in page.review_ids]
            undecided = [review for review in on_page if review.kind is None and not review.is_contradicted]
            for side, size in enumerate(page_panel_sizes(page, index) if undecided else ()):
                full, rest = page.version.tool_ids[side], page.version.tool_ids[1 - side]
                placed = [one for one in on_page if one.kind and one.at_home(full) in one.candidate_tools]
                if size and len(placed) == size:
                    detail = f"all {size} takes of {names[full]} on this page are placed"
                    for review in undecided:
                        if review.kind is None and review.at_home(rest) in review.candidate_tools:
                            reason = Reason(WEIGHT["excluded"], detail)
                            review.assign(review.at_home(rest), "excluded", page.version.page_id, reason)
                            is_changed = True


def _find_page_without(review: ReviewAttribution, tool_id: str, index: PageTakesIndex) -> PageTakes | None:
    """Another page of a tool, in the same state as a page of the review, without the take or an edit of it."""
    own_pages = {mention.version.page_id for mention in review.mentions}
    for version in {mention.version.crawl_day: mention.version for mention in review.mentions}.values():
        for page in index.find_same_state(tool_id, version)[: ABSENCE_PAGES + len(own_pages)]:
            if page.version.page_id in own_pages or review.review_id in page.review_ids:
                continue
            if not any(_may_be_edit(review.match_key, match_key) for match_key in page.match_keys):
                return page
    return None


def _may_be_edit(first: str, second: str) -> bool:
    short, long = sorted((first, second), key=len)
    return bool(
        ratio(short, long, score_cutoff=POSSIBLE_EDIT)
        or (len(short) >= THRESHOLDS.prefix_min and ratio(short, long[: len(short)], score_cutoff=POSSIBLE_EDIT))
    )
