"""The state of a URL, the result of a visit, and the present address of its page. Pure.

The frontier is a state machine with one law: nothing is given up before its replacement is held. An address points to
another (`ALIAS`, `MOVED`) only while that one is `HELD`; when that ends, every address that points to it is due at
once. Snapshots are never deleted.

```
            good response                              HELD
            good response, and its page is held
              under the address that it names          ALIAS   points to that address
  any  ──▶  redirect                                   MOVED   points to its target
            anything else: a failure, a refusal,
              a rule that forbids or does not keep it  ABSENT  what pointed to it is due
```
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from verdicts.fetch.model.snapshot import is_sendable

NEVER_FETCHED = datetime(1, 1, 1, tzinfo=UTC)
"""`due_at` of a URL that was never fetched: it is due before all others."""


class Absence(NamedTuple):
    """A time during which a page was gone, half-open. `until`: when it answered again, None for one that is gone now.

    `since` is `NEVER_FETCHED` where a rebuilt state does not know it.
    """

    since: datetime
    until: datetime | None = None


Absences: TypeAlias = tuple[Absence, ...]
"""All absences of a page, oldest first."""


def is_gone(absences: Absences) -> bool:
    """Whether the page is gone now."""
    return bool(absences) and absences[-1].until is None


GREW, SHRANK = 1.5, 0.5
"""Factors of the interval after a visit to an unchanged page, and to a changed one."""

TRUSTED_SHARE, TRUSTED_CLAIMS = 0.95, 50
"""From this share and number of right claims on, a missing newer lastmod counts as "unchanged"."""

UNRELIABLE_SHARE, UNRELIABLE_CLAIMS = 0.5, 20
"""Above this share of wrong claims, out of this many, a newer lastmod is ignored."""


@dataclass(frozen=True, slots=True)
class Revisit:
    """Limits of the interval between two visits to a page.

    `least` is a little less than a day, so that a nightly run finds everything due that it fetched the night before.
    `unconditional_every`: how often a page is requested without its ETag, as some hosts keep an ETag over a change.
    `gone_for`: when a tombstone is requested again, as pages come back.
    """

    least: timedelta = timedelta(hours=20)
    most: timedelta = timedelta(days=14)
    unconditional_every: timedelta = timedelta(days=14)
    gone_for: timedelta = timedelta(days=30)

    def clamp(self, interval: timedelta) -> timedelta:
        return min(max(interval, self.least), self.most)

    def after_unchanged(self, interval: timedelta) -> timedelta:
        return self.clamp(max(interval, self.least) * GREW)

    def after_change(self, interval: timedelta) -> timedelta:
        """The next interval of a changed or new page."""
        return self.clamp(interval * SHRANK)

    def after_false_change(self, interval: timedelta) -> timedelta:
        """The corrected interval of a page that counted as changed but has the same content."""
        return self.after_unchanged(interval / SHRANK)


@dataclass(frozen=True, slots=True)
class SitemapTrust:
    """The numbers of a sitemap's claims, "changed" or "unchanged", that visits proved right or wrong."""

    right: int = 0
    wrong: int = 0

    @property
    def is_silence_trusted(self) -> bool:
        """Whether a page without a newer lastmod may wait for the longest interval."""
        return self._share(self.right, least=TRUSTED_CLAIMS) >= TRUSTED_SHARE

    @property
    def is_unreliable(self) -> bool:
        """Whether a newer lastmod is ignored."""
        return self._share(self.wrong, least=UNRELIABLE_CLAIMS) > UNRELIABLE_SHARE

    def _share(self, part: int, least: int) -> float:
        claims = self.right + self.wrong
        return part / claims if claims >= least else 0.0


class UrlStatus(StrEnum):
    """Column `url_status` of the frontier: what the last visit to an address brought."""

    NEW = "new"
    """Never visited."""
    HELD = "held"
    """Its page is stored. It may name another address that does not hold the page yet."""
    ALIAS = "alias"
    """A page that is held under another address."""
    MOVED = "moved"
    """A redirect to another address, which may or may not hold a page."""
    ABSENT = "absent"
    """No page."""


class UrlState(Struct, frozen=True):
    """The state of a URL; empty if it was never fetched.

    `address` is the spelling that last answered with the page, else the first one seen. `sha256` is the hex digest of
    the newest stored body. `fetched_at` is the last visit, `unconditional_at` the last one without conditions.
    `lastmod` is the sitemap's. `hops` counts the redirects that led here, `depth` the links from a start URL.
    `alias_of` is the URL it points to, or that a held page names. `is_recorded`: the store may have a
    snapshot of it, its rights or a stub.
    """

    address: str
    sha256: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    is_etag_wrong: bool = False
    fetched_at: datetime | None = None
    unconditional_at: datetime | None = None
    interval: timedelta = timedelta()
    lastmod: datetime | None = None
    alias_of: str | None = None
    hops: int = 0
    depth: int = 0
    url_status: UrlStatus = UrlStatus.NEW
    is_recorded: bool = True

    def conditions(self, revisit: Revisit, now: datetime) -> dict[str, str]:
        """The headers of a conditional request; empty for an unconditional one.

        Empty if no body is stored that a 304 could confirm, if the page was held elsewhere, if the ETag is known to be
        wrong, and once every `Revisit.unconditional_every`, which finds hosts that keep an ETag over a change.
        """
        is_unsure = self.url_status is UrlStatus.ALIAS or self.sha256 is None or self.is_etag_wrong
        if is_unsure or self.unconditional_at is None or now - self.unconditional_at >= revisit.unconditional_every:
            return {}
        validators = (("if-none-match", self.etag), ("if-modified-since", self.last_modified))
        return {name: value for name, value in validators if value and is_sendable(value)}

    @property
    def claim(self) -> Literal["changed", "same"] | None:
        """What the sitemap claims about the time since the last visit, if anything."""
        if self.lastmod is None or self.fetched_at is None:
            return None
        return "changed" if self.lastmod > self.fetched_at else "same"


class VisitResult(NamedTuple):
    """The result of a good response. `is_changed` compares bodies; None for a first visit.

    `is_unconditional`: the response was whole, not a 304. `is_etag_wrong`: the host sent the old ETag with other bytes.
    `names` is the key of another page that the page calls its own. `address` is the spelling that answered.
    `not_after` is the moment from which the page must not be stored, if it names one.
    """

    address: str
    sha256: str
    etag: str | None
    last_modified: str | None
    is_changed: bool | None
    names: str | None
    is_unconditional: bool = True
    is_etag_wrong: bool = False
    not_after: datetime | None = None
