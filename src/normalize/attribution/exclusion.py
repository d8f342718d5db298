"""Attribution by exclusion (excluded), which assumes that pages are complete.

A take that other pages of a tool lack is about the other tool. If the whole panel of a tool is assigned, the remaining
takes of the page are about the other tool.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.normalize.attribution.page_takes import PageTakes, PageTakesIndex, page_panel_sizes
from verdicts.normalize.attribution.review_attribution import WEIGHT, Reason, ReviewAttribution
from verdicts.normalize.attribution.row_order import guess_by_row_order
from verdicts.normalize.dedup.similarity import THRESHOLDS

POSSIBLE_EDIT = 60.0
"""Percent. Takes with this similarity may be edits of each other: then neither counts as absent. Distinct takes reach
54."""

ABSENCE_PAGES = 8
"""Most other pages of a tool to search for a take. A take of the tool is on all of them, another take on none."""

MIN_SHARE = 0.5
"""A side by row order decides only if more than this share of the best alignments agree."""


class Absence(NamedTuple):
    """A take that is missing on `page`, another page of `absent_tool`, so that it is about `tool_id`."""

    attribution: ReviewAttribution
    tool_id: str
    absent_tool: str
    page: PageTakes

    def assign(self, names: Mapping[str, str]) -> None:
        detail = f"absent from '{self.page.version.title}', where {names[self.absent_tool]} also stands"
        page_id = self.attribution.mentions[0].version.page_id
        self.attribution.assign(self.tool_id, "excluded", page_id, Reason(WEIGHT["excluded"], detail))


def assign_by_absence(
    attributions: Mapping[str, ReviewAttribution], index: PageTakesIndex, names: Mapping[str, str]
) -> tuple[list[Absence], dict[str, list[DiscrepancyRow]]]:
    """Assigns takes that at least two other pages of a tool in the same state lack, to the other tool.

    A single page may have lost the take: such absences are returned for `assign_doubtful`. A take that pages of every
    candidate tool lack is a conflict. Returns conflicts by review.
    """
    conflicts: dict[str, list[DiscrepancyRow]] = defaultdict(list)
    doubtful = []
    for attribution in attributions.values():
        if attribution.kind is not None or attribution.is_contradicted or len(attribution.candidate_tools) < 2:
            continue
        tools = sorted(attribution.candidate_tools)
        pages_without = {tool: list(islice(_pages_without(attribution, tool, index), 2)) for tool in tools}
        remaining = [tool for tool, pages in pages_without.items() if not pages]
        if len(remaining) == 1:
            absent_tool, pages = next((tool, pages) for tool, pages in pages_without.items() if pages)
            absence = Absence(attribution, remaining[0], absent_tool, pages[0])
            if len(pages) > 1:
                absence.assign(names)
            else:
                doubtful.append(absence)
        elif not remaining:
            mention = attribution.mentions[0]
            expected = f"{' or '.join(names[tool] for tool in tools)}: {mention.quote}"
            page_id, found = mention.version.page_id, "absent from other pages of each"
            conflict = DiscrepancyRow(page_id, None, "attribution_conflict", expected, found)
            conflicts[attribution.review_id].append(conflict)
    return doubtful, conflicts


def assign_doubtful(
    doubtful: Sequence[Absence],
    attributions: Mapping[str, ReviewAttribution],
    index: PageTakesIndex,
    names: Mapping[str, str],
) -> Mapping[str, list[DiscrepancyRow]]:
    """Assigns by absence from a single page, unless row order puts the take on the side of the absent tool.

    Then it is a conflict. Returns conflicts by review.
    """
    waiting = [absence for absence in doubtful if absence.attribution.kind is None]
    guesses = guess_by_row_order(attributions, index) if waiting else {}
    conflicts: dict[str, list[DiscrepancyRow]] = defaultdict(list)
    for absence in waiting:
        guess = guesses[absence.attribution.review_id]
        if guess.tool_id == absence.tool_id or guess.share <= MIN_SHARE:
            absence.assign(names)
            continue
        expected = f"{names[absence.absent_tool]} by row order: {absence.attribution.mentions[0].quote}"
        found = f"absent from '{absence.page.version.title}', where it also stands"
        row = DiscrepancyRow(guess.page_id, absence.absent_tool, "attribution_conflict", expected, found)
        conflicts[absence.attribution.review_id].append(row)
    return conflicts


def _pages_without(attribution: ReviewAttribution, tool_id: str, index: PageTakesIndex) -> Iterator[PageTakes]:
    """Other pages of a tool, in the same state as a page of the review, without the take or an edit of it."""
    own_pages = {mention.version.page_id for mention in attribution.mentions}
    for version in {mention.version.crawl_day: mention.version for mention in attribution.mentions}.values():
        for page in islice(index.same_state(tool_id, version), ABSENCE_PAGES + len(own_pages)):
            if page.version.page_id in own_pages or attribution.review_id in page.review_ids:
                continue
            if not any(_may_be_edit(attribution.match_key, match_key) for match_key in page.match_keys):
                yield page


def _may_be_edit(first: str, second: str) -> bool:
    short, long = sorted((first, second), key=len)
    return bool(
        ratio(short, long, score_cutoff=POSSIBLE_EDIT)
        or (len(short) >= THRESHOLDS.prefix_min and ratio(short, long[: len(short)], score_cutoff=POSSIBLE_EDIT))
    )


def assign_by_full_panels(
    attributions: Mapping[str, ReviewAttribution], index: PageTakesIndex, names: Mapping[str, str]
) -> None:
    """Assigns the remaining takes beside full panels, until no page decides another take."""
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
