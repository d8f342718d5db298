"""Where the parts of a comparison page begin and end, found by the site's words. Their order is the page's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from verdicts.extract.model.blocks import Block, clean, fold, widest_element
from verdicts.extract.model.records import PageRejected
from verdicts.extract.panel.boilerplate import is_monogram, is_percent
from verdicts.extract.panel.page_words import PERCENT, PageWords
from verdicts.extract.panel.take_heads import says_score

TITLE_MAX = 200
"""Characters of a title that is found by its names alone; a description that names both tools is longer."""


@dataclass(frozen=True, slots=True)
class Title:
    """The title as printed, the two names, and the numbers of the blocks on the cards that hold them.

    The name of the card that stands first comes first, also where the title has it second. `block` is the title's own.
    """

    text: str
    names: tuple[str, str]
    name_blocks: tuple[int, int]
    block: int


def find_title(blocks: Sequence[Block], places: tuple[Sequence[int], Sequence[int]], words: PageWords) -> Title:
    """The two card blocks x and y for which the page's title reads `x vs y`, or `y vs x`.

    `places` are the blocks that may hold the name of each card, the likeliest first. A name may hold ` vs ` itself, so
    every way to split a title is tried against the cards.

    Raises `PageRejected` (`incomplete_card`).
    """
    for fits in (is_name, partial(_is_name_with_badge, words)):
        for number, text, names in titles(blocks, words):
            for first, second in (names, names[::-1]):
                first_block = next((index for index in places[0] if fits(blocks[index], first)), None)
                second_block = next((index for index in places[1] if fits(blocks[index], second)), None)
                if first_block is not None and second_block is not None:
                    return Title(text, (first, second), (first_block, second_block), number)
    found = _title_in_other_words(blocks, places, words)
    if found is None:
        raise PageRejected(
            "incomplete_card", f"no 'A{words.title_separator}B' on the page fits the names of its two cards"
        )
    return found


def _title_in_other_words(
    blocks: Sequence[Block], places: tuple[Sequence[int], Sequence[int]], words: PageWords
) -> Title | None:
    """A text that holds the names of both cards, where headings or links say what these are: `Compare A and B`."""
    marked = [[index for index in place if _is_marked(blocks[index], words)] for place in places]
    for number, block in enumerate(blocks):
        if len(block.text) > TITLE_MAX or not block.text:
            continue
        for first in marked[0]:
            for second in marked[1]:
                names = (blocks[first].text, blocks[second].text)
                if number not in {first, second} and _holds_both(block.text, names):
                    return Title(clean(block.text.removeprefix(words.breadcrumb)), names, (first, second), number)
    return None


def _is_marked(block: Block, words: PageWords) -> bool:
    is_link = words.tool_link.search(block.href or "") is not None
    return len(block.text) > 1 and (is_link or (block.level is not None and fold(block.text) not in words.labels))


def _holds_both(text: str, names: tuple[str, str]) -> bool:
    """Whether both names stand in a text, apart: `Alpha 2` alone is not `Alpha` and `Alpha 2`."""
    longer, shorter = sorted(names, key=len, reverse=True)
    return longer in text and shorter in text.replace(longer, " ", 1)


def titles(blocks: Sequence[Block], words: PageWords) -> Iterator[tuple[int, str, tuple[str, str]]]:
    """Every text that may be the title, with every way to split it: its block, the text, the two names."""
    separator = words.title_separator
    for number, block in enumerate(blocks):
        if separator in block.text:
            text = clean(block.text.removeprefix(words.breadcrumb))
            start = text.find(separator)
            while start >= 0:
                yield number, text, (text[:start], text[start + len(separator) :])
                start = text.find(separator, start + 1)


def is_name(block: Block, name: str) -> bool:
    """Whether a block is a name and nothing else."""
    return block.text == name


def _is_name_with_badge(words: PageWords, block: Block, name: str) -> bool:
    """`Alpha New`, `A Alpha`: an element inside the name's own."""
    text = block.text
    if not text.startswith(name) and not text.endswith(name):
        return False
    beside = clean(text.removeprefix(name) if text.startswith(name) else text.removesuffix(name))
    return fold(beside) in words.badges or is_monogram(beside, name)


@dataclass(frozen=True, slots=True)
class Anchors:
    """Block numbers. `folded` are the texts of all blocks, folded.

    `decisions` are the heads of Decision tables, or without a head their first label, `scorecards` the heads of
    scorecards. A head over nothing, as in a list of contents, is none.
    """

    folded: Sequence[str]
    panels: tuple[int, ...]
    decisions: tuple[int, ...]
    scorecards: tuple[int, ...]

    @property
    def decision(self) -> int | None:
        """The page's own Decision table."""
        return self.decisions[0] if self.decisions else None

    @property
    def scorecard(self) -> int:
        """The page's own scorecard."""
        return self.scorecards[0]


def find_anchors(blocks: Sequence[Block], words: PageWords) -> Anchors:
    """The anchors of a page that holds a comparison: at least one card and one scorecard.

    Raises `PageRejected`: `not_a_comparison`; where the page begins as one, `truncated` if it stops before its closing
    lines, else `incomplete_card` or `incomplete_scorecard`.
    """
    folded = [fold(block.text) for block in blocks]
    panels = [index for index, text in enumerate(folded) if text == words.panel_ship]
    if len(panels) > 2:
        panels = _beside_percentages(blocks, panels)
    labels = words.profile
    begins = words.eyebrow in folded and any(words.title_separator in block.text for block in blocks)
    if not panels and not begins:
        raise PageRejected(
            "not_a_comparison",
            f"nothing on the page says '{labels.card.panel_ship}', so no two tools are set side by side",
        )
    heads = [index for index, text in enumerate(folded) if text == words.scorecard]
    scorecards = _scorecards(blocks, folded, heads, words)
    if not scorecards:
        raise _without_scorecard(folded, heads, words)
    if not panels:
        raise PageRejected("incomplete_card", f"the page begins as a comparison and has no '{labels.card.panel_ship}'")
    decisions = _decisions(folded, (*panels, *scorecards), words)
    return Anchors(folded, tuple(panels), tuple(decisions), tuple(scorecards))


def _beside_percentages(blocks: Sequence[Block], panels: list[int]) -> list[int]:
    """The labels with a number beside them, where these are two at least: a tool may be called like the label."""
    beside = [
        panel
        for panel in panels
        if any(PERCENT.fullmatch(block.text) for block in blocks[max(panel - 1, 0) : panel + 2])
    ]
    return beside if len(beside) >= 2 else panels


def _without_scorecard(folded: Sequence[str], heads: Sequence[int], words: PageWords) -> PageRejected:
    head = words.profile.scorecard.head
    if heads:
        return PageRejected("incomplete_scorecard", f"'{head}' stands over no take")
    if any(text in words.closing_lines for text in folded):
        return PageRejected("incomplete_scorecard", f"the page is whole and has no '{head}'")
    return PageRejected("truncated", f"the page begins as a comparison and stops before its '{head}'")


def _scorecards(blocks: Sequence[Block], folded: Sequence[str], heads: Sequence[int], words: PageWords) -> list[int]:
    """The heads over takes. A list of contents or of tabs has the word, too; where all takes are lost, a head remains.

    Takes in an element of their own need none: then the text before it counts as one.
    """
    links = [head for head in heads if blocks[head].is_control or (blocks[head].href or "").startswith("#")]
    if len(heads) == 1 and not links:
        return [*heads]
    openings = [index for index, block in enumerate(blocks) if opens_take(block, folded[index], words)]
    others = [index for index, text in enumerate(folded) if text in {words.panel_ship, words.decision_verdict}]
    bounds = sorted((*others, *heads, len(blocks)))
    over_takes = [head for head in heads if any(index in _section(head, bounds) for index in openings)]
    if over_takes:
        return over_takes
    if openings:
        around = widest_element(blocks, openings[0], others)
        if around is not None and around.start > 0 and openings[-1] in around:
            return [around.start - 1]
    return [head for head in heads if head not in links][:1]


def _decisions(folded: Sequence[str], others: Sequence[int], words: PageWords) -> list[int]:
    """The heads over labels; without one the table's first label."""
    heads = [index for index, text in enumerate(folded) if text == words.decision]
    bounds = sorted((*others, *heads, len(folded)))
    over_labels = [
        head for head in heads if any(folded[index] in words.decision_labels for index in _section(head, bounds))
    ]
    if over_labels:
        return over_labels
    headless = _headless_table(folded, words)
    return [] if headless is None else [headless]


def _section(head: int, bounds: Sequence[int]) -> range:
    return range(head + 1, next(bound for bound in bounds if bound > head))


def opens_take(block: Block, folded: str, words: PageWords) -> bool:
    """`88/100 · ship`, `No panel take`, or a quotation mark."""
    if not block.text:
        return False
    return block.text[0] in words.opening_marks or folded == words.no_take or says_score(block.text, words)


def _headless_table(folded: Sequence[str], words: PageWords) -> int | None:
    """The table's first label. The same word before one chip alone is a label on a card."""
    for index, text in enumerate(folded):
        if text == words.decision_verdict:
            behind = [following in words.chips for following in folded[index + 1 : index + 3]]
            if behind[:1] != [True] or behind == [True, True]:
                return index
    return None


CATEGORY_MAX = 60
"""Characters. A category is shorter; descriptions and takes are longer."""


def first_card_start(blocks: Sequence[Block], title: Title, words: PageWords) -> int:
    """The category stands before the name, the monogram before the category or behind it."""
    start = title.name_blocks[0]
    name = title.names[0]
    if start > 0 and is_monogram(blocks[start - 1].text, name):
        start -= 1
    before = blocks[start - 1].text if start > 0 else None
    is_free = before is not None and words.title_separator not in before and len(before) < CATEGORY_MAX
    if before is not None and is_free and fold(before) not in {words.no_take, words.scorecard}:
        start -= 1
        if start > 0 and _is_category_label(blocks[start - 1].text, words):
            start -= 1
    if start > 0 and is_monogram(blocks[start - 1].text, name):
        start -= 1
    return start


def second_card_start(blocks: Sequence[Block], title: Title, panel: int, words: PageWords) -> int:
    """Before the second name stand monogram and category, in any order, then the first card's description."""
    start = title.name_blocks[1]
    entry = next((index for index in range(panel + 1, start) if fold(blocks[index].text) == words.entry), panel)
    is_value_first = panel > 0 and is_percent(blocks[panel - 1].text)
    has_category = False
    while start - 1 > entry + (not is_value_first):
        text = blocks[start - 1].text
        is_label = _is_category_label(text, words)
        is_category = not has_category and 0 < len(text) < CATEGORY_MAX and not is_label
        if not is_monogram(text, title.names[1]) and not is_category and not is_label:
            break
        has_category = has_category or (is_category and not is_monogram(text, title.names[1]))
        start -= 1
    return start


def _is_category_label(text: str, words: PageWords) -> bool:
    return words.card_labels.get(fold(text)) == "category"


@dataclass(frozen=True, slots=True)
class Sections:
    """Half-open block ranges, and the blocks of the two `Panel ship` in `panels`.

    `decision` is None where the rendering lost the table; `is_ended` says whether one of the page's own closing lines,
    or another section, follows the takes.
    """

    title: Title
    panels: tuple[int, int]
    cards: tuple[range, range]
    decision: range | None
    takes: range
    is_ended: bool

    def between(self) -> list[int]:
        """The blocks between the first part of the page and the end of its last one that are in no part."""
        parts = [*self.cards, self.takes, *([] if self.decision is None else [self.decision])]
        held = {index for part in parts for index in part} | {self.takes.start - 1}
        first, last = min(part.start for part in self.cards), max(part.stop for part in parts)
        return [index for index in range(first, last) if index not in held]


def find_sections(
    blocks: Sequence[Block], anchors: Anchors, words: PageWords, *, has_category: bool = True
) -> Sections:
    """The sections of a comparison page with two cards.

    `has_category` says whether a short text before the first card's name is its category; it may also be the last value
    of the section before.

    Raises `PageRejected` (`incomplete_card`) where it has not two cards with the names of its title.
    """
    if len(anchors.panels) != 2:
        raise PageRejected(
            "incomplete_card",
            f"'{words.profile.card.panel_ship}' stands {len(anchors.panels)} times on the page, "
            "where two cards have it",
        )
    panels = (anchors.panels[0], anchors.panels[1])
    title, cards = _cards(blocks, anchors, panels, words, has_category=has_category)
    scorecard, decision = anchors.scorecard, anchors.decision
    starts = [cards[0].start, cards[1].start, scorecard]
    if decision is not None:
        starts.append(decision)
    end, is_ended = _scorecard_end(blocks, anchors, starts, words)
    after_cards = range(max(panels), len(blocks))
    closing = next((index for index in after_cards if anchors.folded[index] in words.closing_lines), len(blocks))
    bounds = sorted({*starts, closing, len(blocks)})

    def section(start: int) -> range:
        return range(start, next(bound for bound in bounds if bound > start))

    def card(found: range) -> range:
        return found if len(found) > 1 else section(found.start)

    return Sections(
        title=title,
        panels=panels,
        cards=(card(cards[0]), card(cards[1])),
        decision=None if decision is None else _decision(blocks, anchors, section(decision), words),
        takes=range(scorecard + 1, end),
        is_ended=is_ended,
    )


def _cards(
    blocks: Sequence[Block], anchors: Anchors, panels: tuple[int, int], words: PageWords, *, has_category: bool
) -> tuple[Title, tuple[range, range]]:
    """The title and the two cards: each an element of its own, or else where it begins, as a range of one block."""
    heads = [anchors.scorecard, *([] if anchors.decision is None else [anchors.decision])]
    elements = [widest_element(blocks, panel, [other, *heads]) for panel, other in (panels, panels[::-1])]
    first, second = elements
    if first is not None and second is not None:
        try:
            title = find_title(blocks, (_names_first(first, panels[0]), _names_first(second, panels[1])), words)
        except PageRejected:
            # The elements around the labels hold no names: the cards are no elements.
            pass
        else:
            return title, (first, second)
    title = find_title(blocks, (range(panels[0] - 1, -1, -1), range(panels[1] - 1, panels[0], -1)), words)
    start = first_card_start(blocks, title, words) if has_category else title.name_blocks[0]
    second_start = second_card_start(blocks, title, panels[0], words)
    return title, (range(start, start + 1), range(second_start, second_start + 1))


def _names_first(card: range, panel: int) -> list[int]:
    """The blocks before the numbers, the nearest first, then those behind."""
    return [*range(panel - 1, card.start - 1, -1), *range(panel + 1, card.stop)]


def _decision(blocks: Sequence[Block], anchors: Anchors, flat: range, words: PageWords) -> range:
    """The Decision table: from its head to where the last element ends that holds one of its labels and no other part.

    Where labels have no such element, it ends where the next part begins.
    """
    labels = [index for index in flat if anchors.folded[index] in words.decision_labels]
    whole = widest_element(blocks, labels[0], [*anchors.panels, anchors.scorecard]) if labels else None
    if whole is not None and labels[-1] in whole:
        return range(flat.start, min(whole.stop, flat.stop))
    rows = [widest_element(blocks, label, [*anchors.panels, anchors.scorecard]) for label in labels]
    ends = [row.stop for row in rows if row is not None]
    return range(flat.start, min(max(ends), flat.stop)) if ends and len(ends) == len(labels) else flat


def _scorecard_end(
    blocks: Sequence[Block], anchors: Anchors, starts: Sequence[int], words: PageWords
) -> tuple[int, bool]:
    """The scorecard ends at the page's closing lines, at another section, or at a heading no deeper than its own."""
    scorecard = anchors.scorecard
    level = blocks[scorecard].level
    for index in range(scorecard + 1, len(blocks)):
        folded = anchors.folded[index]
        if folded in words.closing_lines or index in starts:
            return index, True
        heading = blocks[index].level
        is_next_section = level is not None and heading is not None and heading <= level
        if is_next_section and folded != words.no_take and index > scorecard + 1:
            return index, True
    return len(blocks), False
