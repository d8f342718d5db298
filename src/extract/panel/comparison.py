"""The comparison grammar: blocks in, one comparison out. It is the same for every rendering and every site."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.records import Card, Comparison, Doubt, PageRejected
from verdicts.extract.panel.arrange import dump_lines
from verdicts.extract.panel.boilerplate import unread
from verdicts.extract.panel.cards import read_cards
from verdicts.extract.panel.decision import panel_votes, read_decision
from verdicts.extract.panel.frames import differences, frames, has_copies, other_percentages, with_numbers
from verdicts.extract.panel.page_words import PERCENT, PageWords
from verdicts.extract.panel.profile import sizes_with_pct
from verdicts.extract.panel.scorecard import Scorecard, read_scorecard
from verdicts.extract.panel.sections import Anchors, Sections, find_anchors, find_sections, opens_take
from verdicts.extract.panel.take_rows import PanelVotes

LABEL_MAX = 80
"""Characters of a text that may say whose a take is: `Builder on Alpha`."""


def order_doubts(blocks: Sequence[Block], sections: Sections) -> Iterator[Doubt]:
    """A doubt where the takes name no tool, and neither title nor table has the order of the cards."""
    names = sections.title.names
    texts = [blocks[index].text for index in sections.takes]
    labels = [text for text in texts if len(text) <= LABEL_MAX and not text.endswith((".", "!", "?"))]
    if names[0] == names[1] or all(any(name in label for label in labels) for name in names):
        return
    orders = {_title_order(sections), _order(blocks, sections.decision or (), names) or names[::-1]}
    if names not in orders:
        yield Doubt("copies_differ", None, f"title {sections.title.text}", f"cards {' / '.join(names)}")


def _order(blocks: Sequence[Block], section: Sequence[int], names: tuple[str, str]) -> tuple[str, ...] | None:
    """The names in the order in which a section has them; None where it lacks one."""
    named = tuple(dict.fromkeys(blocks[index].text for index in section if blocks[index].text in names))
    return named if len(named) == len(names) else None


def _title_order(sections: Sections) -> tuple[str, ...]:
    """The names in the title's order."""
    names = sections.title.names
    return names if sections.title.text.startswith(names[0]) else names[::-1]


def takes_of_dump(blocks: Sequence[Block], section: range, words: PageWords) -> range:
    """The takes up to the last one, which must be whole: closed by its mark, or on a line with another behind it.

    Raises `PageRejected` (`truncated`) where it may be cut off.
    """
    openings = [index for index in section if opens_take(blocks[index], fold(blocks[index].text), words)]
    end = _end(blocks, openings, section, words) if openings else None
    if end is None or end >= section.stop:
        raise PageRejected("truncated", "the dump stops inside the scorecard: none of the page's closing lines follows")
    return range(section.start, end)


def _end(blocks: Sequence[Block], openings: Sequence[int], section: range, words: PageWords) -> int | None:
    last = openings[-1]
    closings = {closing for opening, closing in words.profile.page.quotation_marks if blocks[last].text[0] == opening}
    if closings:
        closed = (index for index in range(last, section.stop) if blocks[index].text[-1:] in closings)
        return next((index + 1 for index in closed), None)
    # `88/100 · ship`, the take, the next reviewer: where a take has a line more, the last one may have, too.
    is_a_line_each = all(following - opening <= 3 for opening, following in pairwise(openings))
    if not is_a_line_each:
        return None
    return last + 1 if fold(blocks[last].text) == words.no_take else last + 2


def check_count(scorecard: Scorecard, cards: Sequence[Card], votes: PanelVotes, words: PageWords) -> None:
    """Raises `PageRejected` (`incomplete_scorecard`) where votes or percentages allow no such number of takes."""
    sizes = [
        _sizes(card.panel_ship, words) if count is None else frozenset({count})
        for card, count in zip(cards, votes, strict=True)
    ]
    counts = [sum(take.side == side for take in scorecard.takes) for side in SIDES]
    total = len(scorecard.takes)
    if scorecard.is_labelled:
        is_possible = all(count in possible for count, possible in zip(counts, sizes, strict=True))
    else:
        is_possible = total in {first + second for first, second in product(*sizes)}
    if not is_possible:
        raise PageRejected("incomplete_scorecard", f"no panel of these votes and percentages gives {total} takes")


def _sizes(panel_ship: str | None, words: PageWords) -> frozenset[int]:
    shown = None if panel_ship is None else PERCENT.fullmatch(panel_ship)
    pct = None if shown is None else int(float(shown[0].rstrip(" %")))
    return sizes_with_pct(pct, words.profile.scorecard.panel_size_max)


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
