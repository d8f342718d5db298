"""When a tool stood on which page versions: where others show it in the same state is found by tool and day."""

from datetime import datetime

import msgspec

from fetch.model.snapshot import Location
from normalize.state.relation import Relation


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


TOOL_DAYS = Relation("tool_days", ToolDay, ("tool_day", "page_id"))
