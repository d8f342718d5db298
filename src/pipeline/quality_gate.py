"""The gate between a night's load and its readers: holds back a night that a person should look at first."""

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.errors import HeldBack

LOST_LEAST, LOST_SHARE = 3, 0.2
"""A night is held back where at least so many pages, and so large a share of those read again, are no longer
comparisons.

One page may become something else; a fifth of them means a redesign, a block or an error page in their place.
"""


@dataclass(frozen=True, slots=True)
class Drift:
    """Of the pages the last run stored anew that had been comparisons: how many, and which are none now."""

    again: int
    lost: tuple[str, ...]

    @property
    def is_open(self) -> bool:
        """Whether the night may be published."""
        return len(self.lost) < LOST_LEAST or len(self.lost) < LOST_SHARE * self.again


def drift_of(kinds: Iterable[tuple[str, str, str]]) -> Drift:
    """What the last run that stored anything did to the pages known before.

    Takes (address, run, kind of record) in the order of the runs.
    """
    was_comparison: dict[str, bool] = {}
    tonight: dict[str, tuple[bool, bool]] = {}
    current_run = ""
    for url, run, kind in kinds:
        if run != current_run:
            was_comparison |= {page: before or now for page, (before, now) in tonight.items()}
            current_run, tonight = run, {}
        tonight[url] = (was_comparison.get(url, False), kind == "comparison")
    again = {url: now for url, (before, now) in tonight.items() if before}
    return Drift(len(again), tuple(url for url, now in again.items() if not now))


def check(drift: Drift) -> None:
    """Raises `HeldBack` where the night should not reach its readers."""
    if not drift.is_open:
        raise HeldBack(
            f"{len(drift.lost):,} of {drift.again:,} pages that changed are no comparisons any more, such as"
            f" {drift.lost[0]}: a redesign, a block, or an error page in their place. What was read before stays,"
            " and readers keep the corpus they have; 'verdicts publish' gives them this one"
        )
