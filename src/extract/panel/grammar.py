"""The comparison grammar: blocks in, one comparison out. It is the same for every rendering and every site."""

from collections.abc import Sequence
from dataclasses import replace

from verdicts.extract.model.blocks import Block
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.model.records import Card, Comparison, Doubt
from verdicts.extract.panel.cards.cards import read_cards
from verdicts.extract.panel.decision.decision import panel_votes, read_decision
from verdicts.extract.panel.dump_end import check_count, takes_of_dump
from verdicts.extract.panel.dump_lines import dump_lines
from verdicts.extract.panel.layout.anchors import Anchors, find_anchors
from verdicts.extract.panel.layout.column_order import order_doubts
from verdicts.extract.panel.layout.copies import differences, other_percentages, with_numbers
from verdicts.extract.panel.layout.frames import frames, has_copies
from verdicts.extract.panel.layout.furniture import unread
from verdicts.extract.panel.layout.sections import Sections, find_sections
from verdicts.extract.panel.scorecard.scorecard import read_scorecard
from verdicts.extract.panel.words.page_words import PageWords


def read_comparison(
    blocks: Sequence[Block],
    words: PageWords,
    *,
    is_html: bool,
    is_whole: bool = False,
    canonical_url: str | None = None,
) -> Comparison:
    """Reads a comparison page with the words of one site. `is_whole` says that the page is known not to be cut off.

    Raises `PageRejected` where it is none (`not_a_comparison`), or where a part of it cannot be trusted.
    """
    if is_html:
        comparison = _read_page(blocks, words, is_html=True, is_whole=is_whole)
        return replace(comparison, canonical_url=canonical_url)
    texts, lines = dump_lines(blocks, words)
    comparison = _read_page(texts, words, is_html=False, is_whole=is_whole)
    return comparison if len(texts) == len(blocks) else with_numbers(comparison, lines)


def _read_page(blocks: Sequence[Block], words: PageWords, *, is_html: bool, is_whole: bool) -> Comparison:
    anchors = find_anchors(blocks, words)
    if is_html and not is_whole and words.closing_lines.isdisjoint(anchors.folded):
        raise PageRejected("truncated", "the page is not closed, and none of the site's closing lines stands on it")
    return (_read_copies if has_copies(anchors) else _read_one)(blocks, words, anchors, is_html=is_html)


def _read_copies(blocks: Sequence[Block], words: PageWords, anchors: Anchors, *, is_html: bool) -> Comparison:
    """Reads the first frame of a page that can be read; the others are its copies."""
    read: Comparison | None = None
    refused: PageRejected | None = None
    doubts: list[Doubt] = []
    panels: tuple[int, ...] = ()
    for frame in frames(blocks, anchors, words):
        if frame.panels != panels and not {*frame.panels}.isdisjoint(panels):
            continue
        part = [blocks[index] for index in frame.kept]
        try:
            found = _read_one(part, words, find_anchors(part, words), is_html=is_html)
        except PageRejected as rejected:
            refused = refused or rejected
            continue
        if read is None:
            read, panels = with_numbers(found, frame.kept), frame.panels
            doubts += other_percentages(blocks, read, frame.cut)
        else:
            doubts += differences(read, found)
    if read is None:
        raise refused or PageRejected("incomplete_card", "no two cards of the page belong together")
    return replace(read, doubts=(*read.doubts, *dict.fromkeys(doubts)))


def _read_one(blocks: Sequence[Block], words: PageWords, anchors: Anchors, *, is_html: bool) -> Comparison:
    """Reads a page that has each of its parts once.

    A table may lack nothing but what was taken for the category of the card behind it: of the two readings, the one
    that leaves less in doubt.
    """
    first: Comparison | PageRejected
    try:
        first = _read(blocks, words, find_sections(blocks, anchors, words), is_html=is_html)
    except PageRejected as rejected:
        if rejected.reject.reason != "incomplete_decision":
            raise
        first = rejected
    if isinstance(first, Comparison) and not first.doubts:
        return first
    try:
        sections = find_sections(blocks, anchors, words, has_category=False)
        second = _read(blocks, words, sections, is_html=is_html)
    except PageRejected:
        if isinstance(first, PageRejected):
            raise first from None
        return first
    return second if isinstance(first, PageRejected) or len(second.doubts) < len(first.doubts) else first


def _read(blocks: Sequence[Block], words: PageWords, sections: Sections, *, is_html: bool) -> Comparison:
    is_proven = sections.is_ended or is_html
    takes = sections.takes if is_proven else takes_of_dump(blocks, sections.takes, words)
    title = sections.title
    table = None if sections.decision is None else read_decision(blocks, sections.decision, title.names, words)
    decisions = () if table is None else table.decisions
    cards = read_cards(blocks, sections, decisions, words)
    votes = panel_votes(decisions, words)
    scorecard = read_scorecard(blocks, takes, title.names, words, votes)
    if not is_proven:
        check_count(scorecard, cards.cards, votes, words)
    left = [*sections.between(), *range(takes.stop, sections.takes.stop)]
    doubts = [
        *cards.doubts,
        *(() if table is None else table.doubts),
        *unread(
            blocks,
            () if table is None else table.unread,
            None,
            (*title.names, *words.name_labels, *words.column_heads),
            "a row of the Decision table",
            words,
        ),
        *scorecard.doubts,
        *(order_doubts(blocks, sections) if scorecard.is_labelled else ()),
        *unread(blocks, left, None, _said(sections, cards.cards, words), "a part of the page", words),
    ]
    is_innertext = scorecard.is_labelled or bool(decisions)
    return Comparison(
        profile=words.profile.name,
        rendering="html" if is_html else "innertext" if is_innertext else "quotes",
        title=title.text,
        canonical_url=None,
        cards=cards.cards,
        decisions=decisions,
        takes=scorecard.takes,
        missing_takes=scorecard.missing_takes,
        doubts=tuple(dict.fromkeys(doubts)),
    )


def _said(sections: Sections, cards: Sequence[Card], words: PageWords) -> list[str]:
    """What may stand on the page once more without saying anything new: names, numbers, the heads of its parts."""
    title = sections.title
    values = [value for card in cards for value in (card.panel_ship, card.chip) if value is not None]
    return [title.text, *title.names, words.title_separator, words.decision, words.scorecard, *values]
