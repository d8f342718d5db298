"""The comparison grammar: blocks in, one comparison out; the same for every format and site."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.model.blocks import Block
from verdicts.extract.model.records import Card, Comparison, Doubt, PageRejected
from verdicts.extract.panel.arrange import dump_lines
from verdicts.extract.panel.cards import read_cards
from verdicts.extract.panel.decision import panel_votes, read_decision
from verdicts.extract.panel.frames import copy_doubts, find_frame
from verdicts.extract.panel.profile import sizes_with_pct
from verdicts.extract.panel.scorecard import Scorecard, read_scorecard
from verdicts.extract.panel.sections import Sections, find_anchors, find_sections, opens_take
from verdicts.extract.panel.take_cells import PanelVotes
from verdicts.extract.panel.texts import PERCENT, PageWords, Texts

LABEL_MAX = 80
"""The most characters of a text that may name tool and seat: `Builder on Alpha`."""


def read_dump(lines: Sequence[Block], words: PageWords) -> Comparison:
    """The comparison in a text dump. Raises `PageRejected`, see `read_comparison`."""
    return read_comparison(dump_lines(lines, words), is_html=False)


def read_comparison(page: Texts, *, is_html: bool, is_whole: bool = False) -> Comparison:
    """Reads a comparison page with the words of one site. `is_whole`: the page is not cut off.

    Raises `PageRejected` if there is no comparison (`not_a_comparison`), or if a part cannot be trusted. Of a repeated
    part one is read; the others are its copies.
    """
    anchors = find_anchors(page)
    if is_html and not is_whole and page.words.closing_lines.isdisjoint(page.folded):
        raise PageRejected("truncated", "the page is not closed, and it has no closing line of the site")
    if not anchors.has_copies:
        return _read(page, find_sections(page, anchors), is_html=is_html)
    frame = find_frame(page, anchors)
    part = page.part(frame.kept)
    read = _read(part, find_sections(part, find_anchors(part)), is_html=is_html)
    return replace(read, doubts=tuple(dict.fromkeys((*read.doubts, *copy_doubts(page, read, frame)))))


def _read(page: Texts, sections: Sections, *, is_html: bool) -> Comparison:
    words, title = page.words, sections.title
    is_proven = sections.is_ended or is_html
    takes = sections.takes if is_proven else _takes_of_dump(page, sections.takes)
    decisions, unread = read_decision(page, sections.decision, title.names)
    cards, of_cards = read_cards(page, sections, decisions)
    votes = panel_votes(decisions, words)
    scorecard = read_scorecard(page, takes, title.names, votes)
    if not is_proven:
        _check_count(scorecard, cards, votes, words)
    # What may stand on the page once more without saying anything new.
    values = [value for card in cards for value in (card.panel_ship, card.chip) if value is not None]
    said = [title.text, *title.names, words.title_separator, words.decision, words.scorecard, *values]
    heads = (*title.names, *words.name_labels, *words.column_heads)
    left = [*sections.between(), *range(takes.stop, sections.takes.stop)]
    doubts = [
        *of_cards,
        *page.unread(unread, None, heads, "a row of the Decision table"),
        *scorecard.doubts,
        *(_order_doubts(page, sections) if scorecard.is_labelled else ()),
        *page.unread(left, None, said, "a part of the page"),
    ]
    is_innertext = scorecard.is_labelled or bool(decisions)
    return Comparison(
        profile=words.profile.name,
        rendering="html" if is_html else "innertext" if is_innertext else "quotes",
        title=title.text,
        canonical_url=None,
        cards=cards,
        decisions=decisions,
        takes=scorecard.takes,
        missing_takes=scorecard.missing_takes,
        doubts=tuple(dict.fromkeys(doubts)),
    )


def _order_doubts(page: Texts, sections: Sections) -> Iterator[Doubt]:
    """A doubt if the takes name no tool, and neither title nor table confirms the order of the cards."""
    title, names = sections.title, sections.title.names
    if title.text.startswith(names[0]):
        return
    texts = [page[index].text for index in sections.takes]
    labels = [text for text in texts if len(text) <= LABEL_MAX and not text.endswith((".", "!", "?"))]
    if names[0] == names[1] or all(any(name in label for label in labels) for name in names):
        return
    in_table = dict.fromkeys(page[index].text for index in sections.decision or () if page[index].text in names)
    if tuple(in_table) != names:
        yield Doubt("copies_differ", None, f"title {title.text}", f"cards {' / '.join(names)}")


# A text dump without the site's closing lines: the count of its takes must prove where they end.


def _takes_of_dump(page: Texts, section: range) -> range:
    """The takes up to the last one, which must be whole: in quotation marks, or on a line before another one.

    Raises `PageRejected` (`truncated`) if it may be cut off.
    """
    openings = [index for index in section if opens_take(page, index)]
    end = _end(page, openings, section) if openings else None
    if end is None or end >= section.stop:
        raise PageRejected("truncated", "the dump stops inside the scorecard: no closing line of the site follows")
    return range(section.start, end)


def _end(page: Texts, openings: Sequence[int], section: range) -> int | None:
    last = openings[-1]
    marks = page.words.profile.page.quotation_marks
    closings = {closing for opening, closing in marks if page[last].text[0] == opening}
    if closings:
        closed = (index for index in range(last, section.stop) if page[index].text[-1:] in closings)
        return next((index + 1 for index in closed), None)
    # `88/100 · ship`, the take, the next reviewer: if a take has one more line, the last one may have it, too.
    if any(following - opening > 3 for opening, following in pairwise(openings)):
        return None
    return last + 1 if page.folded[last] == page.words.no_take else last + 2


def _check_count(scorecard: Scorecard, cards: Sequence[Card], votes: PanelVotes, words: PageWords) -> None:
    """Raises `PageRejected` (`incomplete_scorecard`) if votes or percentages contradict the number of takes."""
    sizes = [
        _sizes(card.panel_ship, words) if count is None else frozenset({sum(count)})
        for card, count in zip(cards, votes, strict=True)
    ]
    counts = tuple(sum(take.side == side for take in scorecard.takes) for side in SIDES)
    total = len(scorecard.takes)
    possible = {*product(*sizes)}
    if not (counts in possible if scorecard.is_labelled else total in map(sum, possible)):
        raise PageRejected("incomplete_scorecard", f"no panel of these votes and percentages gives {total} takes")


def _sizes(panel_ship: str | None, words: PageWords) -> frozenset[int]:
    shown = None if panel_ship is None else PERCENT.fullmatch(panel_ship)
    pct = None if shown is None else int(float(shown[1]))
    return sizes_with_pct(pct, words.profile.scorecard.panel_size_max)
