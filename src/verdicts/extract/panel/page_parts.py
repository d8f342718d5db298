"""Finds the parts of a comparison page and their copies, by the site's words."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from verdicts.extract.model.blocks import clean, count_shared_depth, fold
from verdicts.extract.model.records import Comparison, Doubt, PageRejected
from verdicts.extract.panel.take_heads import says_score
from verdicts.extract.panel.texts import SHORT_MAX, Texts, is_monogram


class Anchors(Struct, frozen=True):
    """The words of a page that show its parts: `Panel ship` labels, heads of table and scorecard.

    `decisions` are the heads of Decision tables, `scorecards` those of scorecards. A head over nothing, as in a
    table of contents, does not count.
    """

    panels: tuple[int, ...]
    decisions: tuple[int, ...]
    scorecards: tuple[int, ...]

    @property
    def all(self) -> list[int]:
        return sorted((*self.panels, *self.decisions, *self.scorecards))

    @property
    def has_copies(self) -> bool:
        """Whether a part occurs more often than in one comparison."""
        return len(self.panels) > 2 or len(self.decisions) > 1 or len(self.scorecards) > 1


def find_anchors(page: Texts) -> Anchors:
    """The anchors of a page with at least one card and one scorecard.

    Raises `PageRejected`: `not_a_comparison`; if the page begins as one, `truncated` if it lacks its closing lines,
    else `incomplete_card` or `incomplete_scorecard`.
    """
    folded, words = page.folded, page.words
    label, head = words.profile.card.panel_ship, words.profile.scorecard.head
    panels = [index for index, text in enumerate(folded) if text == words.panel_ship]
    if not panels and not (words.eyebrow in folded and any(words.title_separator in block.text for block in page)):
        raise PageRejected(
            "not_a_comparison", f"nothing on the page says '{label}', so no two tools are set side by side"
        )
    heads = [index for index, text in enumerate(folded) if text == words.scorecard]
    scorecards = _scorecards(page, heads)
    if not scorecards:
        if heads:
            raise PageRejected("incomplete_scorecard", f"no take stands below '{head}'")
        if not words.closing_lines.isdisjoint(folded):
            raise PageRejected("incomplete_scorecard", f"the page is whole and has no '{head}'")
        raise PageRejected("truncated", f"the page begins as a comparison and stops before its '{head}'")
    if not panels:
        raise PageRejected("incomplete_card", f"the page begins as a comparison and has no '{label}'")
    return Anchors(tuple(panels), tuple(_decisions(page, (*panels, *scorecards))), tuple(scorecards))


def _scorecards(page: Texts, heads: Sequence[int]) -> list[int]:
    """The heads above takes. A table of contents or tabs repeat the word; if all takes are lost, a head remains."""
    links = [head for head in heads if page[head].is_control or (page[head].href or "").startswith("#")]
    if len(heads) == 1 and not links:
        return [*heads]
    openings = [index for index in range(len(page)) if opens_take(page, index)]
    others = [at for at, text in enumerate(page.folded) if text in {page.words.panel_ship, page.words.decision_verdict}]
    bounds = sorted((*others, *heads, len(page)))
    over_takes = [head for head in heads if any(index in _up_to_next(head, bounds) for index in openings)]
    return over_takes or [head for head in heads if head not in links][:1]


def _decisions(page: Texts, others: Sequence[int]) -> list[int]:
    """The heads above labels."""
    folded, words = page.folded, page.words
    heads = [index for index, text in enumerate(folded) if text == words.decision]
    bounds = sorted((*others, *heads, len(folded)))
    return [head for head in heads if any(folded[at] in words.decision_labels for at in _up_to_next(head, bounds))]


def _up_to_next(start: int, bounds: Sequence[int]) -> range:
    return range(start + 1, next(bound for bound in bounds if bound > start))


def opens_take(page: Texts, index: int) -> bool:
    """`88/100 · ship`, `No panel take`, or a quotation mark."""
    text, words = page[index].text, page.words
    if not text:
        return False
    return text[0] in words.opening_marks or page.folded[index] == words.no_take or says_score(text, words)


class Title(Struct, frozen=True):
    """The page's `A vs B` as printed, both names, and their blocks on the cards.

    The name of the first card comes first, whatever the title's order. `block` is the title's own.
    """

    text: str
    names: tuple[str, str]
    name_blocks: tuple[int, int]
    block: int


def find_title(page: Texts, places: tuple[Sequence[int], Sequence[int]]) -> Title:
    """The two card blocks x and y for which the page's title reads `x vs y`, or `y vs x`.

    `places` are the blocks that may hold each card's name, the likeliest first. A name may contain ` vs `, so every way
    to split a title is tried. Raises `PageRejected` (`incomplete_card`).
    """
    for may_have_badge in (False, True):
        for number, text, names in titles(page):
            for pair in (names, names[::-1]):
                first, second = (
                    next((at for at in among if _is_name(page, at, name, may_have_badge=may_have_badge)), None)
                    for among, name in zip(places, pair, strict=True)
                )
                if first is not None and second is not None:
                    return Title(text, pair, (first, second), number)
    separator = page.words.title_separator
    raise PageRejected("incomplete_card", f"no 'A{separator}B' on the page fits the names of its two cards")


def titles(page: Texts) -> Iterator[tuple[int, str, tuple[str, str]]]:
    """Every way to split every text that may be the title: its block, the text, the two names."""
    separator = page.words.title_separator
    for number, block in enumerate(page):
        if separator in block.text:
            text = clean(block.text.removeprefix(page.words.breadcrumb))
            start = text.find(separator)
            while start >= 0:
                yield number, text, (text[:start], text[start + len(separator) :])
                start = text.find(separator, start + 1)


def _is_name(page: Texts, index: int, name: str, *, may_have_badge: bool) -> bool:
    """Whether a text is a name, or also `Alpha New`, `A Alpha`: an element inside the name's own."""
    text = page[index].text
    if not may_have_badge or not (text.startswith(name) or text.endswith(name)):
        return text == name
    beside = clean(text.removeprefix(name) if text.startswith(name) else text.removesuffix(name))
    # `Alpha (https://x.example/tool/alpha)` is printed for paper.
    is_address = beside.startswith("(http") and beside.endswith(")") and " " not in beside
    return fold(beside) in page.words.badges or is_monogram(beside, name) or is_address


class Sections(Struct, frozen=True):
    """Half-open block ranges, and the blocks of the two `Panel ship` in `panels`.

    `decision` is None if the page lost the table; `is_ended`: the page's closing lines, or another section, follow the
    takes.
    """

    title: Title
    panels: tuple[int, int]
    cards: tuple[range, range]
    decision: range | None
    takes: range
    is_ended: bool

    def between(self) -> list[int]:
        """Blocks from the page's first part to the end of its last, outside all parts."""
        parts = [*self.cards, self.takes, *([] if self.decision is None else [self.decision])]
        held = {index for part in parts for index in part} | {self.takes.start - 1}
        first, last = min(part.start for part in self.cards), max(part.stop for part in parts)
        return [index for index in range(first, last) if index not in held]


def find_sections(page: Texts, anchors: Anchors) -> Sections:
    """The sections of a comparison page with two cards.

    Raises `PageRejected` (`incomplete_card`) without two cards that match the title.
    """
    if len(anchors.panels) != 2:
        label = page.words.profile.card.panel_ship
        raise PageRejected(
            "incomplete_card", f"'{label}' stands {len(anchors.panels)} times on the page, where two cards have it"
        )
    panels = (anchors.panels[0], anchors.panels[1])
    scorecard, decisions = anchors.scorecards[0], anchors.decisions[:1]
    title, cards = _cards(page, panels, (scorecard, *decisions))
    others = [cards[0].start, cards[1].start, *decisions]
    end, is_ended = _scorecard_end(page, scorecard, others)
    after_cards = range(max(panels), len(page))
    closing = next((index for index in after_cards if page.folded[index] in page.words.closing_lines), len(page))
    bounds = sorted({*others, scorecard, closing, len(page)})

    def section(start: int) -> range:
        return range(start, _up_to_next(start, bounds).stop)

    first, second = (card if len(card) > 1 else section(card.start) for card in cards)
    decision = next((_decision(page, section(head), sorted((*panels, scorecard))) for head in decisions), None)
    return Sections(title, panels, (first, second), decision, range(scorecard + 1, end), is_ended)


def _cards(page: Texts, panels: tuple[int, int], heads: Sequence[int]) -> tuple[Title, tuple[range, range]]:
    """The title and both cards: each an element of its own, or its start as a range of one block."""
    anchors = sorted((*panels, *heads))
    first, second = (page.widest_element(panel, anchors) for panel in panels)
    if first is not None and second is not None:
        # The blocks before the numbers, the nearest first, then those after.
        near_a, near_b = (
            [*range(panel - 1, card.start - 1, -1), *range(panel + 1, card.stop)]
            for card, panel in zip((first, second), panels, strict=True)
        )
        try:
            return find_title(page, (near_a, near_b)), (first, second)
        except PageRejected:
            # The elements around the labels have no names, so the cards are not elements.
            pass
    title = find_title(page, (range(panels[0] - 1, -1, -1), range(panels[1] - 1, panels[0], -1)))
    start = _first_card_start(page, title)
    second_start = _second_card_start(page, title, panels[0])
    return title, (range(start, start + 1), range(second_start, second_start + 1))


def _first_card_start(page: Texts, title: Title) -> int:
    """The category is before the name."""
    words, start = page.words, title.name_blocks[0]
    before = page[start - 1].text if start > 0 else words.title_separator
    is_free = words.title_separator not in before and len(before) < SHORT_MAX
    return start - (is_free and fold(before) not in {words.no_take, words.scorecard})


def _second_card_start(page: Texts, title: Title, panel: int) -> int:
    """Before the second name come monogram and category, in any order, then the first card's description."""
    start = title.name_blocks[1]
    entry = next((index for index in range(panel + 1, start) if page.folded[index] == page.words.entry), panel)
    is_value_first = panel > 0 and page.is_percent(panel - 1)
    has_category = False
    while start - 1 > entry + (not is_value_first):
        text = page[start - 1].text
        if not is_monogram(text, title.names[1]):
            if has_category or not 0 < len(text) < SHORT_MAX:
                break
            has_category = True
        start -= 1
    return start


def _decision(page: Texts, flat: range, others: Sequence[int]) -> range:
    """The Decision table: from its head to the end of the last element with a label and no other part.

    Without such elements, it ends at the next part.
    """
    labels = [index for index in flat if page.folded[index] in page.words.decision_labels]
    whole = page.widest_element(labels[0], others) if labels else None
    if whole is not None and labels[-1] in whole:
        return range(flat.start, min(whole.stop, flat.stop))
    rows = [page.widest_element(label, others) for label in labels]
    ends = [row.stop for row in rows if row is not None]
    return range(flat.start, min(max(ends), flat.stop)) if ends and len(ends) == len(labels) else flat


def _scorecard_end(page: Texts, scorecard: int, starts: Sequence[int]) -> tuple[int, bool]:
    """The scorecard ends at the page's closing lines, at another section, or at a heading no deeper than its own."""
    level, words = page[scorecard].level, page.words
    for index in range(scorecard + 1, len(page)):
        folded, heading = page.folded[index], page[index].level
        if folded in words.closing_lines or index in starts:
            return index, True
        if level is None or heading is None or heading > level or index == scorecard + 1:
            continue
        # Reviewers may be headings of the same level: `<h2>Builder</h2>` over `88/100 · ship`.
        is_reviewer = index + 1 < len(page) and opens_take(page, index + 1)
        if not is_reviewer and folded != words.no_take:
            return index, True
    return len(page), False


# Pages with repeated parts: copies for phone and desktop, cards of other tools.


class Frame(Struct, frozen=True):
    """The numbers of the remaining blocks, and the `Panel ship` of both cards among them.

    `cut` are the removed copies: the name of the tool, if it is a card of one, and the range.
    """

    kept: tuple[int, ...]
    panels: tuple[int, int]
    cut: tuple[tuple[str | None, range], ...]


def find_frame(page: Texts, anchors: Anchors) -> Frame:
    """The frame of the page: the two cards closest to each other, the first table and the first scorecard.

    Raises `PageRejected` (`incomplete_card`) if the cards do not match the title, or belong to more than two tools.
    """
    title, names, owners = _owners(page, anchors)
    place = {panel: number for number, panel in enumerate(anchors.panels)}
    pairs = [pair for pair in combinations(anchors.panels, 2) if {owners[panel] for panel in pair} == {*names}]
    pair = min(pairs, key=lambda pair: (-_depth(page, *pair), place[pair[1]] - place[pair[0]], pair))

    heads = [heads[0] for heads in (anchors.decisions, anchors.scorecards) if heads]
    _refuse_third_tool(page, anchors, owners, pair, title)
    return _frame(page, anchors.all, owners, pair, sorted((*pair, *heads, title)))


def _owners(page: Texts, anchors: Anchors) -> tuple[int, tuple[str, str], Mapping[int, str | None]]:
    """The title that fits two of the cards, its names, and the tool of each `Panel ship`; None for other tools."""
    name_blocks = {panel: _name_places(panel, anchors.all) for panel in anchors.panels}
    for number, _, names in titles(page):
        owners = {
            panel: next((page[index].text for index in around if page[index].text in names), None)
            for panel, around in name_blocks.items()
        }
        if {*names} <= {*owners.values()}:
            return number, names, owners
    raise PageRejected(
        "incomplete_card",
        f"'{page.words.profile.card.panel_ship}' stands {len(anchors.panels)} times on the page, "
        "and not on one card for each name of its title",
    )


def _name_places(panel: int, anchors: Sequence[int]) -> Sequence[int]:
    """The blocks that may hold a card's name, the nearest before its `Panel ship` first."""
    return range(panel - 1, max((anchor for anchor in anchors if anchor < panel), default=-1), -1)


def _depth(page: Texts, one: int, other: int) -> int:
    return count_shared_depth(page[one].path, page[other].path)


def _refuse_third_tool(
    page: Texts, anchors: Anchors, owners: Mapping[int, str | None], pair: tuple[int, int], title: int
) -> None:
    """Rejects a card of another tool beside the two: in the same element and without another part between."""
    heads = (*anchors.decisions, *anchors.scorecards, title)
    for panel, owner in owners.items():
        first, last = min(panel, *pair), max(panel, *pair)
        is_beside = not any(first < head < last for head in heads)
        is_sibling = len(page[panel].path) == len(page[pair[0]].path)
        if owner is None and is_beside and is_sibling and _depth(page, panel, pair[0]) >= _depth(page, *pair):
            raise PageRejected("incomplete_card", "the page sets three tools or more side by side")


def _frame(
    page: Texts,
    anchors: Sequence[int],
    owners: Mapping[int, str | None],
    pair: tuple[int, int],
    chosen: Sequence[int],
) -> Frame:
    cut: set[int] = set()
    copies: list[tuple[str | None, range]] = []
    for anchor in anchors:
        if anchor in chosen:
            continue
        if (owner := owners.get(anchor)) is not None:
            near = range(max(anchor - 1, 0), min(anchor + 2, len(page)))
            copies.append((owner, page.widest_element(anchor, anchors) or near))
        if anchor in cut:
            continue
        around = page.widest_element(anchor, chosen) or range(anchor, anchor + 1)
        if anchor not in owners:
            copies.append((None, around))
        cut |= {*around} - {*chosen}
    return Frame(tuple(index for index in range(len(page)) if index not in cut), pair, tuple(copies))


def copy_doubts(page: Texts, read: Comparison, frame: Frame) -> Iterator[Doubt]:
    """Doubts about copies that differ from the parts that were read: other percentages, or other texts."""
    kept = {page.folded[index] for index in frame.kept}
    for name, around in frame.cut:
        percents = [page[index].text for index in around if page.is_percent(index)]
        card = next((card for card in read.cards if card.name == name), None)
        side = None if card is None else card.side
        if card is not None and percents and card.panel_ship not in percents:
            yield Doubt("copies_differ", side, f"panel_ship {card.panel_ship}", f"panel_ship {percents[0]}")
        different = [index for index in around if page.folded[index] not in kept and not page.is_percent(index)]
        yield from (
            Doubt("copies_differ", side, "a copy that says the same", doubt.found)
            for doubt in page.doubt_unread(different, side, (), "a copy")
        )
