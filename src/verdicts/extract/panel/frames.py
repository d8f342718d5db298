"""Pages with repeated parts: copies for phone and desktop, cards of other tools. Pure.

A frame is the page with one of each part. Every other part is cut out with the widest element around it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice

from msgspec import Struct

from verdicts.extract.model.blocks import shared_depth
from verdicts.extract.model.records import Comparison, Doubt, PageRejected
from verdicts.extract.panel.sections import Anchors, titles
from verdicts.extract.panel.texts import Texts

FRAMES_MAX = 8
"""The most pairs of cards to try."""


class Frame(Struct, frozen=True):
    """The numbers of the remaining blocks, and the `Panel ship` of both cards among them.

    `cut` are the removed copies: the name of the tool, if it is a card of one, and the range.
    """

    kept: tuple[int, ...]
    panels: tuple[int, int]
    cut: tuple[tuple[str | None, range], ...]


def frames(page: Texts, anchors: Anchors) -> Iterator[Frame]:
    """Every frame of the page: one pair of cards, one table, one scorecard; the likeliest first.

    Raises `PageRejected` (`incomplete_card`) if the cards do not match the title, or belong to more than two tools.
    """
    title, names, owners = _owners(page, anchors)
    place = {panel: number for number, panel in enumerate(anchors.panels)}
    pairs = sorted(
        (pair for pair in combinations(anchors.panels, 2) if {owners[panel] for panel in pair} == {*names}),
        key=lambda pair: (-_depth(page, *pair), place[pair[1]] - place[pair[0]], pair),
    )
    count = max(len(pairs), len(anchors.decisions), len(anchors.scorecards))
    for number in islice(range(count), FRAMES_MAX):
        pair = pairs[min(number, len(pairs) - 1)]
        heads = [_nearest(page, among, pair, number) for among in (anchors.decisions, anchors.scorecards) if among]
        _refuse_third_tool(page, anchors, owners, pair, title)
        yield _frame(page, anchors.all, owners, pair, (*pair, *heads, title))


def _owners(page: Texts, anchors: Anchors) -> tuple[int, tuple[str, str], Mapping[int, str | None]]:
    """The title that fits two of the cards, its names, and the tool of each `Panel ship`; None for other tools."""
    places = {panel: _name_places(page, panel, anchors.all) for panel in anchors.panels}
    for number, _, names in titles(page):
        owners = {
            panel: next((page[index].text for index in around if page[index].text in names), None)
            for panel, around in places.items()
        }
        if {*names} <= {*owners.values()}:
            return number, names, owners
    raise PageRejected(
        "incomplete_card",
        f"'{page.words.profile.card.panel_ship}' stands {len(anchors.panels)} times on the page, "
        "and not on one card for each name of its title",
    )


def _name_places(page: Texts, panel: int, anchors: Sequence[int]) -> Sequence[int]:
    """The blocks that may hold a card's name, the nearest before its `Panel ship` first."""
    card = page.widest_element(panel, anchors)
    before = max((anchor for anchor in anchors if anchor < panel), default=-1)
    if card is None or len(card) <= 3:
        return range(panel - 1, before, -1)
    return [*range(panel - 1, card.start - 1, -1), *range(panel + 1, card.stop), *range(card.start - 1, before, -1)]


def _depth(page: Texts, one: int, other: int) -> int:
    return shared_depth(page[one].path, page[other].path)


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


def _nearest(page: Texts, heads: Sequence[int], pair: tuple[int, int], number: int) -> int:
    """The head in the closest element around the cards; equally close ones go by their order."""
    depths = [min(_depth(page, head, panel) for panel in pair) for head in heads]
    close = [head for head, depth in zip(heads, depths, strict=True) if depth == max(depths)]
    return close[min(number, len(close) - 1)]


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
            # Its percentage is in its card, or beside it if the card is no element.
            alone = page.widest_element(anchor, anchors)
            near = range(max(anchor - 1, 0), min(anchor + 2, len(page)))
            copies.append((owner, near if alone is None or len(alone) == 1 else alone))
        if anchor in cut:
            continue
        around = page.widest_element(anchor, chosen)
        if around is None or (len(around) <= 2 and anchor not in owners):
            around = _flat(page, anchor, anchors, chosen, owners)
        if anchor not in owners:
            copies.append((None, around))
        cut |= {*around} - {*chosen}
    return Frame(tuple(index for index in range(len(page)) if index not in cut), pair, tuple(copies))


def _flat(
    page: Texts, anchor: int, anchors: Sequence[int], chosen: Sequence[int], owners: Mapping[int, str | None]
) -> range:
    """A part without an element of its own: up to the beginning of the next one."""

    def start(part: int) -> int:
        """A card begins at the category before its name, anything else at its anchor."""
        owner = owners.get(part)
        if owner is None:
            return part
        name = next(index for index in range(part - 1, -1, -1) if page[index].text == owner)
        return max(name - 1, 0)

    following = next((other for other in anchors if other > anchor), len(page))
    if anchor in owners and owners[anchor] is None:
        if min(chosen) < anchor < max(chosen):
            label = page.words.profile.card.panel_ship
            raise PageRejected("incomplete_card", f"the '{label}' of another tool stands between the parts")
        return range(anchor, anchor + 1)
    first = start(anchor)
    return range(first, max(start(following), anchor + 1) if anchor in owners else start(following))


def copy_doubts(page: Texts, read: Comparison, frame: Frame) -> Iterator[Doubt]:
    """What the copies of a part say that the read parts do not: other percentages, or other texts."""
    kept = {page.folded[index] for index in frame.kept}
    for name, around in frame.cut:
        shown = [page[index].text for index in around if page.is_percent(index)]
        card = next((card for card in read.cards if card.name == name), None)
        side = None if card is None else card.side
        if card is not None and shown and card.panel_ship not in shown:
            yield Doubt("copies_differ", side, f"panel_ship {card.panel_ship}", f"panel_ship {shown[0]}")
        others = [index for index in around if page.folded[index] not in kept and not page.is_percent(index)]
        yield from (
            Doubt("copies_differ", side, "a copy that says the same", doubt.found)
            for doubt in page.unread(others, side, (), "a copy")
        )
