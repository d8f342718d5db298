"""When a page is asked for again, and what a host's own words about change are worth. Pure.

A page that changes is looked at more often, one that does not less often. The steps are near those of
Nutch's AdaptiveFetchSchedule.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

NEVER_ASKED = datetime(1, 1, 1, tzinfo=UTC)
"""Due before everything else."""

GREW, SHRANK = 1.5, 0.5
"""Factors of the interval after a visit that found the page as it was, and after one that found it changed."""

TRUSTED_SHARE, TRUSTED_CLAIMS = 0.95, 50
"""A sitemap's silence is believed once so large a share of so many claims proved right."""

LIAR_SHARE, LIAR_CLAIMS = 0.5, 20
"""A sitemap's word of a change is no longer believed once it proved wrong so often."""


@dataclass(frozen=True, slots=True)
class Revisit:
    """Bounds of the interval between two visits of a page.

    `least` is a night and a little less, so that a nightly run finds everything due that it saw the night before.
    A page is asked for without conditions every `whole_every`: some hosts keep an ETag over a change.
    """

    least: timedelta = timedelta(hours=20)
    most: timedelta = timedelta(days=14)
    whole_every: timedelta = timedelta(days=14)
    gone_for: timedelta = timedelta(days=30)
    """A tombstone is looked at again after so long: pages come back."""

    def clamp(self, interval: timedelta) -> timedelta:
        """The interval within its bounds."""
        return min(max(interval, self.least), self.most)

    def after_same(self, interval: timedelta) -> timedelta:
        """The next interval of a page that was as before."""
        return self.clamp(max(interval, self.least) * GREW)

    def after_change(self, interval: timedelta) -> timedelta:
        """The next interval of a page that had changed, or is new."""
        return self.clamp(interval * SHRANK)

    def after_false_change(self, interval: timedelta) -> timedelta:
        """The next interval of a page counted as changed, whose records turned out to be the same."""
        return self.after_same(interval / SHRANK)


@dataclass(frozen=True, slots=True)
class Trust:
    """How a host's sitemap fared: claims of change, and silences, that a visit proved right or wrong."""

    right: int = 0
    wrong: int = 0

    @property
    def is_believed_silent(self) -> bool:
        """Whether a page without a newer lastmod may be left alone for longest."""
        claims = self.right + self.wrong
        return claims >= TRUSTED_CLAIMS and self.right >= TRUSTED_SHARE * claims

    @property
    def is_liar(self) -> bool:
        """Whether its lastmod is not worth a request."""
        claims = self.right + self.wrong
        return claims >= LIAR_CLAIMS and self.wrong > LIAR_SHARE * claims
