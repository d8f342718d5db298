"""Where the takes end in a text dump without the site's closing lines: their count must prove it."""

from collections.abc import Sequence
from itertools import pairwise, product

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.model.records import Card
from verdicts.extract.panel.layout.anchors import opens_take
from verdicts.extract.panel.scorecard.row_cells import PanelVotes
from verdicts.extract.panel.scorecard.scorecard import Scorecard
from verdicts.extract.panel.words.page_words import PERCENT, PageWords
from verdicts.extract.panel.words.panel_arithmetic import sizes_with_pct


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
