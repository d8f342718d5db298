"""The takes of each page version in reading order, and the number of takes of each tool."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from verdicts.corpus.enumerations import Side
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.dedup.mentions import FoldedText, Mention
from verdicts.normalize.identity.page_versions import VersionHead


@dataclass(frozen=True, slots=True)
class PageTakes:
    """A page version's takes in reading order: review, match key, labelled tool and side (None: no label)."""

    version: VersionHead
    review_ids: tuple[str, ...]
    match_keys: tuple[str, ...]
    labels: tuple[str | None, ...]
    sides: tuple[Side | None, ...]

    @property
    def is_labelled(self) -> bool:
        return bool(self.labels) and None not in self.labels


def list_takes_by_page(mentions: Iterable[Mention], texts: Mapping[str, FoldedText]) -> list[PageTakes]:
    """The takes of every page version, oldest first. `mentions` has all takes of a version; `texts` are by id."""
    by_version: dict[Location, list[Mention]] = defaultdict(list)
    for mention in mentions:
        by_version[mention.version.location].append(mention)
    pages = []
    for group in by_version.values():
        group.sort(key=lambda mention: mention.take.position)
        pages.append(
            PageTakes(
                group[0].version,
                tuple([texts[mention.text_id].review_id for mention in group]),
                tuple([texts[mention.text_id].match_key for mention in group]),
                tuple([mention.label for mention in group]),
                tuple([mention.take.side for mention in group]),
            )
        )
    pages.sort(key=lambda page: page.version.freshness)
    return pages


class PageTakesIndex:
    """The pages to decide on, and other pages of their tools by crawl day. All come oldest first."""

    def __init__(self, pages: Sequence[PageTakes], others: Iterable[PageTakes]) -> None:
        self.pages = pages
        self._others: dict[tuple[str, str], list[PageTakes]] = defaultdict(list)
        for page in others:
            for tool_id in set(page.version.tool_ids):
                self._others[tool_id, page.version.crawl_day].append(page)

    def find_same_state(self, tool_id: str, version: VersionHead) -> Sequence[PageTakes]:
        """Pages that show a tool on the crawl day of a page version. A day later it may have another panel."""
        return self._others.get((tool_id, version.crawl_day), ())


PANEL_PAGES = 8
"""Most other pages of a tool to search for labels of its panel."""

PanelSizes = tuple[int | None, int | None]
"""Number of takes of A and of B; None: not known."""


def find_panel_sizes(page: PageTakes, index: PageTakesIndex) -> PanelSizes:
    """The panel sizes of a page, with help from labelled pages of the same tools in the same state.

    Labels and votes give the size. A percentage allows few sizes (75 % of a panel of up to seven is 3 of 4), and both
    sizes add up to the takes on the page.
    """
    version, takes = page.version, len(page.sides)
    if takes and all(page.sides):
        count_a = page.sides.count("a")
        return count_a, takes - count_a
    sizes_a, sizes_b = (
        _count_labelled_takes(page, tool_id, index) or version.sizes[side]
        for side, tool_id in enumerate(version.tool_ids)
    )
    pairs = [(size_a, takes - size_a) for size_a in sizes_a if takes - size_a in sizes_b]
    return pairs[0] if len(pairs) == 1 else (None, None)


def _count_labelled_takes(page: PageTakes, tool_id: str, index: PageTakesIndex) -> tuple[int, ...]:
    """The number of takes of a tool on the first labelled page; empty if the first few pages have no labels."""
    for labelled_page in index.find_same_state(tool_id, page.version)[:PANEL_PAGES]:
        if labelled_page.is_labelled:
            return (labelled_page.labels.count(tool_id),)
    return ()
