"""The takes of each page version in reading order, and an index of them by tool and time."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from normalize.dedup.mentions import TakeMention
from normalize.identity.page_versions import PageVersion

SAME_STATE = timedelta(hours=12)
"""Page versions this close in time, or of one crawl day, show a tool in one state. A day later its takes may differ."""


@dataclass(frozen=True, slots=True)
class PageTakes:
    """A page version's takes in reading order: review, match key and labelled tool of each, None without a label."""

    version: PageVersion
    review_ids: tuple[str, ...]
    match_keys: tuple[str, ...]
    labels: tuple[str | None, ...]

    @property
    def is_labelled(self) -> bool:
        return bool(self.labels) and None not in self.labels


def takes_by_page(mentions: Iterable[TakeMention]) -> list[PageTakes]:
    """The takes of every page version that has any, oldest first."""
    by_version: dict[int, list[TakeMention]] = defaultdict(list)
    for mention in mentions:
        by_version[mention.version_number].append(mention)
    return [
        PageTakes(
            group[0].version,
            tuple(mention.review_id for mention in group),
            tuple(mention.member.match_key for mention in group),
            tuple(mention.tool_id for mention in group),
        )
        for _, group in sorted(by_version.items())
    ]


class PageTakesIndex:
    """The pages of each tool, by crawl day and by time. `pages` come oldest first."""

    def __init__(self, pages: Sequence[PageTakes]) -> None:
        self.pages = pages
        self._by_day: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._by_time: dict[str, list[tuple[datetime, int]]] = defaultdict(list)
        for index, page in enumerate(pages):
            for tool_id in set(page.version.tool_ids):
                self._by_day[tool_id, page.version.crawl_day].append(index)
                self._by_time[tool_id].append((page.version.fetched_at, index))
        for times in self._by_time.values():
            times.sort()

    def same_state(self, tool_id: str, version: PageVersion) -> Iterator[PageTakes]:
        """Pages that show a tool in the same state as a page version does."""
        for index in self._by_day.get((tool_id, version.crawl_day), ()):
            yield self.pages[index]
        times = self._by_time.get(tool_id, [])
        start = bisect_left(times, (version.fetched_at - SAME_STATE, -1))
        end = bisect_right(times, (version.fetched_at + SAME_STATE, len(self.pages)))
        for _, index in times[start:end]:
            if self.pages[index].version.crawl_day != version.crawl_day:
                yield self.pages[index]
