"""What a reader of a rendering can know, written from the facts; and what is true of the whole site."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from verdicts.corpus.enumerations import SIDES
from verdicts.demo_site.site_facts import Facts, Pair, ReviewerTake, Tool, load_facts
from verdicts.demo_site.site_pages import URL

Rendering: TypeAlias = Literal["html_semantic", "html_flat", "html_jsonld", "html_lite", "innertext", "quotes"]

HTML = frozenset({"html_semantic", "html_flat", "html_jsonld", "html_lite"})
UNLABELLED = frozenset({"html_lite", "quotes"})
"""They lose chip, Decision table, reviewers, scores, and the cells of missing takes."""

LINKED = HTML - UNLABELLED
"""Their card names link to the tool's page, so that the slug is known."""


def without_spans(value: Any) -> Any:
    """A record as plain data, without the blocks it was read from."""
    if isinstance(value, dict):
        return {name: without_spans(item) for name, item in value.items() if name != "span"}
    if isinstance(value, list | tuple):
        return [without_spans(item) for item in value]
    return value


def make_key(pair: Pair, rendering: Rendering, facts: Facts | None = None) -> dict[str, Any]:
    """The fields of a comparison record as plain data, without spans. What the rendering loses is None or empty.

    Positions and rows count from 0 in reading order. `facts` are those of the site unless given.
    """
    facts = facts or load_facts()
    is_labelled = rendering not in UNLABELLED
    cells = [
        (number, row.reviewer, side, take)
        for number, row in enumerate(facts.scorecard(pair))
        for side, take in zip(SIDES, (row.a, row.b), strict=True)
    ]
    takes = [(number, reviewer, side, take) for number, reviewer, side, take in cells if take is not None]
    return {
        "profile": "shiporskip",
        "rendering": "html" if rendering in HTML else rendering,
        "title": facts.title(pair),
        "canonical_url": URL.rstrip("/") + pair.path if rendering in HTML else None,
        "cards": [_card(side, tool, rendering) for side, tool in zip(SIDES, facts.cards(pair), strict=True)],
        "decisions": [
            _decision(side, tool) for side, tool in zip(SIDES, facts.cards(pair), strict=True) if is_labelled
        ],
        "takes": [
            {"position": position, "text": take.text}
            | {"row": number, "reviewer": reviewer, "side": side, "score": f"{take.score}/100", "verdict": take.verdict}
            | ({} if is_labelled else dict.fromkeys(("row", "reviewer", "side", "score", "verdict")))
            for position, (number, reviewer, side, take) in enumerate(takes)
        ],
        "missing_takes": [
            {"reviewer": reviewer, "side": side} for _, reviewer, side, take in cells if take is None and is_labelled
        ],
        "doubts": [],
    }


def _card(side: str, tool: Tool, rendering: Rendering) -> dict[str, Any]:
    return {
        "side": side,
        "name": tool.name,
        "slug": tool.slug if rendering in LINKED else None,
        "tagline": tool.tagline,
        "category": tool.category,
        "chip": None if rendering in UNLABELLED else tool.chip,
        "panel_ship": f"{tool.panel_pct}%",
        "community": tool.community_share,
        "entry": tool.entry,
        "description": tool.description,
    }


def _decision(side: str, tool: Tool) -> dict[str, Any]:
    return {
        "side": side,
        "name": tool.name,
        "verdict": tool.panel_verdict,
        "community": tool.community_vote,
        "pricing": tool.pricing,
        "best_for": tool.tagline,
        "category": tool.category,
    }


@dataclass(frozen=True, slots=True)
class TrueReview:
    """A distinct take: its tool, the number of pages that show it, and whether one of them is labelled."""

    tool_slug: str
    take: ReviewerTake
    appearances: int
    is_labelled_somewhere: bool


@dataclass(frozen=True, slots=True)
class TrueCorpus:
    """Counts over all comparison pages of the site, and every review by its text."""

    pages: int
    tools: int
    appearances: int
    reviews: dict[str, TrueReview]


def corpus_expected() -> TrueCorpus:
    """What a complete crawl of the site holds."""
    facts = load_facts()
    reviews = {
        take.text: _true_review(tool, take, facts.find_pairs(tool.slug))
        for tool in facts.tools.values()
        for take in tool.takes
    }
    appearances = sum(review.appearances for review in reviews.values())
    return TrueCorpus(len(facts.pairs), len(facts.tools), appearances, reviews)


def _true_review(tool: Tool, take: ReviewerTake, pairs: tuple[Pair, ...]) -> TrueReview:
    return TrueReview(tool.slug, take, len(pairs), any(pair.dom not in UNLABELLED for pair in pairs))
