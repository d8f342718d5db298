"""What a crawl leaves alone, counted by host and reason."""

import sqlite3
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args
from urllib.parse import urlsplit

SkipReason: TypeAlias = Literal[
    "other_host",
    "excluded",
    "not_included",
    "trap",
    "too_deep",
    "nofollow",
    "not_due",
    "budget",
    "host_down",
    "robots_unread",
]

SKIP_MEANINGS: dict[SkipReason, str] = {
    "other_host": "links to hosts that the config does not name",
    "excluded": "links that an exclude pattern matches",
    "not_included": "links that no include pattern matches",
    "trap": "links shaped like a trap: repeated path segments, too many parts or parameters",
    "too_deep": "links further from a start address than max_depth",
    "nofollow": "links that the page asks not to follow",
    "not_due": "known addresses that are not to be asked for yet",
    "budget": "due addresses left when max_pages or max_bytes was spent",
    "host_down": "due addresses left when the host failed too often in a row",
    "robots_unread": "due addresses left because robots.txt could not be read",
}
assert set(SKIP_MEANINGS) == set(get_args(SkipReason))


@dataclass(frozen=True, slots=True)
class SkipRecord:
    """How many addresses of a host a crawl left for one reason, and one of them."""

    host: str
    reason: str
    skipped: int
    example: str


class Skips:
    """Counts in memory, by host and reason, with an example; written with each commit of the crawl."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, SkipReason], tuple[int, str]] = {}

    def add(self, reason: SkipReason, url: str, count: int = 1) -> None:
        """Counts an address, kept as the example if it is the first."""
        host = urlsplit(url).hostname or ""
        before, example = self.counts.get((host, reason), (0, url))
        self.counts[host, reason] = (before + count, example)

    def write(self, state: sqlite3.Connection, crawl_id: str) -> None:
        """Adds what was counted since the last time."""
        rows = [(crawl_id, host, reason, *found) for (host, reason), found in self.counts.items()]
        state.executemany(
            "INSERT INTO skips (crawl_id, host, reason, skipped, example) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET skipped = skipped + excluded.skipped",
            rows,
        )
        self.counts.clear()
