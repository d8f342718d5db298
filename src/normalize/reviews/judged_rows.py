"""Rows of reviews that were judged, and the contradictions that were met."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from normalize.identity.known_tool import TOOLS
from normalize.judged_reviews import Doubt
from normalize.reviews.judging import Judging
from normalize.rows.ranges import Beyond, discrepancies_beyond
from normalize.rows.reviews import appearance_rows, evidence_rows, review_row, seat_conflict_rows


def review_rows(judging: Judging, rejudged: Collection[str], pages: Collection[str]) -> dict[str, list[Any]]:
    """Rows by table: each review with its appearances and evidence, where it is not `rejudged` those on `pages`."""
    rows: dict[str, list[Any]] = {"reviews": [], "appearances": [], "attribution_evidence": []}
    for review_id, review in judging.reviews.items():
        on = None if review_id in rejudged else pages
        rows["reviews"].append(review_row(review, judging.now[review_id].inferred_seat))
        rows["appearances"] += appearance_rows(review, on)
        rows["attribution_evidence"] += evidence_rows(review, on)
    return rows


def review_doubts(judging: Judging, beyond: Sequence[Beyond]) -> set[Doubt]:
    """The contradictions of reviews; `beyond` are numbers that do not fit their rows."""
    return {*_met(judging), *_beyond(judging, beyond)}


def _met(judging: Judging) -> Iterator[Doubt]:
    for review_id, review in judging.reviews.items():
        for row in (*judging.conflicts.get(review_id, ()), *seat_conflict_rows(review)):
            yield Doubt(review_id, row.page_id, row.tool_id, row.rule, row.expected, row.found)


def _beyond(judging: Judging, beyond: Sequence[Beyond]) -> Iterator[Doubt]:
    tools = judging.state.find(TOOLS, "tool_id", {found.row.tool_id for found in beyond})
    first_page = {tool.tool_id: tool.first_page for tool in tools if tool.first_page is not None}
    for found in beyond:
        for row in discrepancies_beyond([found], first_page):
            yield Doubt(found.row.review_id, row.page_id, row.tool_id, row.rule, row.expected, row.found)
