"""A page version without what its page says: what takes and tools need to know of where they stand."""

from datetime import datetime

import msgspec

from verdicts.corpus.enumerations import SIDES, Rendering, Side
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.identity.ids import ToolPair
from verdicts.normalize.identity.page_versions import RICHNESS


class VersionHead(msgspec.Struct, frozen=True, array_like=True):
    """`tool_ids` are the tools A and B; `early_ids` those that they were known as on the day the version came in.

    `slugs` are those of A and B, None where they are not certain. `profile` names the site's words. `crawl` orders the
    versions of one page in time, `crawl_day` those of several pages. `sizes` are how many takes the panels of A and of
    B can have given by what the version itself shows (`attribution.panel_sizes.sizes_shown`), ascending.
    `is_standing`: it is the newest of its page and rendering, and the page is not gone.
    """

    page_id: str
    source: str
    url: str | None
    host: str | None
    tool_ids: ToolPair
    early_ids: ToolPair
    slugs: ToolPair | None
    crawl: str
    ingest_day: str
    fetched_at: datetime
    sha256: str
    location: Location
    rendering: Rendering
    profile: str
    title: str
    sizes: tuple[tuple[int, ...], tuple[int, ...]]
    is_standing: bool

    @property
    def crawl_day(self) -> str:
        return self.crawl[:8]

    @property
    def freshness(self) -> tuple[str, int, str, str, str]:
        """Sorts versions from the oldest and poorest to the newest and richest, whatever order they came in."""
        return (self.crawl_day, RICHNESS[self.rendering], self.source, self.crawl, self.sha256)

    def tool(self, side: Side) -> str:
        """The id of the tool on a side."""
        return self.tool_ids[SIDES.index(side)]


class ToolDay(msgspec.Struct, frozen=True, array_like=True):
    """A page version with takes that shows a tool. `tool_day` is of the tool and the crawl day."""

    tool_day: str
    page_id: str
    location: Location
    freshness: tuple[str, int, str, str, str]
    fetched_at: datetime


def tool_day(tool_id: str, crawl_day: str) -> str:
    """A tool on a crawl day."""
    return f"{tool_id}{crawl_day}"


def split_day(of_tool: str) -> tuple[str, str]:
    """The tool and the crawl day."""
    return of_tool[:-8], of_tool[-8:]
