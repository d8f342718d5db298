"""What is known of an address, and what a visit found. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from fetch.model.revisit import Revisit


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an address. `sha256` is of its stored body; moments are None where there was none."""

    sha256: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    is_etag_wrong: bool = False
    fetched_at: datetime | None = None
    whole_at: datetime | None = None
    interval: timedelta = timedelta()
    lastmod: datetime | None = None
    alias_of: str | None = None
    hops: int = 0
    depth: int = 0

    def conditions(self, revisit: Revisit, now: datetime) -> dict[str, str]:
        """Headers that ask: has it changed? None where nothing is stored that a 304 could stand for.

        None now and then either: a host that keeps an ETag over a change is found out that way, and asked without from
        then on.
        """
        if self.sha256 is None or self.is_etag_wrong or self.whole_at is None:
            return {}
        if now - self.whole_at >= revisit.whole_every:
            return {}
        named = (("if-none-match", self.etag), ("if-modified-since", self.last_modified))
        return {name: value for name, value in named if value}

    @property
    def claim(self) -> Literal["changed", "same"] | None:
        """What the sitemap says of the time since the last visit; None where it says nothing."""
        if self.lastmod is None or self.fetched_at is None:
            return None
        return "changed" if self.lastmod > self.fetched_at else "same"


@dataclass(frozen=True, slots=True)
class Visited:
    """What a visit with a good answer found. `is_changed` is None for a page seen for the first time."""

    sha256: str
    etag: str | None
    last_modified: str | None
    is_changed: bool | None
    is_whole: bool
    is_etag_wrong: bool = False
