"""URLs that a crawl skips, counted by host and reason."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from verdicts.fetch.model.addresses.web_address import host_of


class SkipReason(StrEnum):
    """Why a URL is skipped; the value is the stored string. Members are written as value and meaning."""

    meaning: str

    def __new__(cls, value: str, meaning: str = "") -> Self:  # a lookup gives the value only
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member

    OTHER_HOST = "other_host", "links to hosts that the config does not name"
    EXCLUDED = "excluded", "links that an exclude pattern matches"
    NOT_INCLUDED = "not_included", "links that no include pattern matches"
    TRAP = "trap", "links shaped like a trap: repeated path segments, too many parts or parameters"
    TOO_DEEP = "too_deep", "links further from a start URL than max_depth"
    TOO_MANY = "too_many", "pages of which not all links were read: more than 10,000, or beyond 4 MB"
    PARAMETER = "parameter", "known URLs with a parameter of ignore_parameters"
    NOFOLLOW = "nofollow", "links that the page asks not to follow"
    NOT_DUE = "not_due", "known URLs that are not due yet"
    BUDGET = "budget", "due URLs left when max_pages or max_mb was reached"
    HOST_DOWN = "host_down", "due URLs left when the host had failed too often in a row"
    ROBOTS_UNREAD = "robots_unread", "due URLs left because robots.txt could not be read"
    LEASE_LOST = "lease_lost", "due URLs left when another fetcher had taken their hosts over"
    INTERRUPTED = "interrupted", "due URLs left when the run was ended"


@dataclass(frozen=True, slots=True)
class SkipRecord:
    """How many URLs of a host a crawl skipped for one reason, one of them, and what decided that one."""

    host: str
    reason: str
    skipped: int
    example: str
    detail: str | None = None


class SkipCounter:
    """Counts in memory, by host and reason, with the first URL as an example, until they are drained."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, SkipReason], tuple[int, str]] = {}

    def add(self, reason: SkipReason, url: str, count: int = 1) -> None:
        """Counts a URL, or `count` URLs of which `url` is an example."""
        host = host_of(url)
        before, example = self._counts.get((host, reason), (0, url))
        self._counts[host, reason] = (before + count, example)

    def of_host(self, host: str) -> list[tuple[SkipReason, SkipRecord]]:
        """What was counted for one host since the last `drain`, with its reason."""
        return [(key[1], SkipRecord(*key, *counted)) for key, counted in self._counts.items() if key[0] == host]

    def drain(self) -> list[SkipRecord]:
        """What was counted since the last `drain`; counting starts again at zero."""
        records = [SkipRecord(*key, *counted) for key, counted in self._counts.items()]
        self._counts.clear()
        return records
