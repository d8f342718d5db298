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
from verdicts.normalize.attribution.row_order import assign_by_row_order, guess_by_row_order
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

    review: ReviewAttribution
    tool_id: str
    absent_tool: str
    page: PageTakes


class OpenReviews:
    """Finds the tools of open reviews from other pages of their tools, and from the other takes on their pages.

    `reviews` are all reviews on the pages of the index, `names` the tools' names for the reasons.
    """

    def __init__(
        self, reviews: Mapping[str, ReviewAttribution], index: PageTakesIndex, names: Mapping[str, str]
    ) -> None:
        self._reviews, self._index, self._names = reviews, index, names
        self._conflicts: dict[str, list[DiscrepancyRow]] = defaultdict(list)

    def decide(self) -> dict[str, list[DiscrepancyRow]]:
        """Assigns every review. Returns the contradictions by review."""
        doubtful = self._assign_by_absence()
        self._assign_by_full_panels()
        self._assign_doubtful(doubtful)
        self._assign_by_full_panels()
        assign_by_row_order(self._reviews, self._index)
        return self._conflicts

    def _assign_by_absence(self) -> list[Absence]:
        """Assigns takes that at least two other pages of a tool in the same state lack, to the other tool.

        A single page may have lost the take: such absences are returned. A take that pages of every candidate tool lack
        is a conflict.
        """
        doubtful = []
        for review in self._reviews.values():
            if review.kind is not None or review.is_contradicted or len(review.candidate_tools) < 2:
                continue
            tools = sorted(review.candidate_tools)
            pages_without = {tool: list(islice(self._pages_without(review, tool), 2)) for tool in tools}
            remaining = [tool for tool, pages in pages_without.items() if not pages]
            if len(remaining) == 1:
                absent_tool, pages = next((tool, pages) for tool, pages in pages_without.items() if pages)
                absence = Absence(review, remaining[0], absent_tool, pages[0])
                if len(pages) > 1:
                    self._assign(absence)
                else:
                    doubtful.append(absence)
            elif not remaining:
                expected = " or ".join(self._names[tool] for tool in tools)
                page_id = review.mentions[0].version.page_id
                self._note_conflict(review, page_id, None, expected, "absent from other pages of each")
        return doubtful

    def _assign(self, absence: Absence) -> None:
        review, tool_id, absent_tool, page = absence
        detail = f"absent from '{page.version.title}', where {self._names[absent_tool]} also stands"
        review.assign(tool_id, "excluded", review.mentions[0].version.page_id, Reason(WEIGHT["excluded"], detail))

    def _note_conflict(
        self, review: ReviewAttribution, page_id: str, tool_id: str | None, expected: str, found: str
    ) -> None:
        expected = f"{expected}: {review.mentions[0].quote}"
        row = DiscrepancyRow(page_id, tool_id, "attribution_conflict", expected, found)
        self._conflicts[review.review_id].append(row)

    def _assign_doubtful(self, doubtful: Sequence[Absence]) -> None:
        """Assigns by absence from a single page, unless row order puts the take on the side of the absent tool.

        Then it is a conflict.
        """
        waiting = [absence for absence in doubtful if absence.review.kind is None]
        guesses = guess_by_row_order(self._reviews, self._index) if waiting else {}
        for absence in waiting:
            review, tool_id, absent_tool, page = absence
            guess = guesses[review.review_id]
            if guess.tool_id == tool_id or guess.share <= MIN_SHARE:
                self._assign(absence)
                continue
            expected = f"{self._names[absent_tool]} by row order"
            found = f"absent from '{page.version.title}', where it also stands"
            self._note_conflict(review, guess.page_id, absent_tool, expected, found)

    def _pages_without(self, review: ReviewAttribution, tool_id: str) -> Iterator[PageTakes]:
        """Other pages of a tool, in the same state as a page of the review, without the take or an edit of it."""
        own_pages = {mention.version.page_id for mention in review.mentions}
        for version in {mention.version.crawl_day: mention.version for mention in review.mentions}.values():
            for page in islice(self._index.same_state(tool_id, version), ABSENCE_PAGES + len(own_pages)):
                if page.version.page_id in own_pages or review.review_id in page.review_ids:
                    continue
                if not any(_may_be_edit(review.match_key, match_key) for match_key in page.match_keys):
                    yield page

    def _assign_by_full_panels(self) -> None:
        """Assigns the remaining takes beside full panels, until no page decides another take."""
        pages_of_review: dict[str, list[int]] = defaultdict(list)
        for number, page in enumerate(self._index.pages):
            for review_id in page.review_ids:
                if self._reviews[review_id].kind is None:
                    pages_of_review[review_id].append(number)
        # In the order in which they are added: the last one is next.
        waiting = dict.fromkeys(sorted({number for numbers in pages_of_review.values() for number in numbers}))
        while waiting:
            number, _ = waiting.popitem()
            for review in self._assign_rest(self._index.pages[number]):
                waiting |= dict.fromkeys(pages_of_review[review.review_id])

    def _assign_rest(self, page: PageTakes) -> list[ReviewAttribution]:
        tool_a, tool_b = page.version.tool_ids
        on_page = [self._reviews[review_id] for review_id in page.review_ids]
        undecided = [review for review in on_page if review.kind is None and not review.is_contradicted]
        if not undecided or tool_a == tool_b:
            return []
        size_a, size_b = page_panel_sizes(page, self._index)
        for tool_id, other_tool, size in ((tool_a, tool_b, size_a), (tool_b, tool_a, size_b)):
            assigned = sum(
                review.kind is not None and review.at_home(tool_id) in review.candidate_tools for review in on_page
            )
            if size is None or size == 0 or assigned != size:
                continue
            settled = [review for review in undecided if review.at_home(other_tool) in review.candidate_tools]
            detail = f"all {size} takes of {self._names[tool_id]} on this page are placed"
            reason = Reason(WEIGHT["excluded"], detail)
            for review in settled:
                review.assign(review.at_home(other_tool), "excluded", page.version.page_id, reason)
            return settled
        return []


def _may_be_edit(first: str, second: str) -> bool:
    short, long = sorted((first, second), key=len)
    return bool(
        ratio(short, long, score_cutoff=POSSIBLE_EDIT)
        or (len(short) >= THRESHOLDS.prefix_min and ratio(short, long[: len(short)], score_cutoff=POSSIBLE_EDIT))
    )
