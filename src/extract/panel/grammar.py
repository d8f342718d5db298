"""The comparison grammar: blocks in, one comparison out. It is the same for every rendering and every site."""

from collections.abc import Sequence

from extract.model.blocks import Block
from extract.model.errors import PageRejected
from extract.model.records import Comparison
from extract.panel.anchors import Anchors, find_anchors
from extract.panel.cards import read_cards
from extract.panel.decision import read_decision
from extract.panel.furniture import unread
from extract.panel.page_words import PageWords
from extract.panel.scorecard import read_scorecard
from extract.panel.sections import Sections, find_sections


def read_comparison(
    blocks: Sequence[Block], words: PageWords, *, is_html: bool, canonical_url: str | None = None
) -> Comparison:
    """Reads a comparison page with the words of one site.

    Raises `PageRejected` where it is none (`not_a_comparison`), or where a part of it cannot be trusted.
    """
    anchors = find_anchors(blocks, words)
    return _read_one(blocks, words, anchors, canonical_url, is_html=is_html)


def _read_one(
    blocks: Sequence[Block], words: PageWords, anchors: Anchors, canonical_url: str | None, *, is_html: bool
) -> Comparison:
    """Reads a page that has each of its parts once. Of two readings, the one that leaves less in doubt."""
    rejected = None
    readings = []
    for has_category in (True, False):
        # The table may lack nothing but what was taken for the category of the card behind it.
        try:
            sections = find_sections(blocks, anchors, words, has_category=has_category)
            readings.append(_read(blocks, words, sections, canonical_url, is_html=is_html))
        except PageRejected as reason:
            rejected = rejected or reason
            if reason.reject.reason != "incomplete_decision":
                break
        else:
            if not readings[-1].doubts:
                break
    if not readings:
        raise rejected
    return min(readings, key=lambda comparison: len(comparison.doubts))


def _read(
    blocks: Sequence[Block], words: PageWords, sections: Sections, canonical_url: str | None, *, is_html: bool
) -> Comparison:
    if not sections.is_ended and not is_html:
        raise PageRejected("truncated", "the dump stops inside the scorecard: none of the page's closing lines follows")
    title = sections.title
    table = None if sections.decision is None else read_decision(blocks, sections.decision, title.names, words)
    decisions = () if table is None else table.decisions
    cards = read_cards(blocks, sections, decisions, words)
    scorecard = read_scorecard(blocks, sections.takes, title.names, words)
    is_innertext = scorecard.is_labelled or bool(decisions)
    heads = (words.decision, words.scorecard, *words.decision_labels)
    said = [title.text, *title.names, *heads, *(value for card in cards.cards for value in (card.panel_ship, card.chip) if value)]
    left = [] if table is None else [*unread(blocks, table.unread, None, (*said,), "a row of the Decision table", words)]
    return Comparison(
        profile=words.profile.name,
        rendering="html" if is_html else "innertext" if is_innertext else "quotes",
        title=title.text,
        canonical_url=canonical_url,
        cards=cards.cards,
        decisions=decisions,
        takes=scorecard.takes,
        missing_takes=scorecard.missing_takes,
        doubts=(*cards.doubts, *left, *unread(blocks, sections.between(), None, said, "a part of the page", words)),
    )
