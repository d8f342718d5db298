"""Attribution by exclusion (excluded), which assumes that pages are complete.

If other pages of a tool do not show a take, it is about the other tool of its page. If all takes of a tool on a page
are known, the rest are about the other tool.
"""

from collections.abc import Iterable, Mapping
from itertools import islice

from rapidfuzz.fuzz import ratio

from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.normalize.attribution.page_takes import PageTakes, PageTakesIndex, find_panel_sizes
from verdicts.normalize.attribution.review_attribution import WEIGHT, Reason, ReviewAttribution
from verdicts.normalize.attribution.row_order import Guess
from verdicts.normalize.dedup.similarity import THRESHOLDS

POSSIBLE_EDIT = 60.0
"""Percent. Takes with this similarity may be edits of each other: then neither counts as absent. Distinct takes reach
54."""

MIN_WEIGHT = 0.9
"""From this weight on row order contradicts other evidence: mostly, where the turns agree from both ends of a page."""

ABSENCE_PAGES = 8
"""Most other pages of a tool to search for a take. A take of the tool is on all of them, another take on none."""


def assign_by_absence(
    reviews: Iterable[ReviewAttribution],
    index: PageTakesIndex,
    names: Mapping[str, str],
    guesses: Mapping[str, Guess] | None = None,
) -> dict[str, DiscrepancyRow]:
    """Assigns open reviews that are missing on two pages of one of their tools to the other tool.

    Returns the contradictions by review.

    The pages show the tool in the same state. A single page may have lost the take. It counts only if there are
    `guesses` by row order, and if these do not give the take to the tool without it. A take that is missing on pages of
    every candidate tool is a contradiction.
    """
    conflicts: dict[str, DiscrepancyRow] = {}

    def note(review: ReviewAttribution, page_id: str, tool_id: str | None, expected: str, found: str) -> None:
        expected = f"{expected}: {review.mentions[0].quote}"
        conflicts[review.review_id] = DiscrepancyRow(page_id, tool_id, "attribution_conflict", expected, found)

    for review in reviews:
        if review.kind is not None or review.is_contradicted or len(review.candidate_tools) < 2:
            continue
        tools = sorted(review.candidate_tools)
        without = {tool: pages for tool in tools if (pages := _find_pages_without(review, tool, index))}
        remaining = [tool for tool in tools if tool not in without]
        page_id = review.mentions[0].version.page_id
        if not remaining:
            expected = " or ".join(names[tool] for tool in tools)
            note(review, page_id, None, expected, "absent from other pages of each")
        elif without and len(remaining) == 1:
            (absent_tool, pages), *_ = without.items()
            title = pages[0].version.title
            guess = None if guesses is None else guesses[review.review_id]
            if len(pages) > 1 or (guess and (guess.tool_id == remaining[0] or guess.weight < MIN_WEIGHT)):
                reason = Reason(WEIGHT["excluded"], f"absent from '{title}', where {names[absent_tool]} also appears")
                review.assign(remaining[0], "excluded", page_id, reason)
            elif guess:
                expected = f"{names[absent_tool]} by row order"
                note(review, guess.page_id, absent_tool, expected, f"absent from '{title}', where it also appears")
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
            for side, size in enumerate(find_panel_sizes(page, index) if undecided else ()):
                full, rest = page.version.tool_ids[side], page.version.tool_ids[1 - side]
                decided = [
                    review for review in on_page if review.kind and review.find_at_home(full) in review.candidate_tools
                ]
                if size and len(decided) == size:
                    reason = Reason(WEIGHT["excluded"], f"all {size} takes of {names[full]} on this page are placed")
                    for review in undecided:
                        if review.kind is None and review.find_at_home(rest) in review.candidate_tools:
                            review.assign(review.find_at_home(rest), "excluded", page.version.page_id, reason)
                            is_changed = True


def _find_pages_without(review: ReviewAttribution, tool_id: str, index: PageTakesIndex) -> list[PageTakes]:
    """Other pages of a tool, up to two, that lack the take and any edit of it, in the same state as a page with it."""
    page_ids = {mention.version.page_id for mention in review.mentions}
    versions = {mention.version.crawl_day: mention.version for mention in review.mentions}.values()
    without = (
        page
        for version in versions
        for page in index.find_same_state(tool_id, version)[: ABSENCE_PAGES + len(page_ids)]
        if page.version.page_id not in page_ids
        and review.review_id not in page.review_ids
        and not any(_may_be_edit(review.match_key, match_key) for match_key in page.match_keys)
    )
    return [*islice(without, 2)]


def _may_be_edit(first: str, second: str) -> bool:
    short, long = sorted((first, second), key=len)
    return bool(
        ratio(short, long, score_cutoff=POSSIBLE_EDIT)
        or (len(short) >= THRESHOLDS.prefix_min and ratio(short, long[: len(short)], score_cutoff=POSSIBLE_EDIT))
    )
