"""Pages with repeated parts: copies for phone and desktop, cards of other tools. Pure.

A frame is the page with one of each part. Every other part is cut out with the widest element around it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from verdicts.extract.model.blocks import shared_depth
from verdicts.extract.model.records import Comparison, Doubt, PageRejected
from verdicts.extract.panel.sections import Anchors, titles
from verdicts.extract.panel.texts import Texts


class Frame(Struct, frozen=True):
    """The numbers of the remaining blocks, and the `Panel ship` of both cards among them.

    `cut` are the removed copies: the name of the tool, if it is a card of one, and the range.
    """

    kept: tuple[int, ...]
    panels: tuple[int, int]
    cut: tuple[tuple[str | None, range], ...]


def find_frame(page: Texts, anchors: Anchors) -> Frame:
    """The frame of the page: the two cards closest to each other, and the table and the scorecard closest to them.

    Raises `PageRejected` (`incomplete_card`) if the cards do not match the title, or belong to more than two tools.
    """
    title, names, owners = _owners(page, anchors)
    place = {panel: number for number, panel in enumerate(anchors.panels)}
    pairs = [pair for pair in combinations(anchors.panels, 2) if {owners[panel] for panel in pair} == {*names}]
    following = dict(zip(anchors.all, [*anchors.all[1:], len(page)], strict=True))
    # A bar of percentages has no `Entry`.
    short = {panel for panel in place if page.words.entry not in page.folded[panel : following[panel]]}
    pair = min(
        pairs,
        key=lambda pair: (len(short & {*pair}), -_depth(page, *pair), place[pair[1]] - place[pair[0]], pair),
    )

    def closeness(head: int) -> int:
        return min(_depth(page, head, panel) for panel in pair)

    heads = [max(among, key=closeness) for among in (anchors.decisions, anchors.scorecards) if among]
    _refuse_third_tool(page, anchors, owners, pair, title)
    return _frame(page, anchors.all, owners, pair, (*pair, *heads, title))


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
        around = page.widest_element(anchor, chosen) or range(anchor, anchor + 1)
        if anchor not in owners:
            copies.append((None, around))
        cut |= {*around} - {*chosen}
    return Frame(tuple(index for index in range(len(page)) if index not in cut), pair, tuple(copies))


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
