"""The comparison grammar: blocks in, one comparison out. It is the same for every rendering."""

from collections.abc import Sequence

from extract.blocks import Block
from extract.cards import find_names, read_cards
from extract.decision import read_decision
from extract.errors import PageRejected
from extract.records import Comparison
from extract.scorecard import read_scorecard
from extract.sections import find_sections


def read_comparison(blocks: Sequence[Block], *, is_html: bool, canonical_url: str | None = None) -> Comparison:
    """Reads a comparison page. Raises `PageRejected` where it is none, or where a part of it cannot be trusted."""
    sections = find_sections(blocks)
    if not sections.is_ended and not is_html:
        raise PageRejected("truncated", "the dump stops inside the scorecard: none of the page's closing lines follows")
    names = find_names(blocks, sections.cards)
    decisions = () if sections.decision is None else read_decision(blocks, sections.decision, names.names)
    cards = read_cards(blocks, sections.cards, names, decisions)
    scorecard = read_scorecard(blocks, sections.takes)
    is_innertext = scorecard.is_labelled or bool(decisions)
    return Comparison(
        rendering="html" if is_html else "innertext" if is_innertext else "quotes",
        title=names.title,
        canonical_url=canonical_url,
        cards=cards,
        decisions=decisions,
        takes=scorecard.takes,
        missing_takes=scorecard.missing_takes,
    )
