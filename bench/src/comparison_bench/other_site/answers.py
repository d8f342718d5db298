"""The answer key: what a page shows, in every form."""

from typing import Any, TypeAlias

from comparison_bench.other_site.facts import SIDES, Tool
from comparison_bench.other_site.kinds.kind import Medium
from comparison_bench.other_site.page import Page, community_votes

Key: TypeAlias = dict[str, Any]
"""Cards, decisions, takes and missing takes as a comparison record has them; shares are numbers, and scores are of 100.

`may_lack_gaps`: nothing on the page calls the missing takes so.
"""


def key_of(page: Page, medium: Medium, *, is_linked: bool) -> Key:
    pair, is_labelled = page.pair, medium != "quotes"
    cells = [(reviewer, side, pair.tool(side).takes.get(reviewer)) for reviewer in pair.reviewers for side in SIDES]
    return {
        "cards": [_card(side, pair.tool(side), is_labelled=is_labelled, is_linked=is_linked) for side in SIDES],
        "decisions": [_decision(side, pair.tool(side), page) for side in SIDES] if is_labelled else [],
        "takes": [
            {"text": take.text, "side": side, "reviewer": reviewer, "score": take.score, "verdict": take.verdict}
            | ({} if is_labelled else dict.fromkeys(("side", "reviewer", "score", "verdict")))
            for reviewer, side, take in cells
            if take is not None
        ],
        "missing_takes": [
            {"reviewer": reviewer, "side": side} for reviewer, side, take in cells if take is None and is_labelled
        ],
        "may_lack_gaps": page.doubtful_gaps,
    }


def _card(side: str, tool: Tool, *, is_labelled: bool, is_linked: bool) -> dict[str, str | None]:
    return {
        "side": side,
        "name": tool.name,
        "slug": tool.slug if is_linked else None,
        "tagline": tool.tagline,
        "category": tool.category,
        "chip": tool.chip if is_labelled else None,
        "panel_ship": str(tool.pct),
        "community": None if tool.community is None else str(tool.community[0]),
        "entry": tool.entry,
        "description": tool.description,
    }


def _decision(side: str, tool: Tool, page: Page) -> dict[str, str | None]:
    values = {
        "verdict": tool.votes,
        "community": community_votes(tool),
        "pricing": tool.pricing,
        "best_for": tool.tagline,
        "category": tool.category,
    }
    return {"side": side} | {name: None if f"decision {name}" in page.lost else value for name, value in values.items()}
