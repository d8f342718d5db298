"""A comparison as the first text extractor dumps it: one line per unit, no blank lines, takes in quotation marks."""

from verdicts.demo_site.facts import Facts, Pair, Tool
from verdicts.demo_site.pages import EYEBROW, INTRO, NEWSLETTER


def render(facts: Facts, pair: Pair) -> str:
    """Loses chip, vote counts, the Decision table, seats, scores and missing takes."""
    a, b = facts.cards(pair)
    takes = (take for row in facts.scorecard(pair) for take in (row.a, row.b) if take is not None)
    return "\n".join(
        [
            EYEBROW,
            facts.title(pair),
            INTRO,
            *_card(a),
            *_card(b),
            "Reviewer scorecard",
            *(f"“{take.text}”" for take in takes),
            *NEWSLETTER,
        ]
    )


def _card(tool: Tool) -> tuple[str, ...]:
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
