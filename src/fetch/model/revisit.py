"""When a page is fetched again, and how far a sitemap's `lastmod` is trusted. Pure.

A page that changes is fetched more often, one that does not less often. The factors are close to those of Nutch's
AdaptiveFetchSchedule.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

NEVER_FETCHED = datetime(1, 1, 1, tzinfo=UTC)
"""`due_at` of a URL that was never fetched: due before all others."""

GREW, SHRANK = 1.5, 0.5
"""Factors of the interval after a visit to an unchanged page, and after one to a changed page."""

TRUSTED_SHARE, TRUSTED_CLAIMS = 0.95, 50
"""From this share of right claims, out of this many, the absence of a newer lastmod counts as "unchanged"."""

UNRELIABLE_SHARE, UNRELIABLE_CLAIMS = 0.5, 20
"""Above this share of wrong claims, out of this many, a newer lastmod is ignored."""


@dataclass(frozen=True, slots=True)
class Revisit:
    """Bounds of the interval between two visits to a page.

    `least` is a little less than a day, so that for a nightly run everything is due that it fetched the night before.
    `unconditional_every`: how often a page is requested without its ETag, as some hosts keep an ETag over a change.
    `gone_for`: when a tombstone is requested again, as pages come back.
    """

    least: timedelta = timedelta(hours=20)
    most: timedelta = timedelta(days=14)
    unconditional_every: timedelta = timedelta(days=14)
    gone_for: timedelta = timedelta(days=30)

    def clamp(self, interval: timedelta) -> timedelta:
        """The interval, moved within the bounds."""
        return min(max(interval, self.least), self.most)

    def after_unchanged(self, interval: timedelta) -> timedelta:
        """The next interval of a page that had not changed."""
        return self.clamp(max(interval, self.least) * GREW)

    def after_change(self, interval: timedelta) -> timedelta:
        """The next interval of a page that had changed or is new."""
        return self.clamp(interval * SHRANK)

    def after_false_change(self, interval: timedelta) -> timedelta:
        """The corrected interval of a page counted as changed whose content turned out to be the same."""
        return self.after_unchanged(interval / SHRANK)


@dataclass(frozen=True, slots=True)
class SitemapTrust:
    """How many claims of a host's sitemap, of a change or of none, a visit proved right or wrong."""

    right: int = 0
    wrong: int = 0

    @property
    def is_silence_trusted(self) -> bool:
        """Whether a page without a newer lastmod may wait for the longest interval."""
        claims = self.right + self.wrong
        return claims >= TRUSTED_CLAIMS and self.right >= TRUSTED_SHARE * claims

    @property
    def is_unreliable(self) -> bool:
        """Whether a newer lastmod is no reason for a request."""
        claims = self.right + self.wrong
        return claims >= UNRELIABLE_CLAIMS and self.wrong > UNRELIABLE_SHARE * claims
