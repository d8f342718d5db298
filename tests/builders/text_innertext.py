"""A comparison as the second text extractor dumps it: paragraphs between blank lines, tables as bare lines."""

from verdicts.demo_site.facts import Facts, Pair, SeatTake, Tool
from verdicts.demo_site.pages import (
    BOOKMARKS,
    EYEBROW,
    INTRO,
    NEWSLETTER,
    NO_TAKE,
    decision_rows,
    page_title,
)


def render(facts: Facts, pair: Pair) -> str:
    """Nothing is lost but the slugs; where nobody voted, the card's `Community` has no value line."""
    a, b = facts.cards(pair)
    title = facts.title(pair)
    decision = [line for row in decision_rows(facts, pair) for line in row]
    paragraphs = [
        f"Compare/{title}",
        EYEBROW,
        title,
        INTRO,
        *_card(a),
        *_card(b),
        "\n".join(["Decision", a.name, b.name, *decision]),
        "Reviewer scorecard",
        _scorecard(facts, pair),
        *NEWSLETTER,
        *BOOKMARKS,
        page_title(facts, pair),
    ]
    return "\n\n".join(paragraphs)


def _card(tool: Tool) -> list[str]:
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
    """A blank line follows a score line and a take, never a seat or `No panel take`."""
    written = "".join(f"{row.seat}\n{_cell(row.a)}{_cell(row.b)}" for row in facts.scorecard(pair))
    return written.rstrip("\n")


def _cell(take: SeatTake | None) -> str:
    if take is None:
        return f"{NO_TAKE}\n"
    return f"{take.score}/100 · {take.verdict}\n\n{take.text}\n\n"
