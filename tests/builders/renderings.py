"""Every rendering of the demo site's facts, by name: its own DOMs, and what two text extractors make of a page."""

from collections.abc import Callable
from functools import partial

from builders.snapshots import html, snapshot
from verdicts.demo_site.responses import SITE_URL
from verdicts.demo_site.site_facts import DOMS, Facts, Pair, ReviewerTake, Tool, load_facts
from verdicts.demo_site.site_pages import (
    BOOKMARKS,
    EYEBROW,
    INTRO,
    NEWSLETTER,
    NO_TAKE,
    list_decision_rows,
    make_page_title,
    render_comparison,
)
from verdicts.fetch.model.snapshot import Snapshot


def as_quotes(facts: Facts, pair: Pair) -> str:
    """Loses chip, vote counts, the Decision table, reviewers, scores and missing takes."""
    a, b = facts.cards(pair)
    takes = (take for row in facts.scorecard(pair) for take in (row.a, row.b) if take is not None)
    return "\n".join(
        [
            EYEBROW,
            facts.title(pair),
            INTRO,
            *_quotes_card(a),
            *_quotes_card(b),
            "Reviewer scorecard",
            *(f"“{take.text}”" for take in takes),
            *NEWSLETTER,
        ]
    )


def _quotes_card(tool: Tool) -> tuple[str, ...]:
    return (
        tool.category,
        tool.name,
        tool.tagline,
        f"{tool.panel_pct}%",
        "Panel ship",
        tool.community_share or "—",
        "Community",
        tool.entry,
        "Entry",
        tool.description,
    )


def as_innertext(facts: Facts, pair: Pair) -> str:
    """Nothing is lost but the slugs; where nobody voted, the card's `Community` has no value line."""
    a, b = facts.cards(pair)
    title = facts.title(pair)
    decision = [line for row in list_decision_rows(facts, pair) for line in row]
    paragraphs = [
        f"Compare/{title}",
        EYEBROW,
        title,
        INTRO,
        *_innertext_card(a),
        *_innertext_card(b),
        "\n".join(["Decision", a.name, b.name, *decision]),
        "Reviewer scorecard",
        _scorecard(facts, pair),
        *NEWSLETTER,
        *BOOKMARKS,
        make_page_title(facts, pair),
    ]
    return "\n\n".join(paragraphs)


def _innertext_card(tool: Tool) -> list[str]:
    community = ["Community"] if tool.community_share is None else [tool.community_share, "Community"]
    return [
        tool.monogram,
        tool.category,
        tool.name,
        tool.tagline,
        tool.chip,
        f"{tool.panel_pct}%",
        "Panel ship",
        *community,
        tool.entry,
        "Entry",
        tool.description,
    ]


def _scorecard(facts: Facts, pair: Pair) -> str:
    """A blank line follows a score line and a take, never a reviewer or `No panel take`."""
    written = "".join(f"{row.reviewer}\n{_cell(row.a)}{_cell(row.b)}" for row in facts.scorecard(pair))
    return written.rstrip("\n")


def _cell(take: ReviewerTake | None) -> str:
    if take is None:
        return f"{NO_TAKE}\n"
    return f"{take.score}/100 · {take.verdict}\n\n{take.text}\n\n"


RENDERERS: dict[str, Callable[[Facts, Pair], str]] = {
    **{dom: partial(render_comparison, dom=dom) for dom in DOMS},
    "innertext": as_innertext,
    "quotes": as_quotes,
}


def page_url(pair: Pair) -> str:
    return SITE_URL.rstrip("/") + pair.path


def render_pair(pair: Pair, rendering: str, *, url: str | None = None, night: int = 1) -> Snapshot:
    body = RENDERERS[rendering](load_facts(), pair)
    make = html if rendering.startswith("html") else snapshot
    return make(body, url or page_url(pair), night=night)
