"""Infers the tool (ordered) and the reviewer of a take from the order of rows.

A scorecard has one row for each reviewer, A before B, always in the same order. A missing take leaves no gap.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import msgspec

from verdicts.extract.panel.profile import Profiles, SiteProfile
from verdicts.normalize.attribution.page_takes import PageTakes, PageTakesIndex, find_panel_sizes
from verdicts.normalize.attribution.review_attribution import ORDERED_WEIGHT, JudgedReview, Reason, ReviewAttribution

SideIndex: TypeAlias = int
"""0 for A, 1 for B."""


class Placement(NamedTuple):
    """The side of a take, and the weight (0 to 1) of row order as evidence for it."""

    side: SideIndex
    weight: float


def place_takes(fixed_sides: Sequence[SideIndex | None], size_a: int | None) -> list[Placement]:
    """The side of every take: A and B take turns, as in full rows, until one has as many takes as its panel.

    If the turns differ when they are counted from the last take, a take is missing and the result is less certain. An
    impossible size is ignored.
    """
    if size_a is not None and not fixed_sides.count(0) <= size_a <= len(fixed_sides) - fixed_sides.count(1):
        size_a = None
    sides = _take_turns(fixed_sides, size_a, first=0)
    from_last = _take_turns(fixed_sides[::-1], size_a, first=1)[::-1]
    weight = ORDERED_WEIGHT[size_a is not None]
    full = 2 * min(sides.count(0), sides.count(1))
    return [
        Placement(side, weight.agreed if side == from_end else weight.full_row if number < full else weight.behind)
        for number, (side, from_end) in enumerate(zip(sides, from_last, strict=True))
    ]


def _take_turns(fixed_sides: Sequence[SideIndex | None], size_a: int | None, *, first: SideIndex) -> list[SideIndex]:
    count = len(fixed_sides)
    left = [count, count] if size_a is None else [size_a - fixed_sides.count(0), count - size_a - fixed_sides.count(1)]
    sides: list[SideIndex] = []
    for fixed in fixed_sides:
        side = fixed
        if side is None:
            side = 1 - sides[-1] if sides else first
            side = side if left[side] else 1 - side
            left[side] -= 1
        sides.append(side)
    return sides


class Guess(NamedTuple):
    """The tool of a take by row order, with the weight of this evidence. The page has it on `side`."""

    tool_id: str
    weight: float
    page_id: str
    side: str


def assign_by_row_order(reviews: Mapping[str, ReviewAttribution], index: PageTakesIndex) -> None:
    """Assigns every review that is still open."""
    for review_id, guess in guess_by_row_order(reviews, index).items():
        reason = Reason(guess.weight, f"row order puts it on side {guess.side}")
        reviews[review_id].assign(guess.tool_id, "ordered", guess.page_id, reason)


def guess_by_row_order(reviews: Mapping[str, ReviewAttribution], index: PageTakesIndex) -> Mapping[str, Guess]:
    """Open review id to the guess with the largest weight; of equal weights, the guess of the newest page."""
    guesses: dict[str, Guess] = {}
    for page in reversed(index.pages):
        on_page = [reviews[review_id] for review_id in page.review_ids]
        if all(review.kind is not None for review in on_page):
            continue
        fixed_sides = [_find_side(review, label, page) for review, label in zip(on_page, page.labels, strict=True)]
        placements = place_takes(fixed_sides, find_panel_sizes(page, index)[0])
        for review, (side, weight) in zip(on_page, placements, strict=True):
            best = guesses.get(review.review_id)
            if review.kind is None and (best is None or weight > best.weight):
                tool_id = review.list_tools(page.version)[side]
                guesses[review.review_id] = Guess(tool_id, weight, page.version.page_id, "AB"[side])
    return guesses


def _find_side(attribution: ReviewAttribution, label: str | None, page: PageTakes) -> int | None:
    if label is not None:
        return page.version.tool_ids.index(label)
    tools = attribution.list_tools(page.version)
    tool_id = attribution.tool_id if len(attribution.candidate_tools) == 1 else None
    return tools.index(tool_id) if tool_id in tools else None


class ReviewerRange(msgspec.Struct, frozen=True, array_like=True):
    """The first and the last possible reviewer of a review on a page, as indexes in the site's order of reviewers.

    The index after the last reviewer means a reviewer with an unknown row, which is never inferred.
    """

    review_id: str
    page_id: str
    profile: str
    first: int
    last: int


def find_reviewer_ranges(
    page: PageTakes, reviews: Mapping[str, JudgedReview], profiles: Profiles
) -> list[ReviewerRange]:
    """The possible reviewers of the reviews of a page without a labelled reviewer.

    Empty if row order alone decided the tool of a take, so that no guess depends on a guess.
    """
    in_page_order = [reviews[review_id] for review_id in page.review_ids]
    if any(review.kind == "ordered" for review in in_page_order):
        return []
    version = page.version
    reviewers = _list_reviewers(profiles[version.profile])
    places = [reviewers.index(review.reviewer) if review.reviewer in reviewers else None for review in in_page_order]
    tool_b = version.tool_ids[1]
    is_b = [review.tool_id == review.find_at_home(tool_b) for review in in_page_order]
    return [
        ReviewerRange(review.review_id, version.page_id, version.profile, first, last)
        for review, first, last in zip(in_page_order, *_find_bounds(places, is_b, len(reviewers)), strict=True)
        if not review.reviewer
    ]


def choose_reviewers(ranges: Iterable[ReviewerRange], profiles: Profiles) -> Mapping[str, str]:
    """Review id to reviewer, if all pages of a site together allow only one."""
    allowed: dict[tuple[str, tuple[str, ...]], tuple[int, int]] = {}
    for possible in ranges:
        order = _list_reviewers(profiles[possible.profile])
        key = (possible.review_id, order)
        first, last = allowed.get(key, (0, len(order)))
        allowed[key] = (max(first, possible.first), min(last, possible.last))
    reviewers = [
        (review_id, order[first]) for (review_id, order), (first, last) in allowed.items() if first == last < len(order)
    ]
    # A review on sites with different reviewers is rare: the first in alphabetical order counts.
    return dict(sorted(reviewers, reverse=True))


@cache
def _list_reviewers(profile: SiteProfile) -> tuple[str, ...]:
    """A site's reviewers in page order, without those with an unknown row."""
    return tuple(profile.scorecard.reviewers_in_page_order.values())


def _find_bounds(
    places: Sequence[int | None], is_b: Sequence[bool], reviewers: int
) -> tuple[Sequence[int], Sequence[int]]:
    """The first and the last possible place of each take of a page, between labelled reviewers.

    `places` has the places of labelled reviewers; `reviewers` is the number of reviewers of the site.
    """
    firsts: list[int] = []
    for position, index in enumerate(places):
        lowest = 0 if position == 0 else firsts[-1] + _count_rows_between(is_b[position - 1], is_b[position])
        firsts.append(lowest if index is None else index)
    lasts: list[int] = []
    for position in range(len(places) - 1, -1, -1):
        index = places[position]
        highest = reviewers if not lasts else lasts[-1] - _count_rows_between(is_b[position], is_b[position + 1])
        lasts.append(highest if index is None else index)
    return firsts, lasts[::-1]


def _count_rows_between(was_b: bool, is_b: bool) -> int:
    """Least rows from one take to the next: B may be in A's row, everything else begins another row."""
    return 0 if is_b and not was_b else 1
